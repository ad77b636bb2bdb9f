// TTIR, softmax, norms and training.
// RUN: stablehlo-translate --interpret -split-input-file %s

func.func @softmax() {
  %c0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, -1.0], [0.0, 0.5, -2.0, 4.0]]> : tensor<2x4xf32>
  %softmax = "ttir.softmax"(%c0) <{dimension = 0 : si32}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  check.expect_almost_eq_const %softmax, dense<[[0.7310586, 0.8175745, 0.99330715, 0.006692851], [0.26894142, 0.182425524, 0.006692851, 0.99330715]]> : tensor<2x4xf32>, tolerance = 1.0e-6
  %softmax1 = "ttir.softmax"(%c0) <{dimension = -1 : si32}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  check.expect_almost_eq_const %softmax1, dense<[[0.08894682, 0.24178252, 0.657233, 0.0120376427], [0.017427005, 0.028732274, 0.0023584887, 0.95148223]]> : tensor<2x4xf32>, tolerance = 1.0e-6
  %c1 = stablehlo.constant dense<[1.0e+03, 1.0e+03, 0xFF800000]> : tensor<3xf32>
  %softmax2 = "ttir.softmax"(%c1) <{dimension = 0 : si32, numericStable = true}> : (tensor<3xf32>) -> tensor<3xf32>
  check.expect_almost_eq_const %softmax2, dense<[0.5, 0.5, 0.0]> : tensor<3xf32>, tolerance = 1.0e-6
  return
}

// -----

func.func @last_dimensions() {
  %c0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, -1.0], [0.0, 0.5, -2.0, 4.0]]> : tensor<2x4xf32>
  %c1 = stablehlo.constant dense<[1.0, 2.0, -1.0, 0.5]> : tensor<4xf32>
  %c2 = stablehlo.constant dense<[0.5, 0.0, 1.0, -1.0]> : tensor<4xf32>
  %layer_norm = "ttir.layer_norm"(%c0, %c1, %c2) <{normalized_shape = array<i64: 4>, epsilon = 1.250000e-01 : f32, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  check.expect_almost_eq_const %layer_norm, dense<[[0.335601, 0.9863939, -0.15079291, -1.7397954], [0.21463493, -0.11414603, 2.1985333, -0.2295143]]> : tensor<2x4xf32>, tolerance = 1.0e-6
  %c3 = stablehlo.constant dense<[[[1.0, 2.0, 3.0, -1.0], [0.0, 0.5, -2.0, 4.0]]]> : tensor<1x2x4xf32>
  %layer_norm1 = "ttir.layer_norm"(%c3) <{normalized_shape = array<i64: 2, 4>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  check.expect_almost_eq_const %layer_norm1, dense<[[[0.03327787, 0.5657238, 1.0981697, -1.031614], [-0.49916804, -0.23294508, -1.5640598, 1.6306156]]]> : tensor<1x2x4xf32>, tolerance = 1.0e-6
  %rms_norm = "ttir.rms_norm"(%c0, %c1) <{normalized_shape = array<i64: 4>, epsilon = 1.250000e-01 : f32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  check.expect_almost_eq_const %rms_norm, dense<[[0.5080005, 2.032002, -1.5240015, -0.25400025], [0.0, 0.43905704, 0.8781141, 0.8781141]]> : tensor<2x4xf32>, tolerance = 1.0e-6
  %rms_norm3 = "ttir.rms_norm"(%c0, %c2) <{normalized_shape = array<i64: 4>, operandSegmentSizes = array<i32: 1, 0, 1>}> : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  check.expect_almost_eq_const %rms_norm3, dense<[[1.0163971, 1.0327942, 2.5491913, -1.5163971], [0.5, 0.222222, 0.11111199, 0.777776]]> : tensor<2x4xf32>, tolerance = 1.0e-6
  %c4 = stablehlo.constant dense<[[1.0, 2.0, 3.0, -1.0], [0.0, 0.5, -2.0, 4.0]]> : tensor<2x4xbf16>
  %c5 = stablehlo.constant dense<[1.0, 2.0, -1.0, 0.5]> : tensor<4xbf16>
  %rms_norm4 = "ttir.rms_norm"(%c4, %c5) <{normalized_shape = array<i64: 4>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<2x4xbf16>, tensor<4xbf16>) -> tensor<2x4xbf16>
  check.expect_almost_eq_const %rms_norm4, dense<[[0.515625, 2.0625, -1.546875, -0.2578125], [0.0, 0.4453125, 0.890625, 0.890625]]> : tensor<2x4xbf16>, tolerance = 1.0e-2
  return
}

// -----

// Channels behind and channels in front.
func.func @groups() {
  %c0 = stablehlo.constant dense<[[[[1.0, 2.0, 3.0, 5.0], [-1.0, 0.0, 2.0, 4.0]]]]> : tensor<1x1x2x4xf32>
  %c1 = stablehlo.constant dense<[1.0, 2.0, -1.0, 0.5]> : tensor<4xf32>
  %c2 = stablehlo.constant dense<[0.5, 0.0, 1.0, -1.0]> : tensor<4xf32>
  %group_norm = "ttir.group_norm"(%c0, %c1, %c2) <{num_groups = 2 : i64, epsilon = 2.500000e-01 : f32, operandSegmentSizes = array<i32: 1, 0, 1, 1>}> : (tensor<1x1x2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x1x2x4xf32>
  check.expect_almost_eq_const %group_norm, dense<[[[[0.9082483, 2.44948974, 1.4082483, -0.38762756], [-0.72474487, -0.8164966, 2.2247449, -0.79587585]]]]> : tensor<1x1x2x4xf32>, tolerance = 1.0e-6
  %c3 = stablehlo.constant dense<[[[[1.0, -1.0]], [[2.0, 0.0]], [[3.0, 2.0]], [[5.0, 4.0]]]]> : tensor<1x4x1x2xf32>
  %group_norm1 = "ttir.group_norm"(%c3) <{num_groups = 2 : i64, channel_dim = 1 : i64, epsilon = 2.500000e-01 : f32, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (tensor<1x4x1x2xf32>) -> tensor<1x4x1x2xf32>
  check.expect_almost_eq_const %group_norm1, dense<[[[[0.4082483, -1.2247449]], [[1.2247449, -0.4082483]], [[-0.4082483, -1.2247449]], [[1.2247449, 0.4082483]]]]> : tensor<1x4x1x2xf32>, tolerance = 1.0e-6
  return
}

// -----

func.func @batches() {
  %c0 = stablehlo.constant dense<[[[[1.0, 2.0]], [[3.0, 4.0]]], [[[5.0, 7.0]], [[9.0, 11.0]]]]> : tensor<2x2x1x2xf32>
  %c1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %c2 = stablehlo.constant dense<[0.0, 0.5]> : tensor<2xf32>
  %c3 = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %c4 = stablehlo.constant dense<[2.0, 8.0]> : tensor<2xf32>
  %batch_norm_inference = "ttir.batch_norm_inference"(%c0, %c1, %c2, %c3, %c4) <{epsilon = 2.500000e-01 : f32, dimension = 1 : i32}> : (tensor<2x2x1x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2x1x2xf32>
  check.expect_almost_eq_const %batch_norm_inference, dense<[[[[-1.33333333, -0.6666667]], [[-0.19631062, 0.5]]], [[[1.33333333, 2.6666667]], [[3.981553, 5.3741744]]]]> : tensor<2x2x1x2xf32>, tolerance = 1.0e-6
  %batch_norm_training:3 = "ttir.batch_norm_training"(%c0, %c1, %c2, %c3, %c4) <{epsilon = 2.500000e-01 : f32, dimension = 1 : i32, momentum = 2.500000e-01 : f32}> : (tensor<2x2x1x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x2x1x2xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_almost_eq_const %batch_norm_training#0, dense<[[[[-1.1285762, -0.7181848]], [[-1.7176638, -1.1262868]]], [[[0.51298918, 1.33377186]], [[1.83059829, 3.0133523]]]]> : tensor<2x2x1x2xf32>, tolerance = 1.0e-6
  check.expect_almost_eq_const %batch_norm_training#1, dense<[3.1875, 4.6875]> : tensor<2xf32>, tolerance = 1.0e-6
  check.expect_almost_eq_const %batch_norm_training#2, dense<[2.921875, 8.796875]> : tensor<2xf32>, tolerance = 1.0e-6
  return
}

// -----

// By its seed alone; all or nothing where the probability says so.
func.func @chance() {
  %c0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, -1.0], [0.0, 0.5, -2.0, 4.0]]> : tensor<2x4xf32>
  %dropout = "ttir.dropout"(%c0) <{prob = 0.0 : f32, scale = 2.0 : f32, seed = 1 : ui32}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  check.expect_eq_const %dropout, dense<[[2.0, 4.0, 6.0, -2.0], [0.0, 1.0, -4.0, 8.0]]> : tensor<2x4xf32>
  %dropout1 = "ttir.dropout"(%c0) <{prob = 1.0 : f32, scale = 2.0 : f32, seed = 1 : ui32}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  check.expect_eq_const %dropout1, dense<[[0.0, 0.0, 0.0, -0.0], [0.0, 0.0, -0.0, 0.0]]> : tensor<2x4xf32>
  %a = "ttir.rand"() <{size = [4 : i32, 8 : i32], low = 2.0 : f32, high = 3.0 : f32, seed = 5 : ui32}> : () -> tensor<4x8xf32>
  %b = "ttir.rand"() <{size = [4 : i32, 8 : i32], low = 2.0 : f32, high = 3.0 : f32, seed = 5 : ui32}> : () -> tensor<4x8xf32>
  check.expect_eq %a, %b : tensor<4x8xf32>
  %low = "ttir.floor"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  check.expect_eq_const %low, dense<2.0> : tensor<4x8xf32>
  %c = "ttir.rand"() <{size = [4 : i32, 8 : i32], low = 2.0 : f32, high = 3.0 : f32, seed = 6 : ui32}> : () -> tensor<4x8xf32>
  %other = "ttir.ne"(%a, %c) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  %some = "ttir.reduce_or"(%other) <{keep_dim = false}> : (tensor<4x8xi1>) -> tensor<i1>
  check.expect_eq_const %some, dense<true> : tensor<i1>
  return
}
