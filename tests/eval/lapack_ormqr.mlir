// ormqr, unmqr: products with q of a = q r and with its adjoint.
// In the four types of number, on two matrices at once: what comes out, multiplied again, is what went in.
// RUN: stablehlo-translate --interpret -split-input-file %s

func.func @sormqr() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0, 0.5], [3.0, -1.0, 2.0], [0.0, 4.0, 1.0], [2.0, 1.0, -3.0]], [[1.0, 0.0, 1.0], [-1.0, 3.0, 2.0], [4.0, 1.0, 1.0], [0.5, -2.0, 2.0]]]> : tensor<2x4x3xf32>
  %1:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%0) {mhlo.backend_config = {}} : (tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<2x3xf32>)
  // q^H a is r above zeros, and q of that is a.
  %2 = stablehlo.custom_call @lapack_sormqr_ffi(%1#0, %1#1, %0) {mhlo.backend_config = {left = true, transpose = true}} : (tensor<2x4x3xf32>, tensor<2x3xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  %3 = stablehlo.constant dense<[[1.0, 1.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]> : tensor<4x3xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [1, 2] : (tensor<4x3xf32>) -> tensor<2x4x3xf32>
  %5 = stablehlo.multiply %1#0, %4 : tensor<2x4x3xf32>
  check.expect_almost_eq %2, %5, tolerance = 1.0e-5 : tensor<2x4x3xf32>
  %6 = stablehlo.custom_call @lapack_sormqr_ffi(%1#0, %1#1, %2) {mhlo.backend_config = {left = true, transpose = false}} : (tensor<2x4x3xf32>, tensor<2x3xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  check.expect_almost_eq %6, %0, tolerance = 1.0e-5 : tensor<2x4x3xf32>
  // From the right: a^H q is r^H, and that by q^H is a^H.
  %7 = stablehlo.transpose %0, dims = [0, 2, 1] : (tensor<2x4x3xf32>) -> tensor<2x3x4xf32>
  %8 = stablehlo.custom_call @lapack_sormqr_ffi(%1#0, %1#1, %7) {mhlo.backend_config = {left = false, transpose = false}} : (tensor<2x4x3xf32>, tensor<2x3xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %9 = stablehlo.transpose %2, dims = [0, 2, 1] : (tensor<2x4x3xf32>) -> tensor<2x3x4xf32>
  check.expect_almost_eq %8, %9, tolerance = 1.0e-5 : tensor<2x3x4xf32>
  %10 = stablehlo.custom_call @lapack_sormqr_ffi(%1#0, %1#1, %8) {mhlo.backend_config = {left = false, transpose = true}} : (tensor<2x4x3xf32>, tensor<2x3xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  check.expect_almost_eq %10, %7, tolerance = 1.0e-5 : tensor<2x3x4xf32>
  return
}

// -----

func.func @dormqr() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0, 0.5], [3.0, -1.0, 2.0], [0.0, 4.0, 1.0], [2.0, 1.0, -3.0]], [[1.0, 0.0, 1.0], [-1.0, 3.0, 2.0], [4.0, 1.0, 1.0], [0.5, -2.0, 2.0]]]> : tensor<2x4x3xf64>
  %1:2 = stablehlo.custom_call @lapack_dgeqrf_ffi(%0) {mhlo.backend_config = {}} : (tensor<2x4x3xf64>) -> (tensor<2x4x3xf64>, tensor<2x3xf64>)
  // q^H a is r above zeros, and q of that is a.
  %2 = stablehlo.custom_call @lapack_dormqr_ffi(%1#0, %1#1, %0) {mhlo.backend_config = {left = true, transpose = true}} : (tensor<2x4x3xf64>, tensor<2x3xf64>, tensor<2x4x3xf64>) -> tensor<2x4x3xf64>
  %3 = stablehlo.constant dense<[[1.0, 1.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]> : tensor<4x3xf64>
  %4 = stablehlo.broadcast_in_dim %3, dims = [1, 2] : (tensor<4x3xf64>) -> tensor<2x4x3xf64>
  %5 = stablehlo.multiply %1#0, %4 : tensor<2x4x3xf64>
  check.expect_almost_eq %2, %5, tolerance = 1.0e-13 : tensor<2x4x3xf64>
  %6 = stablehlo.custom_call @lapack_dormqr_ffi(%1#0, %1#1, %2) {mhlo.backend_config = {left = true, transpose = false}} : (tensor<2x4x3xf64>, tensor<2x3xf64>, tensor<2x4x3xf64>) -> tensor<2x4x3xf64>
  check.expect_almost_eq %6, %0, tolerance = 1.0e-13 : tensor<2x4x3xf64>
  // From the right: a^H q is r^H, and that by q^H is a^H.
  %7 = stablehlo.transpose %0, dims = [0, 2, 1] : (tensor<2x4x3xf64>) -> tensor<2x3x4xf64>
  %8 = stablehlo.custom_call @lapack_dormqr_ffi(%1#0, %1#1, %7) {mhlo.backend_config = {left = false, transpose = false}} : (tensor<2x4x3xf64>, tensor<2x3xf64>, tensor<2x3x4xf64>) -> tensor<2x3x4xf64>
  %9 = stablehlo.transpose %2, dims = [0, 2, 1] : (tensor<2x4x3xf64>) -> tensor<2x3x4xf64>
  check.expect_almost_eq %8, %9, tolerance = 1.0e-13 : tensor<2x3x4xf64>
  %10 = stablehlo.custom_call @lapack_dormqr_ffi(%1#0, %1#1, %8) {mhlo.backend_config = {left = false, transpose = true}} : (tensor<2x4x3xf64>, tensor<2x3xf64>, tensor<2x3x4xf64>) -> tensor<2x3x4xf64>
  check.expect_almost_eq %10, %7, tolerance = 1.0e-13 : tensor<2x3x4xf64>
  return
}

// -----

func.func @cormqr() {
  %0 = stablehlo.constant dense<[[[(1.0, 0.0), (2.0, 1.0), (0.5, 0.0)], [(3.0, -1.0), (-1.0, 0.0), (2.0, 0.0)], [(0.0, 0.0), (4.0, 0.0), (1.0, 2.0)], [(2.0, 0.0), (1.0, 1.0), (-3.0, 0.0)]], [[(1.0, 2.0), (0.0, 0.0), (1.0, 0.0)], [(-1.0, 0.0), (3.0, 0.0), (2.0, -1.0)], [(4.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.5, 0.0), (-2.0, 0.0), (2.0, 1.0)]]]> : tensor<2x4x3xcomplex<f32>>
  %1:2 = stablehlo.custom_call @lapack_cgeqrf_ffi(%0) {mhlo.backend_config = {}} : (tensor<2x4x3xcomplex<f32>>) -> (tensor<2x4x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>)
  // q^H a is r above zeros, and q of that is a.
  %2 = stablehlo.custom_call @lapack_cunmqr_ffi(%1#0, %1#1, %0) {mhlo.backend_config = {left = true, transpose = true}} : (tensor<2x4x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<2x4x3xcomplex<f32>>) -> tensor<2x4x3xcomplex<f32>>
  %3 = stablehlo.constant dense<[[(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]]> : tensor<4x3xcomplex<f32>>
  %4 = stablehlo.broadcast_in_dim %3, dims = [1, 2] : (tensor<4x3xcomplex<f32>>) -> tensor<2x4x3xcomplex<f32>>
  %5 = stablehlo.multiply %1#0, %4 : tensor<2x4x3xcomplex<f32>>
  check.expect_almost_eq %2, %5, tolerance = 1.0e-5 : tensor<2x4x3xcomplex<f32>>
  %6 = stablehlo.custom_call @lapack_cunmqr_ffi(%1#0, %1#1, %2) {mhlo.backend_config = {left = true, transpose = false}} : (tensor<2x4x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<2x4x3xcomplex<f32>>) -> tensor<2x4x3xcomplex<f32>>
  check.expect_almost_eq %6, %0, tolerance = 1.0e-5 : tensor<2x4x3xcomplex<f32>>
  // From the right: a^H q is r^H, and that by q^H is a^H.
  %7 = stablehlo.real %0 : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x4x3xf32>
  %8 = stablehlo.imag %0 : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x4x3xf32>
  %9 = stablehlo.negate %8 : tensor<2x4x3xf32>
  %10 = stablehlo.complex %7, %9 : tensor<2x4x3xcomplex<f32>>
  %11 = stablehlo.transpose %10, dims = [0, 2, 1] : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x3x4xcomplex<f32>>
  %12 = stablehlo.custom_call @lapack_cunmqr_ffi(%1#0, %1#1, %11) {mhlo.backend_config = {left = false, transpose = false}} : (tensor<2x4x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<2x3x4xcomplex<f32>>) -> tensor<2x3x4xcomplex<f32>>
  %13 = stablehlo.real %2 : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x4x3xf32>
  %14 = stablehlo.imag %2 : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x4x3xf32>
  %15 = stablehlo.negate %14 : tensor<2x4x3xf32>
  %16 = stablehlo.complex %13, %15 : tensor<2x4x3xcomplex<f32>>
  %17 = stablehlo.transpose %16, dims = [0, 2, 1] : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x3x4xcomplex<f32>>
  check.expect_almost_eq %12, %17, tolerance = 1.0e-5 : tensor<2x3x4xcomplex<f32>>
  %18 = stablehlo.custom_call @lapack_cunmqr_ffi(%1#0, %1#1, %12) {mhlo.backend_config = {left = false, transpose = true}} : (tensor<2x4x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<2x3x4xcomplex<f32>>) -> tensor<2x3x4xcomplex<f32>>
  check.expect_almost_eq %18, %11, tolerance = 1.0e-5 : tensor<2x3x4xcomplex<f32>>
  return
}

// -----

func.func @zormqr() {
  %0 = stablehlo.constant dense<[[[(1.0, 0.0), (2.0, 1.0), (0.5, 0.0)], [(3.0, -1.0), (-1.0, 0.0), (2.0, 0.0)], [(0.0, 0.0), (4.0, 0.0), (1.0, 2.0)], [(2.0, 0.0), (1.0, 1.0), (-3.0, 0.0)]], [[(1.0, 2.0), (0.0, 0.0), (1.0, 0.0)], [(-1.0, 0.0), (3.0, 0.0), (2.0, -1.0)], [(4.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.5, 0.0), (-2.0, 0.0), (2.0, 1.0)]]]> : tensor<2x4x3xcomplex<f64>>
  %1:2 = stablehlo.custom_call @lapack_zgeqrf_ffi(%0) {mhlo.backend_config = {}} : (tensor<2x4x3xcomplex<f64>>) -> (tensor<2x4x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>)
  // q^H a is r above zeros, and q of that is a.
  %2 = stablehlo.custom_call @lapack_zunmqr_ffi(%1#0, %1#1, %0) {mhlo.backend_config = {left = true, transpose = true}} : (tensor<2x4x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>, tensor<2x4x3xcomplex<f64>>) -> tensor<2x4x3xcomplex<f64>>
  %3 = stablehlo.constant dense<[[(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]]> : tensor<4x3xcomplex<f64>>
  %4 = stablehlo.broadcast_in_dim %3, dims = [1, 2] : (tensor<4x3xcomplex<f64>>) -> tensor<2x4x3xcomplex<f64>>
  %5 = stablehlo.multiply %1#0, %4 : tensor<2x4x3xcomplex<f64>>
  check.expect_almost_eq %2, %5, tolerance = 1.0e-13 : tensor<2x4x3xcomplex<f64>>
  %6 = stablehlo.custom_call @lapack_zunmqr_ffi(%1#0, %1#1, %2) {mhlo.backend_config = {left = true, transpose = false}} : (tensor<2x4x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>, tensor<2x4x3xcomplex<f64>>) -> tensor<2x4x3xcomplex<f64>>
  check.expect_almost_eq %6, %0, tolerance = 1.0e-13 : tensor<2x4x3xcomplex<f64>>
  // From the right: a^H q is r^H, and that by q^H is a^H.
  %7 = stablehlo.real %0 : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x4x3xf64>
  %8 = stablehlo.imag %0 : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x4x3xf64>
  %9 = stablehlo.negate %8 : tensor<2x4x3xf64>
  %10 = stablehlo.complex %7, %9 : tensor<2x4x3xcomplex<f64>>
  %11 = stablehlo.transpose %10, dims = [0, 2, 1] : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x3x4xcomplex<f64>>
  %12 = stablehlo.custom_call @lapack_zunmqr_ffi(%1#0, %1#1, %11) {mhlo.backend_config = {left = false, transpose = false}} : (tensor<2x4x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>, tensor<2x3x4xcomplex<f64>>) -> tensor<2x3x4xcomplex<f64>>
  %13 = stablehlo.real %2 : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x4x3xf64>
  %14 = stablehlo.imag %2 : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x4x3xf64>
  %15 = stablehlo.negate %14 : tensor<2x4x3xf64>
  %16 = stablehlo.complex %13, %15 : tensor<2x4x3xcomplex<f64>>
  %17 = stablehlo.transpose %16, dims = [0, 2, 1] : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x3x4xcomplex<f64>>
  check.expect_almost_eq %12, %17, tolerance = 1.0e-13 : tensor<2x3x4xcomplex<f64>>
  %18 = stablehlo.custom_call @lapack_zunmqr_ffi(%1#0, %1#1, %12) {mhlo.backend_config = {left = false, transpose = true}} : (tensor<2x4x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>, tensor<2x3x4xcomplex<f64>>) -> tensor<2x3x4xcomplex<f64>>
  check.expect_almost_eq %18, %11, tolerance = 1.0e-13 : tensor<2x3x4xcomplex<f64>>
  return
}
