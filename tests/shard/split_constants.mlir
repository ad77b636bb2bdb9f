// Each use of a constant computation gets its own copy, in the place of the original.
// RUN: sdy_opt %s --sdy-constant-or-scalar-splitter | FileCheck %s

// CHECK-LABEL: func @chain
func.func @chain(%arg0: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  // CHECK-NEXT: %0 = sdy.constant {tag} dense<1.000000e+00> : tensor<4x4xf32>
  // CHECK-NEXT: sdy.sharding_group %0 group_id=3
  // CHECK-NEXT: %1 = sdy.constant {tag} dense<1.000000e+00> : tensor<4x4xf32>
  // CHECK-NEXT: sdy.sharding_group %1 group_id=3
  // CHECK-NEXT: %2 = sdy.constant {tag} dense<1.000000e+00> : tensor<4x4xf32>
  // CHECK-NEXT: sdy.sharding_group %2 group_id=3
  // CHECK-NEXT: %3 = stablehlo.add %0, %0
  // CHECK-NEXT: %4 = stablehlo.add %2, %2
  // CHECK-NEXT: %5 = stablehlo.subtract %3, %arg0
  // CHECK-NEXT: %6 = stablehlo.multiply %arg0, %1
  // CHECK-NEXT: return %5, %6, %4
  %0 = stablehlo.constant {tag} dense<1.0> : tensor<4x4xf32>
  sdy.sharding_group %0 group_id=3 : tensor<4x4xf32>
  %1 = stablehlo.add %0, %0 : tensor<4x4xf32>
  %2 = stablehlo.subtract %1, %arg0 : tensor<4x4xf32>
  %3 = stablehlo.multiply %arg0, %0 : tensor<4x4xf32>
  return %2, %3, %1 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// Scalars stay as they are; broadcasts of them are copied, whatever they are made of.
// CHECK-LABEL: func @scalars
func.func @scalars(%arg0: tensor<4x4xf32>, %arg1: tensor<f32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  // CHECK-NEXT: %0 = sdy.constant dense<2.000000e+00> : tensor<f32>
  // CHECK-NEXT: %1 = stablehlo.multiply %0, %arg1
  // CHECK-NEXT: %2 = stablehlo.broadcast_in_dim %1, dims = []
  // CHECK-NEXT: %3 = stablehlo.broadcast_in_dim %1, dims = []
  // CHECK-NEXT: %4 = stablehlo.add %arg0, %2
  // CHECK-NEXT: %5 = stablehlo.add %4, %3
  // CHECK-NEXT: %6 = stablehlo.broadcast_in_dim %0, dims = []
  // CHECK-NEXT: return %5, %6
  %0 = stablehlo.constant dense<2.0> : tensor<f32>
  %1 = stablehlo.multiply %0, %arg1 : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
  %3 = stablehlo.add %arg0, %2 : tensor<4x4xf32>
  %4 = stablehlo.add %3, %2 : tensor<4x4xf32>
  %5 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
  return %4, %5 : tensor<4x4xf32>, tensor<4x4xf32>
}

// A call of a function that is constant is constant: each use gets its own call, of its own function.
// CHECK-LABEL: func @calls
func.func @calls(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NEXT: %0 = call @ones_0()
  // CHECK-NEXT: %1 = call @ones_1()
  // CHECK-NEXT: %2 = stablehlo.add %arg0, %0
  // CHECK-NEXT: %3 = call @random()
  // CHECK-NEXT: %4 = stablehlo.add %3, %1
  // CHECK-NEXT: return %2, %4
  %0 = call @ones() : () -> tensor<4xf32>
  %1 = stablehlo.add %arg0, %0 : tensor<4xf32>
  %2 = call @random() : () -> tensor<4xf32>
  %3 = stablehlo.add %2, %0 : tensor<4xf32>
  return %1, %3 : tensor<4xf32>, tensor<4xf32>
}
func.func private @ones() -> tensor<4xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @random() -> tensor<4xf32> {
  %0 = stablehlo.custom_call @random() {has_side_effect = true} : () -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK: func private @ones_0() -> tensor<4xf32> attributes {sdy.original_func_name = "ones"}
// CHECK: func private @ones_1() -> tensor<4xf32> attributes {sdy.original_func_name = "ones"}
