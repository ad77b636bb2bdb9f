// StableHLO becomes Graph IR where a pattern fits, and computes the same.
// RUN: tessera opt %s --stablehlo-to-tessera | FileCheck %s
// RUN: tessera opt %s --stablehlo-to-tessera -o %t.mlir
// RUN: tessera run %s --engine=reference --input=random --output=%t.npz
// RUN: tessera run %t.mlir --engine=reference --input=random --expect=%t.npz

// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<2x3x4xf32>, %w: tensor<4x5xf32>, %k: tensor<2x5x4xf32>, %b: tensor<5xf32>)
    -> (tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<2x5xf32>, tensor<2x3x5xf64>, tensor<2x3x5xf32>) {
  // CHECK: %[[D:.*]] = tessera.matmul %arg0, %arg1 : tensor<2x3x4xf32>, tensor<4x5xf32> -> tensor<2x3x5xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: tessera.matmul %arg0, %arg2 {rhs_transpose = true}
  %1 = stablehlo.dot_general %x, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x3x4xf32>, tensor<2x5x4xf32>) -> tensor<2x3x5xf32>
  // CHECK: %[[A:.*]] = tessera.add %[[D]], %arg3 : tensor<2x3x5xf32>, tensor<5xf32> -> tensor<2x3x5xf32>
  %2 = stablehlo.broadcast_in_dim %b, dims = [2] : (tensor<5xf32>) -> tensor<2x3x5xf32>
  %3 = stablehlo.add %0, %2 : tensor<2x3x5xf32>
  // CHECK: tessera.relu %[[A]]
  %zero = stablehlo.constant dense<0.0> : tensor<2x3x5xf32>
  %4 = stablehlo.maximum %3, %zero : tensor<2x3x5xf32>
  // CHECK: tessera.silu %[[A]]
  %5 = stablehlo.logistic %3 : tensor<2x3x5xf32>
  %6 = stablehlo.multiply %3, %5 : tensor<2x3x5xf32>
  // CHECK: %[[S:.*]] = tessera.softmax %[[A]] : tensor<2x3x5xf32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %7 = stablehlo.reduce(%3 init: %low) applies stablehlo.maximum across dimensions = [2] : (tensor<2x3x5xf32>, tensor<f32>) -> tensor<2x3xf32>
  %l2 = stablehlo.broadcast_in_dim %low, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %8 = stablehlo.maximum %l2, %7 : tensor<2x3xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x1xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x3x1xf32>) -> tensor<2x3x5xf32>
  %11 = stablehlo.subtract %3, %10 : tensor<2x3x5xf32>
  %12 = stablehlo.exponential %11 : tensor<2x3x5xf32>
  %13 = stablehlo.reduce(%12 init: %z) applies stablehlo.add across dimensions = [2] : (tensor<2x3x5xf32>, tensor<f32>) -> tensor<2x3xf32>
  %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x5xf32>
  %15 = stablehlo.divide %12, %14 : tensor<2x3x5xf32>
  // CHECK: tessera.reduce "sum" %[[S]], dims = [1]
  %16 = stablehlo.reduce(%15 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<2x3x5xf32>, tensor<f32>) -> tensor<2x5xf32>
  // CHECK: tessera.cast
  %17 = stablehlo.convert %1 : (tensor<2x3x5xf32>) -> tensor<2x3x5xf64>
  // No form: it stays.
  // CHECK: stablehlo.sine
  %18 = stablehlo.sine %15 : tensor<2x3x5xf32>
  // CHECK-NOT: stablehlo
  return %1, %4, %6, %15, %16, %17, %18 : tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<2x5xf32>, tensor<2x3x5xf64>, tensor<2x3x5xf32>
}
