// Equal constants, and equal broadcasts of one scalar, become one within a region when they are sharded alike.
// RUN: sdy_opt %s --sdy-constant-or-scalar-merger | FileCheck %s

sdy.mesh @m = <["x"=4]>

// CHECK-LABEL: func @constants
func.func @constants() -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[A:.*]] = sdy.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[B:.*]] = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: return %[[A]], %[[A]], %[[B]], %[[C]]
  %0 = sdy.constant dense<1.0> : tensor<8xf32>
  %1 = sdy.constant dense<1.0> : tensor<8xf32>
  %2 = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} dense<1.0> : tensor<8xf32>
  %3 = stablehlo.constant dense<1.0> : tensor<8xf32>
  return %0, %1, %2, %3 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func @broadcasts
func.func @broadcasts(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<2xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<2x2xf32>, tensor<2x2xf32>) {
  // CHECK-NEXT: %[[A:.*]] = stablehlo.broadcast_in_dim %arg0, dims = []
  // CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %arg1, dims = []
  // CHECK-NEXT: %[[C:.*]] = stablehlo.broadcast_in_dim %arg2, dims = [0]
  // CHECK-NEXT: %[[D:.*]] = stablehlo.broadcast_in_dim %arg2, dims = [0]
  // CHECK-NEXT: return %[[A]], %[[A]], %[[B]], %[[C]], %[[D]]
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<8xf32>
  %1 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<8xf32>
  %2 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<8xf32>
  %3 = stablehlo.broadcast_in_dim %arg2, dims = [0] : (tensor<2xf32>) -> tensor<2x2xf32>
  %4 = stablehlo.broadcast_in_dim %arg2, dims = [0] : (tensor<2xf32>) -> tensor<2x2xf32>
  return %0, %1, %2, %3, %4 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<2x2xf32>, tensor<2x2xf32>
}

// Nothing moves between regions.
// CHECK-LABEL: func @regions
func.func @regions(%arg0: tensor<i1>) -> (tensor<f32>, tensor<f32>) {
  // CHECK: stablehlo.constant
  // CHECK: "stablehlo.if"
  // CHECK: stablehlo.constant
  // CHECK: stablehlo.constant
  %0 = stablehlo.constant dense<2.0> : tensor<f32>
  %1 = "stablehlo.if"(%arg0) ({
    %2 = stablehlo.constant dense<2.0> : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }, {
    %2 = stablehlo.constant dense<2.0> : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
