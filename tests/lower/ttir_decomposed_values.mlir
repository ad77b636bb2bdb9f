// RUN: tessera opt %s --stablehlo-to-ttir-pipeline -o %t.mlir
// RUN: tessera run %t.mlir
// What functions behind composites compute: attention over the front part of keys, and scores of an index.

func.func @main() {
  %i = stablehlo.iota dim = 0 : tensor<24xf32>
  %t = stablehlo.constant dense<0.1> : tensor<24xf32>
  %f = stablehlo.multiply %i, %t : tensor<24xf32>
  %s = stablehlo.sine %f : tensor<24xf32>
  %q = stablehlo.reshape %s : (tensor<24xf32>) -> tensor<1x2x3x4xf32>
  %k0 = stablehlo.slice %q [0:1, 0:1, 0:3, 0:4] : (tensor<1x2x3x4xf32>) -> tensor<1x1x3x4xf32>

  // Queries of both heads look at one head of keys; later keys do not count; values are the front half of keys.
  %0 = stablehlo.custom_call @tt.flash_mla_prefill(%q, %k0) {api_version = 0 : i32, mhlo.frontend_attributes = {head_dim_v = "2", scale = "0.5"}} : (tensor<1x2x3x4xf32>, tensor<1x1x3x4xf32>) -> tensor<1x2x3x2xf32>
  %k = stablehlo.broadcast_in_dim %k0, dims = [0, 1, 2, 3] : (tensor<1x1x3x4xf32>) -> tensor<1x2x3x4xf32>
  %v = stablehlo.slice %k [0:1, 0:2, 0:3, 0:2] : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x2xf32>
  %d = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x3xf32>
  %half = stablehlo.constant dense<0.5> : tensor<1x2x3x3xf32>
  %h = stablehlo.multiply %d, %half : tensor<1x2x3x3xf32>
  %e = stablehlo.exponential %h : tensor<1x2x3x3xf32>
  %row = stablehlo.iota dim = 2 : tensor<1x2x3x3xi32>
  %column = stablehlo.iota dim = 3 : tensor<1x2x3x3xi32>
  %seen = stablehlo.compare GE, %row, %column : (tensor<1x2x3x3xi32>, tensor<1x2x3x3xi32>) -> tensor<1x2x3x3xi1>
  %none = stablehlo.constant dense<0.0> : tensor<1x2x3x3xf32>
  %m = stablehlo.select %seen, %e, %none : tensor<1x2x3x3xi1>, tensor<1x2x3x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%m init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<1x2x3x3xf32>, tensor<f32>) -> tensor<1x2x3xf32>
  %b = stablehlo.broadcast_in_dim %sum, dims = [0, 1, 2] : (tensor<1x2x3xf32>) -> tensor<1x2x3x3xf32>
  %p = stablehlo.divide %m, %b : tensor<1x2x3x3xf32>
  %1 = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<1x2x3x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x3x2xf32>
  check.expect_almost_eq %0, %1 : tensor<1x2x3x2xf32>

  // Keys up to one behind the query count.
  %w = stablehlo.slice %q [0:1, 0:2, 0:3, 1:2] : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x1xf32>
  %2 = stablehlo.custom_call @tt.indexer_score_dsa(%q, %k0, %w) {api_version = 0 : i32, mhlo.frontend_attributes = {chunk_start_idx = "1"}} : (tensor<1x2x3x4xf32>, tensor<1x1x3x4xf32>, tensor<1x2x3x1xf32>) -> tensor<1x1x3x3xf32>
  %r = stablehlo.maximum %d, %none : tensor<1x2x3x3xf32>
  %ws = stablehlo.broadcast_in_dim %w, dims = [0, 1, 2, 3] : (tensor<1x2x3x1xf32>) -> tensor<1x2x3x3xf32>
  %g = stablehlo.multiply %r, %ws : tensor<1x2x3x3xf32>
  %over = stablehlo.reduce(%g init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<1x2x3x3xf32>, tensor<f32>) -> tensor<1x3x3xf32>
  %3 = stablehlo.reshape %over : (tensor<1x3x3xf32>) -> tensor<1x1x3x3xf32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<1x1x3x3xf32>
  %near = stablehlo.constant dense<[[[[true, true, false], [true, true, true], [true, true, true]]]]> : tensor<1x1x3x3xi1>
  %4 = stablehlo.select %near, %3, %low : tensor<1x1x3x3xi1>, tensor<1x1x3x3xf32>
  check.expect_almost_eq %2, %4 : tensor<1x1x3x3xf32>
  return
}
