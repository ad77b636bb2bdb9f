// RUN: tessera opt %s -split-input-file -verify-diagnostics
// What convolutions, pooling and upsampling refuse.

func.func @f0(%a: tensor<8x8x4xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{input must be a 4D tensor}}
  %0 = "ttir.conv2d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<8x8x4xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<6x4x3xf32>) {
  // expected-error@+1 {{weight must be a 4D tensor}}
  %0 = "ttir.conv2d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<6x4x3x3xf32>, %c: tensor<6xf32>) {
  // expected-error@+1 {{bias must be a 4D tensor}}
  %0 = "ttir.conv2d"(%a, %b, %c) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>, tensor<6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{output must be a 4D tensor}}
  %0 = "ttir.conv2d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>) -> tensor<6x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{Expected integer or pair of integers, got tuple of size 3 for stride}}
  %0 = "ttir.conv2d"(%a, %b) <{stride = array<i32: 1, 1, 1>, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{Expected integer or pair of integers, got tuple of size 3 for dilation}}
  %0 = "ttir.conv2d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = array<i32: 1, 1, 1>, groups = 1 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{Expected integer, pair, or tuple of size 4, but got tuple of size 3 for padding}}
  %0 = "ttir.conv2d"(%a, %b) <{stride = 1 : i32, padding = array<i32: 1, 1, 1>, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{Stride attribute values must be > 0.}}
  %0 = "ttir.conv2d"(%a, %b) <{stride = 0 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{Dilation attribute values must be > 0.}}
  %0 = "ttir.conv2d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 0 : i32, groups = 1 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{Padding attribute values must be >= 0.}}
  %0 = "ttir.conv2d"(%a, %b) <{stride = 1 : i32, padding = -1 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{groups must be a positive integer}}
  %0 = "ttir.conv2d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 0 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{The number of input channels from the input tensor (4) is not divisible by the number of groups (3).}}
  %0 = "ttir.conv2d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 3 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{The number of output channels from the weight tensor (6) is not divisible by the number of groups (4).}}
  %0 = "ttir.conv2d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 4 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<6x2x3x3xf32>) {
  // expected-error@+1 {{The number of input channels per group (4) must match the number of input channels in the weight tensor (2).}}
  %0 = "ttir.conv2d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x2x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<6x4x3x3xf32>, %c: tensor<1x1x1x5xf32>) {
  // expected-error@+1 {{The number of output channels from the weight tensor (6) must match the number of output channels in the bias tensor (5).}}
  %0 = "ttir.conv2d"(%a, %b, %c) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>, tensor<1x1x1x5xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{The effective kernel size (9, 9) cannot be greater than the padded input size per channel (8, 8).}}
  %0 = "ttir.conv2d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 4 : i32, groups = 1 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{Batch size from the input tensor (1) must match the first dimension of the output tensor (2)}}
  %0 = "ttir.conv2d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{The number of output channels from the output tensor (5) must match the number of output channels in the weight tensor (6).}}
  %0 = "ttir.conv2d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x5xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{The output tensor height and width dimension (6, 5) do not match the expected dimensions (6, 6).}}
  %0 = "ttir.conv2d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x5x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{channel_dim 4 is not a dimension of a tensor of rank 4}}
  %0 = "ttir.conv2d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32, channel_dim = 4 : i64}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x1x64x4xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{The input tensor's flattened dimension (64) does not match the product of batch_size * input_height * input_width from FlattenedCompatInfo (1 * 8 * 9 = 72).}}
  %0 = "ttir.conv2d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32, flattened_compat_info = #ttir<flattened_compat batch_size = 1, input_height = 8, input_width = 9>}> : (tensor<1x1x64x4xf32>, tensor<6x4x3x3xf32>) -> tensor<1x1x36x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x1x64x4xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{The output tensor's flattened dimension (64) does not match the product of batch_size * output_height * output_width (1 * 6 * 6 = 36).}}
  %0 = "ttir.conv2d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32, flattened_compat_info = #ttir<flattened_compat batch_size = 1, input_height = 8, input_width = 8>}> : (tensor<1x1x64x4xf32>, tensor<6x4x3x3xf32>) -> tensor<1x1x64x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8xf32>, %b: tensor<6x4x3xf32>) {
  // expected-error@+1 {{input must be a 3D tensor}}
  %0 = "ttir.conv1d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8xf32>, tensor<6x4x3xf32>) -> tensor<1x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x4xf32>, %b: tensor<6x4xf32>) {
  // expected-error@+1 {{weight must be a 3D tensor (O, C/G, K)}}
  %0 = "ttir.conv1d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8x4xf32>, tensor<6x4xf32>) -> tensor<1x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x4xf32>, %b: tensor<6x4x3xf32>, %c: tensor<6xf32>) {
  // expected-error@+1 {{bias must be a 3D tensor (1, 1, O)}}
  %0 = "ttir.conv1d"(%a, %b, %c) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8x4xf32>, tensor<6x4x3xf32>, tensor<6xf32>) -> tensor<1x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x4xf32>, %b: tensor<6x4x3xf32>) {
  // expected-error@+1 {{output must be a 3D tensor}}
  %0 = "ttir.conv1d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8x4xf32>, tensor<6x4x3xf32>) -> tensor<6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x4xf32>, %b: tensor<6x4x3xf32>) {
  // expected-error@+1 {{number of input channels (4) must be divisible by groups (3)}}
  %0 = "ttir.conv1d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 3 : i32}> : (tensor<1x8x4xf32>, tensor<6x4x3xf32>) -> tensor<1x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x4xf32>, %b: tensor<6x1x3xf32>) {
  // expected-error@+1 {{number of output channels (6) must be divisible by groups (4)}}
  %0 = "ttir.conv1d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 4 : i32}> : (tensor<1x8x4xf32>, tensor<6x1x3xf32>) -> tensor<1x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x4xf32>, %b: tensor<6x4x3xf32>) {
  // expected-error@+1 {{expected weight's output channel dimension (6) to match the output tensor's channel dimension (5)}}
  %0 = "ttir.conv1d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8x4xf32>, tensor<6x4x3xf32>) -> tensor<1x6x5xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x4xf32>, %b: tensor<6x3x3xf32>) {
  // expected-error@+1 {{expected weight's input channel dimension (3) to match in_channels / groups (4)}}
  %0 = "ttir.conv1d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8x4xf32>, tensor<6x3x3xf32>) -> tensor<1x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x4xf32>, %b: tensor<6x4x9xf32>) {
  // expected-error@+1 {{the kernel (9) is longer than the padded input (8)}}
  %0 = "ttir.conv1d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8x4xf32>, tensor<6x4x9xf32>) -> tensor<1x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x4xf32>, %b: tensor<6x4x3xf32>) {
  // expected-error@+1 {{stride and dilation must be positive, padding must not be negative}}
  %0 = "ttir.conv1d"(%a, %b) <{stride = 0 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8x4xf32>, tensor<6x4x3xf32>) -> tensor<1x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<8x8x8x4xf32>, %b: tensor<6x4x3x3x3xf32>) {
  // expected-error@+1 {{input must be a 5D tensor}}
  %0 = "ttir.conv3d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, groups = 1 : i32}> : (tensor<8x8x8x4xf32>, tensor<6x4x3x3x3xf32>) -> tensor<1x6x6x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x8x4xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{weight must be a 5D tensor}}
  %0 = "ttir.conv3d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, groups = 1 : i32}> : (tensor<1x8x8x8x4xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x8x4xf32>, %b: tensor<6x4x3x3x3xf32>, %c: tensor<6xf32>) {
  // expected-error@+1 {{bias must be a 5D tensor with shape (1,1,1,1,C_out)}}
  %0 = "ttir.conv3d"(%a, %b, %c) <{stride = 1 : i32, padding = 0 : i32, groups = 1 : i32}> : (tensor<1x8x8x8x4xf32>, tensor<6x4x3x3x3xf32>, tensor<6xf32>) -> tensor<1x6x6x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x8x4xf32>, %b: tensor<6x4x3x3x3xf32>) {
  // expected-error@+1 {{output must be a 5D tensor}}
  %0 = "ttir.conv3d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, groups = 1 : i32}> : (tensor<1x8x8x8x4xf32>, tensor<6x4x3x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x8x4xf32>, %b: tensor<6x4x3x3x3xf32>) {
  // expected-error@+1 {{Expected integer or array of size 3, but got array of size 2 for stride}}
  %0 = "ttir.conv3d"(%a, %b) <{stride = array<i32: 1, 1>, padding = 0 : i32, groups = 1 : i32}> : (tensor<1x8x8x8x4xf32>, tensor<6x4x3x3x3xf32>) -> tensor<1x6x6x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x8x4xf32>, %b: tensor<6x4x3x3x3xf32>) {
  // expected-error@+1 {{padding_mode must be either 'zeros' or 'replicate'}}
  %0 = "ttir.conv3d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, groups = 1 : i32, padding_mode = "wrap"}> : (tensor<1x8x8x8x4xf32>, tensor<6x4x3x3x3xf32>) -> tensor<1x6x6x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x2x8x8x4xf32>, %b: tensor<6x4x3x3x3xf32>) {
  // expected-error@+1 {{The kernel size (3, 3, 3) cannot be greater than the padded input size per channel (2, 8, 8).}}
  %0 = "ttir.conv3d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, groups = 1 : i32}> : (tensor<1x2x8x8x4xf32>, tensor<6x4x3x3x3xf32>) -> tensor<1x6x6x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x8x4xf32>, %b: tensor<6x4x3x3x3xf32>) {
  // expected-error@+1 {{Batch size from the input tensor (1) must match the first dimension of the output tensor (2)}}
  %0 = "ttir.conv3d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, groups = 1 : i32}> : (tensor<1x8x8x8x4xf32>, tensor<6x4x3x3x3xf32>) -> tensor<2x6x6x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x8x4xf32>, %b: tensor<6x4x3x3x3xf32>) {
  // expected-error@+1 {{The number of output channels from the output tensor (5) must match the number of output channels in the weight tensor (6).}}
  %0 = "ttir.conv3d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, groups = 1 : i32}> : (tensor<1x8x8x8x4xf32>, tensor<6x4x3x3x3xf32>) -> tensor<1x6x6x6x5xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x8x4xf32>, %b: tensor<6x4x3x3x3xf32>) {
  // expected-error@+1 {{The output tensor spatial dimensions (6, 5, 6) do not match the expected dimensions (6, 6, 6).}}
  %0 = "ttir.conv3d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, groups = 1 : i32}> : (tensor<1x8x8x8x4xf32>, tensor<6x4x3x3x3xf32>) -> tensor<1x6x5x6x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<8x8x4xf32>, %b: tensor<4x6x3x3xf32>) {
  // expected-error@+1 {{Input must be a 4D tensor}}
  %0 = "ttir.conv_transpose2d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32, output_padding = 0 : i32}> : (tensor<8x8x4xf32>, tensor<4x6x3x3xf32>) -> tensor<1x10x10x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<4x6x3xf32>) {
  // expected-error@+1 {{Weight must be a 4D tensor}}
  %0 = "ttir.conv_transpose2d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32, output_padding = 0 : i32}> : (tensor<1x8x8x4xf32>, tensor<4x6x3xf32>) -> tensor<1x10x10x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<4x6x3x3xf32>, %c: tensor<6xf32>) {
  // expected-error@+1 {{Bias must be a 4D tensor}}
  %0 = "ttir.conv_transpose2d"(%a, %b, %c) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32, output_padding = 0 : i32}> : (tensor<1x8x8x4xf32>, tensor<4x6x3x3xf32>, tensor<6xf32>) -> tensor<1x10x10x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<4x6x3x3xf32>) {
  // expected-error@+1 {{Output must be a 4D tensor}}
  %0 = "ttir.conv_transpose2d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32, output_padding = 0 : i32}> : (tensor<1x8x8x4xf32>, tensor<4x6x3x3xf32>) -> tensor<10x10x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<4x6x3x3xf32>) {
  // expected-error@+1 {{Batch size of input and output tensors must match}}
  %0 = "ttir.conv_transpose2d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32, output_padding = 0 : i32}> : (tensor<1x8x8x4xf32>, tensor<4x6x3x3xf32>) -> tensor<2x10x10x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<4x6x3x3xf32>) {
  // expected-error@+1 {{Stride values must be greater than 0}}
  %0 = "ttir.conv_transpose2d"(%a, %b) <{stride = 0 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32, output_padding = 0 : i32}> : (tensor<1x8x8x4xf32>, tensor<4x6x3x3xf32>) -> tensor<1x10x10x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<4x6x3x3xf32>) {
  // expected-error@+1 {{Padding values must be greater or equal than 0}}
  %0 = "ttir.conv_transpose2d"(%a, %b) <{stride = 1 : i32, padding = -1 : i32, dilation = 1 : i32, groups = 1 : i32, output_padding = 0 : i32}> : (tensor<1x8x8x4xf32>, tensor<4x6x3x3xf32>) -> tensor<1x10x10x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<4x6x3x3xf32>) {
  // expected-error@+1 {{Output padding values must be greater or equal than 0}}
  %0 = "ttir.conv_transpose2d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32, output_padding = -1 : i32}> : (tensor<1x8x8x4xf32>, tensor<4x6x3x3xf32>) -> tensor<1x10x10x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<4x6x3x3xf32>) {
  // expected-error@+1 {{Dilation values must be greater than 0}}
  %0 = "ttir.conv_transpose2d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 0 : i32, groups = 1 : i32, output_padding = 0 : i32}> : (tensor<1x8x8x4xf32>, tensor<4x6x3x3xf32>) -> tensor<1x10x10x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<4x6x3x3xf32>) {
  // expected-error@+1 {{Number of input channels from input tensor must be divisible by the number of groups. Got 4 input channels and 3 groups.}}
  %0 = "ttir.conv_transpose2d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 3 : i32, output_padding = 0 : i32}> : (tensor<1x8x8x4xf32>, tensor<4x6x3x3xf32>) -> tensor<1x10x10x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<4x6x3x3xf32>) {
  // expected-error@+1 {{Number of output channels from output tensor must be divisible by the number of groups. Got 5 output channels and 2 groups.}}
  %0 = "ttir.conv_transpose2d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 2 : i32, output_padding = 0 : i32}> : (tensor<1x8x8x4xf32>, tensor<4x6x3x3xf32>) -> tensor<1x10x10x5xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<3x6x3x3xf32>) {
  // expected-error@+1 {{Number of input channels from input tensor must match the first dimension of the weight tensor. Got 4 input channels and 3 in the weight tensor.}}
  %0 = "ttir.conv_transpose2d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32, output_padding = 0 : i32}> : (tensor<1x8x8x4xf32>, tensor<3x6x3x3xf32>) -> tensor<1x10x10x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<4x6x3x3xf32>) {
  // expected-error@+1 {{Number of output channels per group must match the second dimension of the weight tensor. Got 5 output channels per group and 6 in the weight tensor.}}
  %0 = "ttir.conv_transpose2d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32, output_padding = 0 : i32}> : (tensor<1x8x8x4xf32>, tensor<4x6x3x3xf32>) -> tensor<1x10x10x5xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<4x6x3x3xf32>, %c: tensor<1x1x1x5xf32>) {
  // expected-error@+1 {{Mismatch in bias tensor dimensions. Bias tensor has 5 channels, but the output tensor has 6 channels.}}
  %0 = "ttir.conv_transpose2d"(%a, %b, %c) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32, output_padding = 0 : i32}> : (tensor<1x8x8x4xf32>, tensor<4x6x3x3xf32>, tensor<1x1x1x5xf32>) -> tensor<1x10x10x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x1x1x4xf32>, %b: tensor<4x6x3x3xf32>) {
  // expected-error@+1 {{Given input size per channel: (1 x 1). Calculated output size per channel: (-3 x -3). Output size is too small}}
  %0 = "ttir.conv_transpose2d"(%a, %b) <{stride = 1 : i32, padding = 3 : i32, dilation = 1 : i32, groups = 1 : i32, output_padding = 0 : i32}> : (tensor<1x1x1x4xf32>, tensor<4x6x3x3xf32>) -> tensor<1x10x10x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>, %b: tensor<4x6x3x3xf32>) {
  // expected-error@+1 {{Mismatch between expected output size per channel and got output tensor dimensions. Expected: (10 x 10), got: (9 x 10).}}
  %0 = "ttir.conv_transpose2d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32, output_padding = 0 : i32}> : (tensor<1x8x8x4xf32>, tensor<4x6x3x3xf32>) -> tensor<1x9x10x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x1x64x4xf32>, %b: tensor<4x6x3x3xf32>) {
  // expected-error@+1 {{Mismatch between expected flattened NHW dim size. Expected: 100, got: 99.}}
  %0 = "ttir.conv_transpose2d"(%a, %b) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32, output_padding = 0 : i32, flattened_compat_info = #ttir<flattened_compat batch_size = 1, input_height = 8, input_width = 8>}> : (tensor<1x1x64x4xf32>, tensor<4x6x3x3xf32>) -> tensor<1x1x99x6xf32>
  return
}

// -----

func.func @f0(%a: tensor<8x8x4xf32>) {
  // expected-error@+1 {{input must be a 4D tensor}}
  %0 = "ttir.max_pool2d"(%a) <{kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<8x8x4xf32>) -> tensor<1x4x4x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>) {
  // expected-error@+1 {{output must be a 4D tensor}}
  %0 = "ttir.max_pool2d"(%a) <{kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<1x8x8x4xf32>) -> tensor<4x4x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>) {
  // expected-error@+1 {{Expected integer or pair of integers, got tuple of size 3 for kernel attribute}}
  %0 = "ttir.avg_pool2d"(%a) <{kernel = array<i32: 1, 1, 1>, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>) {
  // expected-error@+1 {{Expected integer or pair of integers, got tuple of size 3 for stride attribute}}
  %0 = "ttir.avg_pool2d"(%a) <{kernel = 2 : i32, stride = array<i32: 1, 1, 1>, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>) {
  // expected-error@+1 {{Expected integer or pair of integers, got tuple of size 3 for dilation attribute}}
  %0 = "ttir.avg_pool2d"(%a) <{kernel = 2 : i32, stride = 2 : i32, dilation = array<i32: 1, 1, 1>, padding = 0 : i32, ceil_mode = false}> : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>) {
  // expected-error@+1 {{Expected integer, pair, or tuple of size 4, but got tuple of size 3 for padding attribute}}
  %0 = "ttir.avg_pool2d"(%a) <{kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = array<i32: 1, 1, 1>, ceil_mode = false}> : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>) {
  // expected-error@+1 {{kernel size attribute values must be > 0}}
  %0 = "ttir.avg_pool2d"(%a) <{kernel = 0 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>) {
  // expected-error@+1 {{stride attribute values must be > 0}}
  %0 = "ttir.avg_pool2d"(%a) <{kernel = 2 : i32, stride = 0 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>) {
  // expected-error@+1 {{dilation attribute values must be > 0}}
  %0 = "ttir.avg_pool2d"(%a) <{kernel = 2 : i32, stride = 2 : i32, dilation = 0 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>) {
  // expected-error@+1 {{padding attribute values must be >= 0}}
  %0 = "ttir.avg_pool2d"(%a) <{kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = -1 : i32, ceil_mode = false}> : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>) {
  // expected-error@+1 {{effective kernel size (9, 9) cannot be greater than the padded input size per channel (8, 8)}}
  %0 = "ttir.avg_pool2d"(%a) <{kernel = 9 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>) {
  // expected-error@+1 {{batch size from the input tensor (1) must match the first dimension of the output tensor (2)}}
  %0 = "ttir.avg_pool2d"(%a) <{kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<1x8x8x4xf32>) -> tensor<2x4x4x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>) {
  // expected-error@+1 {{number of output channels from the output tensor (5) must match the number of input channels (4)}}
  %0 = "ttir.avg_pool2d"(%a) <{kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x5xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>) {
  // expected-error@+1 {{output tensor height and width dimension (3, 4) do not match the expected dimensions (4, 4)}}
  %0 = "ttir.max_pool2d"(%a) <{kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<1x8x8x4xf32>) -> tensor<1x3x4x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x1x64x4xf32>) {
  // expected-error@+1 {{the input tensor's flattened dimension (64) does not match the product of batch_size * input_height * input_width from FlattenedCompatInfo (1 * 8 * 9 = 72)}}
  %0 = "ttir.max_pool2d"(%a) <{kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false, flattened_compat_info = #ttir<flattened_compat batch_size = 1, input_height = 8, input_width = 9>}> : (tensor<1x1x64x4xf32>) -> tensor<1x1x16x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x1x64x4xf32>) {
  // expected-error@+1 {{output tensor's flattened dimension (17) does not match the product of batch_size * output_height * output_width (1 * 4 * 4 = 16)}}
  %0 = "ttir.avg_pool2d"(%a) <{kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false, flattened_compat_info = #ttir<flattened_compat batch_size = 1, input_height = 8, input_width = 8>}> : (tensor<1x1x64x4xf32>) -> tensor<1x1x17x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>) {
  // expected-error@+1 {{Pooled values and indices must have the same shape}}
  %0:2 = "ttir.max_pool2d_with_indices"(%a) <{kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<1x8x8x4xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x3xi32>)
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>) {
  // expected-error@+1 {{Indices result must have integer element type}}
  %0:2 = "ttir.max_pool2d_with_indices"(%a) <{kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<1x8x8x4xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>)
  return
}

// -----

func.func @f0(%a: tensor<4xf32>) {
  // expected-error@+1 {{input tensor must have at least 2 dimensions for global average pooling over 2 spatial dimensions}}
  %0 = "ttir.global_avg_pool2d"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>) {
  // expected-error@+1 {{output tensor must have the same rank as input tensor}}
  %0 = "ttir.global_avg_pool2d"(%a) : (tensor<1x8x8x4xf32>) -> tensor<1x1x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>) {
  // expected-error@+1 {{batch dimension must remain the same between input and output}}
  %0 = "ttir.global_avg_pool2d"(%a) : (tensor<1x8x8x4xf32>) -> tensor<2x1x1x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>) {
  // expected-error@+1 {{spatial dimensions must be reduced to 1}}
  %0 = "ttir.global_avg_pool2d"(%a) : (tensor<1x8x8x4xf32>) -> tensor<1x2x1x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>) {
  // expected-error@+1 {{channel dimension must remain the same between input and output}}
  %0 = "ttir.global_avg_pool2d"(%a) : (tensor<1x8x8x4xf32>) -> tensor<1x1x1x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<8x8x4xf32>) {
  // expected-error@+1 {{Expected rank of input tensor is 4, got rank 3}}
  %0 = "ttir.upsample2d"(%a) <{scale_factor = 2 : si32}> : (tensor<8x8x4xf32>) -> tensor<1x16x16x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>) {
  // expected-error@+1 {{Expected rank of output tensor is 4, got rank 3}}
  %0 = "ttir.upsample2d"(%a) <{scale_factor = 2 : si32}> : (tensor<1x8x8x4xf32>) -> tensor<16x16x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>) {
  // expected-error@+1 {{Expected integer or pair of integers, got tuple of size 3}}
  %0 = "ttir.upsample2d"(%a) <{scale_factor = array<i32: 1, 2, 3>}> : (tensor<1x8x8x4xf32>) -> tensor<1x16x16x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>) {
  // expected-error@+1 {{Scale factors H = 0 and W = 0 must be positive integers}}
  %0 = "ttir.upsample2d"(%a) <{scale_factor = 0 : si32}> : (tensor<1x8x8x4xf32>) -> tensor<1x16x16x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>) {
  // expected-error@+1 {{Expected output H dimension to be input H dimension * scaleH = 16, got 8}}
  %0 = "ttir.upsample2d"(%a) <{scale_factor = 2 : si32}> : (tensor<1x8x8x4xf32>) -> tensor<1x8x16x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>) {
  // expected-error@+1 {{Expected output W dimension to be input W dimension * scaleW = 16, got 8}}
  %0 = "ttir.upsample2d"(%a) <{scale_factor = 2 : si32}> : (tensor<1x8x8x4xf32>) -> tensor<1x16x8x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>) {
  // expected-error@+1 {{Expected output N dimension to be 1, got 2}}
  %0 = "ttir.upsample2d"(%a) <{scale_factor = 2 : si32}> : (tensor<1x8x8x4xf32>) -> tensor<2x16x16x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>) {
  // expected-error@+1 {{Expected output C dimension to be 4, got 5}}
  %0 = "ttir.upsample2d"(%a) <{scale_factor = 2 : si32}> : (tensor<1x8x8x4xf32>) -> tensor<1x16x16x5xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x8x8x4xf32>) {
  // expected-error@+1 {{Expected modes are (nearest, bilinear), got "cubic"}}
  %0 = "ttir.upsample2d"(%a) <{scale_factor = 2 : si32, mode = "cubic"}> : (tensor<1x8x8x4xf32>) -> tensor<1x16x16x4xf32>
  return
}
