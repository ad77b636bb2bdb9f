// RUN: stablehlo-translate --interpret %s
// RUN: tessera opt %s --stablehlo-to-ttir-pipeline | FileCheck %s
// RUN: tessera opt %s --stablehlo-to-ttir-pipeline -o %t.mlir
// RUN: tessera run %t.mlir
// Composites become ops of TTIR that compute what their decompositions do.

// CHECK-LABEL: func.func @main
func.func @main() {
  %x = stablehlo.constant dense<[[1.0, -2.0, 0.5, 3.0], [0.0, 4.0, -1.5, 2.5]]> : tensor<2x4xf32>
  %w = stablehlo.constant dense<[1.0, 2.0, 0.5, -1.0]> : tensor<4xf32>

  // CHECK: "ttir.rms_norm"
  // CHECK-SAME: normalized_shape = array<i64: 4>
  // CHECK-SAME: operandSegmentSizes = array<i32: 1, 1, 0>
  %0 = stablehlo.composite "tenstorrent.rms_norm" %x, %w {composite_attributes = {epsilon = 0.01 : f32, normalized_shape = dense<4> : tensor<1xi64>}, decomposition = @rms_norm} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %1 = func.call @rms_norm(%x, %w) : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  check.expect_almost_eq %0, %1 : tensor<2x4xf32>

  // CHECK: "ttir.gather"
  // CHECK-SAME: dim = 1 : i32
  %ids = stablehlo.constant dense<[[3, 0], [1, 1]]> : tensor<2x2xi32>
  %2 = stablehlo.composite "tenstorrent.gather" %x, %ids {composite_attributes = {dim = 1 : i64}, decomposition = @gather} : (tensor<2x4xf32>, tensor<2x2xi32>) -> tensor<2x2xf32>
  check.expect_eq_const %2, dense<[[3.0, 1.0], [4.0, 4.0]]> : tensor<2x2xf32>

  // CHECK: "ttir.topk"
  // CHECK-SAME: k = 2 : i32, largest = true, sorted = true
  %3:2 = stablehlo.composite "tenstorrent.topk" %x {composite_attributes = {dim = -1 : i64, k = 2 : i64, largest = true, sorted = true}, decomposition = @topk} : (tensor<2x4xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)
  check.expect_eq_const %3#0, dense<[[3.0, 1.0], [4.0, 2.5]]> : tensor<2x2xf32>
  check.expect_eq_const %3#1, dense<[[3, 0], [1, 3]]> : tensor<2x2xi32>

  // Three dimensions are four with one head.
  // CHECK: "ttir.reshape"
  // CHECK: "ttir.scaled_dot_product_attention"
  // CHECK-SAME: is_causal = false
  // CHECK-SAME: -> tensor<1x1x2x4xf32>
  // CHECK: "ttir.reshape"
  %q = stablehlo.reshape %x : (tensor<2x4xf32>) -> tensor<1x2x4xf32>
  %4 = stablehlo.composite "tenstorrent.scaled_dot_product_attention" %q, %q, %q {composite_attributes = {is_causal = false, scale = 0.5 : f32}, decomposition = @attention} : (tensor<1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  %5 = func.call @attention(%q, %q, %q) : (tensor<1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  check.expect_almost_eq %4, %5 : tensor<1x2x4xf32>

  // A name that is not known, and one that is used for something else: the decomposition is taken.
  // CHECK: "ttir.neg"
  // CHECK: "ttir.abs"
  %6 = stablehlo.composite "tenstorrent.unheard_of" %x {decomposition = @negate} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %7 = stablehlo.composite "tenstorrent.layer_norm" %x {composite_attributes = {normalized_shape = dense<5> : tensor<1xi64>}, decomposition = @abs} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  check.expect_eq_const %6, dense<[[-1.0, 2.0, -0.5, -3.0], [0.0, -4.0, 1.5, -2.5]]> : tensor<2x4xf32>
  check.expect_eq_const %7, dense<[[1.0, 2.0, 0.5, 3.0], [0.0, 4.0, 1.5, 2.5]]> : tensor<2x4xf32>
  return
}

func.func private @negate(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.negate %x : tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

func.func private @abs(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.abs %x : tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

func.func private @rms_norm(%x: tensor<2x4xf32>, %w: tensor<4xf32>) -> tensor<2x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %four = stablehlo.constant dense<4.0> : tensor<2xf32>
  %eps = stablehlo.constant dense<0.01> : tensor<2xf32>
  %s = stablehlo.multiply %x, %x : tensor<2x4xf32>
  %r = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>
  %m = stablehlo.divide %r, %four : tensor<2xf32>
  %e = stablehlo.add %m, %eps : tensor<2xf32>
  %i = stablehlo.rsqrt %e : tensor<2xf32>
  %b = stablehlo.broadcast_in_dim %i, dims = [0] : (tensor<2xf32>) -> tensor<2x4xf32>
  %n = stablehlo.multiply %x, %b : tensor<2x4xf32>
  %c = stablehlo.broadcast_in_dim %w, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
  %o = stablehlo.multiply %n, %c : tensor<2x4xf32>
  return %o : tensor<2x4xf32>
}

func.func private @gather(%x: tensor<2x4xf32>, %ids: tensor<2x2xi32>) -> tensor<2x2xf32> {
  %0 = "stablehlo.gather"(%x, %ids) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<2x4xf32>, tensor<2x2xi32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

func.func private @topk(%x: tensor<2x4xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>) {
  %i = stablehlo.iota dim = 1 : tensor<2x4xi32>
  %0:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %gt = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %gt : tensor<i1>
  }) : (tensor<2x4xf32>, tensor<2x4xi32>) -> (tensor<2x4xf32>, tensor<2x4xi32>)
  %1 = stablehlo.slice %0#0 [0:2, 0:2] : (tensor<2x4xf32>) -> tensor<2x2xf32>
  %2 = stablehlo.slice %0#1 [0:2, 0:2] : (tensor<2x4xi32>) -> tensor<2x2xi32>
  return %1, %2 : tensor<2x2xf32>, tensor<2x2xi32>
}

func.func private @attention(%q: tensor<1x2x4xf32>, %k: tensor<1x2x4xf32>, %v: tensor<1x2x4xf32>) -> tensor<1x2x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %half = stablehlo.constant dense<0.5> : tensor<1x2x2xf32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<1x2x4xf32>, tensor<1x2x4xf32>) -> tensor<1x2x2xf32>
  %h = stablehlo.multiply %s, %half : tensor<1x2x2xf32>
  %e = stablehlo.exponential %h : tensor<1x2x2xf32>
  %r = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<1x2x2xf32>, tensor<f32>) -> tensor<1x2xf32>
  %b = stablehlo.broadcast_in_dim %r, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<1x2x2xf32>
  %p = stablehlo.divide %e, %b : tensor<1x2x2xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x2x2xf32>, tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  return %o : tensor<1x2x4xf32>
}
