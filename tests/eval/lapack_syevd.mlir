// syevd, heevd: a v = v w with v^H v = 1.
// In the four types of number, by the newer and the older name, on two matrices at once: what comes out, multiplied again, is what went in.
// RUN: stablehlo-translate --interpret -split-input-file %s

func.func @ssyevd() {
  %0 = stablehlo.constant dense<[[[4.0, 1.0, 0.5], [1.0, 5.0, 2.0], [0.5, 2.0, 6.0]], [[9.0, -2.0, 1.0], [-2.0, 7.0, 1.0], [1.0, 1.0, 8.0]]]> : tensor<2x3x3xf32>
  %1:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%0) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<2x3xf32>, tensor<2xi32>)
  check.expect_eq_const %1#2, dense<0> : tensor<2xi32>
  %2 = stablehlo.transpose %1#0, dims = [0, 2, 1] : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %3 = stablehlo.dot_general %2, %1#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %4 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  check.expect_almost_eq %3, %5, tolerance = 1.0e-5 : tensor<2x3x3xf32>
  %6 = stablehlo.dot_general %0, %1#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %7 = stablehlo.broadcast_in_dim %1#1, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %8 = stablehlo.multiply %1#0, %7 : tensor<2x3x3xf32>
  check.expect_almost_eq %6, %8, tolerance = 2.0e-5 : tensor<2x3x3xf32>
  // The older form, and the upper triangle.
  %9 = stablehlo.constant dense<0> : tensor<i32>
  %10 = stablehlo.constant dense<2> : tensor<i32>
  %11 = stablehlo.constant dense<3> : tensor<i32>
  %12:5 = stablehlo.custom_call @lapack_ssyevd(%9, %10, %11, %0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<2x3xf32>, tensor<2xi32>, tensor<46xf32>, tensor<18xi32>)
  check.expect_eq_const %12#2, dense<0> : tensor<2xi32>
  %13 = stablehlo.transpose %12#0, dims = [0, 2, 1] : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %14 = stablehlo.dot_general %13, %12#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %15 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %16 = stablehlo.broadcast_in_dim %15, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  check.expect_almost_eq %14, %16, tolerance = 1.0e-5 : tensor<2x3x3xf32>
  %17 = stablehlo.dot_general %0, %12#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %18 = stablehlo.broadcast_in_dim %12#1, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %19 = stablehlo.multiply %12#0, %18 : tensor<2x3x3xf32>
  check.expect_almost_eq %17, %19, tolerance = 2.0e-5 : tensor<2x3x3xf32>
  return
}

// -----

func.func @dsyevd() {
  %0 = stablehlo.constant dense<[[[4.0, 1.0, 0.5], [1.0, 5.0, 2.0], [0.5, 2.0, 6.0]], [[9.0, -2.0, 1.0], [-2.0, 7.0, 1.0], [1.0, 1.0, 8.0]]]> : tensor<2x3x3xf64>
  %1:3 = stablehlo.custom_call @lapack_dsyevd_ffi(%0) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<2x3x3xf64>) -> (tensor<2x3x3xf64>, tensor<2x3xf64>, tensor<2xi32>)
  check.expect_eq_const %1#2, dense<0> : tensor<2xi32>
  %2 = stablehlo.transpose %1#0, dims = [0, 2, 1] : (tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %3 = stablehlo.dot_general %2, %1#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %4 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %5 = stablehlo.broadcast_in_dim %4, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  check.expect_almost_eq %3, %5, tolerance = 1.0e-13 : tensor<2x3x3xf64>
  %6 = stablehlo.dot_general %0, %1#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %7 = stablehlo.broadcast_in_dim %1#1, dims = [0, 2] : (tensor<2x3xf64>) -> tensor<2x3x3xf64>
  %8 = stablehlo.multiply %1#0, %7 : tensor<2x3x3xf64>
  check.expect_almost_eq %6, %8, tolerance = 1.0e-13 : tensor<2x3x3xf64>
  // The older form, and the upper triangle.
  %9 = stablehlo.constant dense<0> : tensor<i32>
  %10 = stablehlo.constant dense<2> : tensor<i32>
  %11 = stablehlo.constant dense<3> : tensor<i32>
  %12:5 = stablehlo.custom_call @lapack_dsyevd(%9, %10, %11, %0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x3x3xf64>) -> (tensor<2x3x3xf64>, tensor<2x3xf64>, tensor<2xi32>, tensor<46xf64>, tensor<18xi32>)
  check.expect_eq_const %12#2, dense<0> : tensor<2xi32>
  %13 = stablehlo.transpose %12#0, dims = [0, 2, 1] : (tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %14 = stablehlo.dot_general %13, %12#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %15 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %16 = stablehlo.broadcast_in_dim %15, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  check.expect_almost_eq %14, %16, tolerance = 1.0e-13 : tensor<2x3x3xf64>
  %17 = stablehlo.dot_general %0, %12#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %18 = stablehlo.broadcast_in_dim %12#1, dims = [0, 2] : (tensor<2x3xf64>) -> tensor<2x3x3xf64>
  %19 = stablehlo.multiply %12#0, %18 : tensor<2x3x3xf64>
  check.expect_almost_eq %17, %19, tolerance = 1.0e-13 : tensor<2x3x3xf64>
  return
}

// -----

func.func @csyevd() {
  %0 = stablehlo.constant dense<[[[(4.0, 0.0), (1.0, -2.0), (0.5, 1.0)], [(1.0, 2.0), (5.0, 0.0), (2.0, -1.0)], [(0.5, -1.0), (2.0, 1.0), (6.0, 0.0)]], [[(9.0, 0.0), (-2.0, -1.0), (1.0, -0.0)], [(-2.0, 1.0), (7.0, 0.0), (1.0, -3.0)], [(1.0, 0.0), (1.0, 3.0), (8.0, 0.0)]]]> : tensor<2x3x3xcomplex<f32>>
  %1:3 = stablehlo.custom_call @lapack_cheevd_ffi(%0) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<2x3x3xcomplex<f32>>) -> (tensor<2x3x3xcomplex<f32>>, tensor<2x3xf32>, tensor<2xi32>)
  check.expect_eq_const %1#2, dense<0> : tensor<2xi32>
  %2 = stablehlo.real %1#0 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %3 = stablehlo.imag %1#0 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %4 = stablehlo.negate %3 : tensor<2x3x3xf32>
  %5 = stablehlo.complex %2, %4 : tensor<2x3x3xcomplex<f32>>
  %6 = stablehlo.transpose %5, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %7 = stablehlo.dot_general %6, %1#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %8 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %9 = stablehlo.broadcast_in_dim %8, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %7, %9, tolerance = 1.0e-5 : tensor<2x3x3xcomplex<f32>>
  %10 = stablehlo.dot_general %0, %1#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %11 = stablehlo.convert %1#1 : (tensor<2x3xf32>) -> tensor<2x3xcomplex<f32>>
  %12 = stablehlo.broadcast_in_dim %11, dims = [0, 2] : (tensor<2x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %13 = stablehlo.multiply %1#0, %12 : tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %10, %13, tolerance = 2.0e-5 : tensor<2x3x3xcomplex<f32>>
  // The older form, and the upper triangle.
  %14 = stablehlo.constant dense<0> : tensor<i32>
  %15 = stablehlo.constant dense<2> : tensor<i32>
  %16 = stablehlo.constant dense<3> : tensor<i32>
  %17:6 = stablehlo.custom_call @lapack_cheevd(%14, %15, %16, %0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x3x3xcomplex<f32>>) -> (tensor<2x3x3xcomplex<f32>>, tensor<2x3xf32>, tensor<2xi32>, tensor<46xcomplex<f32>>, tensor<36xf32>, tensor<18xi32>)
  check.expect_eq_const %17#2, dense<0> : tensor<2xi32>
  %18 = stablehlo.real %17#0 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %19 = stablehlo.imag %17#0 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %20 = stablehlo.negate %19 : tensor<2x3x3xf32>
  %21 = stablehlo.complex %18, %20 : tensor<2x3x3xcomplex<f32>>
  %22 = stablehlo.transpose %21, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %23 = stablehlo.dot_general %22, %17#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %24 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %25 = stablehlo.broadcast_in_dim %24, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %23, %25, tolerance = 1.0e-5 : tensor<2x3x3xcomplex<f32>>
  %26 = stablehlo.dot_general %0, %17#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %27 = stablehlo.convert %17#1 : (tensor<2x3xf32>) -> tensor<2x3xcomplex<f32>>
  %28 = stablehlo.broadcast_in_dim %27, dims = [0, 2] : (tensor<2x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %29 = stablehlo.multiply %17#0, %28 : tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %26, %29, tolerance = 2.0e-5 : tensor<2x3x3xcomplex<f32>>
  return
}

// -----

func.func @zsyevd() {
  %0 = stablehlo.constant dense<[[[(4.0, 0.0), (1.0, -2.0), (0.5, 1.0)], [(1.0, 2.0), (5.0, 0.0), (2.0, -1.0)], [(0.5, -1.0), (2.0, 1.0), (6.0, 0.0)]], [[(9.0, 0.0), (-2.0, -1.0), (1.0, -0.0)], [(-2.0, 1.0), (7.0, 0.0), (1.0, -3.0)], [(1.0, 0.0), (1.0, 3.0), (8.0, 0.0)]]]> : tensor<2x3x3xcomplex<f64>>
  %1:3 = stablehlo.custom_call @lapack_zheevd_ffi(%0) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<2x3x3xcomplex<f64>>) -> (tensor<2x3x3xcomplex<f64>>, tensor<2x3xf64>, tensor<2xi32>)
  check.expect_eq_const %1#2, dense<0> : tensor<2xi32>
  %2 = stablehlo.real %1#0 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %3 = stablehlo.imag %1#0 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %4 = stablehlo.negate %3 : tensor<2x3x3xf64>
  %5 = stablehlo.complex %2, %4 : tensor<2x3x3xcomplex<f64>>
  %6 = stablehlo.transpose %5, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %7 = stablehlo.dot_general %6, %1#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %8 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %9 = stablehlo.broadcast_in_dim %8, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %7, %9, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  %10 = stablehlo.dot_general %0, %1#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %11 = stablehlo.convert %1#1 : (tensor<2x3xf64>) -> tensor<2x3xcomplex<f64>>
  %12 = stablehlo.broadcast_in_dim %11, dims = [0, 2] : (tensor<2x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %13 = stablehlo.multiply %1#0, %12 : tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %10, %13, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  // The older form, and the upper triangle.
  %14 = stablehlo.constant dense<0> : tensor<i32>
  %15 = stablehlo.constant dense<2> : tensor<i32>
  %16 = stablehlo.constant dense<3> : tensor<i32>
  %17:6 = stablehlo.custom_call @lapack_zheevd(%14, %15, %16, %0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x3x3xcomplex<f64>>) -> (tensor<2x3x3xcomplex<f64>>, tensor<2x3xf64>, tensor<2xi32>, tensor<46xcomplex<f64>>, tensor<36xf64>, tensor<18xi32>)
  check.expect_eq_const %17#2, dense<0> : tensor<2xi32>
  %18 = stablehlo.real %17#0 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %19 = stablehlo.imag %17#0 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %20 = stablehlo.negate %19 : tensor<2x3x3xf64>
  %21 = stablehlo.complex %18, %20 : tensor<2x3x3xcomplex<f64>>
  %22 = stablehlo.transpose %21, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %23 = stablehlo.dot_general %22, %17#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %24 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %25 = stablehlo.broadcast_in_dim %24, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %23, %25, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  %26 = stablehlo.dot_general %0, %17#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %27 = stablehlo.convert %17#1 : (tensor<2x3xf64>) -> tensor<2x3xcomplex<f64>>
  %28 = stablehlo.broadcast_in_dim %27, dims = [0, 2] : (tensor<2x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %29 = stablehlo.multiply %17#0, %28 : tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %26, %29, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  return
}
