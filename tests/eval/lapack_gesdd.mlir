// gesdd and gesvd: a = u s v^H.
// In the four types of number, by the newer and the older name, on two matrices at once: what comes out, multiplied again, is what went in.
// RUN: stablehlo-translate --interpret -split-input-file %s

func.func @sgesdd() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0, 0.5], [3.0, -1.0, 2.0], [0.0, 4.0, 1.0], [2.0, 1.0, -3.0]], [[1.0, 0.0, 1.0], [-1.0, 3.0, 2.0], [4.0, 1.0, 1.0], [0.5, -2.0, 2.0]]]> : tensor<2x4x3xf32>
  %1:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%0) {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<2x3xf32>, tensor<2x4x3xf32>, tensor<2x3x3xf32>, tensor<2xi32>)
  check.expect_eq_const %1#4, dense<0> : tensor<2xi32>
  %2 = stablehlo.transpose %1#2, dims = [0, 2, 1] : (tensor<2x4x3xf32>) -> tensor<2x3x4xf32>
  %3 = stablehlo.dot_general %2, %1#2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x3xf32>) -> tensor<2x3x3xf32>
  %4 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  check.expect_almost_eq %3, %5, tolerance = 1.0e-5 : tensor<2x3x3xf32>
  %6 = stablehlo.transpose %1#3, dims = [0, 2, 1] : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %7 = stablehlo.dot_general %1#3, %6, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %8 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  check.expect_almost_eq %7, %9, tolerance = 1.0e-5 : tensor<2x3x3xf32>
  %10 = stablehlo.broadcast_in_dim %1#1, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x4x3xf32>
  %11 = stablehlo.multiply %1#2, %10 : tensor<2x4x3xf32>
  %12 = stablehlo.dot_general %11, %1#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xf32>, tensor<2x3x3xf32>) -> tensor<2x4x3xf32>
  check.expect_almost_eq %12, %0, tolerance = 1.0e-5 : tensor<2x4x3xf32>
  %13:5 = stablehlo.custom_call @lapack_sgesvd_ffi(%0) {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<2x3xf32>, tensor<2x4x3xf32>, tensor<2x3x3xf32>, tensor<2xi32>)
  check.expect_eq_const %13#4, dense<0> : tensor<2xi32>
  %14 = stablehlo.transpose %13#2, dims = [0, 2, 1] : (tensor<2x4x3xf32>) -> tensor<2x3x4xf32>
  %15 = stablehlo.dot_general %14, %13#2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x3xf32>) -> tensor<2x3x3xf32>
  %16 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %17 = stablehlo.broadcast_in_dim %16, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  check.expect_almost_eq %15, %17, tolerance = 1.0e-5 : tensor<2x3x3xf32>
  %18 = stablehlo.transpose %13#3, dims = [0, 2, 1] : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %19 = stablehlo.dot_general %13#3, %18, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %20 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %21 = stablehlo.broadcast_in_dim %20, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  check.expect_almost_eq %19, %21, tolerance = 1.0e-5 : tensor<2x3x3xf32>
  %22 = stablehlo.broadcast_in_dim %13#1, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x4x3xf32>
  %23 = stablehlo.multiply %13#2, %22 : tensor<2x4x3xf32>
  %24 = stablehlo.dot_general %23, %13#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xf32>, tensor<2x3x3xf32>) -> tensor<2x4x3xf32>
  check.expect_almost_eq %24, %0, tolerance = 1.0e-5 : tensor<2x4x3xf32>
  // The older form, with all vectors.
  %25 = stablehlo.constant dense<1> : tensor<i32>
  %26 = stablehlo.constant dense<1> : tensor<i32>
  %27 = stablehlo.constant dense<2> : tensor<i32>
  %28 = stablehlo.constant dense<4> : tensor<i32>
  %29 = stablehlo.constant dense<3> : tensor<i32>
  %30 = stablehlo.constant dense<268> : tensor<i32>
  %31:7 = stablehlo.custom_call @lapack_sgesdd(%25, %26, %27, %28, %29, %30, %0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<2x3xf32>, tensor<2x4x4xf32>, tensor<2x3x3xf32>, tensor<2xi32>, tensor<24xi32>, tensor<268xf32>)
  check.expect_eq_const %31#4, dense<0> : tensor<2xi32>
  %32 = stablehlo.transpose %31#2, dims = [0, 2, 1] : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %33 = stablehlo.dot_general %32, %31#2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %34 = stablehlo.constant dense<[[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]> : tensor<4x4xf32>
  %35 = stablehlo.broadcast_in_dim %34, dims = [1, 2] : (tensor<4x4xf32>) -> tensor<2x4x4xf32>
  check.expect_almost_eq %33, %35, tolerance = 1.0e-5 : tensor<2x4x4xf32>
  %36 = stablehlo.transpose %31#3, dims = [0, 2, 1] : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %37 = stablehlo.dot_general %31#3, %36, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %38 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %39 = stablehlo.broadcast_in_dim %38, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  check.expect_almost_eq %37, %39, tolerance = 1.0e-5 : tensor<2x3x3xf32>
  %40 = stablehlo.slice %31#2 [0:2, 0:4, 0:3] : (tensor<2x4x4xf32>) -> tensor<2x4x3xf32>
  %41 = stablehlo.broadcast_in_dim %31#1, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x4x3xf32>
  %42 = stablehlo.multiply %40, %41 : tensor<2x4x3xf32>
  %43 = stablehlo.dot_general %42, %31#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xf32>, tensor<2x3x3xf32>) -> tensor<2x4x3xf32>
  check.expect_almost_eq %43, %0, tolerance = 1.0e-5 : tensor<2x4x3xf32>
  return
}

// -----

func.func @dgesdd() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0, 0.5], [3.0, -1.0, 2.0], [0.0, 4.0, 1.0], [2.0, 1.0, -3.0]], [[1.0, 0.0, 1.0], [-1.0, 3.0, 2.0], [4.0, 1.0, 1.0], [0.5, -2.0, 2.0]]]> : tensor<2x4x3xf64>
  %1:5 = stablehlo.custom_call @lapack_dgesdd_ffi(%0) {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<2x4x3xf64>) -> (tensor<2x4x3xf64>, tensor<2x3xf64>, tensor<2x4x3xf64>, tensor<2x3x3xf64>, tensor<2xi32>)
  check.expect_eq_const %1#4, dense<0> : tensor<2xi32>
  %2 = stablehlo.transpose %1#2, dims = [0, 2, 1] : (tensor<2x4x3xf64>) -> tensor<2x3x4xf64>
  %3 = stablehlo.dot_general %2, %1#2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf64>, tensor<2x4x3xf64>) -> tensor<2x3x3xf64>
  %4 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %5 = stablehlo.broadcast_in_dim %4, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  check.expect_almost_eq %3, %5, tolerance = 1.0e-13 : tensor<2x3x3xf64>
  %6 = stablehlo.transpose %1#3, dims = [0, 2, 1] : (tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %7 = stablehlo.dot_general %1#3, %6, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %8 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %9 = stablehlo.broadcast_in_dim %8, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  check.expect_almost_eq %7, %9, tolerance = 1.0e-13 : tensor<2x3x3xf64>
  %10 = stablehlo.broadcast_in_dim %1#1, dims = [0, 2] : (tensor<2x3xf64>) -> tensor<2x4x3xf64>
  %11 = stablehlo.multiply %1#2, %10 : tensor<2x4x3xf64>
  %12 = stablehlo.dot_general %11, %1#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xf64>, tensor<2x3x3xf64>) -> tensor<2x4x3xf64>
  check.expect_almost_eq %12, %0, tolerance = 1.0e-13 : tensor<2x4x3xf64>
  %13:5 = stablehlo.custom_call @lapack_dgesvd_ffi(%0) {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<2x4x3xf64>) -> (tensor<2x4x3xf64>, tensor<2x3xf64>, tensor<2x4x3xf64>, tensor<2x3x3xf64>, tensor<2xi32>)
  check.expect_eq_const %13#4, dense<0> : tensor<2xi32>
  %14 = stablehlo.transpose %13#2, dims = [0, 2, 1] : (tensor<2x4x3xf64>) -> tensor<2x3x4xf64>
  %15 = stablehlo.dot_general %14, %13#2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf64>, tensor<2x4x3xf64>) -> tensor<2x3x3xf64>
  %16 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %17 = stablehlo.broadcast_in_dim %16, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  check.expect_almost_eq %15, %17, tolerance = 1.0e-13 : tensor<2x3x3xf64>
  %18 = stablehlo.transpose %13#3, dims = [0, 2, 1] : (tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %19 = stablehlo.dot_general %13#3, %18, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %20 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %21 = stablehlo.broadcast_in_dim %20, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  check.expect_almost_eq %19, %21, tolerance = 1.0e-13 : tensor<2x3x3xf64>
  %22 = stablehlo.broadcast_in_dim %13#1, dims = [0, 2] : (tensor<2x3xf64>) -> tensor<2x4x3xf64>
  %23 = stablehlo.multiply %13#2, %22 : tensor<2x4x3xf64>
  %24 = stablehlo.dot_general %23, %13#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xf64>, tensor<2x3x3xf64>) -> tensor<2x4x3xf64>
  check.expect_almost_eq %24, %0, tolerance = 1.0e-13 : tensor<2x4x3xf64>
  // The older form, with all vectors.
  %25 = stablehlo.constant dense<1> : tensor<i32>
  %26 = stablehlo.constant dense<1> : tensor<i32>
  %27 = stablehlo.constant dense<2> : tensor<i32>
  %28 = stablehlo.constant dense<4> : tensor<i32>
  %29 = stablehlo.constant dense<3> : tensor<i32>
  %30 = stablehlo.constant dense<268> : tensor<i32>
  %31:7 = stablehlo.custom_call @lapack_dgesdd(%25, %26, %27, %28, %29, %30, %0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x4x3xf64>) -> (tensor<2x4x3xf64>, tensor<2x3xf64>, tensor<2x4x4xf64>, tensor<2x3x3xf64>, tensor<2xi32>, tensor<24xi32>, tensor<268xf64>)
  check.expect_eq_const %31#4, dense<0> : tensor<2xi32>
  %32 = stablehlo.transpose %31#2, dims = [0, 2, 1] : (tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
  %33 = stablehlo.dot_general %32, %31#2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x4xf64>, tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
  %34 = stablehlo.constant dense<[[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]> : tensor<4x4xf64>
  %35 = stablehlo.broadcast_in_dim %34, dims = [1, 2] : (tensor<4x4xf64>) -> tensor<2x4x4xf64>
  check.expect_almost_eq %33, %35, tolerance = 1.0e-13 : tensor<2x4x4xf64>
  %36 = stablehlo.transpose %31#3, dims = [0, 2, 1] : (tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %37 = stablehlo.dot_general %31#3, %36, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %38 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %39 = stablehlo.broadcast_in_dim %38, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  check.expect_almost_eq %37, %39, tolerance = 1.0e-13 : tensor<2x3x3xf64>
  %40 = stablehlo.slice %31#2 [0:2, 0:4, 0:3] : (tensor<2x4x4xf64>) -> tensor<2x4x3xf64>
  %41 = stablehlo.broadcast_in_dim %31#1, dims = [0, 2] : (tensor<2x3xf64>) -> tensor<2x4x3xf64>
  %42 = stablehlo.multiply %40, %41 : tensor<2x4x3xf64>
  %43 = stablehlo.dot_general %42, %31#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xf64>, tensor<2x3x3xf64>) -> tensor<2x4x3xf64>
  check.expect_almost_eq %43, %0, tolerance = 1.0e-13 : tensor<2x4x3xf64>
  return
}

// -----

func.func @cgesdd() {
  %0 = stablehlo.constant dense<[[[(1.0, 0.0), (2.0, 1.0), (0.5, 0.0)], [(3.0, -1.0), (-1.0, 0.0), (2.0, 0.0)], [(0.0, 0.0), (4.0, 0.0), (1.0, 2.0)], [(2.0, 0.0), (1.0, 1.0), (-3.0, 0.0)]], [[(1.0, 2.0), (0.0, 0.0), (1.0, 0.0)], [(-1.0, 0.0), (3.0, 0.0), (2.0, -1.0)], [(4.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.5, 0.0), (-2.0, 0.0), (2.0, 1.0)]]]> : tensor<2x4x3xcomplex<f32>>
  %1:5 = stablehlo.custom_call @lapack_cgesdd_ffi(%0) {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<2x4x3xcomplex<f32>>) -> (tensor<2x4x3xcomplex<f32>>, tensor<2x3xf32>, tensor<2x4x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>, tensor<2xi32>)
  check.expect_eq_const %1#4, dense<0> : tensor<2xi32>
  %2 = stablehlo.real %1#2 : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x4x3xf32>
  %3 = stablehlo.imag %1#2 : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x4x3xf32>
  %4 = stablehlo.negate %3 : tensor<2x4x3xf32>
  %5 = stablehlo.complex %2, %4 : tensor<2x4x3xcomplex<f32>>
  %6 = stablehlo.transpose %5, dims = [0, 2, 1] : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x3x4xcomplex<f32>>
  %7 = stablehlo.dot_general %6, %1#2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xcomplex<f32>>, tensor<2x4x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %8 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %9 = stablehlo.broadcast_in_dim %8, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %7, %9, tolerance = 1.0e-5 : tensor<2x3x3xcomplex<f32>>
  %10 = stablehlo.real %1#3 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %11 = stablehlo.imag %1#3 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %12 = stablehlo.negate %11 : tensor<2x3x3xf32>
  %13 = stablehlo.complex %10, %12 : tensor<2x3x3xcomplex<f32>>
  %14 = stablehlo.transpose %13, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %15 = stablehlo.dot_general %1#3, %14, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %16 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %17 = stablehlo.broadcast_in_dim %16, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %15, %17, tolerance = 1.0e-5 : tensor<2x3x3xcomplex<f32>>
  %18 = stablehlo.convert %1#1 : (tensor<2x3xf32>) -> tensor<2x3xcomplex<f32>>
  %19 = stablehlo.broadcast_in_dim %18, dims = [0, 2] : (tensor<2x3xcomplex<f32>>) -> tensor<2x4x3xcomplex<f32>>
  %20 = stablehlo.multiply %1#2, %19 : tensor<2x4x3xcomplex<f32>>
  %21 = stablehlo.dot_general %20, %1#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x4x3xcomplex<f32>>
  check.expect_almost_eq %21, %0, tolerance = 1.0e-5 : tensor<2x4x3xcomplex<f32>>
  %22:5 = stablehlo.custom_call @lapack_cgesvd_ffi(%0) {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<2x4x3xcomplex<f32>>) -> (tensor<2x4x3xcomplex<f32>>, tensor<2x3xf32>, tensor<2x4x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>, tensor<2xi32>)
  check.expect_eq_const %22#4, dense<0> : tensor<2xi32>
  %23 = stablehlo.real %22#2 : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x4x3xf32>
  %24 = stablehlo.imag %22#2 : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x4x3xf32>
  %25 = stablehlo.negate %24 : tensor<2x4x3xf32>
  %26 = stablehlo.complex %23, %25 : tensor<2x4x3xcomplex<f32>>
  %27 = stablehlo.transpose %26, dims = [0, 2, 1] : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x3x4xcomplex<f32>>
  %28 = stablehlo.dot_general %27, %22#2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xcomplex<f32>>, tensor<2x4x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %29 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %30 = stablehlo.broadcast_in_dim %29, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %28, %30, tolerance = 1.0e-5 : tensor<2x3x3xcomplex<f32>>
  %31 = stablehlo.real %22#3 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %32 = stablehlo.imag %22#3 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %33 = stablehlo.negate %32 : tensor<2x3x3xf32>
  %34 = stablehlo.complex %31, %33 : tensor<2x3x3xcomplex<f32>>
  %35 = stablehlo.transpose %34, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %36 = stablehlo.dot_general %22#3, %35, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %37 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %38 = stablehlo.broadcast_in_dim %37, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %36, %38, tolerance = 1.0e-5 : tensor<2x3x3xcomplex<f32>>
  %39 = stablehlo.convert %22#1 : (tensor<2x3xf32>) -> tensor<2x3xcomplex<f32>>
  %40 = stablehlo.broadcast_in_dim %39, dims = [0, 2] : (tensor<2x3xcomplex<f32>>) -> tensor<2x4x3xcomplex<f32>>
  %41 = stablehlo.multiply %22#2, %40 : tensor<2x4x3xcomplex<f32>>
  %42 = stablehlo.dot_general %41, %22#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x4x3xcomplex<f32>>
  check.expect_almost_eq %42, %0, tolerance = 1.0e-5 : tensor<2x4x3xcomplex<f32>>
  // The older form, with all vectors.
  %43 = stablehlo.constant dense<1> : tensor<i32>
  %44 = stablehlo.constant dense<1> : tensor<i32>
  %45 = stablehlo.constant dense<2> : tensor<i32>
  %46 = stablehlo.constant dense<4> : tensor<i32>
  %47 = stablehlo.constant dense<3> : tensor<i32>
  %48 = stablehlo.constant dense<268> : tensor<i32>
  %49:8 = stablehlo.custom_call @lapack_cgesdd(%43, %44, %45, %46, %47, %48, %0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x4x3xcomplex<f32>>) -> (tensor<2x4x3xcomplex<f32>>, tensor<2x3xf32>, tensor<2x4x4xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>, tensor<2xi32>, tensor<24xi32>, tensor<90xf32>, tensor<268xcomplex<f32>>)
  check.expect_eq_const %49#4, dense<0> : tensor<2xi32>
  %50 = stablehlo.real %49#2 : (tensor<2x4x4xcomplex<f32>>) -> tensor<2x4x4xf32>
  %51 = stablehlo.imag %49#2 : (tensor<2x4x4xcomplex<f32>>) -> tensor<2x4x4xf32>
  %52 = stablehlo.negate %51 : tensor<2x4x4xf32>
  %53 = stablehlo.complex %50, %52 : tensor<2x4x4xcomplex<f32>>
  %54 = stablehlo.transpose %53, dims = [0, 2, 1] : (tensor<2x4x4xcomplex<f32>>) -> tensor<2x4x4xcomplex<f32>>
  %55 = stablehlo.dot_general %54, %49#2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x4xcomplex<f32>>, tensor<2x4x4xcomplex<f32>>) -> tensor<2x4x4xcomplex<f32>>
  %56 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<4x4xcomplex<f32>>
  %57 = stablehlo.broadcast_in_dim %56, dims = [1, 2] : (tensor<4x4xcomplex<f32>>) -> tensor<2x4x4xcomplex<f32>>
  check.expect_almost_eq %55, %57, tolerance = 1.0e-5 : tensor<2x4x4xcomplex<f32>>
  %58 = stablehlo.real %49#3 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %59 = stablehlo.imag %49#3 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %60 = stablehlo.negate %59 : tensor<2x3x3xf32>
  %61 = stablehlo.complex %58, %60 : tensor<2x3x3xcomplex<f32>>
  %62 = stablehlo.transpose %61, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %63 = stablehlo.dot_general %49#3, %62, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %64 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %65 = stablehlo.broadcast_in_dim %64, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %63, %65, tolerance = 1.0e-5 : tensor<2x3x3xcomplex<f32>>
  %66 = stablehlo.slice %49#2 [0:2, 0:4, 0:3] : (tensor<2x4x4xcomplex<f32>>) -> tensor<2x4x3xcomplex<f32>>
  %67 = stablehlo.convert %49#1 : (tensor<2x3xf32>) -> tensor<2x3xcomplex<f32>>
  %68 = stablehlo.broadcast_in_dim %67, dims = [0, 2] : (tensor<2x3xcomplex<f32>>) -> tensor<2x4x3xcomplex<f32>>
  %69 = stablehlo.multiply %66, %68 : tensor<2x4x3xcomplex<f32>>
  %70 = stablehlo.dot_general %69, %49#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x4x3xcomplex<f32>>
  check.expect_almost_eq %70, %0, tolerance = 1.0e-5 : tensor<2x4x3xcomplex<f32>>
  return
}

// -----

func.func @zgesdd() {
  %0 = stablehlo.constant dense<[[[(1.0, 0.0), (2.0, 1.0), (0.5, 0.0)], [(3.0, -1.0), (-1.0, 0.0), (2.0, 0.0)], [(0.0, 0.0), (4.0, 0.0), (1.0, 2.0)], [(2.0, 0.0), (1.0, 1.0), (-3.0, 0.0)]], [[(1.0, 2.0), (0.0, 0.0), (1.0, 0.0)], [(-1.0, 0.0), (3.0, 0.0), (2.0, -1.0)], [(4.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.5, 0.0), (-2.0, 0.0), (2.0, 1.0)]]]> : tensor<2x4x3xcomplex<f64>>
  %1:5 = stablehlo.custom_call @lapack_zgesdd_ffi(%0) {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<2x4x3xcomplex<f64>>) -> (tensor<2x4x3xcomplex<f64>>, tensor<2x3xf64>, tensor<2x4x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>, tensor<2xi32>)
  check.expect_eq_const %1#4, dense<0> : tensor<2xi32>
  %2 = stablehlo.real %1#2 : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x4x3xf64>
  %3 = stablehlo.imag %1#2 : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x4x3xf64>
  %4 = stablehlo.negate %3 : tensor<2x4x3xf64>
  %5 = stablehlo.complex %2, %4 : tensor<2x4x3xcomplex<f64>>
  %6 = stablehlo.transpose %5, dims = [0, 2, 1] : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x3x4xcomplex<f64>>
  %7 = stablehlo.dot_general %6, %1#2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xcomplex<f64>>, tensor<2x4x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %8 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %9 = stablehlo.broadcast_in_dim %8, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %7, %9, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  %10 = stablehlo.real %1#3 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %11 = stablehlo.imag %1#3 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %12 = stablehlo.negate %11 : tensor<2x3x3xf64>
  %13 = stablehlo.complex %10, %12 : tensor<2x3x3xcomplex<f64>>
  %14 = stablehlo.transpose %13, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %15 = stablehlo.dot_general %1#3, %14, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %16 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %17 = stablehlo.broadcast_in_dim %16, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %15, %17, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  %18 = stablehlo.convert %1#1 : (tensor<2x3xf64>) -> tensor<2x3xcomplex<f64>>
  %19 = stablehlo.broadcast_in_dim %18, dims = [0, 2] : (tensor<2x3xcomplex<f64>>) -> tensor<2x4x3xcomplex<f64>>
  %20 = stablehlo.multiply %1#2, %19 : tensor<2x4x3xcomplex<f64>>
  %21 = stablehlo.dot_general %20, %1#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x4x3xcomplex<f64>>
  check.expect_almost_eq %21, %0, tolerance = 1.0e-13 : tensor<2x4x3xcomplex<f64>>
  %22:5 = stablehlo.custom_call @lapack_zgesvd_ffi(%0) {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<2x4x3xcomplex<f64>>) -> (tensor<2x4x3xcomplex<f64>>, tensor<2x3xf64>, tensor<2x4x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>, tensor<2xi32>)
  check.expect_eq_const %22#4, dense<0> : tensor<2xi32>
  %23 = stablehlo.real %22#2 : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x4x3xf64>
  %24 = stablehlo.imag %22#2 : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x4x3xf64>
  %25 = stablehlo.negate %24 : tensor<2x4x3xf64>
  %26 = stablehlo.complex %23, %25 : tensor<2x4x3xcomplex<f64>>
  %27 = stablehlo.transpose %26, dims = [0, 2, 1] : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x3x4xcomplex<f64>>
  %28 = stablehlo.dot_general %27, %22#2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xcomplex<f64>>, tensor<2x4x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %29 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %30 = stablehlo.broadcast_in_dim %29, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %28, %30, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  %31 = stablehlo.real %22#3 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %32 = stablehlo.imag %22#3 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %33 = stablehlo.negate %32 : tensor<2x3x3xf64>
  %34 = stablehlo.complex %31, %33 : tensor<2x3x3xcomplex<f64>>
  %35 = stablehlo.transpose %34, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %36 = stablehlo.dot_general %22#3, %35, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %37 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %38 = stablehlo.broadcast_in_dim %37, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %36, %38, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  %39 = stablehlo.convert %22#1 : (tensor<2x3xf64>) -> tensor<2x3xcomplex<f64>>
  %40 = stablehlo.broadcast_in_dim %39, dims = [0, 2] : (tensor<2x3xcomplex<f64>>) -> tensor<2x4x3xcomplex<f64>>
  %41 = stablehlo.multiply %22#2, %40 : tensor<2x4x3xcomplex<f64>>
  %42 = stablehlo.dot_general %41, %22#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x4x3xcomplex<f64>>
  check.expect_almost_eq %42, %0, tolerance = 1.0e-13 : tensor<2x4x3xcomplex<f64>>
  // The older form, with all vectors.
  %43 = stablehlo.constant dense<1> : tensor<i32>
  %44 = stablehlo.constant dense<1> : tensor<i32>
  %45 = stablehlo.constant dense<2> : tensor<i32>
  %46 = stablehlo.constant dense<4> : tensor<i32>
  %47 = stablehlo.constant dense<3> : tensor<i32>
  %48 = stablehlo.constant dense<268> : tensor<i32>
  %49:8 = stablehlo.custom_call @lapack_zgesdd(%43, %44, %45, %46, %47, %48, %0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x4x3xcomplex<f64>>) -> (tensor<2x4x3xcomplex<f64>>, tensor<2x3xf64>, tensor<2x4x4xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>, tensor<2xi32>, tensor<24xi32>, tensor<90xf64>, tensor<268xcomplex<f64>>)
  check.expect_eq_const %49#4, dense<0> : tensor<2xi32>
  %50 = stablehlo.real %49#2 : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x4xf64>
  %51 = stablehlo.imag %49#2 : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x4xf64>
  %52 = stablehlo.negate %51 : tensor<2x4x4xf64>
  %53 = stablehlo.complex %50, %52 : tensor<2x4x4xcomplex<f64>>
  %54 = stablehlo.transpose %53, dims = [0, 2, 1] : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>>
  %55 = stablehlo.dot_general %54, %49#2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>>
  %56 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<4x4xcomplex<f64>>
  %57 = stablehlo.broadcast_in_dim %56, dims = [1, 2] : (tensor<4x4xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>>
  check.expect_almost_eq %55, %57, tolerance = 1.0e-13 : tensor<2x4x4xcomplex<f64>>
  %58 = stablehlo.real %49#3 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %59 = stablehlo.imag %49#3 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %60 = stablehlo.negate %59 : tensor<2x3x3xf64>
  %61 = stablehlo.complex %58, %60 : tensor<2x3x3xcomplex<f64>>
  %62 = stablehlo.transpose %61, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %63 = stablehlo.dot_general %49#3, %62, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %64 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %65 = stablehlo.broadcast_in_dim %64, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %63, %65, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  %66 = stablehlo.slice %49#2 [0:2, 0:4, 0:3] : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x3xcomplex<f64>>
  %67 = stablehlo.convert %49#1 : (tensor<2x3xf64>) -> tensor<2x3xcomplex<f64>>
  %68 = stablehlo.broadcast_in_dim %67, dims = [0, 2] : (tensor<2x3xcomplex<f64>>) -> tensor<2x4x3xcomplex<f64>>
  %69 = stablehlo.multiply %66, %68 : tensor<2x4x3xcomplex<f64>>
  %70 = stablehlo.dot_general %69, %49#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x4x3xcomplex<f64>>
  check.expect_almost_eq %70, %0, tolerance = 1.0e-13 : tensor<2x4x3xcomplex<f64>>
  return
}
