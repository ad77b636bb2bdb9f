// geqrf and orgqr, ungqr: a = q r with q^H q = 1.
// In the four types of number, by the newer and the older name, on two matrices at once: what comes out, multiplied again, is what went in.
// RUN: stablehlo-translate --interpret -split-input-file %s

func.func @sgeqrf() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0, 0.5], [3.0, -1.0, 2.0], [0.0, 4.0, 1.0], [2.0, 1.0, -3.0]], [[1.0, 0.0, 1.0], [-1.0, 3.0, 2.0], [4.0, 1.0, 1.0], [0.5, -2.0, 2.0]]]> : tensor<2x4x3xf32>
  %1:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%0) {mhlo.backend_config = {}} : (tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<2x3xf32>)
  %2 = stablehlo.custom_call @lapack_sorgqr_ffi(%1#0, %1#1) {mhlo.backend_config = {}} : (tensor<2x4x3xf32>, tensor<2x3xf32>) -> tensor<2x4x3xf32>
  %3 = stablehlo.transpose %2, dims = [0, 2, 1] : (tensor<2x4x3xf32>) -> tensor<2x3x4xf32>
  %4 = stablehlo.dot_general %3, %2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x3xf32>) -> tensor<2x3x3xf32>
  %5 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  check.expect_almost_eq %4, %6, tolerance = 1.0e-5 : tensor<2x3x3xf32>
  %7 = stablehlo.slice %1#0 [0:2, 0:3, 0:3] : (tensor<2x4x3xf32>) -> tensor<2x3x3xf32>
  %8 = stablehlo.constant dense<[[1.0, 1.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %10 = stablehlo.multiply %7, %9 : tensor<2x3x3xf32>
  %11 = stablehlo.dot_general %2, %10, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xf32>, tensor<2x3x3xf32>) -> tensor<2x4x3xf32>
  check.expect_almost_eq %11, %0, tolerance = 1.0e-5 : tensor<2x4x3xf32>
  // The older forms.
  %12 = stablehlo.constant dense<2> : tensor<i32>
  %13 = stablehlo.constant dense<4> : tensor<i32>
  %14 = stablehlo.constant dense<3> : tensor<i32>
  %15 = stablehlo.constant dense<96> : tensor<i32>
  %16:4 = stablehlo.custom_call @lapack_sgeqrf(%12, %13, %14, %15, %0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<2x3xf32>, tensor<2xi32>, tensor<96xf32>)
  check.expect_eq_const %16#2, dense<0> : tensor<2xi32>
  %17 = stablehlo.constant dense<2> : tensor<i32>
  %18 = stablehlo.constant dense<4> : tensor<i32>
  %19 = stablehlo.constant dense<3> : tensor<i32>
  %20 = stablehlo.constant dense<3> : tensor<i32>
  %21 = stablehlo.constant dense<96> : tensor<i32>
  %22:3 = stablehlo.custom_call @lapack_sorgqr(%17, %18, %19, %20, %21, %16#0, %16#1) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x4x3xf32>, tensor<2x3xf32>) -> (tensor<2x4x3xf32>, tensor<2xi32>, tensor<96xf32>)
  check.expect_eq_const %22#1, dense<0> : tensor<2xi32>
  %23 = stablehlo.transpose %22#0, dims = [0, 2, 1] : (tensor<2x4x3xf32>) -> tensor<2x3x4xf32>
  %24 = stablehlo.dot_general %23, %22#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x3xf32>) -> tensor<2x3x3xf32>
  %25 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %26 = stablehlo.broadcast_in_dim %25, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  check.expect_almost_eq %24, %26, tolerance = 1.0e-5 : tensor<2x3x3xf32>
  %27 = stablehlo.slice %16#0 [0:2, 0:3, 0:3] : (tensor<2x4x3xf32>) -> tensor<2x3x3xf32>
  %28 = stablehlo.constant dense<[[1.0, 1.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %29 = stablehlo.broadcast_in_dim %28, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %30 = stablehlo.multiply %27, %29 : tensor<2x3x3xf32>
  %31 = stablehlo.dot_general %22#0, %30, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xf32>, tensor<2x3x3xf32>) -> tensor<2x4x3xf32>
  check.expect_almost_eq %31, %0, tolerance = 1.0e-5 : tensor<2x4x3xf32>
  return
}

// -----

func.func @dgeqrf() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0, 0.5], [3.0, -1.0, 2.0], [0.0, 4.0, 1.0], [2.0, 1.0, -3.0]], [[1.0, 0.0, 1.0], [-1.0, 3.0, 2.0], [4.0, 1.0, 1.0], [0.5, -2.0, 2.0]]]> : tensor<2x4x3xf64>
  %1:2 = stablehlo.custom_call @lapack_dgeqrf_ffi(%0) {mhlo.backend_config = {}} : (tensor<2x4x3xf64>) -> (tensor<2x4x3xf64>, tensor<2x3xf64>)
  %2 = stablehlo.custom_call @lapack_dorgqr_ffi(%1#0, %1#1) {mhlo.backend_config = {}} : (tensor<2x4x3xf64>, tensor<2x3xf64>) -> tensor<2x4x3xf64>
  %3 = stablehlo.transpose %2, dims = [0, 2, 1] : (tensor<2x4x3xf64>) -> tensor<2x3x4xf64>
  %4 = stablehlo.dot_general %3, %2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf64>, tensor<2x4x3xf64>) -> tensor<2x3x3xf64>
  %5 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %6 = stablehlo.broadcast_in_dim %5, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  check.expect_almost_eq %4, %6, tolerance = 1.0e-13 : tensor<2x3x3xf64>
  %7 = stablehlo.slice %1#0 [0:2, 0:3, 0:3] : (tensor<2x4x3xf64>) -> tensor<2x3x3xf64>
  %8 = stablehlo.constant dense<[[1.0, 1.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %9 = stablehlo.broadcast_in_dim %8, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %10 = stablehlo.multiply %7, %9 : tensor<2x3x3xf64>
  %11 = stablehlo.dot_general %2, %10, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xf64>, tensor<2x3x3xf64>) -> tensor<2x4x3xf64>
  check.expect_almost_eq %11, %0, tolerance = 1.0e-13 : tensor<2x4x3xf64>
  // The older forms.
  %12 = stablehlo.constant dense<2> : tensor<i32>
  %13 = stablehlo.constant dense<4> : tensor<i32>
  %14 = stablehlo.constant dense<3> : tensor<i32>
  %15 = stablehlo.constant dense<96> : tensor<i32>
  %16:4 = stablehlo.custom_call @lapack_dgeqrf(%12, %13, %14, %15, %0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x4x3xf64>) -> (tensor<2x4x3xf64>, tensor<2x3xf64>, tensor<2xi32>, tensor<96xf64>)
  check.expect_eq_const %16#2, dense<0> : tensor<2xi32>
  %17 = stablehlo.constant dense<2> : tensor<i32>
  %18 = stablehlo.constant dense<4> : tensor<i32>
  %19 = stablehlo.constant dense<3> : tensor<i32>
  %20 = stablehlo.constant dense<3> : tensor<i32>
  %21 = stablehlo.constant dense<96> : tensor<i32>
  %22:3 = stablehlo.custom_call @lapack_dorgqr(%17, %18, %19, %20, %21, %16#0, %16#1) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x4x3xf64>, tensor<2x3xf64>) -> (tensor<2x4x3xf64>, tensor<2xi32>, tensor<96xf64>)
  check.expect_eq_const %22#1, dense<0> : tensor<2xi32>
  %23 = stablehlo.transpose %22#0, dims = [0, 2, 1] : (tensor<2x4x3xf64>) -> tensor<2x3x4xf64>
  %24 = stablehlo.dot_general %23, %22#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf64>, tensor<2x4x3xf64>) -> tensor<2x3x3xf64>
  %25 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %26 = stablehlo.broadcast_in_dim %25, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  check.expect_almost_eq %24, %26, tolerance = 1.0e-13 : tensor<2x3x3xf64>
  %27 = stablehlo.slice %16#0 [0:2, 0:3, 0:3] : (tensor<2x4x3xf64>) -> tensor<2x3x3xf64>
  %28 = stablehlo.constant dense<[[1.0, 1.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %29 = stablehlo.broadcast_in_dim %28, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %30 = stablehlo.multiply %27, %29 : tensor<2x3x3xf64>
  %31 = stablehlo.dot_general %22#0, %30, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xf64>, tensor<2x3x3xf64>) -> tensor<2x4x3xf64>
  check.expect_almost_eq %31, %0, tolerance = 1.0e-13 : tensor<2x4x3xf64>
  return
}

// -----

func.func @cgeqrf() {
  %0 = stablehlo.constant dense<[[[(1.0, 0.0), (2.0, 1.0), (0.5, 0.0)], [(3.0, -1.0), (-1.0, 0.0), (2.0, 0.0)], [(0.0, 0.0), (4.0, 0.0), (1.0, 2.0)], [(2.0, 0.0), (1.0, 1.0), (-3.0, 0.0)]], [[(1.0, 2.0), (0.0, 0.0), (1.0, 0.0)], [(-1.0, 0.0), (3.0, 0.0), (2.0, -1.0)], [(4.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.5, 0.0), (-2.0, 0.0), (2.0, 1.0)]]]> : tensor<2x4x3xcomplex<f32>>
  %1:2 = stablehlo.custom_call @lapack_cgeqrf_ffi(%0) {mhlo.backend_config = {}} : (tensor<2x4x3xcomplex<f32>>) -> (tensor<2x4x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>)
  %2 = stablehlo.custom_call @lapack_cungqr_ffi(%1#0, %1#1) {mhlo.backend_config = {}} : (tensor<2x4x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>) -> tensor<2x4x3xcomplex<f32>>
  %3 = stablehlo.real %2 : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x4x3xf32>
  %4 = stablehlo.imag %2 : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x4x3xf32>
  %5 = stablehlo.negate %4 : tensor<2x4x3xf32>
  %6 = stablehlo.complex %3, %5 : tensor<2x4x3xcomplex<f32>>
  %7 = stablehlo.transpose %6, dims = [0, 2, 1] : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x3x4xcomplex<f32>>
  %8 = stablehlo.dot_general %7, %2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xcomplex<f32>>, tensor<2x4x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %9 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %10 = stablehlo.broadcast_in_dim %9, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %8, %10, tolerance = 1.0e-5 : tensor<2x3x3xcomplex<f32>>
  %11 = stablehlo.slice %1#0 [0:2, 0:3, 0:3] : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %12 = stablehlo.constant dense<[[(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %13 = stablehlo.broadcast_in_dim %12, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %14 = stablehlo.multiply %11, %13 : tensor<2x3x3xcomplex<f32>>
  %15 = stablehlo.dot_general %2, %14, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x4x3xcomplex<f32>>
  check.expect_almost_eq %15, %0, tolerance = 1.0e-5 : tensor<2x4x3xcomplex<f32>>
  // The older forms.
  %16 = stablehlo.constant dense<2> : tensor<i32>
  %17 = stablehlo.constant dense<4> : tensor<i32>
  %18 = stablehlo.constant dense<3> : tensor<i32>
  %19 = stablehlo.constant dense<96> : tensor<i32>
  %20:4 = stablehlo.custom_call @lapack_cgeqrf(%16, %17, %18, %19, %0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x4x3xcomplex<f32>>) -> (tensor<2x4x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<2xi32>, tensor<96xcomplex<f32>>)
  check.expect_eq_const %20#2, dense<0> : tensor<2xi32>
  %21 = stablehlo.constant dense<2> : tensor<i32>
  %22 = stablehlo.constant dense<4> : tensor<i32>
  %23 = stablehlo.constant dense<3> : tensor<i32>
  %24 = stablehlo.constant dense<3> : tensor<i32>
  %25 = stablehlo.constant dense<96> : tensor<i32>
  %26:3 = stablehlo.custom_call @lapack_cungqr(%21, %22, %23, %24, %25, %20#0, %20#1) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x4x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>) -> (tensor<2x4x3xcomplex<f32>>, tensor<2xi32>, tensor<96xcomplex<f32>>)
  check.expect_eq_const %26#1, dense<0> : tensor<2xi32>
  %27 = stablehlo.real %26#0 : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x4x3xf32>
  %28 = stablehlo.imag %26#0 : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x4x3xf32>
  %29 = stablehlo.negate %28 : tensor<2x4x3xf32>
  %30 = stablehlo.complex %27, %29 : tensor<2x4x3xcomplex<f32>>
  %31 = stablehlo.transpose %30, dims = [0, 2, 1] : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x3x4xcomplex<f32>>
  %32 = stablehlo.dot_general %31, %26#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xcomplex<f32>>, tensor<2x4x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %33 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %34 = stablehlo.broadcast_in_dim %33, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %32, %34, tolerance = 1.0e-5 : tensor<2x3x3xcomplex<f32>>
  %35 = stablehlo.slice %20#0 [0:2, 0:3, 0:3] : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %36 = stablehlo.constant dense<[[(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %37 = stablehlo.broadcast_in_dim %36, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %38 = stablehlo.multiply %35, %37 : tensor<2x3x3xcomplex<f32>>
  %39 = stablehlo.dot_general %26#0, %38, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x4x3xcomplex<f32>>
  check.expect_almost_eq %39, %0, tolerance = 1.0e-5 : tensor<2x4x3xcomplex<f32>>
  return
}

// -----

func.func @zgeqrf() {
  %0 = stablehlo.constant dense<[[[(1.0, 0.0), (2.0, 1.0), (0.5, 0.0)], [(3.0, -1.0), (-1.0, 0.0), (2.0, 0.0)], [(0.0, 0.0), (4.0, 0.0), (1.0, 2.0)], [(2.0, 0.0), (1.0, 1.0), (-3.0, 0.0)]], [[(1.0, 2.0), (0.0, 0.0), (1.0, 0.0)], [(-1.0, 0.0), (3.0, 0.0), (2.0, -1.0)], [(4.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.5, 0.0), (-2.0, 0.0), (2.0, 1.0)]]]> : tensor<2x4x3xcomplex<f64>>
  %1:2 = stablehlo.custom_call @lapack_zgeqrf_ffi(%0) {mhlo.backend_config = {}} : (tensor<2x4x3xcomplex<f64>>) -> (tensor<2x4x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>)
  %2 = stablehlo.custom_call @lapack_zungqr_ffi(%1#0, %1#1) {mhlo.backend_config = {}} : (tensor<2x4x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x4x3xcomplex<f64>>
  %3 = stablehlo.real %2 : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x4x3xf64>
  %4 = stablehlo.imag %2 : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x4x3xf64>
  %5 = stablehlo.negate %4 : tensor<2x4x3xf64>
  %6 = stablehlo.complex %3, %5 : tensor<2x4x3xcomplex<f64>>
  %7 = stablehlo.transpose %6, dims = [0, 2, 1] : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x3x4xcomplex<f64>>
  %8 = stablehlo.dot_general %7, %2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xcomplex<f64>>, tensor<2x4x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %9 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %10 = stablehlo.broadcast_in_dim %9, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %8, %10, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  %11 = stablehlo.slice %1#0 [0:2, 0:3, 0:3] : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %12 = stablehlo.constant dense<[[(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %13 = stablehlo.broadcast_in_dim %12, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %14 = stablehlo.multiply %11, %13 : tensor<2x3x3xcomplex<f64>>
  %15 = stablehlo.dot_general %2, %14, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x4x3xcomplex<f64>>
  check.expect_almost_eq %15, %0, tolerance = 1.0e-13 : tensor<2x4x3xcomplex<f64>>
  // The older forms.
  %16 = stablehlo.constant dense<2> : tensor<i32>
  %17 = stablehlo.constant dense<4> : tensor<i32>
  %18 = stablehlo.constant dense<3> : tensor<i32>
  %19 = stablehlo.constant dense<96> : tensor<i32>
  %20:4 = stablehlo.custom_call @lapack_zgeqrf(%16, %17, %18, %19, %0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x4x3xcomplex<f64>>) -> (tensor<2x4x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>, tensor<2xi32>, tensor<96xcomplex<f64>>)
  check.expect_eq_const %20#2, dense<0> : tensor<2xi32>
  %21 = stablehlo.constant dense<2> : tensor<i32>
  %22 = stablehlo.constant dense<4> : tensor<i32>
  %23 = stablehlo.constant dense<3> : tensor<i32>
  %24 = stablehlo.constant dense<3> : tensor<i32>
  %25 = stablehlo.constant dense<96> : tensor<i32>
  %26:3 = stablehlo.custom_call @lapack_zungqr(%21, %22, %23, %24, %25, %20#0, %20#1) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x4x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> (tensor<2x4x3xcomplex<f64>>, tensor<2xi32>, tensor<96xcomplex<f64>>)
  check.expect_eq_const %26#1, dense<0> : tensor<2xi32>
  %27 = stablehlo.real %26#0 : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x4x3xf64>
  %28 = stablehlo.imag %26#0 : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x4x3xf64>
  %29 = stablehlo.negate %28 : tensor<2x4x3xf64>
  %30 = stablehlo.complex %27, %29 : tensor<2x4x3xcomplex<f64>>
  %31 = stablehlo.transpose %30, dims = [0, 2, 1] : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x3x4xcomplex<f64>>
  %32 = stablehlo.dot_general %31, %26#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xcomplex<f64>>, tensor<2x4x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %33 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %34 = stablehlo.broadcast_in_dim %33, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %32, %34, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  %35 = stablehlo.slice %20#0 [0:2, 0:3, 0:3] : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %36 = stablehlo.constant dense<[[(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %37 = stablehlo.broadcast_in_dim %36, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %38 = stablehlo.multiply %35, %37 : tensor<2x3x3xcomplex<f64>>
  %39 = stablehlo.dot_general %26#0, %38, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x4x3xcomplex<f64>>
  check.expect_almost_eq %39, %0, tolerance = 1.0e-13 : tensor<2x4x3xcomplex<f64>>
  return
}
