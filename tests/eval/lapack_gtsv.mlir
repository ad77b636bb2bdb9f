// gtsv: a x = b, a tridiagonal.
// In the four types of number, on two matrices at once: what comes out, multiplied again, is what went in.
// RUN: stablehlo-translate --interpret -split-input-file %s

func.func @sgtsv() {
  %0 = stablehlo.constant dense<[[[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 2.0, 5.0]], [[1.0, 2.0, 0.0], [5.0, 2.0, 1.0], [0.0, -3.0, 4.0]]]> : tensor<2x3x3xf32>
  %1 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [0.0, 5.0, -3.0]]> : tensor<2x3xf32>
  %2 = stablehlo.constant dense<[[4.0, 3.0, 5.0], [1.0, 2.0, 4.0]]> : tensor<2x3xf32>
  %3 = stablehlo.constant dense<[[1.0, 1.0, 0.0], [2.0, 1.0, 0.0]]> : tensor<2x3xf32>
  %4 = stablehlo.constant dense<[[[1.0, 1.0], [3.0, -1.0], [0.5, 2.0]], [[2.0, 1.0], [-1.0, 4.0], [5.0, 1.0]]]> : tensor<2x3x2xf32>
  %5:5 = stablehlo.custom_call @lapack_sgtsv_ffi(%1, %2, %3, %4) {mhlo.backend_config = {}} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3x2xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3x2xf32>, tensor<2xi32>)
  check.expect_eq_const %5#4, dense<0> : tensor<2xi32>
  %6 = stablehlo.dot_general %0, %5#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  check.expect_almost_eq %6, %4, tolerance = 1.0e-5 : tensor<2x3x2xf32>
  // The second row is zero: there is no solution.
  %7 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]> : tensor<2x3xf32>
  %8 = stablehlo.constant dense<[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<2x3xf32>
  %9:5 = stablehlo.custom_call @lapack_sgtsv_ffi(%8, %7, %8, %4) {mhlo.backend_config = {}} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3x2xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3x2xf32>, tensor<2xi32>)
  check.expect_eq_const %9#4, dense<2> : tensor<2xi32>
  return
}

// -----

func.func @dgtsv() {
  %0 = stablehlo.constant dense<[[[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 2.0, 5.0]], [[1.0, 2.0, 0.0], [5.0, 2.0, 1.0], [0.0, -3.0, 4.0]]]> : tensor<2x3x3xf64>
  %1 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [0.0, 5.0, -3.0]]> : tensor<2x3xf64>
  %2 = stablehlo.constant dense<[[4.0, 3.0, 5.0], [1.0, 2.0, 4.0]]> : tensor<2x3xf64>
  %3 = stablehlo.constant dense<[[1.0, 1.0, 0.0], [2.0, 1.0, 0.0]]> : tensor<2x3xf64>
  %4 = stablehlo.constant dense<[[[1.0, 1.0], [3.0, -1.0], [0.5, 2.0]], [[2.0, 1.0], [-1.0, 4.0], [5.0, 1.0]]]> : tensor<2x3x2xf64>
  %5:5 = stablehlo.custom_call @lapack_dgtsv_ffi(%1, %2, %3, %4) {mhlo.backend_config = {}} : (tensor<2x3xf64>, tensor<2x3xf64>, tensor<2x3xf64>, tensor<2x3x2xf64>) -> (tensor<2x3xf64>, tensor<2x3xf64>, tensor<2x3xf64>, tensor<2x3x2xf64>, tensor<2xi32>)
  check.expect_eq_const %5#4, dense<0> : tensor<2xi32>
  %6 = stablehlo.dot_general %0, %5#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf64>, tensor<2x3x2xf64>) -> tensor<2x3x2xf64>
  check.expect_almost_eq %6, %4, tolerance = 1.0e-13 : tensor<2x3x2xf64>
  // The second row is zero: there is no solution.
  %7 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]> : tensor<2x3xf64>
  %8 = stablehlo.constant dense<[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<2x3xf64>
  %9:5 = stablehlo.custom_call @lapack_dgtsv_ffi(%8, %7, %8, %4) {mhlo.backend_config = {}} : (tensor<2x3xf64>, tensor<2x3xf64>, tensor<2x3xf64>, tensor<2x3x2xf64>) -> (tensor<2x3xf64>, tensor<2x3xf64>, tensor<2x3xf64>, tensor<2x3x2xf64>, tensor<2xi32>)
  check.expect_eq_const %9#4, dense<2> : tensor<2xi32>
  return
}

// -----

func.func @cgtsv() {
  %0 = stablehlo.constant dense<[[[(4.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(1.0, 1.0), (3.0, -1.0), (1.0, 2.0)], [(0.0, 0.0), (2.0, 0.0), (5.0, 0.0)]], [[(1.0, 1.0), (2.0, 0.0), (0.0, 0.0)], [(5.0, 0.0), (2.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (-3.0, 0.0), (4.0, 0.0)]]]> : tensor<2x3x3xcomplex<f32>>
  %1 = stablehlo.constant dense<[[(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)], [(0.0, 0.0), (5.0, 0.0), (-3.0, 0.0)]]> : tensor<2x3xcomplex<f32>>
  %2 = stablehlo.constant dense<[[(4.0, 0.0), (3.0, -1.0), (5.0, 0.0)], [(1.0, 1.0), (2.0, 0.0), (4.0, 0.0)]]> : tensor<2x3xcomplex<f32>>
  %3 = stablehlo.constant dense<[[(1.0, 0.0), (1.0, 2.0), (0.0, 0.0)], [(2.0, 0.0), (1.0, 0.0), (0.0, 0.0)]]> : tensor<2x3xcomplex<f32>>
  %4 = stablehlo.constant dense<[[[(1.0, 0.0), (1.0, 2.0)], [(3.0, 0.0), (-1.0, 0.0)], [(0.5, -1.0), (2.0, 0.0)]], [[(2.0, 0.0), (1.0, 0.0)], [(-1.0, 1.0), (4.0, 0.0)], [(5.0, 0.0), (1.0, 1.0)]]]> : tensor<2x3x2xcomplex<f32>>
  %5:5 = stablehlo.custom_call @lapack_cgtsv_ffi(%1, %2, %3, %4) {mhlo.backend_config = {}} : (tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<2x3x2xcomplex<f32>>) -> (tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<2x3x2xcomplex<f32>>, tensor<2xi32>)
  check.expect_eq_const %5#4, dense<0> : tensor<2xi32>
  %6 = stablehlo.dot_general %0, %5#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x2xcomplex<f32>>) -> tensor<2x3x2xcomplex<f32>>
  check.expect_almost_eq %6, %4, tolerance = 1.0e-5 : tensor<2x3x2xcomplex<f32>>
  // The second row is zero: there is no solution.
  %7 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)]]> : tensor<2x3xcomplex<f32>>
  %8 = stablehlo.constant dense<[[(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]]> : tensor<2x3xcomplex<f32>>
  %9:5 = stablehlo.custom_call @lapack_cgtsv_ffi(%8, %7, %8, %4) {mhlo.backend_config = {}} : (tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<2x3x2xcomplex<f32>>) -> (tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<2x3x2xcomplex<f32>>, tensor<2xi32>)
  check.expect_eq_const %9#4, dense<2> : tensor<2xi32>
  return
}

// -----

func.func @zgtsv() {
  %0 = stablehlo.constant dense<[[[(4.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(1.0, 1.0), (3.0, -1.0), (1.0, 2.0)], [(0.0, 0.0), (2.0, 0.0), (5.0, 0.0)]], [[(1.0, 1.0), (2.0, 0.0), (0.0, 0.0)], [(5.0, 0.0), (2.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (-3.0, 0.0), (4.0, 0.0)]]]> : tensor<2x3x3xcomplex<f64>>
  %1 = stablehlo.constant dense<[[(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)], [(0.0, 0.0), (5.0, 0.0), (-3.0, 0.0)]]> : tensor<2x3xcomplex<f64>>
  %2 = stablehlo.constant dense<[[(4.0, 0.0), (3.0, -1.0), (5.0, 0.0)], [(1.0, 1.0), (2.0, 0.0), (4.0, 0.0)]]> : tensor<2x3xcomplex<f64>>
  %3 = stablehlo.constant dense<[[(1.0, 0.0), (1.0, 2.0), (0.0, 0.0)], [(2.0, 0.0), (1.0, 0.0), (0.0, 0.0)]]> : tensor<2x3xcomplex<f64>>
  %4 = stablehlo.constant dense<[[[(1.0, 0.0), (1.0, 2.0)], [(3.0, 0.0), (-1.0, 0.0)], [(0.5, -1.0), (2.0, 0.0)]], [[(2.0, 0.0), (1.0, 0.0)], [(-1.0, 1.0), (4.0, 0.0)], [(5.0, 0.0), (1.0, 1.0)]]]> : tensor<2x3x2xcomplex<f64>>
  %5:5 = stablehlo.custom_call @lapack_zgtsv_ffi(%1, %2, %3, %4) {mhlo.backend_config = {}} : (tensor<2x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>, tensor<2x3x2xcomplex<f64>>) -> (tensor<2x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>, tensor<2x3x2xcomplex<f64>>, tensor<2xi32>)
  check.expect_eq_const %5#4, dense<0> : tensor<2xi32>
  %6 = stablehlo.dot_general %0, %5#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x2xcomplex<f64>>) -> tensor<2x3x2xcomplex<f64>>
  check.expect_almost_eq %6, %4, tolerance = 1.0e-13 : tensor<2x3x2xcomplex<f64>>
  // The second row is zero: there is no solution.
  %7 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)]]> : tensor<2x3xcomplex<f64>>
  %8 = stablehlo.constant dense<[[(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]]> : tensor<2x3xcomplex<f64>>
  %9:5 = stablehlo.custom_call @lapack_zgtsv_ffi(%8, %7, %8, %4) {mhlo.backend_config = {}} : (tensor<2x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>, tensor<2x3x2xcomplex<f64>>) -> (tensor<2x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>, tensor<2x3x2xcomplex<f64>>, tensor<2xi32>)
  check.expect_eq_const %9#4, dense<2> : tensor<2xi32>
  return
}

// -----

// With small pivots raised there is always a solution. Others are as they were.
func.func @perturbed() {
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [0.0, 5.0, -3.0]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<[[4.0, 3.0, 5.0], [1.0, 2.0, 4.0]]> : tensor<2x3xf32>
  %2 = stablehlo.constant dense<[[1.0, 1.0, 0.0], [2.0, 1.0, 0.0]]> : tensor<2x3xf32>
  %3 = stablehlo.constant dense<[[[1.0, 1.0], [3.0, -1.0], [0.5, 2.0]], [[2.0, 1.0], [-1.0, 4.0], [5.0, 1.0]]]> : tensor<2x3x2xf32>
  %4:5 = stablehlo.custom_call @lapack_sgtsv_ffi(%0, %1, %2, %3) {mhlo.backend_config = {}} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3x2xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3x2xf32>, tensor<2xi32>)
  %5 = stablehlo.custom_call @tridiagonal_solve_perturbed_ffi(%0, %1, %2, %3) {mhlo.backend_config = {}} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  check.expect_eq %5, %4#3 : tensor<2x3x2xf32>
  // The zero matrix: eps in the place of each pivot.
  %6 = stablehlo.constant dense<0.0> : tensor<3xf64>
  %7 = stablehlo.constant dense<1.0> : tensor<3x1xf64>
  %8 = stablehlo.custom_call @tridiagonal_solve_perturbed_ffi(%6, %6, %6, %7) {mhlo.backend_config = {}} : (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3x1xf64>) -> tensor<3x1xf64>
  check.expect_eq_const %8, dense<4503599627370496.0> : tensor<3x1xf64>
  // Rows that are alike: the last pivot is 3 eps.
  %9 = stablehlo.constant dense<[(0.0, 0.0), (1.0, 0.0)]> : tensor<2xcomplex<f32>>
  %10 = stablehlo.constant dense<[(1.0, 0.0), (3.0, 0.0)]> : tensor<2xcomplex<f32>>
  %11 = stablehlo.constant dense<[(3.0, 0.0), (0.0, 0.0)]> : tensor<2xcomplex<f32>>
  %12 = stablehlo.constant dense<[[(1.0, 0.0)], [(4.0, 0.0)]]> : tensor<2x1xcomplex<f32>>
  %13 = stablehlo.custom_call @tridiagonal_solve_perturbed_ffi(%9, %10, %11, %12) {mhlo.backend_config = {}} : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2x1xcomplex<f32>>) -> tensor<2x1xcomplex<f32>>
  check.expect_eq_const %13, dense<[[(-25165824.0, 0.0)], [(8388608.0, 0.0)]]> : tensor<2x1xcomplex<f32>>
  return
}
