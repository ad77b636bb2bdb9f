// gehrd: a = q h q^H, h zero below the first subdiagonal. q is made of the reflectors by orgqr.
// In the four types of number, by the newer and the older name, on two matrices at once: what comes out, multiplied again, is what went in.
// RUN: stablehlo-translate --interpret -split-input-file %s

func.func @sgehrd() {
  %0 = stablehlo.constant dense<[[[2.0, 1.0, 0.5], [4.0, -1.0, 3.0], [1.0, 5.0, 1.0]], [[1.0, 3.0, -2.0], [6.0, 1.0, 1.0], [2.0, -1.0, 8.0]]]> : tensor<2x3x3xf32>
  %1:3 = stablehlo.custom_call @lapack_sgehrd_ffi(%0) {mhlo.backend_config = {low = 1 : i32, high = 3 : i32}} : (tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<2x2xf32>, tensor<2xi32>)
  check.expect_eq_const %1#2, dense<0> : tensor<2xi32>
  %2 = stablehlo.slice %1#0 [0:2, 1:3, 0:2] : (tensor<2x3x3xf32>) -> tensor<2x2x2xf32>
  %3 = stablehlo.custom_call @lapack_sorgqr_ffi(%2, %1#1) {mhlo.backend_config = {}} : (tensor<2x2x2xf32>, tensor<2x2xf32>) -> tensor<2x2x2xf32>
  %4 = stablehlo.constant dense<0.0> : tensor<f32>
  %5 = stablehlo.pad %3, %4, low = [0, 1, 1], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<2x2x2xf32>, tensor<f32>) -> tensor<2x3x3xf32>
  %6 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<3x3xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %8 = stablehlo.add %5, %7 : tensor<2x3x3xf32>
  %9 = stablehlo.transpose %8, dims = [0, 2, 1] : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %10 = stablehlo.dot_general %9, %8, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %11 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %12 = stablehlo.broadcast_in_dim %11, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  check.expect_almost_eq %10, %12, tolerance = 1.0e-5 : tensor<2x3x3xf32>
  %13 = stablehlo.constant dense<[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [0.0, 1.0, 1.0]]> : tensor<3x3xf32>
  %14 = stablehlo.broadcast_in_dim %13, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %15 = stablehlo.multiply %1#0, %14 : tensor<2x3x3xf32>
  %16 = stablehlo.dot_general %8, %15, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %17 = stablehlo.transpose %8, dims = [0, 2, 1] : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %18 = stablehlo.dot_general %16, %17, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  check.expect_almost_eq %18, %0, tolerance = 1.0e-5 : tensor<2x3x3xf32>
  // The older form.
  %19 = stablehlo.constant dense<3> : tensor<i32>
  %20 = stablehlo.constant dense<1> : tensor<i32>
  %21 = stablehlo.constant dense<3> : tensor<i32>
  %22 = stablehlo.constant dense<3> : tensor<i32>
  %23 = stablehlo.constant dense<2> : tensor<i32>
  %24 = stablehlo.constant dense<96> : tensor<i32>
  %25:4 = stablehlo.custom_call @lapack_sgehrd(%19, %20, %21, %22, %23, %24, %0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<2x2xf32>, tensor<2xi32>, tensor<96xf32>)
  check.expect_eq_const %25#2, dense<0> : tensor<2xi32>
  %26 = stablehlo.slice %25#0 [0:2, 1:3, 0:2] : (tensor<2x3x3xf32>) -> tensor<2x2x2xf32>
  %27 = stablehlo.custom_call @lapack_sorgqr_ffi(%26, %25#1) {mhlo.backend_config = {}} : (tensor<2x2x2xf32>, tensor<2x2xf32>) -> tensor<2x2x2xf32>
  %28 = stablehlo.constant dense<0.0> : tensor<f32>
  %29 = stablehlo.pad %27, %28, low = [0, 1, 1], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<2x2x2xf32>, tensor<f32>) -> tensor<2x3x3xf32>
  %30 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<3x3xf32>
  %31 = stablehlo.broadcast_in_dim %30, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %32 = stablehlo.add %29, %31 : tensor<2x3x3xf32>
  %33 = stablehlo.transpose %32, dims = [0, 2, 1] : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %34 = stablehlo.dot_general %33, %32, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %35 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %36 = stablehlo.broadcast_in_dim %35, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  check.expect_almost_eq %34, %36, tolerance = 1.0e-5 : tensor<2x3x3xf32>
  %37 = stablehlo.constant dense<[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [0.0, 1.0, 1.0]]> : tensor<3x3xf32>
  %38 = stablehlo.broadcast_in_dim %37, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %39 = stablehlo.multiply %25#0, %38 : tensor<2x3x3xf32>
  %40 = stablehlo.dot_general %32, %39, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %41 = stablehlo.transpose %32, dims = [0, 2, 1] : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %42 = stablehlo.dot_general %40, %41, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  check.expect_almost_eq %42, %0, tolerance = 1.0e-5 : tensor<2x3x3xf32>
  return
}

// -----

func.func @dgehrd() {
  %0 = stablehlo.constant dense<[[[2.0, 1.0, 0.5], [4.0, -1.0, 3.0], [1.0, 5.0, 1.0]], [[1.0, 3.0, -2.0], [6.0, 1.0, 1.0], [2.0, -1.0, 8.0]]]> : tensor<2x3x3xf64>
  %1:3 = stablehlo.custom_call @lapack_dgehrd_ffi(%0) {mhlo.backend_config = {low = 1 : i32, high = 3 : i32}} : (tensor<2x3x3xf64>) -> (tensor<2x3x3xf64>, tensor<2x2xf64>, tensor<2xi32>)
  check.expect_eq_const %1#2, dense<0> : tensor<2xi32>
  %2 = stablehlo.slice %1#0 [0:2, 1:3, 0:2] : (tensor<2x3x3xf64>) -> tensor<2x2x2xf64>
  %3 = stablehlo.custom_call @lapack_dorgqr_ffi(%2, %1#1) {mhlo.backend_config = {}} : (tensor<2x2x2xf64>, tensor<2x2xf64>) -> tensor<2x2x2xf64>
  %4 = stablehlo.constant dense<0.0> : tensor<f64>
  %5 = stablehlo.pad %3, %4, low = [0, 1, 1], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<2x2x2xf64>, tensor<f64>) -> tensor<2x3x3xf64>
  %6 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<3x3xf64>
  %7 = stablehlo.broadcast_in_dim %6, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %8 = stablehlo.add %5, %7 : tensor<2x3x3xf64>
  %9 = stablehlo.transpose %8, dims = [0, 2, 1] : (tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %10 = stablehlo.dot_general %9, %8, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %11 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %12 = stablehlo.broadcast_in_dim %11, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  check.expect_almost_eq %10, %12, tolerance = 1.0e-13 : tensor<2x3x3xf64>
  %13 = stablehlo.constant dense<[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [0.0, 1.0, 1.0]]> : tensor<3x3xf64>
  %14 = stablehlo.broadcast_in_dim %13, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %15 = stablehlo.multiply %1#0, %14 : tensor<2x3x3xf64>
  %16 = stablehlo.dot_general %8, %15, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %17 = stablehlo.transpose %8, dims = [0, 2, 1] : (tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %18 = stablehlo.dot_general %16, %17, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  check.expect_almost_eq %18, %0, tolerance = 1.0e-13 : tensor<2x3x3xf64>
  // The older form.
  %19 = stablehlo.constant dense<3> : tensor<i32>
  %20 = stablehlo.constant dense<1> : tensor<i32>
  %21 = stablehlo.constant dense<3> : tensor<i32>
  %22 = stablehlo.constant dense<3> : tensor<i32>
  %23 = stablehlo.constant dense<2> : tensor<i32>
  %24 = stablehlo.constant dense<96> : tensor<i32>
  %25:4 = stablehlo.custom_call @lapack_dgehrd(%19, %20, %21, %22, %23, %24, %0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x3x3xf64>) -> (tensor<2x3x3xf64>, tensor<2x2xf64>, tensor<2xi32>, tensor<96xf64>)
  check.expect_eq_const %25#2, dense<0> : tensor<2xi32>
  %26 = stablehlo.slice %25#0 [0:2, 1:3, 0:2] : (tensor<2x3x3xf64>) -> tensor<2x2x2xf64>
  %27 = stablehlo.custom_call @lapack_dorgqr_ffi(%26, %25#1) {mhlo.backend_config = {}} : (tensor<2x2x2xf64>, tensor<2x2xf64>) -> tensor<2x2x2xf64>
  %28 = stablehlo.constant dense<0.0> : tensor<f64>
  %29 = stablehlo.pad %27, %28, low = [0, 1, 1], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<2x2x2xf64>, tensor<f64>) -> tensor<2x3x3xf64>
  %30 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<3x3xf64>
  %31 = stablehlo.broadcast_in_dim %30, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %32 = stablehlo.add %29, %31 : tensor<2x3x3xf64>
  %33 = stablehlo.transpose %32, dims = [0, 2, 1] : (tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %34 = stablehlo.dot_general %33, %32, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %35 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %36 = stablehlo.broadcast_in_dim %35, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  check.expect_almost_eq %34, %36, tolerance = 1.0e-13 : tensor<2x3x3xf64>
  %37 = stablehlo.constant dense<[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [0.0, 1.0, 1.0]]> : tensor<3x3xf64>
  %38 = stablehlo.broadcast_in_dim %37, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %39 = stablehlo.multiply %25#0, %38 : tensor<2x3x3xf64>
  %40 = stablehlo.dot_general %32, %39, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %41 = stablehlo.transpose %32, dims = [0, 2, 1] : (tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %42 = stablehlo.dot_general %40, %41, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  check.expect_almost_eq %42, %0, tolerance = 1.0e-13 : tensor<2x3x3xf64>
  return
}

// -----

func.func @cgehrd() {
  %0 = stablehlo.constant dense<[[[(2.0, 1.0), (1.0, -1.0), (0.5, 0.0)], [(4.0, 0.0), (-1.0, 2.0), (3.0, 0.0)], [(1.0, -2.0), (5.0, 0.0), (1.0, 1.0)]], [[(1.0, 0.0), (3.0, 1.0), (-2.0, 0.0)], [(6.0, -2.0), (1.0, 0.0), (1.0, 4.0)], [(2.0, 0.0), (-1.0, 0.0), (8.0, 1.0)]]]> : tensor<2x3x3xcomplex<f32>>
  %1:3 = stablehlo.custom_call @lapack_cgehrd_ffi(%0) {mhlo.backend_config = {low = 1 : i32, high = 3 : i32}} : (tensor<2x3x3xcomplex<f32>>) -> (tensor<2x3x3xcomplex<f32>>, tensor<2x2xcomplex<f32>>, tensor<2xi32>)
  check.expect_eq_const %1#2, dense<0> : tensor<2xi32>
  %2 = stablehlo.slice %1#0 [0:2, 1:3, 0:2] : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x2x2xcomplex<f32>>
  %3 = stablehlo.custom_call @lapack_cungqr_ffi(%2, %1#1) {mhlo.backend_config = {}} : (tensor<2x2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>) -> tensor<2x2x2xcomplex<f32>>
  %4 = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %5 = stablehlo.pad %3, %4, low = [0, 1, 1], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<2x2x2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %6 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %7 = stablehlo.broadcast_in_dim %6, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %8 = stablehlo.add %5, %7 : tensor<2x3x3xcomplex<f32>>
  %9 = stablehlo.real %8 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %10 = stablehlo.imag %8 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %11 = stablehlo.negate %10 : tensor<2x3x3xf32>
  %12 = stablehlo.complex %9, %11 : tensor<2x3x3xcomplex<f32>>
  %13 = stablehlo.transpose %12, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %14 = stablehlo.dot_general %13, %8, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %15 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %16 = stablehlo.broadcast_in_dim %15, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %14, %16, tolerance = 1.0e-5 : tensor<2x3x3xcomplex<f32>>
  %17 = stablehlo.constant dense<[[(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %18 = stablehlo.broadcast_in_dim %17, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %19 = stablehlo.multiply %1#0, %18 : tensor<2x3x3xcomplex<f32>>
  %20 = stablehlo.dot_general %8, %19, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %21 = stablehlo.real %8 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %22 = stablehlo.imag %8 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %23 = stablehlo.negate %22 : tensor<2x3x3xf32>
  %24 = stablehlo.complex %21, %23 : tensor<2x3x3xcomplex<f32>>
  %25 = stablehlo.transpose %24, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %26 = stablehlo.dot_general %20, %25, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %26, %0, tolerance = 1.0e-5 : tensor<2x3x3xcomplex<f32>>
  // The older form.
  %27 = stablehlo.constant dense<3> : tensor<i32>
  %28 = stablehlo.constant dense<1> : tensor<i32>
  %29 = stablehlo.constant dense<3> : tensor<i32>
  %30 = stablehlo.constant dense<3> : tensor<i32>
  %31 = stablehlo.constant dense<2> : tensor<i32>
  %32 = stablehlo.constant dense<96> : tensor<i32>
  %33:4 = stablehlo.custom_call @lapack_cgehrd(%27, %28, %29, %30, %31, %32, %0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x3x3xcomplex<f32>>) -> (tensor<2x3x3xcomplex<f32>>, tensor<2x2xcomplex<f32>>, tensor<2xi32>, tensor<96xcomplex<f32>>)
  check.expect_eq_const %33#2, dense<0> : tensor<2xi32>
  %34 = stablehlo.slice %33#0 [0:2, 1:3, 0:2] : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x2x2xcomplex<f32>>
  %35 = stablehlo.custom_call @lapack_cungqr_ffi(%34, %33#1) {mhlo.backend_config = {}} : (tensor<2x2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>) -> tensor<2x2x2xcomplex<f32>>
  %36 = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %37 = stablehlo.pad %35, %36, low = [0, 1, 1], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<2x2x2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %38 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %39 = stablehlo.broadcast_in_dim %38, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %40 = stablehlo.add %37, %39 : tensor<2x3x3xcomplex<f32>>
  %41 = stablehlo.real %40 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %42 = stablehlo.imag %40 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %43 = stablehlo.negate %42 : tensor<2x3x3xf32>
  %44 = stablehlo.complex %41, %43 : tensor<2x3x3xcomplex<f32>>
  %45 = stablehlo.transpose %44, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %46 = stablehlo.dot_general %45, %40, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %47 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %48 = stablehlo.broadcast_in_dim %47, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %46, %48, tolerance = 1.0e-5 : tensor<2x3x3xcomplex<f32>>
  %49 = stablehlo.constant dense<[[(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %50 = stablehlo.broadcast_in_dim %49, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %51 = stablehlo.multiply %33#0, %50 : tensor<2x3x3xcomplex<f32>>
  %52 = stablehlo.dot_general %40, %51, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %53 = stablehlo.real %40 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %54 = stablehlo.imag %40 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %55 = stablehlo.negate %54 : tensor<2x3x3xf32>
  %56 = stablehlo.complex %53, %55 : tensor<2x3x3xcomplex<f32>>
  %57 = stablehlo.transpose %56, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %58 = stablehlo.dot_general %52, %57, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %58, %0, tolerance = 1.0e-5 : tensor<2x3x3xcomplex<f32>>
  return
}

// -----

func.func @zgehrd() {
  %0 = stablehlo.constant dense<[[[(2.0, 1.0), (1.0, -1.0), (0.5, 0.0)], [(4.0, 0.0), (-1.0, 2.0), (3.0, 0.0)], [(1.0, -2.0), (5.0, 0.0), (1.0, 1.0)]], [[(1.0, 0.0), (3.0, 1.0), (-2.0, 0.0)], [(6.0, -2.0), (1.0, 0.0), (1.0, 4.0)], [(2.0, 0.0), (-1.0, 0.0), (8.0, 1.0)]]]> : tensor<2x3x3xcomplex<f64>>
  %1:3 = stablehlo.custom_call @lapack_zgehrd_ffi(%0) {mhlo.backend_config = {low = 1 : i32, high = 3 : i32}} : (tensor<2x3x3xcomplex<f64>>) -> (tensor<2x3x3xcomplex<f64>>, tensor<2x2xcomplex<f64>>, tensor<2xi32>)
  check.expect_eq_const %1#2, dense<0> : tensor<2xi32>
  %2 = stablehlo.slice %1#0 [0:2, 1:3, 0:2] : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x2x2xcomplex<f64>>
  %3 = stablehlo.custom_call @lapack_zungqr_ffi(%2, %1#1) {mhlo.backend_config = {}} : (tensor<2x2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2x2xcomplex<f64>>
  %4 = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f64>>
  %5 = stablehlo.pad %3, %4, low = [0, 1, 1], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<2x2x2xcomplex<f64>>, tensor<complex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %6 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %7 = stablehlo.broadcast_in_dim %6, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %8 = stablehlo.add %5, %7 : tensor<2x3x3xcomplex<f64>>
  %9 = stablehlo.real %8 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %10 = stablehlo.imag %8 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %11 = stablehlo.negate %10 : tensor<2x3x3xf64>
  %12 = stablehlo.complex %9, %11 : tensor<2x3x3xcomplex<f64>>
  %13 = stablehlo.transpose %12, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %14 = stablehlo.dot_general %13, %8, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %15 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %16 = stablehlo.broadcast_in_dim %15, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %14, %16, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  %17 = stablehlo.constant dense<[[(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %18 = stablehlo.broadcast_in_dim %17, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %19 = stablehlo.multiply %1#0, %18 : tensor<2x3x3xcomplex<f64>>
  %20 = stablehlo.dot_general %8, %19, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %21 = stablehlo.real %8 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %22 = stablehlo.imag %8 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %23 = stablehlo.negate %22 : tensor<2x3x3xf64>
  %24 = stablehlo.complex %21, %23 : tensor<2x3x3xcomplex<f64>>
  %25 = stablehlo.transpose %24, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %26 = stablehlo.dot_general %20, %25, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %26, %0, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  // The older form.
  %27 = stablehlo.constant dense<3> : tensor<i32>
  %28 = stablehlo.constant dense<1> : tensor<i32>
  %29 = stablehlo.constant dense<3> : tensor<i32>
  %30 = stablehlo.constant dense<3> : tensor<i32>
  %31 = stablehlo.constant dense<2> : tensor<i32>
  %32 = stablehlo.constant dense<96> : tensor<i32>
  %33:4 = stablehlo.custom_call @lapack_zgehrd(%27, %28, %29, %30, %31, %32, %0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x3x3xcomplex<f64>>) -> (tensor<2x3x3xcomplex<f64>>, tensor<2x2xcomplex<f64>>, tensor<2xi32>, tensor<96xcomplex<f64>>)
  check.expect_eq_const %33#2, dense<0> : tensor<2xi32>
  %34 = stablehlo.slice %33#0 [0:2, 1:3, 0:2] : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x2x2xcomplex<f64>>
  %35 = stablehlo.custom_call @lapack_zungqr_ffi(%34, %33#1) {mhlo.backend_config = {}} : (tensor<2x2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2x2xcomplex<f64>>
  %36 = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f64>>
  %37 = stablehlo.pad %35, %36, low = [0, 1, 1], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<2x2x2xcomplex<f64>>, tensor<complex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %38 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %39 = stablehlo.broadcast_in_dim %38, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %40 = stablehlo.add %37, %39 : tensor<2x3x3xcomplex<f64>>
  %41 = stablehlo.real %40 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %42 = stablehlo.imag %40 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %43 = stablehlo.negate %42 : tensor<2x3x3xf64>
  %44 = stablehlo.complex %41, %43 : tensor<2x3x3xcomplex<f64>>
  %45 = stablehlo.transpose %44, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %46 = stablehlo.dot_general %45, %40, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %47 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %48 = stablehlo.broadcast_in_dim %47, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %46, %48, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  %49 = stablehlo.constant dense<[[(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %50 = stablehlo.broadcast_in_dim %49, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %51 = stablehlo.multiply %33#0, %50 : tensor<2x3x3xcomplex<f64>>
  %52 = stablehlo.dot_general %40, %51, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %53 = stablehlo.real %40 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %54 = stablehlo.imag %40 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %55 = stablehlo.negate %54 : tensor<2x3x3xf64>
  %56 = stablehlo.complex %53, %55 : tensor<2x3x3xcomplex<f64>>
  %57 = stablehlo.transpose %56, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %58 = stablehlo.dot_general %52, %57, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %58, %0, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  return
}
