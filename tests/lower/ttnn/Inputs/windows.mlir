// A convolution of a small picture, a pool, a norm and a mean, in bf16 and f32.
module {
  func.func @forward(%x: tensor<1x8x8x4xbf16> {ttcore.argument_type = #ttcore.argument_type<input>},
                     %w: tensor<8x4x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>},
                     %g: tensor<8xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<1x1x1x8xf32>, tensor<1x4x4x8xbf16>) {
    %0 = "ttir.conv2d"(%x, %w) <{dilation = array<i32: 1, 1>, groups = 1 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x8x8x4xbf16>, tensor<8x4x3x3xbf16>) -> tensor<1x8x8x8xbf16>
    %1 = "ttir.max_pool2d"(%0) <{ceil_mode = false, dilation = array<i32: 1, 1>, kernel = array<i32: 2, 2>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x8x8x8xbf16>) -> tensor<1x4x4x8xbf16>
    %2 = "ttir.rms_norm"(%1, %g) <{epsilon = 1.000000e-05 : f32, normalized_shape = array<i64: 8>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<1x4x4x8xbf16>, tensor<8xbf16>) -> tensor<1x4x4x8xbf16>
    %3 = "ttir.typecast"(%2) : (tensor<1x4x4x8xbf16>) -> tensor<1x4x4x8xf32>
    %4 = "ttir.exp"(%3) : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
    %5 = "ttir.mean"(%4) <{dim_arg = [1 : i32, 2 : i32], keep_dim = true}> : (tensor<1x4x4x8xf32>) -> tensor<1x1x1x8xf32>
    return %5, %2 : tensor<1x1x1x8xf32>, tensor<1x4x4x8xbf16>
  }
}
