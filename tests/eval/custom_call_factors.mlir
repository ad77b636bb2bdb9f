// Factors of matrices by the targets of XLA's library, and the largest of many: what comes out, multiplied again, is what went in;
// the same when batches, or matrices themselves, are divided; derivatives of them.
// RUN: tessera run %s --input=random --seed=3
// RUN: tessera run %s --spmd --check --input=random --seed=3
// RUN: tessera shard %s | FileCheck %s
// CHECK: mesh @mesh
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func private @greater(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
func.func @main(%a: tensor<2x4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>},
                %s: tensor<2x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}]>},
                %v: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<2x4x2xf32>, tensor<2x4xf32>, tensor<3x2xf32>, tensor<3x2xi32>, tensor<8x1xf32>) {
  // Q R = A: R is what stands above the diagonal.
  %0:2 = stablehlo.custom_call @Qr(%a) : (tensor<2x4x2xf32>) -> (tensor<2x4x2xf32>, tensor<2x2xf32>)
  %q = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%0#0, %0#1) : (tensor<2x4x2xf32>, tensor<2x2xf32>) -> tensor<2x4x2xf32>
  %top = stablehlo.slice %0#0 [0:2, 0:2, 0:2] : (tensor<2x4x2xf32>) -> tensor<2x2x2xf32>
  %mask = stablehlo.constant dense<[[[1.0, 1.0], [0.0, 1.0]], [[1.0, 1.0], [0.0, 1.0]]]> : tensor<2x2x2xf32>
  %r = stablehlo.multiply %top, %mask : tensor<2x2x2xf32>
  %qr = stablehlo.dot_general %q, %r, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x2xf32>, tensor<2x2x2xf32>) -> tensor<2x4x2xf32>
  // V W V^T = S, of a symmetric matrix.
  %t = stablehlo.transpose %s, dims = [0, 2, 1] : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %sym = stablehlo.add %s, %t : tensor<2x4x4xf32>
  %e:2 = stablehlo.custom_call @Eigh(%sym) {backend_config = "1,1,100,1e-6"} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4xf32>)
  %w = stablehlo.broadcast_in_dim %e#1, dims = [0, 2] : (tensor<2x4xf32>) -> tensor<2x4x4xf32>
  %vw = stablehlo.multiply %e#0, %w : tensor<2x4x4xf32>
  %back = stablehlo.dot_general %vw, %e#0, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  // The largest along a divided dimension, and the least.
  %i = stablehlo.iota dim = 0 : tensor<8x2xi32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %k:2 = stablehlo.custom_call @ApproxTopK(%v, %i, %low, %none) {called_computations = [@greater], mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.949999988 : f32, reduction_dim = 0 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<8x2xf32>, tensor<8x2xi32>, tensor<f32>, tensor<i32>) -> (tensor<3x2xf32>, tensor<3x2xi32>)
  %m:2 = stablehlo.custom_call @mhlo.topk(%v) {mhlo.attributes = {k = 1 : i64, largest = false}, mhlo.version = 1 : i64} : (tensor<8x2xf32>) -> (tensor<8x1xf32>, tensor<8x1xi32>)
  check.expect_almost_eq %qr, %a, tolerance = 1.0e-5 : tensor<2x4x2xf32>
  check.expect_almost_eq %back, %sym, tolerance = 1.0e-5 : tensor<2x4x4xf32>
  return %qr, %e#1, %k#0, %k#1, %m#0 : tensor<2x4x2xf32>, tensor<2x4xf32>, tensor<3x2xf32>, tensor<3x2xi32>, tensor<8x1xf32>
}
