// RUN: tessera opt %s -o %t && tessera opt %t | cmp %t -
// RUN: tessera opt %s | FileCheck %s
// Convolutions, pooling and upsampling: places of dimensions, flattened pictures, windows that stand out.

// CHECK: "ttir.conv1d"(%arg0
func.func @f0(%a: tensor<1x8x4xf32>, %b: tensor<6x2x3xf32>, %c: tensor<1x1x6xf32>) {
  %0 = "ttir.conv1d"(%a, %b, %c) <{stride = 2 : i32, padding = array<i32: 1, 1>, dilation = 1 : i32, groups = 2 : i32}> : (tensor<1x8x4xf32>, tensor<6x2x3xf32>, tensor<1x1x6xf32>) -> tensor<1x4x6xf32>
  return
}

// CHECK: "ttir.conv2d"(%arg0
func.func @f1(%a: tensor<1x8x8x4xf32>, %b: tensor<6x4x3x3xf32>, %c: tensor<1x1x1x6xf32>) {
  %0 = "ttir.conv2d"(%a, %b, %c) <{stride = array<i32: 2, 2>, padding = array<i32: 1, 1, 0, 0>, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>, tensor<1x1x1x6xf32>) -> tensor<1x4x4x6xf32>
  return
}

// CHECK: "ttir.conv2d"(%arg0
func.func @f2(%a: tensor<1x4x8x8xf32>, %b: tensor<6x4x3x3xf32>) {
  %0 = "ttir.conv2d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32, channel_dim = 1 : i64, height_dim = 2 : i64, width_dim = 3 : i64}> : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// CHECK: "ttir.conv2d"(%arg0
func.func @f3(%a: tensor<1x1x64x4xf32>, %b: tensor<6x4x3x3xf32>) {
  %0 = "ttir.conv2d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32, flattened_compat_info = #ttir<flattened_compat batch_size = 1, input_height = 8, input_width = 8>}> : (tensor<1x1x64x4xf32>, tensor<6x4x3x3xf32>) -> tensor<1x1x36x6xf32>
  return
}

// CHECK: "ttir.conv3d"(%arg0
func.func @f4(%a: tensor<1x8x8x8x4xf32>, %b: tensor<6x4x3x3x3xf32>) {
  %0 = "ttir.conv3d"(%a, %b) <{stride = 2 : i32, padding = 1 : i32, groups = 1 : i32}> : (tensor<1x8x8x8x4xf32>, tensor<6x4x3x3x3xf32>) -> tensor<1x4x4x4x6xf32>
  return
}

// CHECK: "ttir.conv_transpose2d"(%arg0
func.func @f5(%a: tensor<1x8x8x4xf32>, %b: tensor<4x6x3x3xf32>) {
  %0 = "ttir.conv_transpose2d"(%a, %b) <{stride = 2 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32, output_padding = 0 : i32}> : (tensor<1x8x8x4xf32>, tensor<4x6x3x3xf32>) -> tensor<1x17x17x6xf32>
  return
}

// CHECK: "ttir.max_pool2d"(%arg0
func.func @f6(%a: tensor<1x7x7x4xf32>) {
  %0 = "ttir.max_pool2d"(%a) <{kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = true}> : (tensor<1x7x7x4xf32>) -> tensor<1x4x4x4xf32>
  return
}

// CHECK: "ttir.avg_pool2d"(%arg0
func.func @f7(%a: tensor<1x8x8x4xf32>) {
  %0 = "ttir.avg_pool2d"(%a) <{kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  return
}

// CHECK: "ttir.max_pool2d_with_indices"(%arg0
func.func @f8(%a: tensor<1x8x8x4xf32>) {
  %0:2 = "ttir.max_pool2d_with_indices"(%a) <{kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<1x8x8x4xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xi32>)
  return
}

// CHECK: "ttir.max_pool2d"(%arg0
func.func @f9(%a: tensor<1x1x64x4xf32>) {
  %0 = "ttir.max_pool2d"(%a) <{kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false, flattened_compat_info = #ttir<flattened_compat batch_size = 1, input_height = 8, input_width = 8>}> : (tensor<1x1x64x4xf32>) -> tensor<1x1x16x4xf32>
  return
}

// CHECK: "ttir.global_avg_pool2d"(%arg0
func.func @f10(%a: tensor<1x8x8x4xf32>) {
  %0 = "ttir.global_avg_pool2d"(%a) : (tensor<1x8x8x4xf32>) -> tensor<1x1x1x4xf32>
  return
}

// CHECK: "ttir.upsample2d"(%arg0
func.func @f11(%a: tensor<1x8x8x4xf32>) {
  %0 = "ttir.upsample2d"(%a) <{scale_factor = array<i32: 2, 3>, mode = "bilinear"}> : (tensor<1x8x8x4xf32>) -> tensor<1x16x24x4xf32>
  return
}
