// Ranges that are narrower than i32 hold in integers, too: of sums, of products, of scales that change, and per axis.
// RUN: tessera run %s --input=4x1xf32=100,-100,8,1 --output=%t.npz
// RUN: tessera opt %s --stablehlo-legalize-quant-to-math -o %t.mlir
// RUN: tessera run %t.mlir --input=4x1xf32=100,-100,8,1 --expect=%t.npz
// RUN: tessera run %s --input=4x1xf32=100,-100,8,1 | FileCheck %s

// CHECK: [30],
// CHECK-NEXT: [-20],
// CHECK-NEXT: [30],
// CHECK-NEXT: [7]
!q = !quant.uniform<i32<-20:30>:f32, 0.5:3>
!w = !quant.uniform<i32<-20:30>:f32, 0.5:0>
!fine = !quant.uniform<i32<-9:9>:f32, 0.25:0>
!unsigned = !quant.uniform<u32<0:40>:f32, 0.5:3>
!axis = !quant.uniform<i32<-20:30>:f32:1, {0.5:3}>
!out = !quant.uniform<i32<-50:60>:f32, 0.25:1>
func.func @main(%a: tensor<4x1xf32>) -> (tensor<4x1x!q>, tensor<4x1x!fine>, tensor<4x1x!unsigned>, tensor<4x1x!axis>, tensor<4x4x!out>) {
  %0 = stablehlo.uniform_quantize %a : (tensor<4x1xf32>) -> tensor<4x1x!q>
  %1 = stablehlo.add %0, %0 : tensor<4x1x!q>
  %2 = stablehlo.uniform_quantize %1 : (tensor<4x1x!q>) -> tensor<4x1x!fine>
  %3 = stablehlo.uniform_quantize %a : (tensor<4x1xf32>) -> tensor<4x1x!unsigned>
  %4 = stablehlo.add %3, %3 : tensor<4x1x!unsigned>
  %5 = stablehlo.uniform_quantize %a : (tensor<4x1xf32>) -> tensor<4x1x!axis>
  %6 = stablehlo.add %5, %5 : tensor<4x1x!axis>
  %7 = stablehlo.uniform_quantize %a : (tensor<4x1xf32>) -> tensor<4x1x!w>
  %8 = stablehlo.dot_general %0, %7, contracting_dims = [1] x [1] : (tensor<4x1x!q>, tensor<4x1x!w>) -> tensor<4x4x!out>
  return %1, %2, %4, %6, %8 : tensor<4x1x!q>, tensor<4x1x!fine>, tensor<4x1x!unsigned>, tensor<4x1x!axis>, tensor<4x4x!out>
}
