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
