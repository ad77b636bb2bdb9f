// LAPACK's targets as JAX calls them: what they give, multiplied again, is what they got. Layouts are column-major in JAX's
// modules; they are not part of the meaning here.
// RUN: stablehlo-translate --interpret -split-input-file %s

func.func @potrf() {
  %a = stablehlo.constant dense<[[4.0, 2.0, 0.0], [2.0, 5.0, 3.0], [0.0, 3.0, 6.0]]> : tensor<3x3xf64>
  %l:2 = stablehlo.custom_call @lapack_dpotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<i32>)
  check.expect_eq_const %l#1, dense<0> : tensor<i32>
  %mask = stablehlo.constant dense<[[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.0, 1.0]]> : tensor<3x3xf64>
  %t = stablehlo.multiply %l#0, %mask : tensor<3x3xf64>
  %back = stablehlo.dot_general %t, %t, contracting_dims = [1] x [1] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
  check.expect_almost_eq %back, %a, tolerance = 1.0e-13 : tensor<3x3xf64>
  // The second pivot is negative: info says where it stopped.
  %b = stablehlo.constant dense<[[1.0, 2.0], [2.0, 1.0]]> : tensor<2x2xf32>
  %m:2 = stablehlo.custom_call @lapack_spotrf_ffi(%b) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<i32>)
  check.expect_eq_const %m#1, dense<2> : tensor<i32>
  return
}

// -----

// P A = L U. By hand: rows 1 and 0 change places, since 6 is larger than 3; pivots count from 1.
func.func @getrf() {
  %a = stablehlo.constant dense<[[3.0, 1.0], [6.0, 4.0]]> : tensor<2x2xf64>
  %r:3 = stablehlo.custom_call @lapack_dgetrf_ffi(%a) {mhlo.backend_config = {}} : (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2xi32>, tensor<i32>)
  check.expect_almost_eq_const %r#0, dense<[[6.0, 4.0], [0.5, -1.0]]> : tensor<2x2xf64>, tolerance = 1.0e-14
  check.expect_eq_const %r#1, dense<[2, 2]> : tensor<2xi32>
  check.expect_eq_const %r#2, dense<0> : tensor<i32>
  return
}

// -----

// Q R = A, and Q has orthonormal columns.
func.func @qr() {
  %a = stablehlo.constant dense<[[1.0, 2.0], [0.0, 1.0], [2.0, -1.0]]> : tensor<3x2xf64>
  %h:2 = stablehlo.custom_call @lapack_dgeqrf_ffi(%a) {mhlo.backend_config = {}} : (tensor<3x2xf64>) -> (tensor<3x2xf64>, tensor<2xf64>)
  %q = stablehlo.custom_call @lapack_dorgqr_ffi(%h#0, %h#1) {mhlo.backend_config = {}} : (tensor<3x2xf64>, tensor<2xf64>) -> tensor<3x2xf64>
  %qq = stablehlo.dot_general %q, %q, contracting_dims = [0] x [0] : (tensor<3x2xf64>, tensor<3x2xf64>) -> tensor<2x2xf64>
  check.expect_almost_eq_const %qq, dense<[[1.0, 0.0], [0.0, 1.0]]> : tensor<2x2xf64>, tolerance = 1.0e-14
  %top = stablehlo.slice %h#0 [0:2, 0:2] : (tensor<3x2xf64>) -> tensor<2x2xf64>
  %mask = stablehlo.constant dense<[[1.0, 1.0], [0.0, 1.0]]> : tensor<2x2xf64>
  %r = stablehlo.multiply %top, %mask : tensor<2x2xf64>
  %back = stablehlo.dot_general %q, %r, contracting_dims = [1] x [0] : (tensor<3x2xf64>, tensor<2x2xf64>) -> tensor<3x2xf64>
  check.expect_almost_eq %back, %a, tolerance = 1.0e-14 : tensor<3x2xf64>
  return
}

// -----

// [[2, 1], [1, 2]] has the eigenvalues 1 and 3; A V = V diag(w).
func.func @syevd() {
  %a = stablehlo.constant dense<[[2.0, 1.0], [1.0, 2.0]]> : tensor<2x2xf64>
  %r:3 = stablehlo.custom_call @lapack_dsyevd_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2xf64>, tensor<i32>)
  check.expect_almost_eq_const %r#1, dense<[1.0, 3.0]> : tensor<2xf64>, tolerance = 1.0e-14
  %av = stablehlo.dot_general %a, %r#0, contracting_dims = [1] x [0] : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  %w = stablehlo.broadcast_in_dim %r#1, dims = [1] : (tensor<2xf64>) -> tensor<2x2xf64>
  %vw = stablehlo.multiply %r#0, %w : tensor<2x2xf64>
  check.expect_almost_eq %av, %vw, tolerance = 1.0e-14 : tensor<2x2xf64>
  return
}

// -----

// U diag(s) V^T = A. The columns of A are orthogonal, of lengths 5 and 2.
func.func @gesdd() {
  %a = stablehlo.constant dense<[[3.0, 0.0], [4.0, 0.0], [0.0, 2.0]]> : tensor<3x2xf64>
  %r:5 = stablehlo.custom_call @lapack_dgesdd_ffi(%a) {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<3x2xf64>) -> (tensor<3x2xf64>, tensor<2xf64>, tensor<3x2xf64>, tensor<2x2xf64>, tensor<i32>)
  check.expect_almost_eq_const %r#1, dense<[5.0, 2.0]> : tensor<2xf64>, tolerance = 1.0e-14
  %s = stablehlo.broadcast_in_dim %r#1, dims = [1] : (tensor<2xf64>) -> tensor<3x2xf64>
  %us = stablehlo.multiply %r#2, %s : tensor<3x2xf64>
  %back = stablehlo.dot_general %us, %r#3, contracting_dims = [1] x [0] : (tensor<3x2xf64>, tensor<2x2xf64>) -> tensor<3x2xf64>
  check.expect_almost_eq %back, %a, tolerance = 1.0e-14 : tensor<3x2xf64>
  return
}

// -----

// A quarter turn has the eigenvalues i and -i; A V = V diag(w).
func.func @geev() {
  %a = stablehlo.constant dense<[[0.0, -1.0], [1.0, 0.0]]> : tensor<2x2xf64>
  %r:5 = stablehlo.custom_call @lapack_dgeev_ffi(%a) {mhlo.backend_config = {compute_left = 78 : ui8, compute_right = 86 : ui8}} : (tensor<2x2xf64>) -> (tensor<2xf64>, tensor<2xf64>, tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>, tensor<i32>)
  check.expect_almost_eq_const %r#0, dense<0.0> : tensor<2xf64>, tolerance = 1.0e-14
  check.expect_almost_eq_const %r#1, dense<[1.0, -1.0]> : tensor<2xf64>, tolerance = 1.0e-14
  %c = stablehlo.convert %a : (tensor<2x2xf64>) -> tensor<2x2xcomplex<f64>>
  %av = stablehlo.dot_general %c, %r#3, contracting_dims = [1] x [0] : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
  %w = stablehlo.complex %r#0, %r#1 : tensor<2xcomplex<f64>>
  %ww = stablehlo.broadcast_in_dim %w, dims = [1] : (tensor<2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
  %vw = stablehlo.multiply %r#3, %ww : tensor<2x2xcomplex<f64>>
  check.expect_almost_eq %av, %vw, tolerance = 1.0e-13 : tensor<2x2xcomplex<f64>>
  return
}

// -----

func.func @trsm() {
  %a = stablehlo.constant dense<[[2.0, 0.0], [1.0, 4.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[2.0], [9.0]]> : tensor<2x1xf32>
  %x = stablehlo.custom_call @lapack_strsm_ffi(%a, %b) {mhlo.backend_config = {side = 76 : ui8, uplo = 76 : ui8, trans_x = 78 : ui8, diag = 78 : ui8}} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  check.expect_eq_const %x, dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  return
}
