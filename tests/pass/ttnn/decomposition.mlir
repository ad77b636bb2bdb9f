// Layers written with smaller ops.
// RUN: tessera opt %s --ttcore-register-device="mesh-shape=1,4" --ttnn-layout --convert-ttir-to-ttnn --ttnn-decomposition -o %t && FileCheck %s --input-file %t

// CHECK-LABEL: func.func @attention(
// CHECK: "ttnn.repeat_interleave"(%arg1) <{dim = 1 : si32, repeats = 2 : ui32}>
// CHECK: "ttnn.repeat_interleave"(%arg2)
// CHECK: "ttnn.transpose"
// CHECK: "ttnn.matmul"
// CHECK: "ttnn.full"({{.*}}fill_value = 1.250000e-01 : f32
// CHECK: "ttnn.multiply"
// CHECK-COUNT-2: "ttnn.arange"
// CHECK: "ttnn.gt"
// CHECK: "ttnn.where"
// CHECK: "ttnn.add"
// CHECK: "ttnn.softmax"({{.*}}numericStable = true
// CHECK: "ttnn.matmul"
// CHECK-NOT: scaled_dot_product_attention
// CHECK: return
func.func @attention(%q: tensor<1x4x32x64xbf16>, %k: tensor<1x2x32x64xbf16>, %v: tensor<1x2x32x64xbf16>) -> tensor<1x4x32x64xbf16> {
  %0 = "ttir.scaled_dot_product_attention"(%q, %k, %v) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<1x4x32x64xbf16>, tensor<1x2x32x64xbf16>, tensor<1x2x32x64xbf16>) -> tensor<1x4x32x64xbf16>
  return %0 : tensor<1x4x32x64xbf16>
}

// One row is decoded, and its decoding is attention of one row.
// CHECK-LABEL: func.func @one_row(
// CHECK: "ttnn.matmul"(%arg0,
// CHECK: "ttnn.add"({{.*}} -> tensor<2x4x1x32xbf16
// CHECK: "ttnn.softmax"
// CHECK-NOT: scaled_dot_product_attention
func.func @one_row(%q: tensor<2x4x1x64xbf16>, %k: tensor<2x4x32x64xbf16>, %v: tensor<2x4x32x64xbf16>, %m: tensor<2x1x1x32xbf16>) -> tensor<2x4x1x64xbf16> {
  %0 = "ttir.scaled_dot_product_attention"(%q, %k, %v, %m) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (tensor<2x4x1x64xbf16>, tensor<2x4x32x64xbf16>, tensor<2x4x32x64xbf16>, tensor<2x1x1x32xbf16>) -> tensor<2x4x1x64xbf16>
  return %0 : tensor<2x4x1x64xbf16>
}

// CHECK-LABEL: func.func @groups(
// CHECK: "ttnn.permute"({{.*}}permutation = array<i64: 0, 2, 3, 1>
// CHECK: "ttnn.reshape"({{.*}}shape = [2 : i32, 64 : i32, 4 : i32, 8 : i32]
// CHECK-COUNT-2: "ttnn.mean"
// CHECK: "ttnn.rsqrt"
// CHECK-NOT: group_norm
func.func @groups(%x: tensor<2x32x8x8xbf16>) -> tensor<2x32x8x8xbf16> {
  %0 = "ttir.group_norm"(%x) <{num_groups = 4 : i64, epsilon = 1.0e-05 : f32, channel_dim = 1 : i64, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (tensor<2x32x8x8xbf16>) -> tensor<2x32x8x8xbf16>
  return %0 : tensor<2x32x8x8xbf16>
}

// CHECK-LABEL: func.func @heads(
// CHECK: "ttnn.permute"(%arg0) {{.*}}array<i64: 0, 2, 1, 3>
// CHECK: "ttnn.reshape"({{.*}}shape = [1 : i32, 8 : i32, 128 : i32]
func.func @heads(%x: tensor<1x4x8x32xbf16>) -> tensor<1x8x128xbf16> {
  %0 = "ttir.concatenate_heads"(%x) : (tensor<1x4x8x32xbf16>) -> tensor<1x8x128xbf16>
  return %0 : tensor<1x8x128xbf16>
}

// Eight thousand channels are two times four thousand.
// CHECK-LABEL: func.func @grouped(
// CHECK-COUNT-2: "ttnn.conv2d"({{.*}}groups = 128 : i32, in_channels = 4096 : i32
// CHECK: "ttnn.concat"({{.*}}) <{dim = 3 : si32}>
func.func @grouped(%x: tensor<1x1x64x8192xbf16>, %w: tensor<8192x32x3x3xbf16>) -> tensor<1x1x36x8192xbf16> {
  %0 = "ttir.conv2d"(%x, %w) <{stride = array<i32: 1, 1>, padding = array<i32: 0, 0>, dilation = array<i32: 1, 1>, groups = 256 : i32, flattened_compat_info = #ttir<flattened_compat batch_size = 1, input_height = 8, input_width = 8>}> : (tensor<1x1x64x8192xbf16>, tensor<8192x32x3x3xbf16>) -> tensor<1x1x36x8192xbf16>
  return %0 : tensor<1x1x36x8192xbf16>
}
