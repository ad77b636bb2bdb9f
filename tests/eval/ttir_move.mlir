// TTIR, shapes and places of elements.
// RUN: stablehlo-translate --interpret -split-input-file %s

func.func @shapes() {
  %c0 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %reshape = "ttir.reshape"(%c0) <{shape = [3 : i32, 2 : i32]}> : (tensor<2x3xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %reshape, dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xi32>
  %reshape1 = "ttir.reshape"(%c0) <{shape = [1 : i32, -1 : i32]}> : (tensor<2x3xi32>) -> tensor<1x6xi32>
  check.expect_eq_const %reshape1, dense<[[0, 1, 2, 3, 4, 5]]> : tensor<1x6xi32>
  %c1 = stablehlo.constant dense<[[[0, 1, 2]], [[3, 4, 5]]]> : tensor<2x1x3xi32>
  %squeeze = "ttir.squeeze"(%c1) <{dim = -2 : si32}> : (tensor<2x1x3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %squeeze, dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %unsqueeze = "ttir.unsqueeze"(%c0) <{dim = -1 : si32}> : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
  check.expect_eq_const %unsqueeze, dense<[[[0], [1], [2]], [[3], [4], [5]]]> : tensor<2x3x1xi32>
  %unsqueeze4 = "ttir.unsqueeze"(%c0) <{dim = 0 : si32}> : (tensor<2x3xi32>) -> tensor<1x2x3xi32>
  check.expect_eq_const %unsqueeze4, dense<[[[0, 1, 2], [3, 4, 5]]]> : tensor<1x2x3xi32>
  %c2 = stablehlo.constant dense<> : tensor<0x2xf32>
  %reshape5 = "ttir.reshape"(%c2) <{shape = [2 : i32, 0 : i32]}> : (tensor<0x2xf32>) -> tensor<2x0xf32>
  check.expect_eq_const %reshape5, dense<> : tensor<2x0xf32>
  %reshape6 = "ttir.reshape"(%c0) <{shape = [6 : i32]}> : (tensor<2x3xi32>) -> tensor<6xf32>
  check.expect_eq_const %reshape6, dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<6xf32>
  return
}

// -----

func.func @orders() {
  %c0 = stablehlo.constant dense<[[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], [[12, 13, 14, 15], [16, 17, 18, 19], [20, 21, 22, 23]]]> : tensor<2x3x4xi32>
  %permute = "ttir.permute"(%c0) <{permutation = array<i64: 2, 0, 1>}> : (tensor<2x3x4xi32>) -> tensor<4x2x3xi32>
  check.expect_eq_const %permute, dense<[[[0, 4, 8], [12, 16, 20]], [[1, 5, 9], [13, 17, 21]], [[2, 6, 10], [14, 18, 22]], [[3, 7, 11], [15, 19, 23]]]> : tensor<4x2x3xi32>
  %transpose = "ttir.transpose"(%c0) <{dim0 = 0 : si32, dim1 = -1 : si32}> : (tensor<2x3x4xi32>) -> tensor<4x3x2xi32>
  check.expect_eq_const %transpose, dense<[[[0, 12], [4, 16], [8, 20]], [[1, 13], [5, 17], [9, 21]], [[2, 14], [6, 18], [10, 22]], [[3, 15], [7, 19], [11, 23]]]> : tensor<4x3x2xi32>
  %c1 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %reverse = "ttir.reverse"(%c1) <{dimensions = array<i64: 1>}> : (tensor<2x3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %reverse, dense<[[2, 1, 0], [5, 4, 3]]> : tensor<2x3xi32>
  %c2 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xbf16>
  %reverse3 = "ttir.reverse"(%c2) <{dimensions = array<i64: 0, 1>}> : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %reverse3, dense<[[5.0, 4.0, 3.0], [2.0, 1.0, 0.0]]> : tensor<2x3xbf16>
  %rearrange = "ttir.rearrange"(%c0) <{pattern = "a b c -> (c a) b"}> : (tensor<2x3x4xi32>) -> tensor<8x3xi32>
  check.expect_eq_const %rearrange, dense<[[0, 4, 8], [12, 16, 20], [1, 5, 9], [13, 17, 21], [2, 6, 10], [14, 18, 22], [3, 7, 11], [15, 19, 23]]> : tensor<8x3xi32>
  return
}

// -----

func.func @copies() {
  %c0 = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi32>
  %broadcast = "ttir.broadcast"(%c0) <{broadcast_dimensions = array<i64: 1, 3>}> : (tensor<2x1xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %broadcast, dense<[[1, 1, 1], [2, 2, 2]]> : tensor<2x3xi32>
  %c1 = stablehlo.constant dense<[[0, 1], [3, 4]]> : tensor<2x2xi32>
  %repeat = "ttir.repeat"(%c1) <{repeat_dimensions = array<i64: 2, 2>}> : (tensor<2x2xi32>) -> tensor<4x4xi32>
  check.expect_eq_const %repeat, dense<[[0, 1, 0, 1], [3, 4, 3, 4], [0, 1, 0, 1], [3, 4, 3, 4]]> : tensor<4x4xi32>
  %c2 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %repeat_interleave = "ttir.repeat_interleave"(%c2) <{repeats = 2 : ui32, dim = 1 : si32}> : (tensor<2x3xi32>) -> tensor<2x6xi32>
  check.expect_eq_const %repeat_interleave, dense<[[0, 0, 1, 1, 2, 2], [3, 3, 4, 4, 5, 5]]> : tensor<2x6xi32>
  %repeat_interleave3 = "ttir.repeat_interleave"(%c2) <{repeats = 2 : ui32, dim = -2 : si32}> : (tensor<2x3xi32>) -> tensor<4x3xi32>
  check.expect_eq_const %repeat_interleave3, dense<[[0, 1, 2], [0, 1, 2], [3, 4, 5], [3, 4, 5]]> : tensor<4x3xi32>
  %concat = "ttir.concat"(%c2, %c0, %c2) <{dim = -1 : si32}> : (tensor<2x3xi32>, tensor<2x1xi32>, tensor<2x3xi32>) -> tensor<2x7xi32>
  check.expect_eq_const %concat, dense<[[0, 1, 2, 1, 0, 1, 2], [3, 4, 5, 2, 3, 4, 5]]> : tensor<2x7xi32>
  %c3 = stablehlo.constant dense<[[0, 1, 2]]> : tensor<1x3xi32>
  %concat5 = "ttir.concat"(%c2, %c3) <{dim = 0 : si32}> : (tensor<2x3xi32>, tensor<1x3xi32>) -> tensor<3x3xi32>
  check.expect_eq_const %concat5, dense<[[0, 1, 2], [3, 4, 5], [0, 1, 2]]> : tensor<3x3xi32>
  %pad = "ttir.pad"(%c2) <{padding = array<i32: 1, 0, 0, 2>, value = -1.0 : f32}> : (tensor<2x3xi32>) -> tensor<3x5xi32>
  check.expect_eq_const %pad, dense<[[-1, -1, -1, -1, -1], [0, 1, 2, -1, -1], [3, 4, 5, -1, -1]]> : tensor<3x5xi32>
  %c4 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xbf16>
  %pad7 = "ttir.pad"(%c4) <{padding = array<i32: 1, 1>, value = 0.5 : f32}> : (tensor<2xbf16>) -> tensor<4xbf16>
  check.expect_eq_const %pad7, dense<[0.5, 1.0, 2.0, 0.5]> : tensor<4xbf16>
  return
}

// -----

// Places count from the end when they are negative; steps may go down.
func.func @slices() {
  %c0 = stablehlo.constant dense<[[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11, 12, 13, 14], [15, 16, 17, 18, 19]]> : tensor<4x5xi32>
  %slice_static = "ttir.slice_static"(%c0) <{begins = [1 : i32, 0 : i32], ends = [4 : i32, 5 : i32], step = [2 : i32, 3 : i32]}> : (tensor<4x5xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %slice_static, dense<[[5, 8], [15, 18]]> : tensor<2x2xi32>
  %slice_static1 = "ttir.slice_static"(%c0) <{begins = [-2 : i32, -4 : i32], ends = [4 : i32, -1 : i32], step = [1 : i32, 1 : i32]}> : (tensor<4x5xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %slice_static1, dense<[[11, 12, 13], [16, 17, 18]]> : tensor<2x3xi32>
  %slice_static2 = "ttir.slice_static"(%c0) <{begins = [3 : i32, 4 : i32], ends = [1 : i32, 0 : i32], step = [-1 : i32, -2 : i32]}> : (tensor<4x5xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %slice_static2, dense<[[19, 17], [14, 12]]> : tensor<2x2xi32>
  %slice_static3 = "ttir.slice_static"(%c0) <{begins = [2 : i32, 0 : i32], ends = [2 : i32, 1 : i32], step = [1 : i32, 1 : i32]}> : (tensor<4x5xi32>) -> tensor<0x1xi32>
  check.expect_eq_const %slice_static3, dense<> : tensor<0x1xi32>
  %c1 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %c2 = stablehlo.constant dense<[3, 5]> : tensor<2xi32>
  %slice_dynamic = "ttir.slice_dynamic"(%c0, %c1, %c2) : (tensor<4x5xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %slice_dynamic, dense<[[7, 8, 9], [12, 13, 14]]> : tensor<2x3xi32>
  %c3 = stablehlo.constant dense<[0, 0]> : tensor<2xi32>
  %c4 = stablehlo.constant dense<[4, 5]> : tensor<2xi32>
  %slice_dynamic5 = "ttir.slice_dynamic"(%c0, %c3, %c4) <{step = [3 : i32, 2 : i32]}> : (tensor<4x5xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %slice_dynamic5, dense<[[0, 2, 4], [15, 17, 19]]> : tensor<2x3xi32>
  %c5 = stablehlo.constant dense<[3, 0]> : tensor<2xi32>
  %c6 = stablehlo.constant dense<[5, 5]> : tensor<2xi32>
  %slice_dynamic6 = "ttir.slice_dynamic"(%c0, %c5, %c6) : (tensor<4x5xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x5xi32>
  check.expect_eq_const %slice_dynamic6, dense<[[10, 11, 12, 13, 14], [15, 16, 17, 18, 19]]> : tensor<2x5xi32>
  %index = "ttir.index"(%c0) <{dim = 1 : i32, begin = 1 : i32, end = 5 : i32, step = 2 : i32}> : (tensor<4x5xi32>) -> tensor<4x2xi32>
  check.expect_eq_const %index, dense<[[1, 3], [6, 8], [11, 13], [16, 18]]> : tensor<4x2xi32>
  %index_select = "ttir.index_select"(%c0) <{dim = 1 : si32, begin = 2 : si32, length = 2 : si32}> : (tensor<4x5xi32>) -> tensor<4x2xi32>
  check.expect_eq_const %index_select, dense<[[2, 3], [7, 8], [12, 13], [17, 18]]> : tensor<4x2xi32>
  %index_select9 = "ttir.index_select"(%c0) <{dim = -1 : si32, begin = 0 : si32, length = 2 : si32, stride = 3 : si32}> : (tensor<4x5xi32>) -> tensor<4x4xi32>
  check.expect_eq_const %index_select9, dense<[[0, 1, 3, 4], [5, 6, 8, 9], [10, 11, 13, 14], [15, 16, 18, 19]]> : tensor<4x4xi32>
  %get_dimension_size = "ttir.get_dimension_size"(%c0) <{dimension = 1 : i32}> : (tensor<4x5xi32>) -> tensor<1xui32>
  check.expect_eq_const %get_dimension_size, dense<[5]> : tensor<1xui32>
  return
}
