// trsm: a x = b and x a^H = b, a triangular.
// In the four types of number, by the newer and the older name, on two matrices at once: what comes out, multiplied again, is what went in.
// RUN: stablehlo-translate --interpret -split-input-file %s

func.func @strsm() {
  %0 = stablehlo.constant dense<[[[3.0, 0.0, 0.0], [1.0, -2.0, 0.0], [2.0, 0.5, 4.0]], [[2.0, 0.0, 0.0], [-1.0, 5.0, 0.0], [1.0, 2.0, 1.0]]]> : tensor<2x3x3xf32>
  %1 = stablehlo.constant dense<[[[1.0, 1.0], [3.0, -1.0], [0.5, 2.0]], [[2.0, 1.0], [-1.0, 4.0], [5.0, 1.0]]]> : tensor<2x3x2xf32>
  %2 = stablehlo.custom_call @lapack_strsm_ffi(%0, %1) {mhlo.backend_config = {side = 76 : ui8, uplo = 76 : ui8, trans_x = 78 : ui8, diag = 78 : ui8}} : (tensor<2x3x3xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  %3 = stablehlo.dot_general %0, %2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  check.expect_almost_eq %3, %1, tolerance = 1.0e-5 : tensor<2x3x2xf32>
  // The older form, from the right, with the adjoint, and half of the right side.
  %4 = stablehlo.transpose %1, dims = [0, 2, 1] : (tensor<2x3x2xf32>) -> tensor<2x2x3xf32>
  %5 = stablehlo.constant dense<0.5> : tensor<f32>
  %6 = stablehlo.constant dense<0> : tensor<i32>
  %7 = stablehlo.constant dense<1> : tensor<i32>
  %8 = stablehlo.constant dense<2> : tensor<i32>
  %9 = stablehlo.constant dense<0> : tensor<i32>
  %10 = stablehlo.constant dense<2> : tensor<i32>
  %11 = stablehlo.constant dense<3> : tensor<i32>
  %12 = stablehlo.constant dense<2> : tensor<i32>
  %13 = stablehlo.custom_call @blas_strsm(%6, %7, %8, %9, %10, %11, %12, %5, %0, %4) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<2x3x3xf32>, tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
  %14 = stablehlo.add %13, %13 : tensor<2x2x3xf32>
  %15 = stablehlo.transpose %0, dims = [0, 2, 1] : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %16 = stablehlo.dot_general %14, %15, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x2x3xf32>, tensor<2x3x3xf32>) -> tensor<2x2x3xf32>
  check.expect_almost_eq %16, %4, tolerance = 1.0e-5 : tensor<2x2x3xf32>
  return
}

// -----

func.func @dtrsm() {
  %0 = stablehlo.constant dense<[[[3.0, 0.0, 0.0], [1.0, -2.0, 0.0], [2.0, 0.5, 4.0]], [[2.0, 0.0, 0.0], [-1.0, 5.0, 0.0], [1.0, 2.0, 1.0]]]> : tensor<2x3x3xf64>
  %1 = stablehlo.constant dense<[[[1.0, 1.0], [3.0, -1.0], [0.5, 2.0]], [[2.0, 1.0], [-1.0, 4.0], [5.0, 1.0]]]> : tensor<2x3x2xf64>
  %2 = stablehlo.custom_call @lapack_dtrsm_ffi(%0, %1) {mhlo.backend_config = {side = 76 : ui8, uplo = 76 : ui8, trans_x = 78 : ui8, diag = 78 : ui8}} : (tensor<2x3x3xf64>, tensor<2x3x2xf64>) -> tensor<2x3x2xf64>
  %3 = stablehlo.dot_general %0, %2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf64>, tensor<2x3x2xf64>) -> tensor<2x3x2xf64>
  check.expect_almost_eq %3, %1, tolerance = 1.0e-13 : tensor<2x3x2xf64>
  // The older form, from the right, with the adjoint, and half of the right side.
  %4 = stablehlo.transpose %1, dims = [0, 2, 1] : (tensor<2x3x2xf64>) -> tensor<2x2x3xf64>
  %5 = stablehlo.constant dense<0.5> : tensor<f64>
  %6 = stablehlo.constant dense<0> : tensor<i32>
  %7 = stablehlo.constant dense<1> : tensor<i32>
  %8 = stablehlo.constant dense<2> : tensor<i32>
  %9 = stablehlo.constant dense<0> : tensor<i32>
  %10 = stablehlo.constant dense<2> : tensor<i32>
  %11 = stablehlo.constant dense<3> : tensor<i32>
  %12 = stablehlo.constant dense<2> : tensor<i32>
  %13 = stablehlo.custom_call @blas_dtrsm(%6, %7, %8, %9, %10, %11, %12, %5, %0, %4) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<f64>, tensor<2x3x3xf64>, tensor<2x2x3xf64>) -> tensor<2x2x3xf64>
  %14 = stablehlo.add %13, %13 : tensor<2x2x3xf64>
  %15 = stablehlo.transpose %0, dims = [0, 2, 1] : (tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %16 = stablehlo.dot_general %14, %15, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x2x3xf64>, tensor<2x3x3xf64>) -> tensor<2x2x3xf64>
  check.expect_almost_eq %16, %4, tolerance = 1.0e-13 : tensor<2x2x3xf64>
  return
}

// -----

func.func @ctrsm() {
  %0 = stablehlo.constant dense<[[[(3.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(1.0, 1.0), (-2.0, 0.0), (0.0, 0.0)], [(2.0, 0.0), (0.5, -1.0), (4.0, 0.0)]], [[(2.0, 1.0), (0.0, 0.0), (0.0, 0.0)], [(-1.0, 0.0), (5.0, 0.0), (0.0, 0.0)], [(1.0, 3.0), (2.0, 0.0), (1.0, -1.0)]]]> : tensor<2x3x3xcomplex<f32>>
  %1 = stablehlo.constant dense<[[[(1.0, 0.0), (1.0, 2.0)], [(3.0, 0.0), (-1.0, 0.0)], [(0.5, -1.0), (2.0, 0.0)]], [[(2.0, 0.0), (1.0, 0.0)], [(-1.0, 1.0), (4.0, 0.0)], [(5.0, 0.0), (1.0, 1.0)]]]> : tensor<2x3x2xcomplex<f32>>
  %2 = stablehlo.custom_call @lapack_ctrsm_ffi(%0, %1) {mhlo.backend_config = {side = 76 : ui8, uplo = 76 : ui8, trans_x = 78 : ui8, diag = 78 : ui8}} : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x2xcomplex<f32>>) -> tensor<2x3x2xcomplex<f32>>
  %3 = stablehlo.dot_general %0, %2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x2xcomplex<f32>>) -> tensor<2x3x2xcomplex<f32>>
  check.expect_almost_eq %3, %1, tolerance = 1.0e-5 : tensor<2x3x2xcomplex<f32>>
  // The older form, from the right, with the adjoint, and half of the right side.
  %4 = stablehlo.real %1 : (tensor<2x3x2xcomplex<f32>>) -> tensor<2x3x2xf32>
  %5 = stablehlo.imag %1 : (tensor<2x3x2xcomplex<f32>>) -> tensor<2x3x2xf32>
  %6 = stablehlo.negate %5 : tensor<2x3x2xf32>
  %7 = stablehlo.complex %4, %6 : tensor<2x3x2xcomplex<f32>>
  %8 = stablehlo.transpose %7, dims = [0, 2, 1] : (tensor<2x3x2xcomplex<f32>>) -> tensor<2x2x3xcomplex<f32>>
  %9 = stablehlo.constant dense<(0.5, 0.0)> : tensor<complex<f32>>
  %10 = stablehlo.constant dense<0> : tensor<i32>
  %11 = stablehlo.constant dense<1> : tensor<i32>
  %12 = stablehlo.constant dense<2> : tensor<i32>
  %13 = stablehlo.constant dense<0> : tensor<i32>
  %14 = stablehlo.constant dense<2> : tensor<i32>
  %15 = stablehlo.constant dense<3> : tensor<i32>
  %16 = stablehlo.constant dense<2> : tensor<i32>
  %17 = stablehlo.custom_call @blas_ctrsm(%10, %11, %12, %13, %14, %15, %16, %9, %0, %8) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<complex<f32>>, tensor<2x3x3xcomplex<f32>>, tensor<2x2x3xcomplex<f32>>) -> tensor<2x2x3xcomplex<f32>>
  %18 = stablehlo.add %17, %17 : tensor<2x2x3xcomplex<f32>>
  %19 = stablehlo.real %0 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %20 = stablehlo.imag %0 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %21 = stablehlo.negate %20 : tensor<2x3x3xf32>
  %22 = stablehlo.complex %19, %21 : tensor<2x3x3xcomplex<f32>>
  %23 = stablehlo.transpose %22, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %24 = stablehlo.dot_general %18, %23, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x2x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x2x3xcomplex<f32>>
  check.expect_almost_eq %24, %8, tolerance = 1.0e-5 : tensor<2x2x3xcomplex<f32>>
  return
}

// -----

func.func @ztrsm() {
  %0 = stablehlo.constant dense<[[[(3.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(1.0, 1.0), (-2.0, 0.0), (0.0, 0.0)], [(2.0, 0.0), (0.5, -1.0), (4.0, 0.0)]], [[(2.0, 1.0), (0.0, 0.0), (0.0, 0.0)], [(-1.0, 0.0), (5.0, 0.0), (0.0, 0.0)], [(1.0, 3.0), (2.0, 0.0), (1.0, -1.0)]]]> : tensor<2x3x3xcomplex<f64>>
  %1 = stablehlo.constant dense<[[[(1.0, 0.0), (1.0, 2.0)], [(3.0, 0.0), (-1.0, 0.0)], [(0.5, -1.0), (2.0, 0.0)]], [[(2.0, 0.0), (1.0, 0.0)], [(-1.0, 1.0), (4.0, 0.0)], [(5.0, 0.0), (1.0, 1.0)]]]> : tensor<2x3x2xcomplex<f64>>
  %2 = stablehlo.custom_call @lapack_ztrsm_ffi(%0, %1) {mhlo.backend_config = {side = 76 : ui8, uplo = 76 : ui8, trans_x = 78 : ui8, diag = 78 : ui8}} : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x2xcomplex<f64>>) -> tensor<2x3x2xcomplex<f64>>
  %3 = stablehlo.dot_general %0, %2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x2xcomplex<f64>>) -> tensor<2x3x2xcomplex<f64>>
  check.expect_almost_eq %3, %1, tolerance = 1.0e-13 : tensor<2x3x2xcomplex<f64>>
  // The older form, from the right, with the adjoint, and half of the right side.
  %4 = stablehlo.real %1 : (tensor<2x3x2xcomplex<f64>>) -> tensor<2x3x2xf64>
  %5 = stablehlo.imag %1 : (tensor<2x3x2xcomplex<f64>>) -> tensor<2x3x2xf64>
  %6 = stablehlo.negate %5 : tensor<2x3x2xf64>
  %7 = stablehlo.complex %4, %6 : tensor<2x3x2xcomplex<f64>>
  %8 = stablehlo.transpose %7, dims = [0, 2, 1] : (tensor<2x3x2xcomplex<f64>>) -> tensor<2x2x3xcomplex<f64>>
  %9 = stablehlo.constant dense<(0.5, 0.0)> : tensor<complex<f64>>
  %10 = stablehlo.constant dense<0> : tensor<i32>
  %11 = stablehlo.constant dense<1> : tensor<i32>
  %12 = stablehlo.constant dense<2> : tensor<i32>
  %13 = stablehlo.constant dense<0> : tensor<i32>
  %14 = stablehlo.constant dense<2> : tensor<i32>
  %15 = stablehlo.constant dense<3> : tensor<i32>
  %16 = stablehlo.constant dense<2> : tensor<i32>
  %17 = stablehlo.custom_call @blas_ztrsm(%10, %11, %12, %13, %14, %15, %16, %9, %0, %8) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<complex<f64>>, tensor<2x3x3xcomplex<f64>>, tensor<2x2x3xcomplex<f64>>) -> tensor<2x2x3xcomplex<f64>>
  %18 = stablehlo.add %17, %17 : tensor<2x2x3xcomplex<f64>>
  %19 = stablehlo.real %0 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %20 = stablehlo.imag %0 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %21 = stablehlo.negate %20 : tensor<2x3x3xf64>
  %22 = stablehlo.complex %19, %21 : tensor<2x3x3xcomplex<f64>>
  %23 = stablehlo.transpose %22, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %24 = stablehlo.dot_general %18, %23, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x2x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x2x3xcomplex<f64>>
  check.expect_almost_eq %24, %8, tolerance = 1.0e-13 : tensor<2x2x3xcomplex<f64>>
  return
}
