// Pictures in one row of pixels.
// RUN: tessera opt %s --ttir-flatten-sliding-window | FileCheck %s
// VALUES: --ttir-flatten-sliding-window

// CHECK-LABEL: func.func @tt_flatten_window
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 1 : i32, 32 : i32, 2 : i32]}> : (tensor<2x4x4x2xf32>) -> tensor<1x1x32x2xf32>
// CHECK-NEXT: "ttir.conv2d"({{.*}}) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = 1 : i32, flattened_compat_info = #ttir<flattened_compat batch_size = 2, input_height = 4, input_width = 4>, groups = 1 : i32, height_dim = 1 : i64, padding = 0 : i32, stride = 1 : i32, width_dim = 2 : i64}> : (tensor<1x1x32x2xf32>, tensor<3x2x3x3xf32>) -> tensor<1x1x8x3xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [2 : i32, 2 : i32, 2 : i32, 3 : i32]}> : (tensor<1x1x8x3xf32>) -> tensor<2x2x2x3xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 1 : i32, 8 : i32, 3 : i32]}> : (tensor<2x2x2x3xf32>) -> tensor<1x1x8x3xf32>
// CHECK-NEXT: "ttir.max_pool2d"({{.*}}) <{ceil_mode = false, dilation = 1 : i32, flattened_compat_info = #ttir<flattened_compat batch_size = 2, input_height = 2, input_width = 2>, kernel = 2 : i32, padding = 0 : i32, stride = 2 : i32}> : (tensor<1x1x8x3xf32>) -> tensor<1x1x2x3xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [2 : i32, 1 : i32, 1 : i32, 3 : i32]}> : (tensor<1x1x2x3xf32>) -> tensor<2x1x1x3xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x1x1x3xf32>
func.func @tt_flatten_window(%a: tensor<2x4x4x2xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<2x1x1x3xf32> {
  %0 = "ttir.conv2d"(%a, %w) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<2x4x4x2xf32>, tensor<3x2x3x3xf32>) -> tensor<2x2x2x3xf32>
  %1 = "ttir.max_pool2d"(%0) <{kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<2x2x2x3xf32>) -> tensor<2x1x1x3xf32>
  return %1 : tensor<2x1x1x3xf32>
}
