// What is put together is legal, and computes the same: moves that change the scale stay, and calls, and ops that have no form for
// numbers per axis; so do moves and selects of integers that floats cannot hold.
// RUN: tessera opt %s --stablehlo-legalize-qdq-to-quantized-op -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera run %s --function=main --input=random --output=%t.npz
// RUN: tessera run %t.mlir --function=main --input=random --expect=%t.npz
// RUN: tessera opt %s --stablehlo-legalize-quantized-op-to-qdq -o %t.apart.mlir
// RUN: FileCheck %s --input-file=%t.apart.mlir --check-prefix=APART
// RUN: tessera run %s --function=wide --input=random --output=%t.npz
// RUN: tessera run %t.apart.mlir --function=wide --input=random --expect=%t.npz

!q = !quant.uniform<i8:f32, 0.5:3>
!r = !quant.uniform<i8:f32, 0.25:1>
!axis = !quant.uniform<i8:f32:1, {0.5:0, 0.25:0}>
!h = !quant.uniform<i16:bf16, 0.1:7>

// CHECK-LABEL: func.func @main
// CHECK: %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %2 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:3>>
// CHECK: stablehlo.uniform_quantize %1 : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 2.500000e-01:1>>
// CHECK: stablehlo.tanh %{{.*}} : tensor<3x2xf32>
// CHECK: call @twice(%{{.*}}) : (tensor<3x2xf32>) -> tensor<3x2xf32>
// CHECK: stablehlo.transpose %{{.*}}, dims = [1, 0] : (tensor<3x2xbf16>) -> tensor<2x3xbf16>
func.func @main(%a: tensor<3x2x!q>, %b: tensor<3x2x!axis>, %c: tensor<3x2x!h>) -> (tensor<2x3x!q>, tensor<2x3x!r>, tensor<3x2x!axis>, tensor<3x2x!q>, tensor<2x3x!h>) {
  %0 = stablehlo.uniform_dequantize %a : (tensor<3x2x!q>) -> tensor<3x2xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.uniform_quantize %1 : (tensor<2x3xf32>) -> tensor<2x3x!q>
  %3 = stablehlo.uniform_quantize %1 : (tensor<2x3xf32>) -> tensor<2x3x!r>
  %4 = stablehlo.uniform_dequantize %b : (tensor<3x2x!axis>) -> tensor<3x2xf32>
  %5 = stablehlo.tanh %4 : tensor<3x2xf32>
  %6 = stablehlo.uniform_quantize %5 : (tensor<3x2xf32>) -> tensor<3x2x!axis>
  %7 = func.call @twice(%0) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %8 = stablehlo.uniform_quantize %7 : (tensor<3x2xf32>) -> tensor<3x2x!q>
  %9 = stablehlo.uniform_dequantize %c : (tensor<3x2x!h>) -> tensor<3x2xbf16>
  %10 = stablehlo.transpose %9, dims = [1, 0] : (tensor<3x2xbf16>) -> tensor<2x3xbf16>
  %11 = stablehlo.uniform_quantize %10 : (tensor<2x3xbf16>) -> tensor<2x3x!h>
  return %2, %3, %6, %8, %11 : tensor<2x3x!q>, tensor<2x3x!r>, tensor<3x2x!axis>, tensor<3x2x!q>, tensor<2x3x!h>
}

func.func private @twice(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.add %x, %x : tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// APART-LABEL: func.func @wide
// APART-NEXT: %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<4xi1>, tensor<4x!quant.uniform<i16:bf16
// APART: %{{.*}} = stablehlo.select %arg0, %{{.*}}, %{{.*}} : tensor<4xi1>, tensor<4xf32>
func.func @wide(%p: tensor<4xi1>, %x: tensor<4x!h>, %y: tensor<4x!h>, %z: tensor<4x!q>) -> (tensor<4x!h>, tensor<4x!q>) {
  %0 = stablehlo.select %p, %x, %y : tensor<4xi1>, tensor<4x!h>
  %1 = stablehlo.select %p, %z, %z : tensor<4xi1>, tensor<4x!q>
  return %0, %1 : tensor<4x!h>, tensor<4x!q>
}
