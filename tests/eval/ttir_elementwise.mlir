// TTIR, element by element: functions, comparisons, bits, and operands that broadcast or have other types.
// RUN: stablehlo-translate --interpret -split-input-file %s

func.func @functions() {
  %c0 = stablehlo.constant dense<[-2.5, -0.75, 0.0, 1.5]> : tensor<4xf32>
  %abs = "ttir.abs"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %abs, dense<[2.5, 0.75, 0.0, 1.5]> : tensor<4xf32>, tolerance = 1.0e-6
  %cbrt = "ttir.cbrt"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %cbrt, dense<[-1.3572088, -0.9085603, 0.0, 1.1447142]> : tensor<4xf32>, tolerance = 1.0e-6
  %ceil = "ttir.ceil"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %ceil, dense<[-2.0, -0.0, 0.0, 2.0]> : tensor<4xf32>, tolerance = 1.0e-6
  %cos = "ttir.cos"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %cos, dense<[-0.8011436, 0.73168887, 1.0, 0.0707372]> : tensor<4xf32>, tolerance = 1.0e-6
  %floor = "ttir.floor"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %floor, dense<[-3.0, -1.0, 0.0, 1.0]> : tensor<4xf32>, tolerance = 1.0e-6
  %frac = "ttir.frac"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %frac, dense<[-0.5, -0.75, 0.0, 0.5]> : tensor<4xf32>, tolerance = 1.0e-6
  %trunc = "ttir.trunc"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %trunc, dense<[-2.0, -0.0, 0.0, 1.0]> : tensor<4xf32>, tolerance = 1.0e-6
  %gelu = "ttir.gelu"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %gelu, dense<[-0.015524163, -0.16997051, 0.0, 1.3997892]> : tensor<4xf32>, tolerance = 1.0e-6
  %mish = "ttir.mish"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %mish, dense<[-0.1968162, -0.2764947, 0.0, 1.4033783]> : tensor<4xf32>, tolerance = 1.0e-6
  %neg = "ttir.neg"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %neg, dense<[2.5, 0.75, -0.0, -1.5]> : tensor<4xf32>, tolerance = 1.0e-6
  %tan = "ttir.tan"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %tan, dense<[0.7470223, -0.93159646, 0.0, 14.10142]> : tensor<4xf32>, tolerance = 1.0e-6
  %atan = "ttir.atan"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %atan, dense<[-1.19029, -0.6435011, 0.0, 0.98279372]> : tensor<4xf32>, tolerance = 1.0e-6
  %tanh = "ttir.tanh"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %tanh, dense<[-0.9866143, -0.63514895, 0.0, 0.90514825]> : tensor<4xf32>, tolerance = 1.0e-6
  %relu = "ttir.relu"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %relu, dense<[0.0, 0.0, 0.0, 1.5]> : tensor<4xf32>, tolerance = 1.0e-6
  %sigmoid = "ttir.sigmoid"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %sigmoid, dense<[0.07585818, 0.320821301, 0.5, 0.8175745]> : tensor<4xf32>, tolerance = 1.0e-6
  %softsign = "ttir.softsign"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %softsign, dense<[-0.71428571, -0.42857143, 0.0, 0.6]> : tensor<4xf32>, tolerance = 1.0e-6
  %hardsigmoid = "ttir.hardsigmoid"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %hardsigmoid, dense<[0.083333333, 0.375, 0.5, 0.75]> : tensor<4xf32>, tolerance = 1.0e-6
  %silu = "ttir.silu"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %silu, dense<[-0.18964545, -0.24061598, 0.0, 1.2263617]> : tensor<4xf32>, tolerance = 1.0e-6
  %sign = "ttir.sign"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %sign, dense<[-1.0, -1.0, 0.0, 1.0]> : tensor<4xf32>, tolerance = 1.0e-6
  %sin = "ttir.sin"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %sin, dense<[-0.5984721, -0.6816388, 0.0, 0.997495]> : tensor<4xf32>, tolerance = 1.0e-6
  %asinh = "ttir.asinh"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %asinh, dense<[-1.6472311, -0.6931472, 0.0, 1.1947632]> : tensor<4xf32>, tolerance = 1.0e-6
  %square = "ttir.square"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %square, dense<[6.25, 0.5625, 0.0, 2.25]> : tensor<4xf32>, tolerance = 1.0e-6
  %expm1 = "ttir.expm1"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %expm1, dense<[-0.917915, -0.5276334, 0.0, 3.481689]> : tensor<4xf32>, tolerance = 1.0e-6
  %exp = "ttir.exp"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %exp, dense<[0.082085, 0.47236655, 1.0, 4.481689]> : tensor<4xf32>, tolerance = 1.0e-6
  %exp2 = "ttir.exp2"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %exp2, dense<[0.176776695, 0.59460356, 1.0, 2.828427]> : tensor<4xf32>, tolerance = 1.0e-6
  %erf = "ttir.erf"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %erf, dense<[-0.999593, -0.71115563, 0.0, 0.96610515]> : tensor<4xf32>, tolerance = 1.0e-6
  %erfc = "ttir.erfc"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %erfc, dense<[1.999593, 1.7111556, 1.0, 0.03389485]> : tensor<4xf32>, tolerance = 1.0e-6
  %c1 = stablehlo.constant dense<[-1.0, 3.0, 7.5]> : tensor<3xf32>
  %relu6 = "ttir.relu6"(%c1) : (tensor<3xf32>) -> tensor<3xf32>
  check.expect_eq_const %relu6, dense<[0.0, 3.0, 6.0]> : tensor<3xf32>
  %leaky_relu = "ttir.leaky_relu"(%c0) <{parameter = 0.25 : f32}> : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_eq_const %leaky_relu, dense<[-0.625, -0.1875, 0.0, 1.5]> : tensor<4xf32>
  %selu = "ttir.selu"(%c0) <{scale = 1.5 : f32, alpha = 2.0 : f32}> : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %selu, dense<[-2.753745, -1.5829003, 0.0, 2.25]> : tensor<4xf32>, tolerance = 1.0e-6
  return
}

// -----

func.func @of_positive_numbers() {
  %c0 = stablehlo.constant dense<[0.25, 1.0, 2.5]> : tensor<3xf32>
  %rsqrt = "ttir.rsqrt"(%c0) : (tensor<3xf32>) -> tensor<3xf32>
  check.expect_almost_eq_const %rsqrt, dense<[2.0, 1.0, 0.6324555]> : tensor<3xf32>, tolerance = 1.0e-6
  %sqrt = "ttir.sqrt"(%c0) : (tensor<3xf32>) -> tensor<3xf32>
  check.expect_almost_eq_const %sqrt, dense<[0.5, 1.0, 1.5811388]> : tensor<3xf32>, tolerance = 1.0e-6
  %log = "ttir.log"(%c0) : (tensor<3xf32>) -> tensor<3xf32>
  check.expect_almost_eq_const %log, dense<[-1.3862944, 0.0, 0.916290732]> : tensor<3xf32>, tolerance = 1.0e-6
  %log1p = "ttir.log1p"(%c0) : (tensor<3xf32>) -> tensor<3xf32>
  check.expect_almost_eq_const %log1p, dense<[0.22314355, 0.6931472, 1.25276297]> : tensor<3xf32>, tolerance = 1.0e-6
  %reciprocal = "ttir.reciprocal"(%c0) : (tensor<3xf32>) -> tensor<3xf32>
  check.expect_almost_eq_const %reciprocal, dense<[4.0, 1.0, 0.4]> : tensor<3xf32>, tolerance = 1.0e-6
  %c1 = stablehlo.constant dense<[-1.0, 0.25, 0.5]> : tensor<3xf32>
  %acos = "ttir.acos"(%c1) : (tensor<3xf32>) -> tensor<3xf32>
  check.expect_almost_eq_const %acos, dense<[3.1415927, 1.3181161, 1.0471976]> : tensor<3xf32>, tolerance = 1.0e-6
  %asin = "ttir.asin"(%c1) : (tensor<3xf32>) -> tensor<3xf32>
  check.expect_almost_eq_const %asin, dense<[-1.57079633, 0.252680255, 0.5235988]> : tensor<3xf32>, tolerance = 1.0e-6
  return
}

// -----

// Rounded once: what f32 holds more of is gone.
func.func @bf16() {
  %c0 = stablehlo.constant dense<[-2.5, 0.3359375, 3.0]> : tensor<3xbf16>
  %exp = "ttir.exp"(%c0) : (tensor<3xbf16>) -> tensor<3xbf16>
  check.expect_eq_const %exp, dense<[0.08203125, 1.3984375, 20.125]> : tensor<3xbf16>
  %gelu = "ttir.gelu"(%c0) : (tensor<3xbf16>) -> tensor<3xbf16>
  check.expect_eq_const %gelu, dense<[-0.0155029296875, 0.2119140625, 3.0]> : tensor<3xbf16>
  %silu = "ttir.silu"(%c0) : (tensor<3xbf16>) -> tensor<3xbf16>
  check.expect_eq_const %silu, dense<[-0.189453125, 0.1962890625, 2.859375]> : tensor<3xbf16>
  %sigmoid = "ttir.sigmoid"(%c0) : (tensor<3xbf16>) -> tensor<3xbf16>
  check.expect_eq_const %sigmoid, dense<[0.07568359375, 0.58203125, 0.953125]> : tensor<3xbf16>
  return
}

// -----

// NaN stays where a choice is made; infinities have limits.
func.func @not_numbers() {
  %c0 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, -0.0]> : tensor<4xf32>
  %isfinite = "ttir.isfinite"(%c0) : (tensor<4xf32>) -> tensor<4xi1>
  check.expect_eq_const %isfinite, dense<[false, false, false, true]> : tensor<4xi1>
  %isfinite1 = "ttir.isfinite"(%c0) : (tensor<4xf32>) -> tensor<4xbf16>
  check.expect_eq_const %isfinite1, dense<[0.0, 0.0, 0.0, 1.0]> : tensor<4xbf16>
  %c1 = stablehlo.constant dense<[0x7F800000, 0xFF800000, -0.0]> : tensor<3xf32>
  %signbit = "ttir.signbit"(%c1) : (tensor<3xf32>) -> tensor<3xf32>
  check.expect_eq_const %signbit, dense<[0.0, 1.0, 1.0]> : tensor<3xf32>
  %logical_not = "ttir.logical_not"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_eq_const %logical_not, dense<[0.0, 0.0, 0.0, 1.0]> : tensor<4xf32>
  %relu = "ttir.relu"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %relu, dense<[0x7F800000, 0.0, 0x7FC00000, 0.0]> : tensor<4xf32>, tolerance = 1.0e-6
  %silu = "ttir.silu"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %silu, dense<[0x7F800000, 0x7FC00000, 0x7FC00000, 0.0]> : tensor<4xf32>, tolerance = 1.0e-6
  %gelu = "ttir.gelu"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %gelu, dense<[0x7F800000, 0x7FC00000, 0x7FC00000, 0.0]> : tensor<4xf32>, tolerance = 1.0e-6
  %mish = "ttir.mish"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %mish, dense<[0x7F800000, 0x7FC00000, 0x7FC00000, 0.0]> : tensor<4xf32>, tolerance = 1.0e-6
  %softsign = "ttir.softsign"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %softsign, dense<[1.0, -1.0, 0x7FC00000, 0.0]> : tensor<4xf32>, tolerance = 1.0e-6
  %hardsigmoid = "ttir.hardsigmoid"(%c0) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %hardsigmoid, dense<[1.0, 0.0, 0x7FC00000, 0.5]> : tensor<4xf32>, tolerance = 1.0e-6
  %c2 = stablehlo.constant dense<1.0> : tensor<f32>
  %maximum = "ttir.maximum"(%c0, %c2) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  check.expect_almost_eq_const %maximum, dense<[0x7F800000, 1.0, 0x7FC00000, 1.0]> : tensor<4xf32>, tolerance = 1.0e-6
  return
}

// -----

func.func @integers() {
  %c0 = stablehlo.constant dense<[-7, 0, 5]> : tensor<3xi32>
  %abs = "ttir.abs"(%c0) : (tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %abs, dense<[7, 0, 5]> : tensor<3xi32>
  %neg = "ttir.neg"(%c0) : (tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %neg, dense<[7, 0, -5]> : tensor<3xi32>
  %sign = "ttir.sign"(%c0) : (tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %sign, dense<[-1, 0, 1]> : tensor<3xi32>
  %relu = "ttir.relu"(%c0) : (tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %relu, dense<[0, 0, 5]> : tensor<3xi32>
  %square = "ttir.square"(%c0) : (tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %square, dense<[49, 0, 25]> : tensor<3xi32>
  %floor = "ttir.floor"(%c0) : (tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %floor, dense<[-7, 0, 5]> : tensor<3xi32>
  %bitwise_not = "ttir.bitwise_not"(%c0) : (tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %bitwise_not, dense<[6, -1, -6]> : tensor<3xi32>
  %c1 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %bitwise_not7 = "ttir.bitwise_not"(%c1) : (tensor<2xi1>) -> tensor<2xi1>
  check.expect_eq_const %bitwise_not7, dense<[false, true]> : tensor<2xi1>
  %exp = "ttir.exp"(%c0) : (tensor<3xi32>) -> tensor<3xf32>
  check.expect_almost_eq_const %exp, dense<[0.000911882, 1.0, 148.41316]> : tensor<3xf32>, tolerance = 1.0e-4
  return
}

// -----

func.func @arithmetic() {
  %c0 = stablehlo.constant dense<[[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]]> : tensor<2x3xf32>
  %c1 = stablehlo.constant dense<[2.0, -4.0, 0.5]> : tensor<3xf32>
  %add = "ttir.add"(%c0, %c1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_almost_eq_const %add, dense<[[3.0, -6.0, 3.5], [6.0, 1.0, -5.5]]> : tensor<2x3xf32>, tolerance = 1.0e-6
  %subtract = "ttir.subtract"(%c0, %c1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_almost_eq_const %subtract, dense<[[-1.0, 2.0, 2.5], [2.0, 9.0, -6.5]]> : tensor<2x3xf32>, tolerance = 1.0e-6
  %multiply = "ttir.multiply"(%c0, %c1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_almost_eq_const %multiply, dense<[[2.0, 8.0, 1.5], [8.0, -2.0e+01, -3.0]]> : tensor<2x3xf32>, tolerance = 1.0e-6
  %div = "ttir.div"(%c0, %c1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_almost_eq_const %div, dense<[[0.5, 0.5, 6.0], [2.0, -1.25, -12.0]]> : tensor<2x3xf32>, tolerance = 1.0e-6
  %maximum = "ttir.maximum"(%c0, %c1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_almost_eq_const %maximum, dense<[[2.0, -2.0, 3.0], [4.0, 5.0, 0.5]]> : tensor<2x3xf32>, tolerance = 1.0e-6
  %minimum = "ttir.minimum"(%c0, %c1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_almost_eq_const %minimum, dense<[[1.0, -4.0, 0.5], [2.0, -4.0, -6.0]]> : tensor<2x3xf32>, tolerance = 1.0e-6
  %atan2 = "ttir.atan2"(%c0, %c1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_almost_eq_const %atan2, dense<[[0.4636476, -2.67794504, 1.4056476], [1.10714872, 2.2455373, -1.487655]]> : tensor<2x3xf32>, tolerance = 1.0e-6
  %remainder = "ttir.remainder"(%c0, %c1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_almost_eq_const %remainder, dense<[[1.0, -2.0, 0.0], [0.0, 1.0, -0.0]]> : tensor<2x3xf32>, tolerance = 1.0e-6
  %c2 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %pow = "ttir.pow"(%c2, %c1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_almost_eq_const %pow, dense<[[1.0, 0.0625, 1.7320508], [16.0, 0.0016, 2.44948974]]> : tensor<2x3xf32>, tolerance = 1.0e-6
  %c3 = stablehlo.constant dense<[17, -17, 17, -17]> : tensor<4xi32>
  %c4 = stablehlo.constant dense<[3, 3, -3, -3]> : tensor<4xi32>
  %remainder9 = "ttir.remainder"(%c3, %c4) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  check.expect_eq_const %remainder9, dense<[2, -2, 2, -2]> : tensor<4xi32>
  %div10 = "ttir.div"(%c3, %c4) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  check.expect_eq_const %div10, dense<[5, -5, -5, 5]> : tensor<4xi32>
  %c5 = stablehlo.constant dense<[2, -3, 5]> : tensor<3xi32>
  %c6 = stablehlo.constant dense<[5, 3, 0]> : tensor<3xi32>
  %pow11 = "ttir.pow"(%c5, %c6) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %pow11, dense<[32, -27, 1]> : tensor<3xi32>
  return
}

// -----

// Both operands repeat, along different dimensions; ranks differ; a size is 0.
func.func @broadcast() {
  %c0 = stablehlo.constant dense<[[[0.0]], [[1.0]]]> : tensor<2x1x1xf32>
  %c1 = stablehlo.constant dense<[[1.0e+01, 2.0e+01, 3.0e+01]]> : tensor<1x3xf32>
  %add = "ttir.add"(%c0, %c1) : (tensor<2x1x1xf32>, tensor<1x3xf32>) -> tensor<2x1x3xf32>
  check.expect_eq_const %add, dense<[[[1.0e+01, 2.0e+01, 3.0e+01]], [[11.0, 21.0, 31.0]]]> : tensor<2x1x3xf32>
  %c2 = stablehlo.constant dense<[[[0.0, 1.0]], [[2.0, 3.0]]]> : tensor<2x1x2xf32>
  %c3 = stablehlo.constant dense<[[1.0e+02], [2.0e+02]]> : tensor<2x1xf32>
  %add1 = "ttir.add"(%c2, %c3) : (tensor<2x1x2xf32>, tensor<2x1xf32>) -> tensor<2x2x2xf32>
  check.expect_eq_const %add1, dense<[[[1.0e+02, 101.0], [2.0e+02, 201.0]], [[102.0, 103.0], [202.0, 203.0]]]> : tensor<2x2x2xf32>
  %c4 = stablehlo.constant dense<[3.0]> : tensor<1xbf16>
  %c5 = stablehlo.constant dense<[[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]]> : tensor<2x3xbf16>
  %multiply = "ttir.multiply"(%c4, %c5) : (tensor<1xbf16>, tensor<2x3xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %multiply, dense<[[3.0, -6.0, 9.0], [12.0, 15.0, -18.0]]> : tensor<2x3xbf16>
  %c6 = stablehlo.constant dense<> : tensor<0x3xf32>
  %c7 = stablehlo.constant dense<[2.0, -4.0, 0.5]> : tensor<3xf32>
  %add3 = "ttir.add"(%c6, %c7) : (tensor<0x3xf32>, tensor<3xf32>) -> tensor<0x3xf32>
  check.expect_eq_const %add3, dense<> : tensor<0x3xf32>
  %c8 = stablehlo.constant dense<5.0> : tensor<f32>
  %subtract = "ttir.subtract"(%c8, %c7) : (tensor<f32>, tensor<3xf32>) -> tensor<3xf32>
  check.expect_eq_const %subtract, dense<[3.0, 9.0, 4.5]> : tensor<3xf32>
  return
}

// -----

// Operands of two types meet in the wider one, floats before integers; results have the type that they say.
func.func @types() {
  %c0 = stablehlo.constant dense<[1.0039062, 2.0]> : tensor<2xf32>
  %c1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xbf16>
  %add = "ttir.add"(%c0, %c1) : (tensor<2xf32>, tensor<2xbf16>) -> tensor<2xf32>
  check.expect_eq_const %add, dense<[2.0039062, 4.0]> : tensor<2xf32>
  %c2 = stablehlo.constant dense<[3, -2]> : tensor<2xi32>
  %c3 = stablehlo.constant dense<[0.5, 0.25]> : tensor<2xf32>
  %multiply = "ttir.multiply"(%c2, %c3) : (tensor<2xi32>, tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq_const %multiply, dense<[1.5, -0.5]> : tensor<2xf32>
  %c4 = stablehlo.constant dense<[100, -100]> : tensor<2xi8>
  %c5 = stablehlo.constant dense<[100, -100]> : tensor<2xi32>
  %add2 = "ttir.add"(%c4, %c5) : (tensor<2xi8>, tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %add2, dense<[200, -200]> : tensor<2xi32>
  %c6 = stablehlo.constant dense<[1.5, 2.5]> : tensor<2xf32>
  %c7 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %add3 = "ttir.add"(%c6, %c7) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi32>
  check.expect_eq_const %add3, dense<[2, 3]> : tensor<2xi32>
  %c8 = stablehlo.constant dense<[1.75, -1.75, 3.0e+02]> : tensor<3xf32>
  %typecast = "ttir.typecast"(%c8) : (tensor<3xf32>) -> tensor<3xi32>
  check.expect_eq_const %typecast, dense<[1, -1, 300]> : tensor<3xi32>
  %c9 = stablehlo.constant dense<[1.0039062, -3.5]> : tensor<2xf32>
  %typecast5 = "ttir.typecast"(%c9) : (tensor<2xf32>) -> tensor<2xbf16>
  check.expect_eq_const %typecast5, dense<[1.0, -3.5]> : tensor<2xbf16>
  %c10 = stablehlo.constant dense<[0.0, 0.5, -2.0]> : tensor<3xf32>
  %typecast6 = "ttir.typecast"(%c10) : (tensor<3xf32>) -> tensor<3xi1>
  check.expect_eq_const %typecast6, dense<[false, true, true]> : tensor<3xi1>
  %c11 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %typecast7 = "ttir.typecast"(%c11) : (tensor<2xi1>) -> tensor<2xf32>
  check.expect_eq_const %typecast7, dense<[1.0, 0.0]> : tensor<2xf32>
  %c12 = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf32>
  %bitcast_convert = "ttir.bitcast_convert"(%c12) : (tensor<2xf32>) -> tensor<2xi32>
  check.expect_eq_const %bitcast_convert, dense<[1065353216, -1073741824]> : tensor<2xi32>
  %c13 = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xbf16>
  %bitcast_convert9 = "ttir.bitcast_convert"(%c13) : (tensor<2xbf16>) -> tensor<2xui16>
  check.expect_eq_const %bitcast_convert9, dense<[16256, 49152]> : tensor<2xui16>
  return
}

// -----

func.func @comparisons() {
  %c0 = stablehlo.constant dense<[1.0, 2.0, 0x7FC00000]> : tensor<3xf32>
  %c1 = stablehlo.constant dense<2.0> : tensor<f32>
  %eq = "ttir.eq"(%c0, %c1) : (tensor<3xf32>, tensor<f32>) -> tensor<3xi1>
  check.expect_eq_const %eq, dense<[false, true, false]> : tensor<3xi1>
  %c2 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %c3 = stablehlo.constant dense<[2]> : tensor<1xi32>
  %eq1 = "ttir.eq"(%c2, %c3) : (tensor<3xi32>, tensor<1xi32>) -> tensor<3xf32>
  check.expect_eq_const %eq1, dense<[0.0, 1.0, 0.0]> : tensor<3xf32>
  %ne = "ttir.ne"(%c0, %c1) : (tensor<3xf32>, tensor<f32>) -> tensor<3xi1>
  check.expect_eq_const %ne, dense<[true, false, true]> : tensor<3xi1>
  %ne3 = "ttir.ne"(%c2, %c3) : (tensor<3xi32>, tensor<1xi32>) -> tensor<3xf32>
  check.expect_eq_const %ne3, dense<[1.0, 0.0, 1.0]> : tensor<3xf32>
  %ge = "ttir.ge"(%c0, %c1) : (tensor<3xf32>, tensor<f32>) -> tensor<3xi1>
  check.expect_eq_const %ge, dense<[false, true, false]> : tensor<3xi1>
  %ge5 = "ttir.ge"(%c2, %c3) : (tensor<3xi32>, tensor<1xi32>) -> tensor<3xf32>
  check.expect_eq_const %ge5, dense<[0.0, 1.0, 1.0]> : tensor<3xf32>
  %gt = "ttir.gt"(%c0, %c1) : (tensor<3xf32>, tensor<f32>) -> tensor<3xi1>
  check.expect_eq_const %gt, dense<[false, false, false]> : tensor<3xi1>
  %gt7 = "ttir.gt"(%c2, %c3) : (tensor<3xi32>, tensor<1xi32>) -> tensor<3xf32>
  check.expect_eq_const %gt7, dense<[0.0, 0.0, 1.0]> : tensor<3xf32>
  %le = "ttir.le"(%c0, %c1) : (tensor<3xf32>, tensor<f32>) -> tensor<3xi1>
  check.expect_eq_const %le, dense<[true, true, false]> : tensor<3xi1>
  %le9 = "ttir.le"(%c2, %c3) : (tensor<3xi32>, tensor<1xi32>) -> tensor<3xf32>
  check.expect_eq_const %le9, dense<[1.0, 1.0, 0.0]> : tensor<3xf32>
  %lt = "ttir.lt"(%c0, %c1) : (tensor<3xf32>, tensor<f32>) -> tensor<3xi1>
  check.expect_eq_const %lt, dense<[true, false, false]> : tensor<3xi1>
  %lt11 = "ttir.lt"(%c2, %c3) : (tensor<3xi32>, tensor<1xi32>) -> tensor<3xf32>
  check.expect_eq_const %lt11, dense<[1.0, 0.0, 0.0]> : tensor<3xf32>
  return
}

// -----

// What is not 0 is true.
func.func @logic() {
  %c0 = stablehlo.constant dense<[0.0, 2.0, 0.0, -1.0]> : tensor<4xf32>
  %c1 = stablehlo.constant dense<[0.0, 0.0, 3.0, 4.0]> : tensor<4xf32>
  %logical_and = "ttir.logical_and"(%c0, %c1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  check.expect_eq_const %logical_and, dense<[0.0, 0.0, 0.0, 1.0]> : tensor<4xf32>
  %c2 = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %c3 = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %logical_and1 = "ttir.logical_and"(%c2, %c3) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %logical_and1, dense<[false, false, false, true]> : tensor<4xi1>
  %logical_or = "ttir.logical_or"(%c0, %c1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  check.expect_eq_const %logical_or, dense<[0.0, 1.0, 1.0, 1.0]> : tensor<4xf32>
  %logical_or3 = "ttir.logical_or"(%c2, %c3) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %logical_or3, dense<[false, true, true, true]> : tensor<4xi1>
  %logical_xor = "ttir.logical_xor"(%c0, %c1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  check.expect_eq_const %logical_xor, dense<[0.0, 1.0, 1.0, 0.0]> : tensor<4xf32>
  %logical_xor5 = "ttir.logical_xor"(%c2, %c3) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %logical_xor5, dense<[false, true, true, false]> : tensor<4xi1>
  %c4 = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %c5 = stablehlo.constant dense<9.0> : tensor<f32>
  %where = "ttir.where"(%c0, %c4, %c5) : (tensor<4xf32>, tensor<2x1xf32>, tensor<f32>) -> tensor<2x4xf32>
  check.expect_eq_const %where, dense<[[9.0, 1.0, 9.0, 1.0], [9.0, 2.0, 9.0, 2.0]]> : tensor<2x4xf32>
  %c6 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %c7 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %c8 = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %where7 = "ttir.where"(%c6, %c7, %c8) : (tensor<2xi1>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %where7, dense<[1, 4]> : tensor<2xi32>
  return
}

// -----

func.func @bits() {
  %c0 = stablehlo.constant dense<[12, -1, 7]> : tensor<3xi32>
  %c1 = stablehlo.constant dense<[10, 3, 0]> : tensor<3xi32>
  %bitwise_and = "ttir.bitwise_and"(%c0, %c1) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %bitwise_and, dense<[8, 3, 0]> : tensor<3xi32>
  %bitwise_or = "ttir.bitwise_or"(%c0, %c1) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %bitwise_or, dense<[14, -1, 7]> : tensor<3xi32>
  %bitwise_xor = "ttir.bitwise_xor"(%c0, %c1) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %bitwise_xor, dense<[6, -4, 7]> : tensor<3xi32>
  %c2 = stablehlo.constant dense<[1, 4, 40]> : tensor<3xi32>
  %logical_left_shift = "ttir.logical_left_shift"(%c0, %c2) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %logical_left_shift, dense<[24, -16, 0]> : tensor<3xi32>
  %logical_right_shift = "ttir.logical_right_shift"(%c0, %c2) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %logical_right_shift, dense<[6, 268435455, 0]> : tensor<3xi32>
  %right_shift = "ttir.right_shift"(%c0, %c2) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %right_shift, dense<[6, -1, 0]> : tensor<3xi32>
  %c3 = stablehlo.constant dense<[2147483648]> : tensor<1xui32>
  %c4 = stablehlo.constant dense<[4]> : tensor<1xui32>
  %right_shift6 = "ttir.right_shift"(%c3, %c4) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
  check.expect_eq_const %right_shift6, dense<[134217728]> : tensor<1xui32>
  return
}

// -----

func.func @clamps() {
  %c0 = stablehlo.constant dense<[-3.0, 0.5, 9.0]> : tensor<3xf32>
  %clamp_scalar = "ttir.clamp_scalar"(%c0) <{min = -1.0 : f32, max = 2.0 : f32}> : (tensor<3xf32>) -> tensor<3xf32>
  check.expect_eq_const %clamp_scalar, dense<[-1.0, 0.5, 2.0]> : tensor<3xf32>
  %c1 = stablehlo.constant dense<[-3, 1, 9]> : tensor<3xi32>
  %clamp_scalar1 = "ttir.clamp_scalar"(%c1) <{min = 0 : i32, max = 5 : i32}> : (tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %clamp_scalar1, dense<[0, 1, 5]> : tensor<3xi32>
  %c2 = stablehlo.constant dense<[-4.0, 1.0, 0.0]> : tensor<3xf32>
  %c3 = stablehlo.constant dense<3.0> : tensor<f32>
  %clamp_tensor = "ttir.clamp_tensor"(%c0, %c2, %c3) : (tensor<3xf32>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %clamp_tensor, dense<[-3.0, 1.0, 3.0]> : tensor<3xf32>
  return
}

// -----

func.func @gelu_derivative() {
  %c0 = stablehlo.constant dense<[[1.0, 2.0, -1.0]]> : tensor<1x3xf32>
  %c1 = stablehlo.constant dense<[[-1.0, 0.5, 2.0]]> : tensor<1x3xf32>
  %gelu_bw = "ttir.gelu_bw"(%c0, %c1) <{approximate = "none"}> : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
  check.expect_almost_eq_const %gelu_bw, dense<[[-0.08331547, 1.7349902, -1.0852318]]> : tensor<1x3xf32>, tolerance = 1.0e-6
  %gelu_bw1 = "ttir.gelu_bw"(%c0, %c1) <{approximate = "tanh"}> : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
  check.expect_almost_eq_const %gelu_bw1, dense<[[-0.082964084, 1.7347398, -1.0860993]]> : tensor<1x3xf32>, tolerance = 1.0e-6
  return
}
