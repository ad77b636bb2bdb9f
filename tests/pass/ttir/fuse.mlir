// Fusing, one function per rule.
// RUN: tessera opt %s --ttir-fusing | FileCheck %s
// VALUES: --ttir-fusing

// CHECK-LABEL: func.func @tt_fuse_relu
// CHECK-NEXT: "ttir.relu"({{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return {{.*}} : tensor<4xf32>
func.func @tt_fuse_relu(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c = "ttir.zeros"() <{shape = array<i32: 4>}> : () -> tensor<4xf32>
  %0 = "ttir.maximum"(%c, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK-LABEL: func.func @tt_fuse_relu6
// CHECK-NEXT: "ttir.relu6"({{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return {{.*}} : tensor<4xf32>
func.func @tt_fuse_relu6(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c = "ttir.full"() <{fill_value = 6.0 : f32, shape = array<i32: 4>}> : () -> tensor<4xf32>
  %0 = "ttir.relu"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "ttir.minimum"(%0, %c) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @tt_fuse_hardsigmoid
// CHECK-NEXT: "ttir.hardsigmoid"({{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return {{.*}} : tensor<4xf32>
func.func @tt_fuse_hardsigmoid(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c = "ttir.full"() <{fill_value = 3.0 : f32, shape = array<i32: 4>}> : () -> tensor<4xf32>
  %d = "ttir.full"() <{fill_value = 6.0 : f32, shape = array<i32: 4>}> : () -> tensor<4xf32>
  %0 = "ttir.add"(%a, %c) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = "ttir.relu6"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "ttir.div"(%1, %d) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
// CHECK-LABEL: func.func @tt_fuse_silu
// CHECK-NEXT: "ttir.silu"({{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return {{.*}} : tensor<4xf32>
func.func @tt_fuse_silu(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "ttir.sigmoid"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "ttir.multiply"(%a, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @tt_fuse_mish
// CHECK-NEXT: "ttir.mish"({{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return {{.*}} : tensor<4xf32>
func.func @tt_fuse_mish(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c = "ttir.full"() <{fill_value = 20.0 : f32, shape = array<i32: 4>}> : () -> tensor<4xf32>
  %0 = "ttir.exp"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "ttir.log1p"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "ttir.gt"(%a, %c) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = "ttir.where"(%2, %a, %1) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = "ttir.tanh"(%3) : (tensor<4xf32>) -> tensor<4xf32>
  %5 = "ttir.multiply"(%a, %4) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %5 : tensor<4xf32>
}
// CHECK-LABEL: func.func @tt_fuse_gelu
// CHECK-NEXT: "ttir.gelu"({{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return {{.*}} : tensor<4xf32>
func.func @tt_fuse_gelu(%a: tensor<4xf32>) -> tensor<4xf32> {
  %h = "ttir.full"() <{fill_value = 0.5 : f32, shape = array<i32: 4>}> : () -> tensor<4xf32>
  %s = "ttir.full"() <{fill_value = 0.707106769 : f32, shape = array<i32: 4>}> : () -> tensor<4xf32>
  %o = "ttir.ones"() <{shape = array<i32: 4>}> : () -> tensor<4xf32>
  %0 = "ttir.multiply"(%a, %s) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = "ttir.erf"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "ttir.add"(%1, %o) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = "ttir.multiply"(%a, %h) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = "ttir.multiply"(%3, %2) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}
// CHECK-LABEL: func.func @tt_fuse_softmax
// CHECK-NEXT: "ttir.softmax"({{.*}}) <{dimension = 1 : si32, numericStable = false}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x4xf32>
func.func @tt_fuse_softmax(%a: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = "ttir.exp"(%a) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = "ttir.sum"(%0) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %2 = "ttir.div"(%0, %1) : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}
// CHECK-LABEL: func.func @tt_fuse_stable_softmax
// CHECK-NEXT: "ttir.softmax"({{.*}}) <{dimension = 1 : si32, numericStable = true}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x4xf32>
func.func @tt_fuse_stable_softmax(%a: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = "ttir.max"(%a) <{dim_arg = [-1 : i32], keep_dim = true}> : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %1 = "ttir.subtract"(%a, %0) : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %2 = "ttir.softmax"(%1) <{dimension = 1 : si32}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}
// CHECK-LABEL: func.func @tt_fuse_keep_dim
// CHECK-NEXT: "ttir.sum"({{.*}}) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x1x4xf32>
func.func @tt_fuse_keep_dim(%a: tensor<2x3x4xf32>) -> tensor<2x1x4xf32> {
  %0 = "ttir.sum"(%a) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<2x3x4xf32>) -> tensor<2x4xf32>
  %1 = "ttir.reshape"(%0) <{shape = [2 : i32, 1 : i32, 4 : i32]}> : (tensor<2x4xf32>) -> tensor<2x1x4xf32>
  return %1 : tensor<2x1x4xf32>
}
// CHECK-LABEL: func.func @tt_fuse_mean
// CHECK-NEXT: "ttir.mean"({{.*}}) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<2x4xf32>) -> tensor<2xf32>
// CHECK-NEXT: return {{.*}} : tensor<2xf32>
func.func @tt_fuse_mean(%a: tensor<2x4xf32>) -> tensor<2xf32> {
  %c = "ttir.full"() <{fill_value = 0.25 : f32, shape = array<i32: 2>}> : () -> tensor<2xf32>
  %0 = "ttir.sum"(%a) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<2x4xf32>) -> tensor<2xf32>
  %1 = "ttir.multiply"(%0, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
// CHECK-LABEL: func.func @tt_fuse_spatial_mean
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [2 : i32, 1 : i32, 12 : i32, 5 : i32]}> : (tensor<2x3x4x5xf32>) -> tensor<2x1x12x5xf32>
// CHECK-NEXT: "ttir.mean"({{.*}}) <{dim_arg = [2 : i32], keep_dim = true}> : (tensor<2x1x12x5xf32>) -> tensor<2x1x1x5xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [2 : i32, 5 : i32]}> : (tensor<2x1x1x5xf32>) -> tensor<2x5xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x5xf32>
func.func @tt_fuse_spatial_mean(%a: tensor<2x3x4x5xf32>) -> tensor<2x5xf32> {
  %0 = "ttir.mean"(%a) <{dim_arg = [1 : i32, 2 : i32], keep_dim = false}> : (tensor<2x3x4x5xf32>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}
// CHECK-LABEL: func.func @tt_fuse_concatenate_heads
// CHECK-NEXT: "ttir.concatenate_heads"({{.*}}) : (tensor<1x2x3x4xf32>) -> tensor<1x3x8xf32>
// CHECK-NEXT: return {{.*}} : tensor<1x3x8xf32>
func.func @tt_fuse_concatenate_heads(%a: tensor<1x2x3x4xf32>) -> tensor<1x3x8xf32> {
  %0 = "ttir.permute"(%a) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x2x3x4xf32>) -> tensor<1x3x2x4xf32>
  %1 = "ttir.reshape"(%0) <{shape = [1 : i32, 3 : i32, 8 : i32]}> : (tensor<1x3x2x4xf32>) -> tensor<1x3x8xf32>
  return %1 : tensor<1x3x8xf32>
}
// CHECK-LABEL: func.func @tt_fuse_repeat
// CHECK-NEXT: "ttir.repeat"({{.*}}) <{repeat_dimensions = array<i64: 2, 1>}> : (tensor<2x3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: "ttir.repeat_interleave"({{.*}}) <{dim = 1 : si32, repeats = 2 : ui32}> : (tensor<2x3xf32>) -> tensor<2x6xf32>
// CHECK-NEXT: return {{.*}} : tensor<4x3xf32>, tensor<2x6xf32>
func.func @tt_fuse_repeat(%a: tensor<2x3xf32>) -> (tensor<4x3xf32>, tensor<2x6xf32>) {
  %0 = "ttir.reshape"(%a) <{shape = [1 : i32, 2 : i32, 3 : i32]}> : (tensor<2x3xf32>) -> tensor<1x2x3xf32>
  %1 = "ttir.broadcast"(%0) <{broadcast_dimensions = array<i64: 2, 1, 1>}> : (tensor<1x2x3xf32>) -> tensor<2x2x3xf32>
  %2 = "ttir.reshape"(%1) <{shape = [4 : i32, 3 : i32]}> : (tensor<2x2x3xf32>) -> tensor<4x3xf32>
  %3 = "ttir.reshape"(%a) <{shape = [2 : i32, 3 : i32, 1 : i32]}> : (tensor<2x3xf32>) -> tensor<2x3x1xf32>
  %4 = "ttir.broadcast"(%3) <{broadcast_dimensions = array<i64: 1, 1, 2>}> : (tensor<2x3x1xf32>) -> tensor<2x3x2xf32>
  %5 = "ttir.reshape"(%4) <{shape = [2 : i32, 6 : i32]}> : (tensor<2x3x2xf32>) -> tensor<2x6xf32>
  return %2, %5 : tensor<4x3xf32>, tensor<2x6xf32>
}
// CHECK-LABEL: func.func @tt_fuse_conv_bias
// CHECK-SAME: {ttir.conv2d_weight}
// CHECK-NEXT: "ttir.conv2d"({{.*}}) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = 1 : i32, groups = 1 : i32, height_dim = 1 : i64, padding = 0 : i32, stride = 1 : i32, width_dim = 2 : i64}> : (tensor<1x4x4x2xf32>, tensor<3x2x3x3xf32>, tensor<1x1x1x3xf32>) -> tensor<1x2x2x3xf32>
// CHECK-NEXT: return {{.*}} : tensor<1x2x2x3xf32>
func.func @tt_fuse_conv_bias(%a: tensor<1x4x4x2xf32>, %w: tensor<3x2x3x3xf32>, %b: tensor<1x1x1x3xf32>) -> tensor<1x2x2x3xf32> {
  %0 = "ttir.conv2d"(%a, %w) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x4x4x2xf32>, tensor<3x2x3x3xf32>) -> tensor<1x2x2x3xf32>
  %1 = "ttir.add"(%0, %b) : (tensor<1x2x2x3xf32>, tensor<1x1x1x3xf32>) -> tensor<1x2x2x3xf32>
  return %1 : tensor<1x2x2x3xf32>
}
// CHECK-LABEL: func.func @tt_tag_weights
// CHECK-SAME: {ttir.conv2d_weight}
// CHECK-NEXT: "ttir.conv2d"({{.*}}) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = 1 : i32, groups = 1 : i32, height_dim = 1 : i64, padding = 0 : i32, stride = 1 : i32, width_dim = 2 : i64}> : (tensor<1x4x4x2xf32>, tensor<3x2x3x3xf32>) -> tensor<1x2x2x3xf32>
// CHECK-NEXT: return {{.*}} : tensor<1x2x2x3xf32>
func.func @tt_tag_weights(%a: tensor<1x4x4x2xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1x2x2x3xf32> {
  %0 = "ttir.conv2d"(%a, %w) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x4x4x2xf32>, tensor<3x2x3x3xf32>) -> tensor<1x2x2x3xf32>
  return %0 : tensor<1x2x2x3xf32>
}
// CHECK-LABEL: func.func @tt_fuse_conv_sum
// CHECK-SAME: {ttir.conv2d_weight}
// CHECK-NEXT: "ttir.pad"({{.*}}) <{padding = array<i32: 0, 0, 0, 0, 1, 1, 1, 1>, value = 0.000000e+00 : f32}> : (tensor<3x2x1x1xf32>) -> tensor<3x2x3x3xf32>
// CHECK-NEXT: "ttir.add"({{.*}}) : (tensor<3x2x3x3xf32>, tensor<3x2x3x3xf32>) -> tensor<3x2x3x3xf32>
// CHECK-NEXT: "ttir.conv2d"({{.*}}) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = 1 : i32, groups = 1 : i32, height_dim = 1 : i64, padding = 1 : i32, stride = 1 : i32, width_dim = 2 : i64}> : (tensor<1x4x4x2xf32>, tensor<3x2x3x3xf32>, tensor<1x1x1x3xf32>) -> tensor<1x4x4x3xf32>
// CHECK-NEXT: return {{.*}} : tensor<1x4x4x3xf32>
func.func @tt_fuse_conv_sum(%a: tensor<1x4x4x2xf32>, %v: tensor<3x2x3x3xf32>, %w: tensor<3x2x1x1xf32>, %b: tensor<1x1x1x3xf32>) -> tensor<1x4x4x3xf32> {
  %0 = "ttir.conv2d"(%a, %v) <{stride = 1 : i32, padding = 1 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x4x4x2xf32>, tensor<3x2x3x3xf32>) -> tensor<1x4x4x3xf32>
  %1 = "ttir.conv2d"(%a, %w, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x4x4x2xf32>, tensor<3x2x1x1xf32>, tensor<1x1x1x3xf32>) -> tensor<1x4x4x3xf32>
  %2 = "ttir.add"(%0, %1) : (tensor<1x4x4x3xf32>, tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
  return %2 : tensor<1x4x4x3xf32>
}
// CHECK-LABEL: func.func @tt_fuse_pad_conv3d
// CHECK-SAME: {ttir.conv2d_weight}
// CHECK-NEXT: "ttir.conv3d"({{.*}}) <{batch_dim = 0 : i64, channel_dim = 4 : i64, depth_dim = 1 : i64, groups = 1 : i32, height_dim = 2 : i64, padding = array<i32: 1, 0, 0>, padding_mode = "zeros", stride = 1 : i32, width_dim = 3 : i64}> : (tensor<1x2x2x2x1xf32>, tensor<2x1x2x2x2xf32>) -> tensor<1x3x1x1x2xf32>
// CHECK-NEXT: return {{.*}} : tensor<1x3x1x1x2xf32>
func.func @tt_fuse_pad_conv3d(%a: tensor<1x2x2x2x1xf32>, %w: tensor<2x1x2x2x2xf32>) -> tensor<1x3x1x1x2xf32> {
  %0 = "ttir.pad"(%a) <{padding = array<i32: 0, 0, 1, 1, 0, 0, 0, 0, 0, 0>, value = 0.0 : f32}> : (tensor<1x2x2x2x1xf32>) -> tensor<1x4x2x2x1xf32>
  %1 = "ttir.conv3d"(%0, %w) <{stride = 1 : i32, padding = array<i32: 0, 0, 0>, groups = 1 : i32}> : (tensor<1x4x2x2x1xf32>, tensor<2x1x2x2x2xf32>) -> tensor<1x3x1x1x2xf32>
  return %1 : tensor<1x3x1x1x2xf32>
}
// CHECK-LABEL: func.func @tt_fuse_linear
// CHECK-NEXT: "ttir.linear"({{.*}}) <{transpose_a = false, transpose_b = false}> : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 2 : i32, 4 : i32]}> : (tensor<2x4xf32>) -> tensor<1x2x4xf32>
// CHECK-NEXT: return {{.*}} : tensor<1x2x4xf32>
func.func @tt_fuse_linear(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<4xf32>) -> tensor<1x2x4xf32> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = "ttir.reshape"(%0) <{shape = [1 : i32, 2 : i32, 4 : i32]}> : (tensor<2x4xf32>) -> tensor<1x2x4xf32>
  %2 = "ttir.reshape"(%c) <{shape = [1 : i32, 1 : i32, 4 : i32]}> : (tensor<4xf32>) -> tensor<1x1x4xf32>
  %3 = "ttir.add"(%1, %2) : (tensor<1x2x4xf32>, tensor<1x1x4xf32>) -> tensor<1x2x4xf32>
  return %3 : tensor<1x2x4xf32>
}
// CHECK-LABEL: func.func @tt_fuse_slice_matmul
// CHECK-NEXT: "ttir.slice_static"({{.*}}) <{begins = [3 : i32, 0 : i32], ends = [4 : i32, 3 : i32], step = [1 : i32, 1 : i32]}> : (tensor<4x3xf32>) -> tensor<1x3xf32>
// CHECK-NEXT: "ttir.matmul"({{.*}}) <{transpose_a = false, transpose_b = false}> : (tensor<1x3xf32>, tensor<3x5xf32>) -> tensor<1x5xf32>
// CHECK-NEXT: return {{.*}} : tensor<1x5xf32>
func.func @tt_fuse_slice_matmul(%a: tensor<4x3xf32>, %b: tensor<3x5xf32>) -> tensor<1x5xf32> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  %1 = "ttir.slice_static"(%0) <{begins = [3 : i32, 0 : i32], ends = [4 : i32, 5 : i32], step = [1 : i32, 1 : i32]}> : (tensor<4x5xf32>) -> tensor<1x5xf32>
  return %1 : tensor<1x5xf32>
}
// CHECK-LABEL: func.func @tt_fuse_shared_matmul
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 1, 0>}> : (tensor<5x3xf32>) -> tensor<3x5xf32>
// CHECK-NEXT: "ttir.concat"({{.*}}) <{dim = 1 : si32}> : (tensor<3x2xf32>, tensor<3x5xf32>, tensor<3x4xf32>) -> tensor<3x11xf32>
// CHECK-NEXT: "ttir.matmul"({{.*}}) <{transpose_a = false, transpose_b = false}> : (tensor<2x3xf32>, tensor<3x11xf32>) -> tensor<2x11xf32>
// CHECK-NEXT: "ttir.slice_static"({{.*}}) <{begins = [0 : i32, 0 : i32], ends = [2 : i32, 2 : i32], step = [1 : i32, 1 : i32]}> : (tensor<2x11xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: "ttir.slice_static"({{.*}}) <{begins = [0 : i32, 2 : i32], ends = [2 : i32, 7 : i32], step = [1 : i32, 1 : i32]}> : (tensor<2x11xf32>) -> tensor<2x5xf32>
// CHECK-NEXT: "ttir.slice_static"({{.*}}) <{begins = [0 : i32, 7 : i32], ends = [2 : i32, 11 : i32], step = [1 : i32, 1 : i32]}> : (tensor<2x11xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x4xf32>, tensor<2x5xf32>, tensor<2x2xf32>
func.func @tt_fuse_shared_matmul(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<5x3xf32>, %d: tensor<3x2xf32>) -> (tensor<2x4xf32>, tensor<2x5xf32>, tensor<2x2xf32>) {
  %0 = "ttir.matmul"(%a, %b) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = "ttir.matmul"(%a, %c) <{transpose_b = true}> : (tensor<2x3xf32>, tensor<5x3xf32>) -> tensor<2x5xf32>
  %2 = "ttir.matmul"(%a, %d) : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %0, %1, %2 : tensor<2x4xf32>, tensor<2x5xf32>, tensor<2x2xf32>
}
// CHECK-LABEL: func.func @tt_fuse_rms_norm
// CHECK-NEXT: "ttir.rms_norm"({{.*}}) <{epsilon = 1.000000e-03 : f32, normalized_shape = array<i64: 4>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x4xf32>
func.func @tt_fuse_rms_norm(%a: tensor<2x4xf32>, %g: tensor<4xf32>) -> tensor<2x4xf32> {
  %e = "ttir.full"() <{fill_value = 1.0e-3 : f32, shape = array<i32: 2, 1>}> : () -> tensor<2x1xf32>
  %0 = "ttir.multiply"(%a, %a) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = "ttir.mean"(%0) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %2 = "ttir.add"(%1, %e) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  %3 = "ttir.rsqrt"(%2) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %4 = "ttir.multiply"(%a, %3) : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %5 = "ttir.reshape"(%g) <{shape = [1 : i32, 4 : i32]}> : (tensor<4xf32>) -> tensor<1x4xf32>
  %6 = "ttir.multiply"(%4, %5) : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  return %6 : tensor<2x4xf32>
}
// CHECK-LABEL: func.func @tt_fuse_normalize
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 1, 0>}> : (tensor<4x3xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: "ttir.rms_norm"({{.*}}) <{epsilon = 2.500000e-25 : f32, normalized_shape = array<i64: 4>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<3x4xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 1, 0>}> : (tensor<3x4xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: return {{.*}} : tensor<4x3xf32>
func.func @tt_fuse_normalize(%a: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %c = "ttir.full"() <{fill_value = 2.0 : f32, shape = array<i32: 4, 3>}> : () -> tensor<4x3xf32>
  %0 = "ttir.multiply"(%a, %a) : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %1 = "ttir.sum"(%0) <{dim_arg = [0 : i32], keep_dim = true}> : (tensor<4x3xf32>) -> tensor<1x3xf32>
  %2 = "ttir.sqrt"(%1) : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %3 = "ttir.clamp_scalar"(%2) <{min = 9.99999996E-13 : f32, max = 3.0e38 : f32}> : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %4 = "ttir.div"(%a, %3) : (tensor<4x3xf32>, tensor<1x3xf32>) -> tensor<4x3xf32>
  %5 = "ttir.multiply"(%4, %c) : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return %5 : tensor<4x3xf32>
}
// CHECK-LABEL: func.func @tt_fuse_topk(
// CHECK-NEXT: "ttir.topk"({{.*}}) <{dim = 1 : i32, k = 3 : i32, largest = true, sorted = true}> : (tensor<2x6xi32>) -> (tensor<2x3xi32>, tensor<2x3xsi32>)
// CHECK-NEXT: "ttir.topk"({{.*}}) <{dim = 1 : i32, k = 2 : i32, largest = true, sorted = true}> : (tensor<2x6xi32>) -> (tensor<2x2xi32>, tensor<2x2xsi32>)
// CHECK-NEXT: "ttir.reverse"({{.*}}) <{dimensions = array<i64: 1>}> : (tensor<2x2xi32>) -> tensor<2x2xi32>
// CHECK-NEXT: return {{.*}} : tensor<2x3xi32>, tensor<2x2xi32>
func.func @tt_fuse_topk(%a: tensor<2x6xi32>) -> (tensor<2x3xi32>, tensor<2x2xi32>) {
  %0:2 = "ttir.sort"(%a) <{dim = 1 : si32, descending = true}> : (tensor<2x6xi32>) -> (tensor<2x6xi32>, tensor<2x6xsi32>)
  %1 = "ttir.slice_static"(%0#0) <{begins = [0 : i32, 0 : i32], ends = [2 : i32, 3 : i32], step = [1 : i32, 1 : i32]}> : (tensor<2x6xi32>) -> tensor<2x3xi32>
  %2:2 = "ttir.sort"(%a) <{dim = 1 : si32}> : (tensor<2x6xi32>) -> (tensor<2x6xi32>, tensor<2x6xsi32>)
  %3 = "ttir.slice_static"(%2#0) <{begins = [0 : i32, 4 : i32], ends = [2 : i32, 6 : i32], step = [1 : i32, 1 : i32]}> : (tensor<2x6xi32>) -> tensor<2x2xi32>
  return %1, %3 : tensor<2x3xi32>, tensor<2x2xi32>
}
// Zeros and NaNs of floats have another order in topk; places of equal numbers are others when the last ones are taken.
// CHECK-LABEL: func.func @tt_fuse_topk_not
// CHECK-NOT: "ttir.topk"
// CHECK: return
func.func @tt_fuse_topk_not(%a: tensor<2x6xf32>, %b: tensor<2x40xi32>) -> (tensor<2x3xf32>, tensor<2x2xi32>) {
  %0:2 = "ttir.sort"(%a) <{dim = 1 : si32, descending = true}> : (tensor<2x6xf32>) -> (tensor<2x6xf32>, tensor<2x6xsi32>)
  %1 = "ttir.slice_static"(%0#0) <{begins = [0 : i32, 0 : i32], ends = [2 : i32, 3 : i32], step = [1 : i32, 1 : i32]}> : (tensor<2x6xf32>) -> tensor<2x3xf32>
  %2:2 = "ttir.sort"(%b) <{dim = 1 : si32}> : (tensor<2x40xi32>) -> (tensor<2x40xi32>, tensor<2x40xi32>)
  %3 = "ttir.slice_static"(%2#1) <{begins = [0 : i32, 38 : i32], ends = [2 : i32, 40 : i32], step = [1 : i32, 1 : i32]}> : (tensor<2x40xi32>) -> tensor<2x2xi32>
  return %1, %3 : tensor<2x3xf32>, tensor<2x2xi32>
}
// CHECK-LABEL: func.func @tt_fuse_attention
// CHECK-NEXT: "ttir.scaled_dot_product_attention"({{.*}}) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>, scale = 5.000000e-01 : f32}> : (tensor<1x4x3x2xf32>, tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>, tensor<1x1x3x3xf32>) -> tensor<1x4x3x2xf32>
// CHECK-NEXT: return {{.*}} : tensor<1x4x3x2xf32>
func.func @tt_fuse_attention(%q: tensor<1x4x3x2xf32>, %k: tensor<1x2x3x2xf32>, %v: tensor<1x2x3x2xf32>, %m: tensor<1x1x3x3xf32>) -> tensor<1x4x3x2xf32> {
  %c = "ttir.full"() <{fill_value = 0.5 : f32, shape = array<i32: 1, 1, 1, 1>}> : () -> tensor<1x1x1x1xf32>
  %0 = "ttir.repeat_interleave"(%k) <{dim = 1 : si32, repeats = 2 : ui32}> : (tensor<1x2x3x2xf32>) -> tensor<1x4x3x2xf32>
  %1 = "ttir.repeat_interleave"(%v) <{dim = 1 : si32, repeats = 2 : ui32}> : (tensor<1x2x3x2xf32>) -> tensor<1x4x3x2xf32>
  %2 = "ttir.permute"(%0) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<1x4x3x2xf32>) -> tensor<1x4x2x3xf32>
  %3 = "ttir.matmul"(%q, %2) : (tensor<1x4x3x2xf32>, tensor<1x4x2x3xf32>) -> tensor<1x4x3x3xf32>
  %4 = "ttir.multiply"(%3, %c) : (tensor<1x4x3x3xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x3x3xf32>
  %5 = "ttir.add"(%4, %m) : (tensor<1x4x3x3xf32>, tensor<1x1x3x3xf32>) -> tensor<1x4x3x3xf32>
  %6 = "ttir.softmax"(%5) <{dimension = 3 : si32}> : (tensor<1x4x3x3xf32>) -> tensor<1x4x3x3xf32>
  %7 = "ttir.matmul"(%6, %1) : (tensor<1x4x3x3xf32>, tensor<1x4x3x2xf32>) -> tensor<1x4x3x2xf32>
  return %7 : tensor<1x4x3x2xf32>
}
