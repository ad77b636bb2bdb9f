// sytrd, hetrd: a = q t q^H, t tridiagonal. q is made of the reflectors by orgqr.
// In the four types of number, by the newer and the older name, on two matrices at once: what comes out, multiplied again, is what went in.
// RUN: stablehlo-translate --interpret -split-input-file %s

func.func @ssytrd() {
  %0 = stablehlo.constant dense<[[[4.0, 1.0, 0.5], [1.0, 5.0, 2.0], [0.5, 2.0, 6.0]], [[9.0, -2.0, 1.0], [-2.0, 7.0, 1.0], [1.0, 1.0, 8.0]]]> : tensor<2x3x3xf32>
  %1:5 = stablehlo.custom_call @lapack_ssytrd_ffi(%0) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xi32>)
  check.expect_eq_const %1#4, dense<0> : tensor<2xi32>
  %2 = stablehlo.slice %1#0 [0:2, 1:3, 0:2] : (tensor<2x3x3xf32>) -> tensor<2x2x2xf32>
  %3 = stablehlo.custom_call @lapack_sorgqr_ffi(%2, %1#3) {mhlo.backend_config = {}} : (tensor<2x2x2xf32>, tensor<2x2xf32>) -> tensor<2x2x2xf32>
  %4 = stablehlo.constant dense<0.0> : tensor<f32>
  %5 = stablehlo.pad %3, %4, low = [0, 1, 1], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<2x2x2xf32>, tensor<f32>) -> tensor<2x3x3xf32>
  %6 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<3x3xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %8 = stablehlo.add %5, %7 : tensor<2x3x3xf32>
  %9 = stablehlo.constant dense<0.0> : tensor<f32>
  %10 = stablehlo.pad %1#2, %9, low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x3xf32>
  %11 = stablehlo.broadcast_in_dim %1#1, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %12 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %14 = stablehlo.multiply %11, %13 : tensor<2x3x3xf32>
  %15 = stablehlo.broadcast_in_dim %10, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %16 = stablehlo.constant dense<[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]> : tensor<3x3xf32>
  %17 = stablehlo.broadcast_in_dim %16, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %18 = stablehlo.multiply %15, %17 : tensor<2x3x3xf32>
  %19 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %20 = stablehlo.constant dense<[[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]> : tensor<3x3xf32>
  %21 = stablehlo.broadcast_in_dim %20, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %22 = stablehlo.multiply %19, %21 : tensor<2x3x3xf32>
  %23 = stablehlo.add %18, %22 : tensor<2x3x3xf32>
  %24 = stablehlo.add %14, %23 : tensor<2x3x3xf32>
  %25 = stablehlo.dot_general %8, %24, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %26 = stablehlo.transpose %8, dims = [0, 2, 1] : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %27 = stablehlo.dot_general %25, %26, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  check.expect_almost_eq %27, %0, tolerance = 1.0e-5 : tensor<2x3x3xf32>
  // The older form.
  %28 = stablehlo.constant dense<3> : tensor<i32>
  %29 = stablehlo.constant dense<1> : tensor<i32>
  %30 = stablehlo.constant dense<3> : tensor<i32>
  %31 = stablehlo.constant dense<2> : tensor<i32>
  %32 = stablehlo.constant dense<96> : tensor<i32>
  %33:6 = stablehlo.custom_call @lapack_ssytrd(%28, %29, %30, %31, %32, %0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xi32>, tensor<96xf32>)
  check.expect_eq_const %33#4, dense<0> : tensor<2xi32>
  %34 = stablehlo.slice %33#0 [0:2, 1:3, 0:2] : (tensor<2x3x3xf32>) -> tensor<2x2x2xf32>
  %35 = stablehlo.custom_call @lapack_sorgqr_ffi(%34, %33#3) {mhlo.backend_config = {}} : (tensor<2x2x2xf32>, tensor<2x2xf32>) -> tensor<2x2x2xf32>
  %36 = stablehlo.constant dense<0.0> : tensor<f32>
  %37 = stablehlo.pad %35, %36, low = [0, 1, 1], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<2x2x2xf32>, tensor<f32>) -> tensor<2x3x3xf32>
  %38 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<3x3xf32>
  %39 = stablehlo.broadcast_in_dim %38, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %40 = stablehlo.add %37, %39 : tensor<2x3x3xf32>
  %41 = stablehlo.constant dense<0.0> : tensor<f32>
  %42 = stablehlo.pad %33#2, %41, low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x3xf32>
  %43 = stablehlo.broadcast_in_dim %33#1, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %44 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %45 = stablehlo.broadcast_in_dim %44, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %46 = stablehlo.multiply %43, %45 : tensor<2x3x3xf32>
  %47 = stablehlo.broadcast_in_dim %42, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %48 = stablehlo.constant dense<[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]> : tensor<3x3xf32>
  %49 = stablehlo.broadcast_in_dim %48, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %50 = stablehlo.multiply %47, %49 : tensor<2x3x3xf32>
  %51 = stablehlo.broadcast_in_dim %42, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %52 = stablehlo.constant dense<[[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]> : tensor<3x3xf32>
  %53 = stablehlo.broadcast_in_dim %52, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %54 = stablehlo.multiply %51, %53 : tensor<2x3x3xf32>
  %55 = stablehlo.add %50, %54 : tensor<2x3x3xf32>
  %56 = stablehlo.add %46, %55 : tensor<2x3x3xf32>
  %57 = stablehlo.dot_general %40, %56, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %58 = stablehlo.transpose %40, dims = [0, 2, 1] : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %59 = stablehlo.dot_general %57, %58, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  check.expect_almost_eq %59, %0, tolerance = 1.0e-5 : tensor<2x3x3xf32>
  return
}

// -----

func.func @dsytrd() {
  %0 = stablehlo.constant dense<[[[4.0, 1.0, 0.5], [1.0, 5.0, 2.0], [0.5, 2.0, 6.0]], [[9.0, -2.0, 1.0], [-2.0, 7.0, 1.0], [1.0, 1.0, 8.0]]]> : tensor<2x3x3xf64>
  %1:5 = stablehlo.custom_call @lapack_dsytrd_ffi(%0) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<2x3x3xf64>) -> (tensor<2x3x3xf64>, tensor<2x3xf64>, tensor<2x2xf64>, tensor<2x2xf64>, tensor<2xi32>)
  check.expect_eq_const %1#4, dense<0> : tensor<2xi32>
  %2 = stablehlo.slice %1#0 [0:2, 1:3, 0:2] : (tensor<2x3x3xf64>) -> tensor<2x2x2xf64>
  %3 = stablehlo.custom_call @lapack_dorgqr_ffi(%2, %1#3) {mhlo.backend_config = {}} : (tensor<2x2x2xf64>, tensor<2x2xf64>) -> tensor<2x2x2xf64>
  %4 = stablehlo.constant dense<0.0> : tensor<f64>
  %5 = stablehlo.pad %3, %4, low = [0, 1, 1], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<2x2x2xf64>, tensor<f64>) -> tensor<2x3x3xf64>
  %6 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<3x3xf64>
  %7 = stablehlo.broadcast_in_dim %6, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %8 = stablehlo.add %5, %7 : tensor<2x3x3xf64>
  %9 = stablehlo.constant dense<0.0> : tensor<f64>
  %10 = stablehlo.pad %1#2, %9, low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<2x2xf64>, tensor<f64>) -> tensor<2x3xf64>
  %11 = stablehlo.broadcast_in_dim %1#1, dims = [0, 2] : (tensor<2x3xf64>) -> tensor<2x3x3xf64>
  %12 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %13 = stablehlo.broadcast_in_dim %12, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %14 = stablehlo.multiply %11, %13 : tensor<2x3x3xf64>
  %15 = stablehlo.broadcast_in_dim %10, dims = [0, 2] : (tensor<2x3xf64>) -> tensor<2x3x3xf64>
  %16 = stablehlo.constant dense<[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]> : tensor<3x3xf64>
  %17 = stablehlo.broadcast_in_dim %16, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %18 = stablehlo.multiply %15, %17 : tensor<2x3x3xf64>
  %19 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<2x3xf64>) -> tensor<2x3x3xf64>
  %20 = stablehlo.constant dense<[[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]> : tensor<3x3xf64>
  %21 = stablehlo.broadcast_in_dim %20, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %22 = stablehlo.multiply %19, %21 : tensor<2x3x3xf64>
  %23 = stablehlo.add %18, %22 : tensor<2x3x3xf64>
  %24 = stablehlo.add %14, %23 : tensor<2x3x3xf64>
  %25 = stablehlo.dot_general %8, %24, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %26 = stablehlo.transpose %8, dims = [0, 2, 1] : (tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %27 = stablehlo.dot_general %25, %26, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  check.expect_almost_eq %27, %0, tolerance = 1.0e-13 : tensor<2x3x3xf64>
  // The older form.
  %28 = stablehlo.constant dense<3> : tensor<i32>
  %29 = stablehlo.constant dense<1> : tensor<i32>
  %30 = stablehlo.constant dense<3> : tensor<i32>
  %31 = stablehlo.constant dense<2> : tensor<i32>
  %32 = stablehlo.constant dense<96> : tensor<i32>
  %33:6 = stablehlo.custom_call @lapack_dsytrd(%28, %29, %30, %31, %32, %0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x3x3xf64>) -> (tensor<2x3x3xf64>, tensor<2x3xf64>, tensor<2x2xf64>, tensor<2x2xf64>, tensor<2xi32>, tensor<96xf64>)
  check.expect_eq_const %33#4, dense<0> : tensor<2xi32>
  %34 = stablehlo.slice %33#0 [0:2, 1:3, 0:2] : (tensor<2x3x3xf64>) -> tensor<2x2x2xf64>
  %35 = stablehlo.custom_call @lapack_dorgqr_ffi(%34, %33#3) {mhlo.backend_config = {}} : (tensor<2x2x2xf64>, tensor<2x2xf64>) -> tensor<2x2x2xf64>
  %36 = stablehlo.constant dense<0.0> : tensor<f64>
  %37 = stablehlo.pad %35, %36, low = [0, 1, 1], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<2x2x2xf64>, tensor<f64>) -> tensor<2x3x3xf64>
  %38 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<3x3xf64>
  %39 = stablehlo.broadcast_in_dim %38, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %40 = stablehlo.add %37, %39 : tensor<2x3x3xf64>
  %41 = stablehlo.constant dense<0.0> : tensor<f64>
  %42 = stablehlo.pad %33#2, %41, low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<2x2xf64>, tensor<f64>) -> tensor<2x3xf64>
  %43 = stablehlo.broadcast_in_dim %33#1, dims = [0, 2] : (tensor<2x3xf64>) -> tensor<2x3x3xf64>
  %44 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %45 = stablehlo.broadcast_in_dim %44, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %46 = stablehlo.multiply %43, %45 : tensor<2x3x3xf64>
  %47 = stablehlo.broadcast_in_dim %42, dims = [0, 2] : (tensor<2x3xf64>) -> tensor<2x3x3xf64>
  %48 = stablehlo.constant dense<[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]> : tensor<3x3xf64>
  %49 = stablehlo.broadcast_in_dim %48, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %50 = stablehlo.multiply %47, %49 : tensor<2x3x3xf64>
  %51 = stablehlo.broadcast_in_dim %42, dims = [0, 1] : (tensor<2x3xf64>) -> tensor<2x3x3xf64>
  %52 = stablehlo.constant dense<[[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]> : tensor<3x3xf64>
  %53 = stablehlo.broadcast_in_dim %52, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %54 = stablehlo.multiply %51, %53 : tensor<2x3x3xf64>
  %55 = stablehlo.add %50, %54 : tensor<2x3x3xf64>
  %56 = stablehlo.add %46, %55 : tensor<2x3x3xf64>
  %57 = stablehlo.dot_general %40, %56, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %58 = stablehlo.transpose %40, dims = [0, 2, 1] : (tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %59 = stablehlo.dot_general %57, %58, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  check.expect_almost_eq %59, %0, tolerance = 1.0e-13 : tensor<2x3x3xf64>
  return
}

// -----

func.func @csytrd() {
  %0 = stablehlo.constant dense<[[[(4.0, 0.0), (1.0, -2.0), (0.5, 1.0)], [(1.0, 2.0), (5.0, 0.0), (2.0, -1.0)], [(0.5, -1.0), (2.0, 1.0), (6.0, 0.0)]], [[(9.0, 0.0), (-2.0, -1.0), (1.0, -0.0)], [(-2.0, 1.0), (7.0, 0.0), (1.0, -3.0)], [(1.0, 0.0), (1.0, 3.0), (8.0, 0.0)]]]> : tensor<2x3x3xcomplex<f32>>
  %1:5 = stablehlo.custom_call @lapack_chetrd_ffi(%0) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<2x3x3xcomplex<f32>>) -> (tensor<2x3x3xcomplex<f32>>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2x2xcomplex<f32>>, tensor<2xi32>)
  check.expect_eq_const %1#4, dense<0> : tensor<2xi32>
  %2 = stablehlo.slice %1#0 [0:2, 1:3, 0:2] : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x2x2xcomplex<f32>>
  %3 = stablehlo.custom_call @lapack_cungqr_ffi(%2, %1#3) {mhlo.backend_config = {}} : (tensor<2x2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>) -> tensor<2x2x2xcomplex<f32>>
  %4 = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %5 = stablehlo.pad %3, %4, low = [0, 1, 1], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<2x2x2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %6 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %7 = stablehlo.broadcast_in_dim %6, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %8 = stablehlo.add %5, %7 : tensor<2x3x3xcomplex<f32>>
  %9 = stablehlo.constant dense<0.0> : tensor<f32>
  %10 = stablehlo.pad %1#2, %9, low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x3xf32>
  %11 = stablehlo.broadcast_in_dim %1#1, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %12 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %14 = stablehlo.multiply %11, %13 : tensor<2x3x3xf32>
  %15 = stablehlo.broadcast_in_dim %10, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %16 = stablehlo.constant dense<[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]> : tensor<3x3xf32>
  %17 = stablehlo.broadcast_in_dim %16, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %18 = stablehlo.multiply %15, %17 : tensor<2x3x3xf32>
  %19 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %20 = stablehlo.constant dense<[[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]> : tensor<3x3xf32>
  %21 = stablehlo.broadcast_in_dim %20, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %22 = stablehlo.multiply %19, %21 : tensor<2x3x3xf32>
  %23 = stablehlo.add %18, %22 : tensor<2x3x3xf32>
  %24 = stablehlo.add %14, %23 : tensor<2x3x3xf32>
  %25 = stablehlo.convert %24 : (tensor<2x3x3xf32>) -> tensor<2x3x3xcomplex<f32>>
  %26 = stablehlo.dot_general %8, %25, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %27 = stablehlo.real %8 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %28 = stablehlo.imag %8 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %29 = stablehlo.negate %28 : tensor<2x3x3xf32>
  %30 = stablehlo.complex %27, %29 : tensor<2x3x3xcomplex<f32>>
  %31 = stablehlo.transpose %30, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %32 = stablehlo.dot_general %26, %31, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %32, %0, tolerance = 1.0e-5 : tensor<2x3x3xcomplex<f32>>
  // The older form.
  %33 = stablehlo.constant dense<3> : tensor<i32>
  %34 = stablehlo.constant dense<1> : tensor<i32>
  %35 = stablehlo.constant dense<3> : tensor<i32>
  %36 = stablehlo.constant dense<2> : tensor<i32>
  %37 = stablehlo.constant dense<96> : tensor<i32>
  %38:6 = stablehlo.custom_call @lapack_chetrd(%33, %34, %35, %36, %37, %0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x3x3xcomplex<f32>>) -> (tensor<2x3x3xcomplex<f32>>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2x2xcomplex<f32>>, tensor<2xi32>, tensor<96xcomplex<f32>>)
  check.expect_eq_const %38#4, dense<0> : tensor<2xi32>
  %39 = stablehlo.slice %38#0 [0:2, 1:3, 0:2] : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x2x2xcomplex<f32>>
  %40 = stablehlo.custom_call @lapack_cungqr_ffi(%39, %38#3) {mhlo.backend_config = {}} : (tensor<2x2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>) -> tensor<2x2x2xcomplex<f32>>
  %41 = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %42 = stablehlo.pad %40, %41, low = [0, 1, 1], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<2x2x2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %43 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %44 = stablehlo.broadcast_in_dim %43, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %45 = stablehlo.add %42, %44 : tensor<2x3x3xcomplex<f32>>
  %46 = stablehlo.constant dense<0.0> : tensor<f32>
  %47 = stablehlo.pad %38#2, %46, low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x3xf32>
  %48 = stablehlo.broadcast_in_dim %38#1, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %49 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %50 = stablehlo.broadcast_in_dim %49, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %51 = stablehlo.multiply %48, %50 : tensor<2x3x3xf32>
  %52 = stablehlo.broadcast_in_dim %47, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %53 = stablehlo.constant dense<[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]> : tensor<3x3xf32>
  %54 = stablehlo.broadcast_in_dim %53, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %55 = stablehlo.multiply %52, %54 : tensor<2x3x3xf32>
  %56 = stablehlo.broadcast_in_dim %47, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x3xf32>
  %57 = stablehlo.constant dense<[[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]> : tensor<3x3xf32>
  %58 = stablehlo.broadcast_in_dim %57, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %59 = stablehlo.multiply %56, %58 : tensor<2x3x3xf32>
  %60 = stablehlo.add %55, %59 : tensor<2x3x3xf32>
  %61 = stablehlo.add %51, %60 : tensor<2x3x3xf32>
  %62 = stablehlo.convert %61 : (tensor<2x3x3xf32>) -> tensor<2x3x3xcomplex<f32>>
  %63 = stablehlo.dot_general %45, %62, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %64 = stablehlo.real %45 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %65 = stablehlo.imag %45 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %66 = stablehlo.negate %65 : tensor<2x3x3xf32>
  %67 = stablehlo.complex %64, %66 : tensor<2x3x3xcomplex<f32>>
  %68 = stablehlo.transpose %67, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %69 = stablehlo.dot_general %63, %68, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %69, %0, tolerance = 1.0e-5 : tensor<2x3x3xcomplex<f32>>
  return
}

// -----

func.func @zsytrd() {
  %0 = stablehlo.constant dense<[[[(4.0, 0.0), (1.0, -2.0), (0.5, 1.0)], [(1.0, 2.0), (5.0, 0.0), (2.0, -1.0)], [(0.5, -1.0), (2.0, 1.0), (6.0, 0.0)]], [[(9.0, 0.0), (-2.0, -1.0), (1.0, -0.0)], [(-2.0, 1.0), (7.0, 0.0), (1.0, -3.0)], [(1.0, 0.0), (1.0, 3.0), (8.0, 0.0)]]]> : tensor<2x3x3xcomplex<f64>>
  %1:5 = stablehlo.custom_call @lapack_zhetrd_ffi(%0) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<2x3x3xcomplex<f64>>) -> (tensor<2x3x3xcomplex<f64>>, tensor<2x3xf64>, tensor<2x2xf64>, tensor<2x2xcomplex<f64>>, tensor<2xi32>)
  check.expect_eq_const %1#4, dense<0> : tensor<2xi32>
  %2 = stablehlo.slice %1#0 [0:2, 1:3, 0:2] : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x2x2xcomplex<f64>>
  %3 = stablehlo.custom_call @lapack_zungqr_ffi(%2, %1#3) {mhlo.backend_config = {}} : (tensor<2x2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2x2xcomplex<f64>>
  %4 = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f64>>
  %5 = stablehlo.pad %3, %4, low = [0, 1, 1], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<2x2x2xcomplex<f64>>, tensor<complex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %6 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %7 = stablehlo.broadcast_in_dim %6, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %8 = stablehlo.add %5, %7 : tensor<2x3x3xcomplex<f64>>
  %9 = stablehlo.constant dense<0.0> : tensor<f64>
  %10 = stablehlo.pad %1#2, %9, low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<2x2xf64>, tensor<f64>) -> tensor<2x3xf64>
  %11 = stablehlo.broadcast_in_dim %1#1, dims = [0, 2] : (tensor<2x3xf64>) -> tensor<2x3x3xf64>
  %12 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %13 = stablehlo.broadcast_in_dim %12, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %14 = stablehlo.multiply %11, %13 : tensor<2x3x3xf64>
  %15 = stablehlo.broadcast_in_dim %10, dims = [0, 2] : (tensor<2x3xf64>) -> tensor<2x3x3xf64>
  %16 = stablehlo.constant dense<[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]> : tensor<3x3xf64>
  %17 = stablehlo.broadcast_in_dim %16, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %18 = stablehlo.multiply %15, %17 : tensor<2x3x3xf64>
  %19 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<2x3xf64>) -> tensor<2x3x3xf64>
  %20 = stablehlo.constant dense<[[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]> : tensor<3x3xf64>
  %21 = stablehlo.broadcast_in_dim %20, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %22 = stablehlo.multiply %19, %21 : tensor<2x3x3xf64>
  %23 = stablehlo.add %18, %22 : tensor<2x3x3xf64>
  %24 = stablehlo.add %14, %23 : tensor<2x3x3xf64>
  %25 = stablehlo.convert %24 : (tensor<2x3x3xf64>) -> tensor<2x3x3xcomplex<f64>>
  %26 = stablehlo.dot_general %8, %25, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %27 = stablehlo.real %8 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %28 = stablehlo.imag %8 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %29 = stablehlo.negate %28 : tensor<2x3x3xf64>
  %30 = stablehlo.complex %27, %29 : tensor<2x3x3xcomplex<f64>>
  %31 = stablehlo.transpose %30, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %32 = stablehlo.dot_general %26, %31, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %32, %0, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  // The older form.
  %33 = stablehlo.constant dense<3> : tensor<i32>
  %34 = stablehlo.constant dense<1> : tensor<i32>
  %35 = stablehlo.constant dense<3> : tensor<i32>
  %36 = stablehlo.constant dense<2> : tensor<i32>
  %37 = stablehlo.constant dense<96> : tensor<i32>
  %38:6 = stablehlo.custom_call @lapack_zhetrd(%33, %34, %35, %36, %37, %0) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x3x3xcomplex<f64>>) -> (tensor<2x3x3xcomplex<f64>>, tensor<2x3xf64>, tensor<2x2xf64>, tensor<2x2xcomplex<f64>>, tensor<2xi32>, tensor<96xcomplex<f64>>)
  check.expect_eq_const %38#4, dense<0> : tensor<2xi32>
  %39 = stablehlo.slice %38#0 [0:2, 1:3, 0:2] : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x2x2xcomplex<f64>>
  %40 = stablehlo.custom_call @lapack_zungqr_ffi(%39, %38#3) {mhlo.backend_config = {}} : (tensor<2x2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2x2xcomplex<f64>>
  %41 = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f64>>
  %42 = stablehlo.pad %40, %41, low = [0, 1, 1], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<2x2x2xcomplex<f64>>, tensor<complex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %43 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %44 = stablehlo.broadcast_in_dim %43, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %45 = stablehlo.add %42, %44 : tensor<2x3x3xcomplex<f64>>
  %46 = stablehlo.constant dense<0.0> : tensor<f64>
  %47 = stablehlo.pad %38#2, %46, low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<2x2xf64>, tensor<f64>) -> tensor<2x3xf64>
  %48 = stablehlo.broadcast_in_dim %38#1, dims = [0, 2] : (tensor<2x3xf64>) -> tensor<2x3x3xf64>
  %49 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %50 = stablehlo.broadcast_in_dim %49, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %51 = stablehlo.multiply %48, %50 : tensor<2x3x3xf64>
  %52 = stablehlo.broadcast_in_dim %47, dims = [0, 2] : (tensor<2x3xf64>) -> tensor<2x3x3xf64>
  %53 = stablehlo.constant dense<[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]> : tensor<3x3xf64>
  %54 = stablehlo.broadcast_in_dim %53, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %55 = stablehlo.multiply %52, %54 : tensor<2x3x3xf64>
  %56 = stablehlo.broadcast_in_dim %47, dims = [0, 1] : (tensor<2x3xf64>) -> tensor<2x3x3xf64>
  %57 = stablehlo.constant dense<[[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]> : tensor<3x3xf64>
  %58 = stablehlo.broadcast_in_dim %57, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %59 = stablehlo.multiply %56, %58 : tensor<2x3x3xf64>
  %60 = stablehlo.add %55, %59 : tensor<2x3x3xf64>
  %61 = stablehlo.add %51, %60 : tensor<2x3x3xf64>
  %62 = stablehlo.convert %61 : (tensor<2x3x3xf64>) -> tensor<2x3x3xcomplex<f64>>
  %63 = stablehlo.dot_general %45, %62, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %64 = stablehlo.real %45 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %65 = stablehlo.imag %45 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %66 = stablehlo.negate %65 : tensor<2x3x3xf64>
  %67 = stablehlo.complex %64, %66 : tensor<2x3x3xcomplex<f64>>
  %68 = stablehlo.transpose %67, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %69 = stablehlo.dot_general %63, %68, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %69, %0, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  return
}
