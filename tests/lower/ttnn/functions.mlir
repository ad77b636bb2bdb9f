// Ops of TTIR that TTNN writes with several.
// RUN: tessera opt --ttir-to-ttnn-backend-pipeline=disable-workarounds=true %s -o %t && FileCheck %s --input-file %t
// RUN: tessera run %t --function=parts --input=random --against=%s
// RUN: tessera run %t --function=bent --input=random --against=%s
// RUN: tessera run %t --function=norms --input=random --against=%s
// RUN: tessera run %t --function=all --input=random --against=%s
// RUN: tessera run %s --function=decode --input=random --against=%t
// RUN: not ttmlir-opt --ttir-to-ttnn-backend-pipeline %s -o %t 2>%t.error && FileCheck %s --input-file %t.error --check-prefix=PEER
// PEER: 'ttir.rms_norm' op normalizes more than the last dimension, which TTNN has no op for

// CHECK-LABEL: func.func @parts(
// CHECK: "ttnn.where"
// CHECK: "ttnn.subtract"
func.func @parts(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %c = "ttir.constant"() <{value = dense<4.000000e+00> : tensor<4x8xf32>}> : () -> tensor<4x8xf32>
  %0 = "ttir.multiply"(%x, %c) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = "ttir.trunc"(%0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = "ttir.frac"(%0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1, %2 : tensor<4x8xf32>, tensor<4x8xf32>
}

// CHECK-LABEL: func.func @bent(
// CHECK: "ttnn.abs"
// CHECK: "ttnn.divide"
func.func @bent(%x: tensor<4x8xf32>, %y: tensor<4x8xbf16>) -> (tensor<4x8xf32>, tensor<4x8xbf16>) {
  %0 = "ttir.softsign"(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = "ttir.softsign"(%y) : (tensor<4x8xbf16>) -> tensor<4x8xbf16>
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xbf16>
}

// CHECK-LABEL: func.func @norms(
// CHECK: "ttnn.rms_norm"({{.*}}) -> tensor<3x32xf32
// CHECK: "ttnn.layer_norm"({{.*}}) -> tensor<3x32xf32
func.func @norms(%x: tensor<3x4x8xf32>, %w: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> (tensor<3x4x8xf32>, tensor<3x4x8xf32>) {
  %0 = "ttir.rms_norm"(%x, %w) <{epsilon = 1.000000e-05 : f32, normalized_shape = array<i64: 4, 8>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<3x4x8xf32>, tensor<4x8xf32>) -> tensor<3x4x8xf32>
  %1 = "ttir.layer_norm"(%x, %w, %b) <{epsilon = 1.000000e-05 : f32, normalized_shape = array<i64: 4, 8>, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<3x4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<3x4x8xf32>
  return %0, %1 : tensor<3x4x8xf32>, tensor<3x4x8xf32>
}

// CHECK-LABEL: func.func @all(
// CHECK: "ttnn.rms_norm"({{.*}}) -> tensor<1x32xf32
func.func @all(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = "ttir.rms_norm"(%x) <{epsilon = 1.000000e-05 : f32, normalized_shape = array<i64: 4, 8>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @decode(
func.func @decode(%q: tensor<1x8x12x32xbf16>, %k: tensor<8x3x32x32xbf16>, %v: tensor<8x3x32x32xbf16>, %at: tensor<8xi32>) -> tensor<1x8x12x32xbf16> {
  %0 = "ttir.scaled_dot_product_attention_decode"(%q, %k, %v, %at) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0>, scale = 0.25 : f32}> : (tensor<1x8x12x32xbf16>, tensor<8x3x32x32xbf16>, tensor<8x3x32x32xbf16>, tensor<8xi32>) -> tensor<1x8x12x32xbf16>
  return %0 : tensor<1x8x12x32xbf16>
}
