// TTIR, reductions and running sums.
// RUN: stablehlo-translate --interpret -split-input-file %s

func.func @reductions() {
  %c0 = stablehlo.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[-1.0, 0.5, 2.0], [3.0, -4.0, 0.25]]]> : tensor<2x2x3xf32>
  %sum = "ttir.sum"(%c0) <{keep_dim = true, dim_arg = [1 : i32]}> : (tensor<2x2x3xf32>) -> tensor<2x1x3xf32>
  check.expect_almost_eq_const %sum, dense<[[[5.0, 7.0, 9.0]], [[2.0, -3.5, 2.25]]]> : tensor<2x1x3xf32>, tolerance = 1.0e-6
  %sum1 = "ttir.sum"(%c0) <{keep_dim = false, dim_arg = [-1 : i32, 0 : i32]}> : (tensor<2x2x3xf32>) -> tensor<2xf32>
  check.expect_almost_eq_const %sum1, dense<[7.5, 14.25]> : tensor<2xf32>, tolerance = 1.0e-6
  %sum2 = "ttir.sum"(%c0) <{keep_dim = false}> : (tensor<2x2x3xf32>) -> tensor<f32>
  check.expect_almost_eq_const %sum2, dense<21.75> : tensor<f32>, tolerance = 1.0e-6
  %mean = "ttir.mean"(%c0) <{keep_dim = true, dim_arg = [1 : i32]}> : (tensor<2x2x3xf32>) -> tensor<2x1x3xf32>
  check.expect_almost_eq_const %mean, dense<[[[2.5, 3.5, 4.5]], [[1.0, -1.75, 1.125]]]> : tensor<2x1x3xf32>, tolerance = 1.0e-6
  %mean4 = "ttir.mean"(%c0) <{keep_dim = false, dim_arg = [-1 : i32, 0 : i32]}> : (tensor<2x2x3xf32>) -> tensor<2xf32>
  check.expect_almost_eq_const %mean4, dense<[1.25, 2.375]> : tensor<2xf32>, tolerance = 1.0e-6
  %mean5 = "ttir.mean"(%c0) <{keep_dim = false}> : (tensor<2x2x3xf32>) -> tensor<f32>
  check.expect_almost_eq_const %mean5, dense<1.8125> : tensor<f32>, tolerance = 1.0e-6
  %max = "ttir.max"(%c0) <{keep_dim = true, dim_arg = [1 : i32]}> : (tensor<2x2x3xf32>) -> tensor<2x1x3xf32>
  check.expect_almost_eq_const %max, dense<[[[4.0, 5.0, 6.0]], [[3.0, 0.5, 2.0]]]> : tensor<2x1x3xf32>, tolerance = 1.0e-6
  %max7 = "ttir.max"(%c0) <{keep_dim = false, dim_arg = [-1 : i32, 0 : i32]}> : (tensor<2x2x3xf32>) -> tensor<2xf32>
  check.expect_almost_eq_const %max7, dense<[3.0, 6.0]> : tensor<2xf32>, tolerance = 1.0e-6
  %max8 = "ttir.max"(%c0) <{keep_dim = false}> : (tensor<2x2x3xf32>) -> tensor<f32>
  check.expect_almost_eq_const %max8, dense<6.0> : tensor<f32>, tolerance = 1.0e-6
  %min = "ttir.min"(%c0) <{keep_dim = true, dim_arg = [1 : i32]}> : (tensor<2x2x3xf32>) -> tensor<2x1x3xf32>
  check.expect_almost_eq_const %min, dense<[[[1.0, 2.0, 3.0]], [[-1.0, -4.0, 0.25]]]> : tensor<2x1x3xf32>, tolerance = 1.0e-6
  %min10 = "ttir.min"(%c0) <{keep_dim = false, dim_arg = [-1 : i32, 0 : i32]}> : (tensor<2x2x3xf32>) -> tensor<2xf32>
  check.expect_almost_eq_const %min10, dense<[-1.0, -4.0]> : tensor<2xf32>, tolerance = 1.0e-6
  %min11 = "ttir.min"(%c0) <{keep_dim = false}> : (tensor<2x2x3xf32>) -> tensor<f32>
  check.expect_almost_eq_const %min11, dense<-4.0> : tensor<f32>, tolerance = 1.0e-6
  %prod = "ttir.prod"(%c0) <{keep_dim = true, dim_arg = [1 : i32]}> : (tensor<2x2x3xf32>) -> tensor<2x1x3xf32>
  check.expect_almost_eq_const %prod, dense<[[[4.0, 1.0e+01, 18.0]], [[-3.0, -2.0, 0.5]]]> : tensor<2x1x3xf32>, tolerance = 1.0e-6
  %prod13 = "ttir.prod"(%c0) <{keep_dim = false, dim_arg = [-1 : i32, 0 : i32]}> : (tensor<2x2x3xf32>) -> tensor<2xf32>
  check.expect_almost_eq_const %prod13, dense<[-6.0, -3.6e+02]> : tensor<2xf32>, tolerance = 1.0e-6
  %prod14 = "ttir.prod"(%c0) <{keep_dim = false}> : (tensor<2x2x3xf32>) -> tensor<f32>
  check.expect_almost_eq_const %prod14, dense<2.16e+03> : tensor<f32>, tolerance = 1.0e-6
  return
}

// -----

func.func @all_or_some() {
  %c0 = stablehlo.constant dense<[[1.0, 2.0], [0.0, 3.0], [0.0, 0.0]]> : tensor<3x2xf32>
  %reduce_and = "ttir.reduce_and"(%c0) <{keep_dim = false, dim_arg = [1 : i32]}> : (tensor<3x2xf32>) -> tensor<3xf32>
  check.expect_eq_const %reduce_and, dense<[1.0, 0.0, 0.0]> : tensor<3xf32>
  %c1 = stablehlo.constant dense<[[true, true], [false, true], [false, false]]> : tensor<3x2xi1>
  %reduce_or = "ttir.reduce_or"(%c1) <{keep_dim = true, dim_arg = [1 : i32]}> : (tensor<3x2xi1>) -> tensor<3x1xi1>
  check.expect_eq_const %reduce_or, dense<[[true], [true], [false]]> : tensor<3x1xi1>
  return
}

// -----

// bf16 is summed wider than it is; integers wrap at the end; the mean of integers is none.
func.func @other_types() {
  %c0 = stablehlo.constant dense<[[256.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]]> : tensor<1x16xbf16>
  %sum = "ttir.sum"(%c0) <{keep_dim = false, dim_arg = [1 : i32]}> : (tensor<1x16xbf16>) -> tensor<1xbf16>
  check.expect_eq_const %sum, dense<[272.0]> : tensor<1xbf16>
  %c1 = stablehlo.constant dense<[[2147483647, 1], [3, 4]]> : tensor<2x2xi32>
  %sum1 = "ttir.sum"(%c1) <{keep_dim = false, dim_arg = [1 : i32]}> : (tensor<2x2xi32>) -> tensor<2xi32>
  check.expect_eq_const %sum1, dense<[-2147483648, 7]> : tensor<2xi32>
  %c2 = stablehlo.constant dense<[[-2, 3], [0, 5]]> : tensor<2x2xi32>
  %prod = "ttir.prod"(%c2) <{keep_dim = false, dim_arg = [1 : i32]}> : (tensor<2x2xi32>) -> tensor<2xi32>
  check.expect_eq_const %prod, dense<[-6, 0]> : tensor<2xi32>
  %c3 = stablehlo.constant dense<[[-2, -3]]> : tensor<1x2xi8>
  %max = "ttir.max"(%c3) <{keep_dim = false, dim_arg = [1 : i32]}> : (tensor<1x2xi8>) -> tensor<1xi8>
  check.expect_eq_const %max, dense<[-2]> : tensor<1xi8>
  %c4 = stablehlo.constant dense<[[1, 2], [3, 5]]> : tensor<2x2xi32>
  %mean = "ttir.mean"(%c4) <{keep_dim = false, dim_arg = [1 : i32]}> : (tensor<2x2xi32>) -> tensor<2xf32>
  check.expect_eq_const %mean, dense<[1.5, 4.0]> : tensor<2xf32>
  %c5 = stablehlo.constant dense<[[1.0, 0x7FC00000, 3.0]]> : tensor<1x3xf32>
  %max5 = "ttir.max"(%c5) <{keep_dim = false, dim_arg = [1 : i32]}> : (tensor<1x3xf32>) -> tensor<1xf32>
  check.expect_almost_eq_const %max5, dense<[0x7FC00000]> : tensor<1xf32>, tolerance = 1.0e-6
  return
}

// -----

// What nothing reduces to.
func.func @nothing() {
  %c0 = stablehlo.constant dense<> : tensor<2x0xf32>
  %sum = "ttir.sum"(%c0) <{keep_dim = false, dim_arg = [1 : i32]}> : (tensor<2x0xf32>) -> tensor<2xf32>
  check.expect_eq_const %sum, dense<[0.0, 0.0]> : tensor<2xf32>
  %prod = "ttir.prod"(%c0) <{keep_dim = false, dim_arg = [1 : i32]}> : (tensor<2x0xf32>) -> tensor<2xf32>
  check.expect_eq_const %prod, dense<[1.0, 1.0]> : tensor<2xf32>
  %max = "ttir.max"(%c0) <{keep_dim = false, dim_arg = [1 : i32]}> : (tensor<2x0xf32>) -> tensor<2xf32>
  check.expect_eq_const %max, dense<[0xFF800000, 0xFF800000]> : tensor<2xf32>
  %min = "ttir.min"(%c0) <{keep_dim = false, dim_arg = [1 : i32]}> : (tensor<2x0xf32>) -> tensor<2xf32>
  check.expect_eq_const %min, dense<[0x7F800000, 0x7F800000]> : tensor<2xf32>
  return
}

// -----

// The first of the largest; NaN is larger than any number.
func.func @places() {
  %c0 = stablehlo.constant dense<[[3.0, 9.0, 9.0], [7.0, 0x7FC00000, 8.0]]> : tensor<2x3xf32>
  %argmax = "ttir.argmax"(%c0) <{keep_dim = false, dim_arg = [1 : i32]}> : (tensor<2x3xf32>) -> tensor<2xi32>
  check.expect_eq_const %argmax, dense<[1, 1]> : tensor<2xi32>
  %argmax1 = "ttir.argmax"(%c0) <{keep_dim = true, dim_arg = [0 : i32]}> : (tensor<2x3xf32>) -> tensor<1x3xi32>
  check.expect_eq_const %argmax1, dense<[[1, 1, 0]]> : tensor<1x3xi32>
  %c1 = stablehlo.constant dense<[[1, 5], [7, 2]]> : tensor<2x2xi32>
  %argmax2 = "ttir.argmax"(%c1) <{keep_dim = false}> : (tensor<2x2xi32>) -> tensor<i32>
  check.expect_eq_const %argmax2, dense<2> : tensor<i32>
  %c2 = stablehlo.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[-1.0, 0.5, 2.0], [3.0, -4.0, 0.25]]]> : tensor<2x2x3xf32>
  %argmax3 = "ttir.argmax"(%c2) <{keep_dim = false, dim_arg = [1 : i32, 2 : i32]}> : (tensor<2x2x3xf32>) -> tensor<2xi32>
  check.expect_eq_const %argmax3, dense<[5, 3]> : tensor<2xi32>
  return
}

// -----

func.func @running() {
  %c0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]> : tensor<2x3xf32>
  %cumsum = "ttir.cumsum"(%c0) <{dim = 0 : i64}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %cumsum, dense<[[1.0, 2.0, 3.0], [5.0, -3.0, 9.0]]> : tensor<2x3xf32>
  %cumprod = "ttir.cumprod"(%c0) <{dim = 0 : i64}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %cumprod, dense<[[1.0, 2.0, 3.0], [4.0, -1.0e+01, 18.0]]> : tensor<2x3xf32>
  %cumsum2 = "ttir.cumsum"(%c0) <{dim = -1 : i64}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %cumsum2, dense<[[1.0, 3.0, 6.0], [4.0, -1.0, 5.0]]> : tensor<2x3xf32>
  %cumprod3 = "ttir.cumprod"(%c0) <{dim = -1 : i64}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %cumprod3, dense<[[1.0, 2.0, 6.0], [4.0, -2.0e+01, -1.2e+02]]> : tensor<2x3xf32>
  %c1 = stablehlo.constant dense<[true, false, true, true]> : tensor<4xi1>
  %cumsum4 = "ttir.cumsum"(%c1) <{dim = 0 : i64}> : (tensor<4xi1>) -> tensor<4xi32>
  check.expect_eq_const %cumsum4, dense<[1, 1, 2, 3]> : tensor<4xi32>
  %c2 = stablehlo.constant dense<[100, 100]> : tensor<2xi8>
  %cumsum5 = "ttir.cumsum"(%c2) <{dim = 0 : i64}> : (tensor<2xi8>) -> tensor<2xi8>
  check.expect_eq_const %cumsum5, dense<[100, -56]> : tensor<2xi8>
  return
}
