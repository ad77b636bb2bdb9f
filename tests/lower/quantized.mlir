// Ops on quantized numbers compute with what those stand for: written out they give the same numbers, and so does the way back.
// RUN: tessera opt %s --stablehlo-legalize-quantized-op-to-qdq -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera opt %t.mlir --stablehlo-legalize-qdq-to-quantized-op -o %t.back.mlir
// RUN: FileCheck %s --input-file=%t.back.mlir --check-prefix=BACK
// RUN: tessera run %s --input=random --seed=1 --output=%t.npz
// RUN: tessera run %t.mlir --input=random --seed=1 --expect=%t.npz
// RUN: tessera run %t.back.mlir --input=random --seed=1 --expect=%t.npz
// RUN: tessera run %s --input=random --seed=2 --output=%t.npz
// RUN: tessera run %t.mlir --input=random --seed=2 --expect=%t.npz

!q = !quant.uniform<i8:f32, 0.5:3>
!u = !quant.uniform<i8:f32, 0.25:16>
!axis = !quant.uniform<i8:f32:1, {0.5:0, 0.25:0}>
!wide = !quant.uniform<i32:f32:1, {0.25:0, 0.125:0}>

// CHECK-LABEL: func.func @main
// CHECK: %[[A:.*]] = stablehlo.uniform_dequantize %arg0
// CHECK: %[[B:.*]] = stablehlo.uniform_dequantize %arg1
// CHECK: %[[S:.*]] = stablehlo.add %[[A]], %[[B]] : tensor<3x2xf32>
// CHECK: stablehlo.uniform_quantize %[[S]]
// CHECK: stablehlo.transpose %{{.*}} : (tensor<3x2x!quant.uniform
// BACK-LABEL: func.func @main
// BACK: stablehlo.add %arg0, %arg1 : (tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<3x2x!quant.uniform<i8:f32, 2.500000e-01:16>>) -> tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01:3>>
// BACK: stablehlo.abs %arg0 : tensor<3x2x!quant.uniform
func.func @main(%a: tensor<3x2x!q>, %b: tensor<3x2x!u>, %w: tensor<2x2x!quant.uniform<i8:f32, 0.5:0>>)
    -> (tensor<3x2x!q>, tensor<2x3x!q>, tensor<3x2x!q>, tensor<3x2x!u>, tensor<3x2xi1>, tensor<3x2x!q>, tensor<3x2x!q>) {
  %0 = stablehlo.add %a, %b : (tensor<3x2x!q>, tensor<3x2x!u>) -> tensor<3x2x!q>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<3x2x!q>) -> tensor<2x3x!q>
  %2 = stablehlo.abs %a : tensor<3x2x!q>
  %3 = stablehlo.logistic %b : tensor<3x2x!u>
  %4 = stablehlo.compare LT, %a, %0 : (tensor<3x2x!q>, tensor<3x2x!q>) -> tensor<3x2xi1>
  %5 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<3x2x!q>, tensor<2x2x!quant.uniform<i8:f32, 0.5:0>>) -> tensor<3x2x!q>
  %6 = stablehlo.maximum %a, %0 : tensor<3x2x!q>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<3x2x!q>, tensor<2x3x!q>, tensor<3x2x!q>, tensor<3x2x!u>, tensor<3x2xi1>, tensor<3x2x!q>, tensor<3x2x!q>
}
