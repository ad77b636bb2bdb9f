// Ops on quantized numbers, and rounding where an op has no such form.
// RUN: tessera opt %s --ttir-quant-dequant-conversion -o %t && FileCheck %s --input-file %t
// RUN: tessera run %t --function=sum --input=random --against=%s
// RUN: tessera run %t --function=greatest --input=random --against=%s
// RUN: tessera run %t --function=again --input=random --against=%s
// RUN: tessera opt %s --ttir-quant-dequant-conversion=when=false | FileCheck %s --check-prefix=OFF
// OFF: "ttir.exp"
// OFF-NEXT: return
!q = !quant.uniform<i8:f32, 5.000000e-01>

// CHECK-LABEL: func.func @sum(
// CHECK: %[[X:.*]] = "ttir.quantize"(%arg0)
// CHECK: %[[Y:.*]] = "ttir.quantize"(%arg1)
// CHECK: %[[S:.*]] = "ttir.add"(%[[X]], %[[Y]])
// CHECK: "ttir.dequantize"(%[[S]])
func.func @sum(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "ttir.quantize"(%x) : (tensor<4x4xf32>) -> tensor<4x4x!q>
  %1 = "ttir.dequantize"(%0) : (tensor<4x4x!q>) -> tensor<4x4xf32>
  %2 = "ttir.quantize"(%y) : (tensor<4x4xf32>) -> tensor<4x4x!q>
  %3 = "ttir.dequantize"(%2) : (tensor<4x4x!q>) -> tensor<4x4xf32>
  %4 = "ttir.add"(%1, %3) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %4 : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @greatest(
// CHECK: "ttir.max_pool2d"({{.*}}) {{.*}} -> tensor<1x2x2x4x!quant.uniform<i8:f32, 5.000000e-01>>
// CHECK-NEXT: "ttir.dequantize"
func.func @greatest(%x: tensor<1x4x4x4xf32>) -> tensor<1x2x2x4xf32> {
  %0 = "ttir.quantize"(%x) : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4x!q>
  %1 = "ttir.dequantize"(%0) : (tensor<1x4x4x4x!q>) -> tensor<1x4x4x4xf32>
  %2 = "ttir.max_pool2d"(%1) <{kernel = array<i32: 2, 2>, stride = array<i32: 2, 2>, dilation = array<i32: 1, 1>, padding = array<i32: 0, 0, 0, 0>, ceil_mode = false}> : (tensor<1x4x4x4xf32>) -> tensor<1x2x2x4xf32>
  return %2 : tensor<1x2x2x4xf32>
}

// CHECK-LABEL: func.func @again(
// CHECK: "ttir.requantize"
// CHECK-SAME: -> tensor<4x4x!quant.uniform<i8:f32, 2.500000e-01>>
func.func @again(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "ttir.quantize"(%x) : (tensor<4x4xf32>) -> tensor<4x4x!q>
  %1 = "ttir.dequantize"(%0) : (tensor<4x4x!q>) -> tensor<4x4xf32>
  %2 = "ttir.quantize"(%1) : (tensor<4x4xf32>) -> tensor<4x4x!quant.uniform<i8:f32, 2.500000e-01>>
  %3 = "ttir.dequantize"(%2) : (tensor<4x4x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<4x4xf32>
  return %3 : tensor<4x4xf32>
}

// Scales of weights, by channel, times that of the input; the bias is quantized alike.
// CHECK-LABEL: func.func @layer(
// CHECK: "ttir.conv2d"({{.*}}) {{.*}} -> tensor<1x4x4x2x!quant.uniform<i32:f32:3, {2.500000e-01,5.000000e-01}>>
// CHECK: "ttir.conv2d"({{.*}}) {{.*}} -> tensor<1x4x4x2x!quant.uniform<i8:f32:3, {2.500000e-01,5.000000e-01}>>
func.func @layer(%x: tensor<1x4x4x2xf32>, %w: tensor<2x2x1x1xf32>, %b: tensor<1x1x1x2xf32>) -> (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) {
  %0 = "ttir.quantize"(%x) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2x!q>
  %1 = "ttir.dequantize"(%0) : (tensor<1x4x4x2x!q>) -> tensor<1x4x4x2xf32>
  %2 = "ttir.quantize"(%w) : (tensor<2x2x1x1xf32>) -> tensor<2x2x1x1x!quant.uniform<i8:f32:0, {5.000000e-01,1.000000e+00}>>
  %3 = "ttir.dequantize"(%2) : (tensor<2x2x1x1x!quant.uniform<i8:f32:0, {5.000000e-01,1.000000e+00}>>) -> tensor<2x2x1x1xf32>
  %4 = "ttir.conv2d"(%1, %3) <{stride = array<i32: 1, 1>, padding = array<i32: 0, 0>, dilation = array<i32: 1, 1>, groups = 1 : i32}> : (tensor<1x4x4x2xf32>, tensor<2x2x1x1xf32>) -> tensor<1x4x4x2xf32>
  %5 = "ttir.dequantize"(%0) : (tensor<1x4x4x2x!q>) -> tensor<1x4x4x2xf32>
  %6 = "ttir.dequantize"(%2) : (tensor<2x2x1x1x!quant.uniform<i8:f32:0, {5.000000e-01,1.000000e+00}>>) -> tensor<2x2x1x1xf32>
  %7 = "ttir.conv2d"(%5, %6, %b) <{stride = array<i32: 1, 1>, padding = array<i32: 0, 0>, dilation = array<i32: 1, 1>, groups = 1 : i32}> : (tensor<1x4x4x2xf32>, tensor<2x2x1x1xf32>, tensor<1x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  return %4, %7 : tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>
}

// CHECK-LABEL: func.func @rounded(
// CHECK: %[[E:.*]] = "ttir.exp"
// CHECK-NEXT: %[[Q:.*]] = "ttir.quantize"(%[[E]])
// CHECK-NEXT: %[[D:.*]] = "ttir.dequantize"(%[[Q]])
// CHECK-NEXT: return %[[D]]
func.func @rounded(%x: tensor<4x4x!q>) -> tensor<4x4xf32> {
  %0 = "ttir.dequantize"(%x) : (tensor<4x4x!q>) -> tensor<4x4xf32>
  %1 = "ttir.exp"(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
