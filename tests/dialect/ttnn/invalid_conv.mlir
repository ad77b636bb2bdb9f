// RUN: not tessera opt %s -split-input-file 2>&1 | FileCheck %s
// Rules of TTNN that are broken, one by one.

// CHECK: error: 'ttnn.conv2d' op Input must be a 4D tensor
func.func @f(%a0: tensor<1x64x8xf32>, %a1: tensor<4x8x3x3xf32>, %a2: !ttnn.device) {
  %r = "ttnn.conv2d"(%a0, %a1, %a2) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 8 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, out_channels = 4 : i32, padding = array<i32: 0, 0>, stride = array<i32: 1, 1>}> : (tensor<1x64x8xf32>, tensor<4x8x3x3xf32>, !ttnn.device) -> tensor<1x1x36x4xf32>
  return
}

// -----

// CHECK: error: 'ttnn.conv2d' op Kernel size attribute must have two values, got: 1
func.func @f(%a0: tensor<1x1x64x8xf32>, %a1: tensor<4x8x3x3xf32>, %a2: !ttnn.device) {
  %r = "ttnn.conv2d"(%a0, %a1, %a2) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 8 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3>, out_channels = 4 : i32, padding = array<i32: 0, 0>, stride = array<i32: 1, 1>}> : (tensor<1x1x64x8xf32>, tensor<4x8x3x3xf32>, !ttnn.device) -> tensor<1x1x36x4xf32>
  return
}

// -----

// CHECK: error: 'ttnn.conv2d' op Stride attribute values must be greater than 0, got: (1, 0)
func.func @f(%a0: tensor<1x1x64x8xf32>, %a1: tensor<4x8x3x3xf32>, %a2: !ttnn.device) {
  %r = "ttnn.conv2d"(%a0, %a1, %a2) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 8 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, out_channels = 4 : i32, padding = array<i32: 0, 0>, stride = array<i32: 1, 0>}> : (tensor<1x1x64x8xf32>, tensor<4x8x3x3xf32>, !ttnn.device) -> tensor<1x1x36x4xf32>
  return
}

// -----

// CHECK: error: 'ttnn.conv2d' op Expected output channels attribute (4) to match the output channels in the weight tensor (5).
func.func @f(%a0: tensor<1x1x64x8xf32>, %a1: tensor<5x8x3x3xf32>, %a2: !ttnn.device) {
  %r = "ttnn.conv2d"(%a0, %a1, %a2) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 8 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, out_channels = 4 : i32, padding = array<i32: 0, 0>, stride = array<i32: 1, 1>}> : (tensor<1x1x64x8xf32>, tensor<5x8x3x3xf32>, !ttnn.device) -> tensor<1x1x36x4xf32>
  return
}

// -----

// CHECK: error: {{.*}}(1 * 8 * 8 = 64)
func.func @f(%a0: tensor<1x1x63x8xf32>, %a1: tensor<4x8x3x3xf32>, %a2: !ttnn.device) {
  %r = "ttnn.conv2d"(%a0, %a1, %a2) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 8 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, out_channels = 4 : i32, padding = array<i32: 0, 0>, stride = array<i32: 1, 1>}> : (tensor<1x1x63x8xf32>, tensor<4x8x3x3xf32>, !ttnn.device) -> tensor<1x1x36x4xf32>
  return
}

// -----

// CHECK: error: 'ttnn.conv2d' op The output tensor's flattened dimension (35) does not match the product of batch_size * output_height * output_width (1 * 6 * 6 = 36).
func.func @f(%a0: tensor<1x1x64x8xf32>, %a1: tensor<4x8x3x3xf32>, %a2: !ttnn.device) {
  %r = "ttnn.conv2d"(%a0, %a1, %a2) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 8 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, out_channels = 4 : i32, padding = array<i32: 0, 0>, stride = array<i32: 1, 1>}> : (tensor<1x1x64x8xf32>, tensor<4x8x3x3xf32>, !ttnn.device) -> tensor<1x1x35x4xf32>
  return
}

// -----

// CHECK: error: 'ttnn.conv2d' op groups must be a positive integer
func.func @f(%a0: tensor<1x1x64x8xf32>, %a1: tensor<4x8x3x3xf32>, %a2: !ttnn.device) {
  %r = "ttnn.conv2d"(%a0, %a1, %a2) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 0 : i32, in_channels = 8 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, out_channels = 4 : i32, padding = array<i32: 0, 0>, stride = array<i32: 1, 1>}> : (tensor<1x1x64x8xf32>, tensor<4x8x3x3xf32>, !ttnn.device) -> tensor<1x1x36x4xf32>
  return
}

// -----

// CHECK: error: 'ttnn.conv2d' op The effective kernel size (9, 9) cannot be greater than the padded input size per channel (8, 8).
func.func @f(%a0: tensor<1x1x64x8xf32>, %a1: tensor<4x8x3x3xf32>, %a2: !ttnn.device) {
  %r = "ttnn.conv2d"(%a0, %a1, %a2) <{batch_size = 1 : i32, dilation = array<i32: 4, 4>, groups = 1 : i32, in_channels = 8 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, out_channels = 4 : i32, padding = array<i32: 0, 0>, stride = array<i32: 1, 1>}> : (tensor<1x1x64x8xf32>, tensor<4x8x3x3xf32>, !ttnn.device) -> tensor<1x1x36x4xf32>
  return
}

// -----

// CHECK: error: 'ttnn.conv3d' op stride must have 3 values, got: 2
func.func @f(%a0: tensor<1x4x4x4x8xf32>, %a1: tensor<64x4xf32>, %a2: !ttnn.device) {
  %r = "ttnn.conv3d"(%a0, %a1, %a2) <{batch_size = 1 : i32, groups = 1 : i32, in_channels = 8 : i32, input_depth = 4 : i32, input_height = 4 : i32, input_width = 4 : i32, kernel_size = array<i32: 2, 2, 2>, out_channels = 4 : i32, padding = array<i32: 0, 0, 0>, stride = array<i32: 1, 1>}> : (tensor<1x4x4x4x8xf32>, tensor<64x4xf32>, !ttnn.device) -> tensor<1x3x3x3x4xf32>
  return
}

// -----

// CHECK: error: 'ttnn.conv3d' op weight flattened dimension (60) must equal kD*kH*kW*C_in/groups (64)
func.func @f(%a0: tensor<1x4x4x4x8xf32>, %a1: tensor<60x4xf32>, %a2: !ttnn.device) {
  %r = "ttnn.conv3d"(%a0, %a1, %a2) <{batch_size = 1 : i32, groups = 1 : i32, in_channels = 8 : i32, input_depth = 4 : i32, input_height = 4 : i32, input_width = 4 : i32, kernel_size = array<i32: 2, 2, 2>, out_channels = 4 : i32, padding = array<i32: 0, 0, 0>, stride = array<i32: 1, 1, 1>}> : (tensor<1x4x4x4x8xf32>, tensor<60x4xf32>, !ttnn.device) -> tensor<1x3x3x3x4xf32>
  return
}

// -----

// CHECK: error: 'ttnn.conv3d' op output height (2) does not match calculated height (3)
func.func @f(%a0: tensor<1x4x4x4x8xf32>, %a1: tensor<64x4xf32>, %a2: !ttnn.device) {
  %r = "ttnn.conv3d"(%a0, %a1, %a2) <{batch_size = 1 : i32, groups = 1 : i32, in_channels = 8 : i32, input_depth = 4 : i32, input_height = 4 : i32, input_width = 4 : i32, kernel_size = array<i32: 2, 2, 2>, out_channels = 4 : i32, padding = array<i32: 0, 0, 0>, stride = array<i32: 1, 1, 1>}> : (tensor<1x4x4x4x8xf32>, tensor<64x4xf32>, !ttnn.device) -> tensor<1x3x2x3x4xf32>
  return
}

// -----

// CHECK: error: 'ttnn.conv1d' op input must be a 3D tensor (N, L_in, C)
func.func @f(%a0: tensor<1x8xf32>, %a1: tensor<4x8x3xf32>, %a2: !ttnn.device) {
  %r = "ttnn.conv1d"(%a0, %a1, %a2) <{batch_size = 1 : i32, dilation = 1 : i32, groups = 1 : i32, in_channels = 8 : i32, input_length = 8 : i32, kernel_size = 3 : i32, out_channels = 4 : i32, padding = array<i32: 0, 0>, stride = 1 : i32}> : (tensor<1x8xf32>, tensor<4x8x3xf32>, !ttnn.device) -> tensor<1x1x6x4xf32>
  return
}

// -----

// CHECK: error: 'ttnn.prepare_conv2d_weights' op Weight must be a 4D tensor
func.func @f(%a0: tensor<4x8x3xf32>, %a1: !ttnn.device) {
  %r = "ttnn.prepare_conv2d_weights"(%a0, %a1) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 8 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, out_channels = 4 : i32, padding = array<i32: 0, 0>, stride = array<i32: 1, 1>, has_bias = false, input_dtype = #ttcore.supportedDataTypes<f32>, input_memory_config = #ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>, input_tensor_layout = #ttnn.layout<tile>, weights_format = "OIHW"}> : (tensor<4x8x3xf32>, !ttnn.device) -> tensor<4x8x3x3xf32>
  return
}

// -----

// CHECK: error: 'ttnn.prepare_conv2d_weights' op Expected kernel height attribute (3) to match the third dimension of the weight tensor (5)
func.func @f(%a0: tensor<4x8x5x3xf32>, %a1: !ttnn.device) {
  %r = "ttnn.prepare_conv2d_weights"(%a0, %a1) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 8 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, out_channels = 4 : i32, padding = array<i32: 0, 0>, stride = array<i32: 1, 1>, has_bias = false, input_dtype = #ttcore.supportedDataTypes<f32>, input_memory_config = #ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>, input_tensor_layout = #ttnn.layout<tile>, weights_format = "OIHW"}> : (tensor<4x8x5x3xf32>, !ttnn.device) -> tensor<4x8x3x3xf32>
  return
}
