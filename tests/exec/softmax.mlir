// A softmax after a product runs on the product's blocks, which have whole rows; the sum of its columns is a loop of its own, since it is
// there when all rows are.
// RUN: tessera run %s --input=random --engine=compiled --dump-program --output=%t.npz 2>&1 | FileCheck %s
// RUN: tessera run %s --input=random --expect=%t.npz

// CHECK: program of @main: {{[0-9]+}} steps, arena 0 bytes (at least 0), 0 by the evaluator's kernels
// CHECK-NEXT: contract dot_general+add+reduce+subtract+exponential+reduce+divide n=64 inner=16 {{.*}} reads {{.*}}@arg0 {{.*}}@arg1 {{.*}}16xf32@arg2 writes {{.*}}4xf32@result {{.*}}4x16xf32@result
// CHECK-NEXT: column reduce n=64 inner=16 {{.*}} writes {{.*}}16xf32@result
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %b: tensor<16xf32>) -> (tensor<4x16xf32>, tensor<4xf32>, tensor<16xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<16xf32>) -> tensor<4x16xf32>
  %2 = stablehlo.add %0, %1 : tensor<4x16xf32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %max = stablehlo.reduce(%2 init: %least) applies stablehlo.maximum across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = stablehlo.broadcast_in_dim %max, dims = [0] : (tensor<4xf32>) -> tensor<4x16xf32>
  %4 = stablehlo.subtract %2, %3 : tensor<4x16xf32>
  %5 = stablehlo.exponential %4 : tensor<4x16xf32>
  %sum = stablehlo.reduce(%5 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
  %6 = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<4xf32>) -> tensor<4x16xf32>
  %7 = stablehlo.divide %5, %6 : tensor<4x16xf32>
  %8 = stablehlo.reduce(%7 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4x16xf32>, tensor<f32>) -> tensor<16xf32>
  return %7, %sum, %8 : tensor<4x16xf32>, tensor<4xf32>, tensor<16xf32>
}
