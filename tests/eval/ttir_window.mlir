// TTIR, convolutions, pools and upsampling.
// RUN: stablehlo-translate --interpret -split-input-file %s

// Layouts, a padding of two sizes, groups, bias; whole numbers, so that sums are exact.
func.func @conv1d() {
  %c0 = stablehlo.constant dense<[[[2.0, -3.0, -2.0, -2.0], [-2.0, 2.0, 3.0, 1.0], [-3.0, -3.0, -1.0, 0.0], [1.0, 0.0, -2.0, -2.0], [1.0, 2.0, -3.0, -3.0]]]> : tensor<1x5x4xf32>
  %c1 = stablehlo.constant dense<[[[0.0, -1.0], [3.0, 0.0]], [[-1.0, 0.0], [1.0, 1.0]], [[-2.0, 2.0], [2.0, 3.0]], [[2.0, -2.0], [-1.0, 1.0]]]> : tensor<4x2x2xf32>
  %c2 = stablehlo.constant dense<[[[1.0, 1.0, 3.0, -1.0]]]> : tensor<1x1x4xf32>
  %conv1d = "ttir.conv1d"(%c0, %c1, %c2) <{stride = 2 : i32, padding = array<i32: 1, 0>, dilation = 2 : i32, groups = 2 : i32}> : (tensor<1x5x4xf32>, tensor<4x2x2xf32>, tensor<1x1x4xf32>) -> tensor<1x2x4xf32>
  check.expect_eq_const %conv1d, dense<[[[3.0, 3.0, 12.0, -6.0], [6.0, 5.0, -11.0, 6.0]]]> : tensor<1x2x4xf32>
  %c3 = stablehlo.constant dense<[[[2.0, -2.0, -3.0, 1.0, 1.0], [-3.0, 2.0, -3.0, 0.0, 2.0], [-2.0, 3.0, -1.0, -2.0, -3.0], [-2.0, 1.0, 0.0, -2.0, -3.0]]]> : tensor<1x4x5xbf16>
  %c4 = stablehlo.constant dense<[[[0.0, -1.0], [3.0, 0.0]], [[-1.0, 0.0], [1.0, 1.0]], [[-2.0, 2.0], [2.0, 3.0]], [[2.0, -2.0], [-1.0, 1.0]]]> : tensor<4x2x2xbf16>
  %conv1d1 = "ttir.conv1d"(%c3, %c4) <{stride = 2 : i32, padding = array<i32: 1, 0>, dilation = 2 : i32, groups = 2 : i32, length_dim = 2 : i64, channel_dim = 1 : i64}> : (tensor<1x4x5xbf16>, tensor<4x2x2xbf16>) -> tensor<1x4x2xbf16>
  check.expect_eq_const %conv1d1, dense<[[[2.0, 5.0], [2.0, 4.0], [9.0, -14.0], [-5.0, 7.0]]]> : tensor<1x4x2xbf16>
  return
}

// -----

func.func @conv2d() {
  %c0 = stablehlo.constant dense<[[[[3.0, -3.0], [-3.0, 3.0], [3.0, -1.0], [-3.0, -1.0]], [[-3.0, 3.0], [1.0, 1.0], [-2.0, 0.0], [-2.0, 2.0]], [[0.0, -3.0], [-2.0, 1.0], [0.0, -1.0], [-2.0, -3.0]]]]> : tensor<1x3x4x2xf32>
  %c1 = stablehlo.constant dense<[[[[1.0, 1.0], [0.0, 3.0]], [[3.0, -2.0], [1.0, 1.0]]], [[[-2.0, -1.0], [0.0, 2.0]], [[-1.0, 2.0], [1.0, -2.0]]], [[[-1.0, 2.0], [2.0, 1.0]], [[-3.0, 1.0], [-2.0, 2.0]]]]> : tensor<3x2x2x2xf32>
  %c2 = stablehlo.constant dense<[[[[3.0, 0.0, 3.0]]]]> : tensor<1x1x1x3xf32>
  %conv2d = "ttir.conv2d"(%c0, %c1, %c2) <{stride = array<i32: 1, 2>, padding = array<i32: 1, 0, 0, 1>, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x3x4x2xf32>, tensor<3x2x2x2xf32>, tensor<1x1x1x3xf32>) -> tensor<1x3x2x3xf32>
  check.expect_eq_const %conv2d, dense<[[[[-6.0, -15.0, 18.0], [-8.0, -5.0, 6.0]], [[-5.0, 9.0, -3.0], [-2.0, -12.0, -6.0]], [[0.0, -5.0, 6.0], [-15.0, 11.0, -3.0]]]]> : tensor<1x3x2x3xf32>
  %c3 = stablehlo.constant dense<[[[[3.0, -3.0, 3.0, -3.0], [-3.0, 1.0, -2.0, -2.0], [0.0, -2.0, 0.0, -2.0]], [[-3.0, 3.0, -1.0, -1.0], [3.0, 1.0, 0.0, 2.0], [-3.0, 1.0, -1.0, -3.0]]]]> : tensor<1x2x3x4xf32>
  %conv2d1 = "ttir.conv2d"(%c3, %c1) <{stride = array<i32: 1, 2>, padding = array<i32: 1, 0, 0, 1>, dilation = 1 : i32, groups = 1 : i32, height_dim = 2 : i64, width_dim = 3 : i64, channel_dim = 1 : i64}> : (tensor<1x2x3x4xf32>, tensor<3x2x2x2xf32>) -> tensor<1x3x3x2xf32>
  check.expect_eq_const %conv2d1, dense<[[[[-9.0, -11.0], [-8.0, -5.0], [-3.0, -18.0]], [[-15.0, -5.0], [9.0, -12.0], [-5.0, 11.0]], [[15.0, 3.0], [-6.0, -9.0], [3.0, -6.0]]]]> : tensor<1x3x3x2xf32>
  %c4 = stablehlo.constant dense<[[[[3.0, -3.0], [-3.0, 3.0], [3.0, -1.0], [-3.0, -1.0], [-3.0, 3.0], [1.0, 1.0], [-2.0, 0.0], [-2.0, 2.0], [0.0, -3.0], [-2.0, 1.0], [0.0, -1.0], [-2.0, -3.0]]]]> : tensor<1x1x12x2xbf16>
  %c5 = stablehlo.constant dense<[[[[1.0, 1.0], [0.0, 3.0]], [[3.0, -2.0], [1.0, 1.0]]], [[[-2.0, -1.0], [0.0, 2.0]], [[-1.0, 2.0], [1.0, -2.0]]], [[[-1.0, 2.0], [2.0, 1.0]], [[-3.0, 1.0], [-2.0, 2.0]]]]> : tensor<3x2x2x2xbf16>
  %c6 = stablehlo.constant dense<[[[[3.0, 0.0, 3.0]]]]> : tensor<1x1x1x3xbf16>
  %conv2d2 = "ttir.conv2d"(%c4, %c5, %c6) <{stride = array<i32: 1, 2>, padding = array<i32: 1, 0, 0, 1>, dilation = 1 : i32, groups = 1 : i32, flattened_compat_info = #ttir<flattened_compat batch_size = 1, input_height = 3, input_width = 4>}> : (tensor<1x1x12x2xbf16>, tensor<3x2x2x2xbf16>, tensor<1x1x1x3xbf16>) -> tensor<1x1x6x3xbf16>
  check.expect_eq_const %conv2d2, dense<[[[[-6.0, -15.0, 18.0], [-8.0, -5.0, 6.0], [-5.0, 9.0, -3.0], [-2.0, -12.0, -6.0], [0.0, -5.0, 6.0], [-15.0, 11.0, -3.0]]]]> : tensor<1x1x6x3xbf16>
  return
}

// -----

func.func @conv3d() {
  %c0 = stablehlo.constant dense<[[[[[2.0], [-1.0], [3.0]], [[-1.0], [-3.0], [1.0]]], [[[2.0], [1.0], [-1.0]], [[3.0], [0.0], [-1.0]]]]]> : tensor<1x2x2x3x1xf32>
  %c1 = stablehlo.constant dense<[[[[[-2.0, -2.0]], [[1.0, 2.0]]]], [[[[-1.0, 1.0]], [[3.0, -2.0]]]]]> : tensor<2x1x2x1x2xf32>
  %c2 = stablehlo.constant dense<[[[[[-2.0, 0.0]]]]]> : tensor<1x1x1x1x2xf32>
  %conv3d = "ttir.conv3d"(%c0, %c1, %c2) <{stride = array<i32: 1, 1, 2>, padding = array<i32: 0, 0, 1>, groups = 1 : i32}> : (tensor<1x2x2x3x1xf32>, tensor<2x1x2x1x2xf32>, tensor<1x1x1x1x2xf32>) -> tensor<1x1x2x2x2xf32>
  check.expect_eq_const %conv3d, dense<[[[[[-2.0, -2.0], [-7.0, 9.0]], [[6.0, -7.0], [0.0, 6.0]]]]]> : tensor<1x1x2x2x2xf32>
  %conv3d1 = "ttir.conv3d"(%c0, %c1) <{stride = array<i32: 1, 1, 2>, padding = array<i32: 0, 0, 1>, groups = 1 : i32, padding_mode = "replicate"}> : (tensor<1x2x2x3x1xf32>, tensor<2x1x2x1x2xf32>) -> tensor<1x1x2x2x2xf32>
  check.expect_eq_const %conv3d1, dense<[[[[[-2.0, 2.0], [-5.0, 9.0]], [[13.0, 3.0], [2.0, 6.0]]]]]> : tensor<1x1x2x2x2xf32>
  return
}

// -----

func.func @conv_transpose2d() {
  %c0 = stablehlo.constant dense<[[[[0.0, -1.0], [-1.0, -3.0]], [[1.0, 3.0], [-2.0, 2.0]]]]> : tensor<1x2x2x2xf32>
  %c1 = stablehlo.constant dense<[[[[-2.0, -3.0], [2.0, -2.0]]], [[[2.0, -1.0], [0.0, 3.0]]]]> : tensor<2x1x2x2xf32>
  %c2 = stablehlo.constant dense<[[[[3.0, 0.0]]]]> : tensor<1x1x1x2xf32>
  %conv_transpose2d = "ttir.conv_transpose2d"(%c0, %c1, %c2) <{stride = array<i32: 2, 1>, padding = array<i32: 0, 1>, output_padding = array<i32: 1, 0>, dilation = array<i32: 1, 2>, groups = 2 : i32}> : (tensor<1x2x2x2xf32>, tensor<2x1x2x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x5x2x2xf32>
  check.expect_eq_const %conv_transpose2d, dense<[[[[5.0, -6.0], [3.0, 1.0]], [[1.0, 0.0], [3.0, -3.0]], [[7.0, 4.0], [0.0, -3.0]], [[-1.0, 0.0], [1.0, 9.0]], [[3.0, 0.0], [3.0, 0.0]]]]> : tensor<1x5x2x2xf32>
  return
}

// -----

// Windows that begin inside count with ceil_mode; the padding counts for averages unless it is said not to.
func.func @pools() {
  %c0 = stablehlo.constant dense<[[[[-2.0, -1.875], [2.25, 1.375], [-1.5, 3.625], [3.75, 3.875]], [[2.0, 4.125], [2.25, 1.375], [4.5, 2.625], [3.75, 0.875]], [[4.0, 5.125], [-0.75, 2.375], [1.5, -0.375], [-0.25, 0.875]]]]> : tensor<1x3x4x2xf32>
  %max_pool2d = "ttir.max_pool2d"(%c0) <{kernel = array<i32: 2, 3>, stride = array<i32: 2, 2>, dilation = 1 : i32, padding = array<i32: 0, 1, 0, 0>, ceil_mode = false}> : (tensor<1x3x4x2xf32>) -> tensor<1x1x2x2xf32>
  check.expect_eq_const %max_pool2d, dense<[[[[2.25, 4.125], [4.5, 3.875]]]]> : tensor<1x1x2x2xf32>
  %max_pool2d_with_indices:2 = "ttir.max_pool2d_with_indices"(%c0) <{kernel = array<i32: 2, 3>, stride = array<i32: 2, 2>, dilation = 1 : i32, padding = array<i32: 0, 1, 0, 0>, ceil_mode = false}> : (tensor<1x3x4x2xf32>) -> (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi32>)
  check.expect_eq_const %max_pool2d_with_indices#0, dense<[[[[2.25, 4.125], [4.5, 3.875]]]]> : tensor<1x1x2x2xf32>
  check.expect_eq_const %max_pool2d_with_indices#1, dense<[[[[1, 4], [6, 3]]]]> : tensor<1x1x2x2xi32>
  %avg_pool2d = "ttir.avg_pool2d"(%c0) <{kernel = array<i32: 2, 3>, stride = array<i32: 2, 2>, dilation = 1 : i32, padding = array<i32: 0, 1, 0, 0>, ceil_mode = false, count_include_pad = true}> : (tensor<1x3x4x2xf32>) -> tensor<1x1x2x2xf32>
  check.expect_almost_eq_const %avg_pool2d, dense<[[[[0.75, 0.8333333], [2.5, 2.2916667]]]]> : tensor<1x1x2x2xf32>, tolerance = 1.0e-6
  %avg_pool2d3 = "ttir.avg_pool2d"(%c0) <{kernel = array<i32: 2, 3>, stride = array<i32: 2, 2>, dilation = 1 : i32, padding = array<i32: 0, 1, 0, 0>, ceil_mode = false, count_include_pad = false}> : (tensor<1x3x4x2xf32>) -> tensor<1x1x2x2xf32>
  check.expect_almost_eq_const %avg_pool2d3, dense<[[[[1.125, 1.25], [2.5, 2.2916667]]]]> : tensor<1x1x2x2xf32>, tolerance = 1.0e-6
  %max_pool2d4 = "ttir.max_pool2d"(%c0) <{kernel = array<i32: 2, 3>, stride = array<i32: 2, 2>, dilation = 1 : i32, padding = array<i32: 0, 1, 0, 0>, ceil_mode = true}> : (tensor<1x3x4x2xf32>) -> tensor<1x2x2x2xf32>
  check.expect_eq_const %max_pool2d4, dense<[[[[2.25, 4.125], [4.5, 3.875]], [[4.0, 5.125], [1.5, 2.375]]]]> : tensor<1x2x2x2xf32>
  %max_pool2d_with_indices5:2 = "ttir.max_pool2d_with_indices"(%c0) <{kernel = array<i32: 2, 3>, stride = array<i32: 2, 2>, dilation = 1 : i32, padding = array<i32: 0, 1, 0, 0>, ceil_mode = true}> : (tensor<1x3x4x2xf32>) -> (tensor<1x2x2x2xf32>, tensor<1x2x2x2xi32>)
  check.expect_eq_const %max_pool2d_with_indices5#0, dense<[[[[2.25, 4.125], [4.5, 3.875]], [[4.0, 5.125], [1.5, 2.375]]]]> : tensor<1x2x2x2xf32>
  check.expect_eq_const %max_pool2d_with_indices5#1, dense<[[[[1, 4], [6, 3]], [[8, 8], [10, 9]]]]> : tensor<1x2x2x2xi32>
  %avg_pool2d6 = "ttir.avg_pool2d"(%c0) <{kernel = array<i32: 2, 3>, stride = array<i32: 2, 2>, dilation = 1 : i32, padding = array<i32: 0, 1, 0, 0>, ceil_mode = true, count_include_pad = true}> : (tensor<1x3x4x2xf32>) -> tensor<1x2x2x2xf32>
  check.expect_almost_eq_const %avg_pool2d6, dense<[[[[0.75, 0.8333333], [2.5, 2.2916667]], [[1.08333333, 2.5], [0.16666667, 0.9583333]]]]> : tensor<1x2x2x2xf32>, tolerance = 1.0e-6
  %avg_pool2d7 = "ttir.avg_pool2d"(%c0) <{kernel = array<i32: 2, 3>, stride = array<i32: 2, 2>, dilation = 1 : i32, padding = array<i32: 0, 1, 0, 0>, ceil_mode = true, count_include_pad = false}> : (tensor<1x3x4x2xf32>) -> tensor<1x2x2x2xf32>
  check.expect_almost_eq_const %avg_pool2d7, dense<[[[[1.125, 1.25], [2.5, 2.2916667]], [[1.625, 3.75], [0.16666667, 0.9583333]]]]> : tensor<1x2x2x2xf32>, tolerance = 1.0e-6
  %c1 = stablehlo.constant dense<[[[[-2.0, -1.875], [2.25, 1.375], [-1.5, 3.625], [3.75, 3.875], [2.0, 4.125], [2.25, 1.375], [4.5, 2.625], [3.75, 0.875], [4.0, 5.125], [-0.75, 2.375], [1.5, -0.375], [-0.25, 0.875]]]]> : tensor<1x1x12x2xbf16>
  %max_pool2d8 = "ttir.max_pool2d"(%c1) <{kernel = 2 : i32, stride = 1 : i32, dilation = array<i32: 2, 1>, padding = 0 : i32, ceil_mode = false, flattened_compat_info = #ttir<flattened_compat batch_size = 1, input_height = 3, input_width = 4>}> : (tensor<1x1x12x2xbf16>) -> tensor<1x1x3x2xbf16>
  check.expect_eq_const %max_pool2d8, dense<[[[[4.0, 5.125], [2.25, 3.625], [3.75, 3.875]]]]> : tensor<1x1x3x2xbf16>
  %global_avg_pool2d = "ttir.global_avg_pool2d"(%c0) : (tensor<1x3x4x2xf32>) -> tensor<1x1x1x2xf32>
  check.expect_almost_eq_const %global_avg_pool2d, dense<[[[[1.625, 2.0]]]]> : tensor<1x1x1x2xf32>, tolerance = 1.0e-6
  return
}

// -----

func.func @upsample() {
  %c0 = stablehlo.constant dense<[[[[1.0], [2.0]], [[3.0], [5.0]]]]> : tensor<1x2x2x1xf32>
  %upsample2d = "ttir.upsample2d"(%c0) <{scale_factor = array<i32: 1, 2>}> : (tensor<1x2x2x1xf32>) -> tensor<1x2x4x1xf32>
  check.expect_eq_const %upsample2d, dense<[[[[1.0], [1.0], [2.0], [2.0]], [[3.0], [3.0], [5.0], [5.0]]]]> : tensor<1x2x4x1xf32>
  %upsample2d1 = "ttir.upsample2d"(%c0) <{scale_factor = 2 : si32, mode = "bilinear"}> : (tensor<1x2x2x1xf32>) -> tensor<1x4x4x1xf32>
  check.expect_almost_eq_const %upsample2d1, dense<[[[[1.0], [1.25], [1.75], [2.0]], [[1.5], [1.8125], [2.4375], [2.75]], [[2.5], [2.9375], [3.8125], [4.25]], [[3.0], [3.5], [4.5], [5.0]]]]> : tensor<1x4x4x1xf32>, tolerance = 1.0e-6
  return
}
