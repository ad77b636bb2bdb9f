// potrf: a = l l^H = u^H u.
// In the four types of number, by the newer and the older name, on two matrices at once: what comes out, multiplied again, is what went in.
// RUN: stablehlo-translate --interpret -split-input-file %s

func.func @spotrf() {
  %0 = stablehlo.constant dense<[[[4.0, 1.0, 0.5], [1.0, 5.0, 2.0], [0.5, 2.0, 6.0]], [[9.0, -2.0, 1.0], [-2.0, 7.0, 1.0], [1.0, 1.0, 8.0]]]> : tensor<2x3x3xf32>
  // The lower triangle: l l^H.
  %1:2 = stablehlo.custom_call @lapack_spotrf_ffi(%0) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<2xi32>)
  check.expect_eq_const %1#1, dense<0> : tensor<2xi32>
  %2 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.0, 1.0]]> : tensor<3x3xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %4 = stablehlo.multiply %1#0, %3 : tensor<2x3x3xf32>
  %5 = stablehlo.transpose %4, dims = [0, 2, 1] : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %6 = stablehlo.dot_general %4, %5, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  check.expect_almost_eq %6, %0, tolerance = 1.0e-5 : tensor<2x3x3xf32>
  // The older form, and the upper triangle: u^H u.
  %7 = stablehlo.constant dense<0> : tensor<i32>
  %8 = stablehlo.constant dense<2> : tensor<i32>
  %9 = stablehlo.constant dense<3> : tensor<i32>
  %10:2 = stablehlo.custom_call @lapack_spotrf(%7, %8, %9, %0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<2xi32>)
  check.expect_eq_const %10#1, dense<0> : tensor<2xi32>
  %11 = stablehlo.constant dense<[[1.0, 1.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %12 = stablehlo.broadcast_in_dim %11, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %13 = stablehlo.multiply %10#0, %12 : tensor<2x3x3xf32>
  %14 = stablehlo.transpose %13, dims = [0, 2, 1] : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %15 = stablehlo.dot_general %14, %13, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  check.expect_almost_eq %15, %0, tolerance = 1.0e-5 : tensor<2x3x3xf32>
  return
}

// -----

func.func @dpotrf() {
  %0 = stablehlo.constant dense<[[[4.0, 1.0, 0.5], [1.0, 5.0, 2.0], [0.5, 2.0, 6.0]], [[9.0, -2.0, 1.0], [-2.0, 7.0, 1.0], [1.0, 1.0, 8.0]]]> : tensor<2x3x3xf64>
  // The lower triangle: l l^H.
  %1:2 = stablehlo.custom_call @lapack_dpotrf_ffi(%0) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<2x3x3xf64>) -> (tensor<2x3x3xf64>, tensor<2xi32>)
  check.expect_eq_const %1#1, dense<0> : tensor<2xi32>
  %2 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.0, 1.0]]> : tensor<3x3xf64>
  %3 = stablehlo.broadcast_in_dim %2, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %4 = stablehlo.multiply %1#0, %3 : tensor<2x3x3xf64>
  %5 = stablehlo.transpose %4, dims = [0, 2, 1] : (tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %6 = stablehlo.dot_general %4, %5, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  check.expect_almost_eq %6, %0, tolerance = 1.0e-13 : tensor<2x3x3xf64>
  // The older form, and the upper triangle: u^H u.
  %7 = stablehlo.constant dense<0> : tensor<i32>
  %8 = stablehlo.constant dense<2> : tensor<i32>
  %9 = stablehlo.constant dense<3> : tensor<i32>
  %10:2 = stablehlo.custom_call @lapack_dpotrf(%7, %8, %9, %0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x3x3xf64>) -> (tensor<2x3x3xf64>, tensor<2xi32>)
  check.expect_eq_const %10#1, dense<0> : tensor<2xi32>
  %11 = stablehlo.constant dense<[[1.0, 1.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %12 = stablehlo.broadcast_in_dim %11, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %13 = stablehlo.multiply %10#0, %12 : tensor<2x3x3xf64>
  %14 = stablehlo.transpose %13, dims = [0, 2, 1] : (tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %15 = stablehlo.dot_general %14, %13, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  check.expect_almost_eq %15, %0, tolerance = 1.0e-13 : tensor<2x3x3xf64>
  return
}

// -----

func.func @cpotrf() {
  %0 = stablehlo.constant dense<[[[(4.0, 0.0), (1.0, -2.0), (0.5, 1.0)], [(1.0, 2.0), (5.0, 0.0), (2.0, -1.0)], [(0.5, -1.0), (2.0, 1.0), (6.0, 0.0)]], [[(9.0, 0.0), (-2.0, -1.0), (1.0, -0.0)], [(-2.0, 1.0), (7.0, 0.0), (1.0, -3.0)], [(1.0, 0.0), (1.0, 3.0), (8.0, 0.0)]]]> : tensor<2x3x3xcomplex<f32>>
  // The lower triangle: l l^H.
  %1:2 = stablehlo.custom_call @lapack_cpotrf_ffi(%0) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<2x3x3xcomplex<f32>>) -> (tensor<2x3x3xcomplex<f32>>, tensor<2xi32>)
  check.expect_eq_const %1#1, dense<0> : tensor<2xi32>
  %2 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %3 = stablehlo.broadcast_in_dim %2, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %4 = stablehlo.multiply %1#0, %3 : tensor<2x3x3xcomplex<f32>>
  %5 = stablehlo.real %4 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %6 = stablehlo.imag %4 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %7 = stablehlo.negate %6 : tensor<2x3x3xf32>
  %8 = stablehlo.complex %5, %7 : tensor<2x3x3xcomplex<f32>>
  %9 = stablehlo.transpose %8, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %10 = stablehlo.dot_general %4, %9, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %10, %0, tolerance = 1.0e-5 : tensor<2x3x3xcomplex<f32>>
  // The older form, and the upper triangle: u^H u.
  %11 = stablehlo.constant dense<0> : tensor<i32>
  %12 = stablehlo.constant dense<2> : tensor<i32>
  %13 = stablehlo.constant dense<3> : tensor<i32>
  %14:2 = stablehlo.custom_call @lapack_cpotrf(%11, %12, %13, %0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x3x3xcomplex<f32>>) -> (tensor<2x3x3xcomplex<f32>>, tensor<2xi32>)
  check.expect_eq_const %14#1, dense<0> : tensor<2xi32>
  %15 = stablehlo.constant dense<[[(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %16 = stablehlo.broadcast_in_dim %15, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %17 = stablehlo.multiply %14#0, %16 : tensor<2x3x3xcomplex<f32>>
  %18 = stablehlo.real %17 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %19 = stablehlo.imag %17 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %20 = stablehlo.negate %19 : tensor<2x3x3xf32>
  %21 = stablehlo.complex %18, %20 : tensor<2x3x3xcomplex<f32>>
  %22 = stablehlo.transpose %21, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %23 = stablehlo.dot_general %22, %17, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %23, %0, tolerance = 1.0e-5 : tensor<2x3x3xcomplex<f32>>
  return
}

// -----

func.func @zpotrf() {
  %0 = stablehlo.constant dense<[[[(4.0, 0.0), (1.0, -2.0), (0.5, 1.0)], [(1.0, 2.0), (5.0, 0.0), (2.0, -1.0)], [(0.5, -1.0), (2.0, 1.0), (6.0, 0.0)]], [[(9.0, 0.0), (-2.0, -1.0), (1.0, -0.0)], [(-2.0, 1.0), (7.0, 0.0), (1.0, -3.0)], [(1.0, 0.0), (1.0, 3.0), (8.0, 0.0)]]]> : tensor<2x3x3xcomplex<f64>>
  // The lower triangle: l l^H.
  %1:2 = stablehlo.custom_call @lapack_zpotrf_ffi(%0) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<2x3x3xcomplex<f64>>) -> (tensor<2x3x3xcomplex<f64>>, tensor<2xi32>)
  check.expect_eq_const %1#1, dense<0> : tensor<2xi32>
  %2 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %3 = stablehlo.broadcast_in_dim %2, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %4 = stablehlo.multiply %1#0, %3 : tensor<2x3x3xcomplex<f64>>
  %5 = stablehlo.real %4 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %6 = stablehlo.imag %4 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %7 = stablehlo.negate %6 : tensor<2x3x3xf64>
  %8 = stablehlo.complex %5, %7 : tensor<2x3x3xcomplex<f64>>
  %9 = stablehlo.transpose %8, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %10 = stablehlo.dot_general %4, %9, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %10, %0, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  // The older form, and the upper triangle: u^H u.
  %11 = stablehlo.constant dense<0> : tensor<i32>
  %12 = stablehlo.constant dense<2> : tensor<i32>
  %13 = stablehlo.constant dense<3> : tensor<i32>
  %14:2 = stablehlo.custom_call @lapack_zpotrf(%11, %12, %13, %0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x3x3xcomplex<f64>>) -> (tensor<2x3x3xcomplex<f64>>, tensor<2xi32>)
  check.expect_eq_const %14#1, dense<0> : tensor<2xi32>
  %15 = stablehlo.constant dense<[[(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %16 = stablehlo.broadcast_in_dim %15, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %17 = stablehlo.multiply %14#0, %16 : tensor<2x3x3xcomplex<f64>>
  %18 = stablehlo.real %17 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %19 = stablehlo.imag %17 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %20 = stablehlo.negate %19 : tensor<2x3x3xf64>
  %21 = stablehlo.complex %18, %20 : tensor<2x3x3xcomplex<f64>>
  %22 = stablehlo.transpose %21, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %23 = stablehlo.dot_general %22, %17, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %23, %0, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  return
}
