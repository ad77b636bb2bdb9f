// One row of queries at a place of its own: operands and attributes stay as they are.
// RUN: tessera opt %s --ttcore-register-device --ttnn-layout --convert-ttir-to-ttnn -o %t.op && FileCheck %s --input-file %t.op
// RUN: tessera opt %s --ttir-to-ttnn-runtime-pipeline -o %t
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t -o %t.ttnn

// CHECK-LABEL: func.func @decode(
// CHECK: "ttnn.scaled_dot_product_attention_decode"(%{{.*}}) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0>, scale = 2.500000e-01 : f32}>
func.func @decode(%q: tensor<1x1x2x32xbf16>, %k: tensor<1x2x32x32xbf16>, %v: tensor<1x2x32x32xbf16>, %p: tensor<1xi32>) -> tensor<1x1x2x32xbf16> {
  %0 = "ttir.scaled_dot_product_attention_decode"(%q, %k, %v, %p) <{is_causal = true, scale = 0.25 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0>}> : (tensor<1x1x2x32xbf16>, tensor<1x2x32x32xbf16>, tensor<1x2x32x32xbf16>, tensor<1xi32>) -> tensor<1x1x2x32xbf16>
  return %0 : tensor<1x1x2x32xbf16>
}
