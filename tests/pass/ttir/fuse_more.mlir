// What ttir-fusing does when asked.
// RUN: tessera opt %s --ttir-fusing="ttnn-enable-conv2d-with-multiply-pattern=true enable-permute-matmul-fusion=true" | FileCheck %s
// VALUES: --ttir-fusing="ttnn-enable-conv2d-with-multiply-pattern=true enable-permute-matmul-fusion=true"

// CHECK-LABEL: func.func @tt_fuse_conv_scale
// CHECK-SAME: {ttir.conv2d_weight}
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [3 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x1x1x3xf32>) -> tensor<3x1x1x1xf32>
// CHECK-NEXT: "ttir.multiply"({{.*}}) : (tensor<3x2x3x3xf32>, tensor<3x1x1x1xf32>) -> tensor<3x2x3x3xf32>
// CHECK-NEXT: "ttir.multiply"({{.*}}) : (tensor<1x1x1x3xf32>, tensor<1x1x1x3xf32>) -> tensor<1x1x1x3xf32>
// CHECK-NEXT: "ttir.conv2d"({{.*}}) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = 1 : i32, groups = 1 : i32, height_dim = 1 : i64, padding = 0 : i32, stride = 1 : i32, width_dim = 2 : i64}> : (tensor<1x4x4x2xf32>, tensor<3x2x3x3xf32>, tensor<1x1x1x3xf32>) -> tensor<1x2x2x3xf32>
// CHECK-NEXT: return {{.*}} : tensor<1x2x2x3xf32>
func.func @tt_fuse_conv_scale(%a: tensor<1x4x4x2xf32>, %w: tensor<3x2x3x3xf32>, %b: tensor<1x1x1x3xf32>, %s: tensor<1x1x1x3xf32> {ttcore.argument_type = #ttcore.argument_type<constant>}) -> tensor<1x2x2x3xf32> {
  %0 = "ttir.conv2d"(%a, %w, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x4x4x2xf32>, tensor<3x2x3x3xf32>, tensor<1x1x1x3xf32>) -> tensor<1x2x2x3xf32>
  %1 = "ttir.multiply"(%0, %s) : (tensor<1x2x2x3xf32>, tensor<1x1x1x3xf32>) -> tensor<1x2x2x3xf32>
  return %1 : tensor<1x2x2x3xf32>
}
// CHECK-LABEL: func.func @tt_fuse_batch_norm
// CHECK-SAME: {ttir.conv2d_weight}
// CHECK-NEXT: "ttir.constant"() <{value = dense<[1.00049984, 1.41456699, 0.707813501]> : tensor<3xf32>}> : () -> tensor<3xf32>
// CHECK-NEXT: "ttir.conv2d"({{.*}}) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = 1 : i32, groups = 1 : i32, height_dim = 1 : i64, padding = 0 : i32, stride = 1 : i32, width_dim = 2 : i64}> : (tensor<1x4x4x2xf32>, tensor<3x2x3x3xf32>) -> tensor<1x2x2x3xf32>
// CHECK-NEXT: "ttir.div"({{.*}}) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
// CHECK-NEXT: "ttir.multiply"({{.*}}) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
// CHECK-NEXT: "ttir.subtract"({{.*}}) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 1 : i32, 1 : i32, 3 : i32]}> : (tensor<3xf32>) -> tensor<1x1x1x3xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 1 : i32, 1 : i32, 3 : i32]}> : (tensor<3xf32>) -> tensor<1x1x1x3xf32>
// CHECK-NEXT: "ttir.multiply"({{.*}}) : (tensor<1x2x2x3xf32>, tensor<1x1x1x3xf32>) -> tensor<1x2x2x3xf32>
// CHECK-NEXT: "ttir.add"({{.*}}) : (tensor<1x2x2x3xf32>, tensor<1x1x1x3xf32>) -> tensor<1x2x2x3xf32>
// CHECK-NEXT: return {{.*}} : tensor<1x2x2x3xf32>
func.func @tt_fuse_batch_norm(%a: tensor<1x4x4x2xf32>, %w: tensor<3x2x3x3xf32>, %s: tensor<3xf32>, %o: tensor<3xf32>, %m: tensor<3xf32>) -> tensor<1x2x2x3xf32> {
  %v = "ttir.constant"() <{value = dense<[1.0, 2.0, 0.5]> : tensor<3xf32>}> : () -> tensor<3xf32>
  %0 = "ttir.conv2d"(%a, %w) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x4x4x2xf32>, tensor<3x2x3x3xf32>) -> tensor<1x2x2x3xf32>
  %1 = "ttir.batch_norm_inference"(%0, %s, %o, %m, %v) <{dimension = 3 : i32, epsilon = 1.0e-3 : f32}> : (tensor<1x2x2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x2x2x3xf32>
  return %1 : tensor<1x2x2x3xf32>
}
// CHECK-LABEL: func.func @tt_fuse_transpose
// CHECK-NEXT: "ttir.matmul"({{.*}}) <{transpose_a = false, transpose_b = true}> : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x4xf32>
func.func @tt_fuse_transpose(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) -> tensor<2x4xf32> {
  %0 = "ttir.permute"(%b) <{permutation = array<i64: 1, 0>}> : (tensor<4x3xf32>) -> tensor<3x4xf32>
  %1 = "ttir.matmul"(%a, %0) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}
