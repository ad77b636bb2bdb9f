// Activations become part of the layer before them, when nobody else wants that layer's result.
// RUN: tessera opt %s --ttcore-register-device --ttnn-layout --convert-ttir-to-ttnn --ttnn-fusing -o %t && FileCheck %s --input-file %t

// CHECK-LABEL: func.func @gated(
// CHECK: "ttnn.matmul"(%arg0, %arg1) <{activation = "silu"
// CHECK-NOT: ttnn.silu
// CHECK: return
func.func @gated(%x: tensor<32x64xbf16>, %w: tensor<64x32xbf16>) -> tensor<32x32xbf16> {
  %0 = "ttir.matmul"(%x, %w) : (tensor<32x64xbf16>, tensor<64x32xbf16>) -> tensor<32x32xbf16>
  %1 = "ttir.silu"(%0) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %1 : tensor<32x32xbf16>
}

// CHECK-LABEL: func.func @shared(
// CHECK: "ttnn.sigmoid"
// CHECK-LABEL: func.func @other(
// CHECK: "ttnn.cos"
func.func @shared(%x: tensor<32x64xbf16>, %w: tensor<64x32xbf16>) -> (tensor<32x32xbf16>, tensor<32x32xbf16>) {
  %0 = "ttir.matmul"(%x, %w) : (tensor<32x64xbf16>, tensor<64x32xbf16>) -> tensor<32x32xbf16>
  %1 = "ttir.sigmoid"(%0) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %0, %1 : tensor<32x32xbf16>, tensor<32x32xbf16>
}
func.func @other(%x: tensor<32x64xbf16>, %w: tensor<64x32xbf16>) -> tensor<32x32xbf16> {
  %0 = "ttir.matmul"(%x, %w) : (tensor<32x64xbf16>, tensor<64x32xbf16>) -> tensor<32x32xbf16>
  %1 = "ttir.cos"(%0) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %1 : tensor<32x32xbf16>
}

// CHECK-LABEL: func.func @picture(
// CHECK: "ttnn.conv2d"({{.*}}conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16, activation = <op_type = relu>
// CHECK-NOT: ttnn.relu
func.func @picture(%x: tensor<1x1x64x4xbf16>, %w: tensor<6x4x3x3xbf16>) -> tensor<1x6x6x6xbf16> {
  %0 = "ttir.conv2d"(%x, %w) <{stride = array<i32: 1, 1>, padding = array<i32: 0, 0>, dilation = array<i32: 1, 1>, groups = 1 : i32, flattened_compat_info = #ttir<flattened_compat batch_size = 1, input_height = 8, input_width = 8>}> : (tensor<1x1x64x4xbf16>, tensor<6x4x3x3xbf16>) -> tensor<1x1x36x6xbf16>
  %1 = "ttir.reshape"(%0) <{shape = [1 : i32, 6 : i32, 6 : i32, 6 : i32]}> : (tensor<1x1x36x6xbf16>) -> tensor<1x6x6x6xbf16>
  %2 = "ttir.relu"(%1) : (tensor<1x6x6x6xbf16>) -> tensor<1x6x6x6xbf16>
  return %2 : tensor<1x6x6x6xbf16>
}
