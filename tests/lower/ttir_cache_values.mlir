// RUN: stablehlo-translate --interpret %s
// RUN: tessera opt %s --convert-stablehlo-to-ttir | FileCheck %s
// RUN: tessera opt %s --convert-stablehlo-to-ttir -o %t.mlir
// RUN: tessera run %t.mlir --function=main
// RUN: tessera run %s --function=write --input=random --input=1xi64=2 --input=random --seed=3 --output=%t.npz
// RUN: tessera run %t.mlir --function=write --input=random --input=1xi64=2 --input=random --seed=3 --expect=%t.npz
// A token that a scatter writes into a cache, update_cache writes in the same place. Who calls a private function has the
// old cache still, so that the scatter stays one there.

func.func @main() {
  %i = stablehlo.iota dim = 0 : tensor<32xf32>
  %cache = stablehlo.reshape %i : (tensor<32xf32>) -> tensor<2x2x4x2xf32>
  %token = stablehlo.constant dense<[[[[-1.0, -2.0]], [[-3.0, -4.0]]], [[[-5.0, -6.0]], [[-7.0, -8.0]]]]> : tensor<2x2x1x2xf32>
  %at = stablehlo.constant dense<2> : tensor<1xi64>
  %0 = func.call @step(%cache, %at, %token) : (tensor<2x2x4x2xf32>, tensor<1xi64>, tensor<2x2x1x2xf32>) -> tensor<2x2x4x2xf32>
  check.expect_eq_const %0, dense<[[[[0.0, 1.0], [2.0, 3.0], [-1.0, -2.0], [6.0, 7.0]], [[8.0, 9.0], [10.0, 11.0], [-3.0, -4.0], [14.0, 15.0]]], [[[16.0, 17.0], [18.0, 19.0], [-5.0, -6.0], [22.0, 23.0]], [[24.0, 25.0], [26.0, 27.0], [-7.0, -8.0], [30.0, 31.0]]]]> : tensor<2x2x4x2xf32>
  %1 = stablehlo.slice %cache [0:1, 0:1, 2:3, 0:2] : (tensor<2x2x4x2xf32>) -> tensor<1x1x1x2xf32>
  check.expect_eq_const %1, dense<[[[[4.0, 5.0]]]]> : tensor<1x1x1x2xf32>
  return
}

// CHECK-LABEL: func.func private @step
// CHECK-NOT: update_cache
// CHECK: return
func.func private @step(%cache: tensor<2x2x4x2xf32>, %at: tensor<1xi64>, %token: tensor<2x2x1x2xf32>) -> tensor<2x2x4x2xf32> {
  %0 = "stablehlo.scatter"(%cache, %at, %token) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1, 3], inserted_window_dims = [2], scatter_dims_to_operand_dims = [2], index_vector_dim = 1>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    stablehlo.return %new : tensor<f32>
  }) : (tensor<2x2x4x2xf32>, tensor<1xi64>, tensor<2x2x1x2xf32>) -> tensor<2x2x4x2xf32>
  return %0 : tensor<2x2x4x2xf32>
}

// CHECK-LABEL: func.func @write
// CHECK: "ttir.permute"
// CHECK: "ttir.update_cache"
// CHECK: return %arg0
func.func @write(%cache: tensor<2x2x4x2xf32>, %at: tensor<1xi64>, %token: tensor<2x2x1x2xf32>) -> tensor<2x2x4x2xf32> {
  %0 = "stablehlo.scatter"(%cache, %at, %token) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1, 3], inserted_window_dims = [2], scatter_dims_to_operand_dims = [2], index_vector_dim = 1>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    stablehlo.return %new : tensor<f32>
  }) : (tensor<2x2x4x2xf32>, tensor<1xi64>, tensor<2x2x1x2xf32>) -> tensor<2x2x4x2xf32>
  return %0 : tensor<2x2x4x2xf32>
}
