// What comes out of a barrier is computed after all that goes in, and not in one loop with what computed it: so jax.checkpoint
// keeps memory small. The second sine is computed once more, after the product that the barrier waits for.
// RUN: tessera run %s --input=random --engine=compiled --dump-program 2>&1 | FileCheck %s
// RUN: tessera run %s --input=random --engine=compiled --output %t.npz
// RUN: tessera run %s --input=random --expect %t.npz
// CHECK: row sine+reduce
// CHECK: contract dot_general
// CHECK: barrier optimization_barrier
// CHECK: sine
func.func @main(%a: tensor<64x64xf32>) -> (tensor<f32>, tensor<64x64xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.sine %a : tensor<64x64xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<f32>
  %2 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %3:2 = stablehlo.optimization_barrier %a, %2 : tensor<64x64xf32>, tensor<64x64xf32>
  %4 = stablehlo.sine %3#0 : tensor<64x64xf32>
  %5 = stablehlo.multiply %4, %3#1 : tensor<64x64xf32>
  return %1, %5 : tensor<f32>, tensor<64x64xf32>
}
