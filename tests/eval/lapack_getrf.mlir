// getrf: p a = l u.
// In the four types of number, by the newer and the older name, on two matrices at once: what comes out, multiplied again, is what went in.
// RUN: stablehlo-translate --interpret -split-input-file %s

func.func @sgetrf() {
  %0 = stablehlo.constant dense<[[[2.0, 1.0, 0.5], [4.0, -1.0, 3.0], [1.0, 5.0, 1.0]], [[1.0, 3.0, -2.0], [6.0, 1.0, 1.0], [2.0, -1.0, 8.0]]]> : tensor<2x3x3xf32>
  %1:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%0) {mhlo.backend_config = {}} : (tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<2x3xi32>, tensor<2xi32>)
  check.expect_eq_const %1#2, dense<0> : tensor<2xi32>
  check.expect_eq_const %1#1, dense<[[2, 3, 3], [2, 2, 3]]> : tensor<2x3xi32>
  %2 = stablehlo.constant dense<[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]> : tensor<3x3xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %4 = stablehlo.multiply %1#0, %3 : tensor<2x3x3xf32>
  %5 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %7 = stablehlo.add %4, %6 : tensor<2x3x3xf32>
  %8 = stablehlo.constant dense<[[1.0, 1.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %10 = stablehlo.multiply %1#0, %9 : tensor<2x3x3xf32>
  %11 = stablehlo.dot_general %7, %10, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %12 = stablehlo.constant dense<[[[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]]> : tensor<2x3x3xf32>
  %13 = stablehlo.dot_general %12, %0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  check.expect_almost_eq %11, %13, tolerance = 1.0e-5 : tensor<2x3x3xf32>
  // The older form.
  %14 = stablehlo.constant dense<2> : tensor<i32>
  %15 = stablehlo.constant dense<3> : tensor<i32>
  %16 = stablehlo.constant dense<3> : tensor<i32>
  %17:3 = stablehlo.custom_call @lapack_sgetrf(%14, %15, %16, %0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<2x3xi32>, tensor<2xi32>)
  check.expect_eq_const %17#2, dense<0> : tensor<2xi32>
  check.expect_eq_const %17#1, dense<[[2, 3, 3], [2, 2, 3]]> : tensor<2x3xi32>
  %18 = stablehlo.constant dense<[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]> : tensor<3x3xf32>
  %19 = stablehlo.broadcast_in_dim %18, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %20 = stablehlo.multiply %17#0, %19 : tensor<2x3x3xf32>
  %21 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %22 = stablehlo.broadcast_in_dim %21, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %23 = stablehlo.add %20, %22 : tensor<2x3x3xf32>
  %24 = stablehlo.constant dense<[[1.0, 1.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %25 = stablehlo.broadcast_in_dim %24, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %26 = stablehlo.multiply %17#0, %25 : tensor<2x3x3xf32>
  %27 = stablehlo.dot_general %23, %26, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %28 = stablehlo.constant dense<[[[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]]> : tensor<2x3x3xf32>
  %29 = stablehlo.dot_general %28, %0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  check.expect_almost_eq %27, %29, tolerance = 1.0e-5 : tensor<2x3x3xf32>
  return
}

// -----

func.func @dgetrf() {
  %0 = stablehlo.constant dense<[[[2.0, 1.0, 0.5], [4.0, -1.0, 3.0], [1.0, 5.0, 1.0]], [[1.0, 3.0, -2.0], [6.0, 1.0, 1.0], [2.0, -1.0, 8.0]]]> : tensor<2x3x3xf64>
  %1:3 = stablehlo.custom_call @lapack_dgetrf_ffi(%0) {mhlo.backend_config = {}} : (tensor<2x3x3xf64>) -> (tensor<2x3x3xf64>, tensor<2x3xi32>, tensor<2xi32>)
  check.expect_eq_const %1#2, dense<0> : tensor<2xi32>
  check.expect_eq_const %1#1, dense<[[2, 3, 3], [2, 2, 3]]> : tensor<2x3xi32>
  %2 = stablehlo.constant dense<[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]> : tensor<3x3xf64>
  %3 = stablehlo.broadcast_in_dim %2, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %4 = stablehlo.multiply %1#0, %3 : tensor<2x3x3xf64>
  %5 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %6 = stablehlo.broadcast_in_dim %5, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %7 = stablehlo.add %4, %6 : tensor<2x3x3xf64>
  %8 = stablehlo.constant dense<[[1.0, 1.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %9 = stablehlo.broadcast_in_dim %8, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %10 = stablehlo.multiply %1#0, %9 : tensor<2x3x3xf64>
  %11 = stablehlo.dot_general %7, %10, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %12 = stablehlo.constant dense<[[[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]]> : tensor<2x3x3xf64>
  %13 = stablehlo.dot_general %12, %0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  check.expect_almost_eq %11, %13, tolerance = 1.0e-13 : tensor<2x3x3xf64>
  // The older form.
  %14 = stablehlo.constant dense<2> : tensor<i32>
  %15 = stablehlo.constant dense<3> : tensor<i32>
  %16 = stablehlo.constant dense<3> : tensor<i32>
  %17:3 = stablehlo.custom_call @lapack_dgetrf(%14, %15, %16, %0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x3x3xf64>) -> (tensor<2x3x3xf64>, tensor<2x3xi32>, tensor<2xi32>)
  check.expect_eq_const %17#2, dense<0> : tensor<2xi32>
  check.expect_eq_const %17#1, dense<[[2, 3, 3], [2, 2, 3]]> : tensor<2x3xi32>
  %18 = stablehlo.constant dense<[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]> : tensor<3x3xf64>
  %19 = stablehlo.broadcast_in_dim %18, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %20 = stablehlo.multiply %17#0, %19 : tensor<2x3x3xf64>
  %21 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %22 = stablehlo.broadcast_in_dim %21, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %23 = stablehlo.add %20, %22 : tensor<2x3x3xf64>
  %24 = stablehlo.constant dense<[[1.0, 1.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %25 = stablehlo.broadcast_in_dim %24, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %26 = stablehlo.multiply %17#0, %25 : tensor<2x3x3xf64>
  %27 = stablehlo.dot_general %23, %26, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %28 = stablehlo.constant dense<[[[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]]> : tensor<2x3x3xf64>
  %29 = stablehlo.dot_general %28, %0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  check.expect_almost_eq %27, %29, tolerance = 1.0e-13 : tensor<2x3x3xf64>
  return
}

// -----

func.func @cgetrf() {
  %0 = stablehlo.constant dense<[[[(2.0, 1.0), (1.0, -1.0), (0.5, 0.0)], [(4.0, 0.0), (-1.0, 2.0), (3.0, 0.0)], [(1.0, -2.0), (5.0, 0.0), (1.0, 1.0)]], [[(1.0, 0.0), (3.0, 1.0), (-2.0, 0.0)], [(6.0, -2.0), (1.0, 0.0), (1.0, 4.0)], [(2.0, 0.0), (-1.0, 0.0), (8.0, 1.0)]]]> : tensor<2x3x3xcomplex<f32>>
  %1:3 = stablehlo.custom_call @lapack_cgetrf_ffi(%0) {mhlo.backend_config = {}} : (tensor<2x3x3xcomplex<f32>>) -> (tensor<2x3x3xcomplex<f32>>, tensor<2x3xi32>, tensor<2xi32>)
  check.expect_eq_const %1#2, dense<0> : tensor<2xi32>
  check.expect_eq_const %1#1, dense<[[2, 3, 3], [2, 2, 3]]> : tensor<2x3xi32>
  %2 = stablehlo.constant dense<[[(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (1.0, 0.0), (0.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %3 = stablehlo.broadcast_in_dim %2, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %4 = stablehlo.multiply %1#0, %3 : tensor<2x3x3xcomplex<f32>>
  %5 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %6 = stablehlo.broadcast_in_dim %5, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %7 = stablehlo.add %4, %6 : tensor<2x3x3xcomplex<f32>>
  %8 = stablehlo.constant dense<[[(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %9 = stablehlo.broadcast_in_dim %8, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %10 = stablehlo.multiply %1#0, %9 : tensor<2x3x3xcomplex<f32>>
  %11 = stablehlo.dot_general %7, %10, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %12 = stablehlo.constant dense<[[[(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)], [(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)]], [[(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]]> : tensor<2x3x3xcomplex<f32>>
  %13 = stablehlo.dot_general %12, %0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %11, %13, tolerance = 1.0e-5 : tensor<2x3x3xcomplex<f32>>
  // The older form.
  %14 = stablehlo.constant dense<2> : tensor<i32>
  %15 = stablehlo.constant dense<3> : tensor<i32>
  %16 = stablehlo.constant dense<3> : tensor<i32>
  %17:3 = stablehlo.custom_call @lapack_cgetrf(%14, %15, %16, %0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x3x3xcomplex<f32>>) -> (tensor<2x3x3xcomplex<f32>>, tensor<2x3xi32>, tensor<2xi32>)
  check.expect_eq_const %17#2, dense<0> : tensor<2xi32>
  check.expect_eq_const %17#1, dense<[[2, 3, 3], [2, 2, 3]]> : tensor<2x3xi32>
  %18 = stablehlo.constant dense<[[(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (1.0, 0.0), (0.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %19 = stablehlo.broadcast_in_dim %18, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %20 = stablehlo.multiply %17#0, %19 : tensor<2x3x3xcomplex<f32>>
  %21 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %22 = stablehlo.broadcast_in_dim %21, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %23 = stablehlo.add %20, %22 : tensor<2x3x3xcomplex<f32>>
  %24 = stablehlo.constant dense<[[(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %25 = stablehlo.broadcast_in_dim %24, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %26 = stablehlo.multiply %17#0, %25 : tensor<2x3x3xcomplex<f32>>
  %27 = stablehlo.dot_general %23, %26, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %28 = stablehlo.constant dense<[[[(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)], [(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)]], [[(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]]> : tensor<2x3x3xcomplex<f32>>
  %29 = stablehlo.dot_general %28, %0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %27, %29, tolerance = 1.0e-5 : tensor<2x3x3xcomplex<f32>>
  return
}

// -----

func.func @zgetrf() {
  %0 = stablehlo.constant dense<[[[(2.0, 1.0), (1.0, -1.0), (0.5, 0.0)], [(4.0, 0.0), (-1.0, 2.0), (3.0, 0.0)], [(1.0, -2.0), (5.0, 0.0), (1.0, 1.0)]], [[(1.0, 0.0), (3.0, 1.0), (-2.0, 0.0)], [(6.0, -2.0), (1.0, 0.0), (1.0, 4.0)], [(2.0, 0.0), (-1.0, 0.0), (8.0, 1.0)]]]> : tensor<2x3x3xcomplex<f64>>
  %1:3 = stablehlo.custom_call @lapack_zgetrf_ffi(%0) {mhlo.backend_config = {}} : (tensor<2x3x3xcomplex<f64>>) -> (tensor<2x3x3xcomplex<f64>>, tensor<2x3xi32>, tensor<2xi32>)
  check.expect_eq_const %1#2, dense<0> : tensor<2xi32>
  check.expect_eq_const %1#1, dense<[[2, 3, 3], [2, 2, 3]]> : tensor<2x3xi32>
  %2 = stablehlo.constant dense<[[(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (1.0, 0.0), (0.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %3 = stablehlo.broadcast_in_dim %2, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %4 = stablehlo.multiply %1#0, %3 : tensor<2x3x3xcomplex<f64>>
  %5 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %6 = stablehlo.broadcast_in_dim %5, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %7 = stablehlo.add %4, %6 : tensor<2x3x3xcomplex<f64>>
  %8 = stablehlo.constant dense<[[(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %9 = stablehlo.broadcast_in_dim %8, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %10 = stablehlo.multiply %1#0, %9 : tensor<2x3x3xcomplex<f64>>
  %11 = stablehlo.dot_general %7, %10, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %12 = stablehlo.constant dense<[[[(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)], [(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)]], [[(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]]> : tensor<2x3x3xcomplex<f64>>
  %13 = stablehlo.dot_general %12, %0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %11, %13, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  // The older form.
  %14 = stablehlo.constant dense<2> : tensor<i32>
  %15 = stablehlo.constant dense<3> : tensor<i32>
  %16 = stablehlo.constant dense<3> : tensor<i32>
  %17:3 = stablehlo.custom_call @lapack_zgetrf(%14, %15, %16, %0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x3x3xcomplex<f64>>) -> (tensor<2x3x3xcomplex<f64>>, tensor<2x3xi32>, tensor<2xi32>)
  check.expect_eq_const %17#2, dense<0> : tensor<2xi32>
  check.expect_eq_const %17#1, dense<[[2, 3, 3], [2, 2, 3]]> : tensor<2x3xi32>
  %18 = stablehlo.constant dense<[[(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (1.0, 0.0), (0.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %19 = stablehlo.broadcast_in_dim %18, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %20 = stablehlo.multiply %17#0, %19 : tensor<2x3x3xcomplex<f64>>
  %21 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %22 = stablehlo.broadcast_in_dim %21, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %23 = stablehlo.add %20, %22 : tensor<2x3x3xcomplex<f64>>
  %24 = stablehlo.constant dense<[[(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %25 = stablehlo.broadcast_in_dim %24, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %26 = stablehlo.multiply %17#0, %25 : tensor<2x3x3xcomplex<f64>>
  %27 = stablehlo.dot_general %23, %26, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %28 = stablehlo.constant dense<[[[(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)], [(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)]], [[(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]]> : tensor<2x3x3xcomplex<f64>>
  %29 = stablehlo.dot_general %28, %0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %27, %29, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  return
}
