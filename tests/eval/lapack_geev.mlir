// geev: a v = v w and u^H a = w u^H.
// In the four types of number, by the newer and the older name, on two matrices at once: what comes out, multiplied again, is what went in.
// RUN: stablehlo-translate --interpret -split-input-file %s

func.func @sgeev() {
  %0 = stablehlo.constant dense<[[[2.0, 1.0, 0.5], [4.0, -1.0, 3.0], [1.0, 5.0, 1.0]], [[1.0, 3.0, -2.0], [6.0, 1.0, 1.0], [2.0, -1.0, 8.0]]]> : tensor<2x3x3xf32>
  %1:5 = stablehlo.custom_call @lapack_sgeev_ffi(%0) {mhlo.backend_config = {compute_left = 86 : ui8, compute_right = 86 : ui8}} : (tensor<2x3x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>, tensor<2xi32>)
  check.expect_eq_const %1#4, dense<0> : tensor<2xi32>
  %2 = stablehlo.complex %1#0, %1#1 : tensor<2x3xcomplex<f32>>
  %3 = stablehlo.convert %0 : (tensor<2x3x3xf32>) -> tensor<2x3x3xcomplex<f32>>
  %4 = stablehlo.dot_general %3, %1#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %5 = stablehlo.broadcast_in_dim %2, dims = [0, 2] : (tensor<2x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %6 = stablehlo.multiply %1#3, %5 : tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %4, %6, tolerance = 2.0e-5 : tensor<2x3x3xcomplex<f32>>
  %7 = stablehlo.real %1#2 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %8 = stablehlo.imag %1#2 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %9 = stablehlo.negate %8 : tensor<2x3x3xf32>
  %10 = stablehlo.complex %7, %9 : tensor<2x3x3xcomplex<f32>>
  %11 = stablehlo.transpose %10, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %12 = stablehlo.dot_general %11, %3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %13 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<2x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %14 = stablehlo.multiply %11, %13 : tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %12, %14, tolerance = 2.0e-5 : tensor<2x3x3xcomplex<f32>>
  // The older form.
  %15 = stablehlo.constant dense<2> : tensor<i32>
  %16 = stablehlo.constant dense<3> : tensor<i32>
  %17 = stablehlo.constant dense<86> : tensor<ui8>
  %18 = stablehlo.constant dense<86> : tensor<ui8>
  %19:8 = stablehlo.custom_call @lapack_sgeev(%15, %16, %17, %18, %0) : (tensor<i32>, tensor<i32>, tensor<ui8>, tensor<ui8>, tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<2x3x3xf32>, tensor<2x3x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>, tensor<2xi32>)
  check.expect_eq_const %19#7, dense<0> : tensor<2xi32>
  %20 = stablehlo.complex %19#3, %19#4 : tensor<2x3xcomplex<f32>>
  %21 = stablehlo.convert %0 : (tensor<2x3x3xf32>) -> tensor<2x3x3xcomplex<f32>>
  %22 = stablehlo.dot_general %21, %19#6, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %23 = stablehlo.broadcast_in_dim %20, dims = [0, 2] : (tensor<2x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %24 = stablehlo.multiply %19#6, %23 : tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %22, %24, tolerance = 2.0e-5 : tensor<2x3x3xcomplex<f32>>
  %25 = stablehlo.real %19#5 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %26 = stablehlo.imag %19#5 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %27 = stablehlo.negate %26 : tensor<2x3x3xf32>
  %28 = stablehlo.complex %25, %27 : tensor<2x3x3xcomplex<f32>>
  %29 = stablehlo.transpose %28, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %30 = stablehlo.dot_general %29, %21, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %31 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<2x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %32 = stablehlo.multiply %29, %31 : tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %30, %32, tolerance = 2.0e-5 : tensor<2x3x3xcomplex<f32>>
  return
}

// -----

func.func @dgeev() {
  %0 = stablehlo.constant dense<[[[2.0, 1.0, 0.5], [4.0, -1.0, 3.0], [1.0, 5.0, 1.0]], [[1.0, 3.0, -2.0], [6.0, 1.0, 1.0], [2.0, -1.0, 8.0]]]> : tensor<2x3x3xf64>
  %1:5 = stablehlo.custom_call @lapack_dgeev_ffi(%0) {mhlo.backend_config = {compute_left = 86 : ui8, compute_right = 86 : ui8}} : (tensor<2x3x3xf64>) -> (tensor<2x3xf64>, tensor<2x3xf64>, tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>, tensor<2xi32>)
  check.expect_eq_const %1#4, dense<0> : tensor<2xi32>
  %2 = stablehlo.complex %1#0, %1#1 : tensor<2x3xcomplex<f64>>
  %3 = stablehlo.convert %0 : (tensor<2x3x3xf64>) -> tensor<2x3x3xcomplex<f64>>
  %4 = stablehlo.dot_general %3, %1#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %5 = stablehlo.broadcast_in_dim %2, dims = [0, 2] : (tensor<2x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %6 = stablehlo.multiply %1#3, %5 : tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %4, %6, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  %7 = stablehlo.real %1#2 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %8 = stablehlo.imag %1#2 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %9 = stablehlo.negate %8 : tensor<2x3x3xf64>
  %10 = stablehlo.complex %7, %9 : tensor<2x3x3xcomplex<f64>>
  %11 = stablehlo.transpose %10, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %12 = stablehlo.dot_general %11, %3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %13 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<2x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %14 = stablehlo.multiply %11, %13 : tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %12, %14, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  // The older form.
  %15 = stablehlo.constant dense<2> : tensor<i32>
  %16 = stablehlo.constant dense<3> : tensor<i32>
  %17 = stablehlo.constant dense<86> : tensor<ui8>
  %18 = stablehlo.constant dense<86> : tensor<ui8>
  %19:8 = stablehlo.custom_call @lapack_dgeev(%15, %16, %17, %18, %0) : (tensor<i32>, tensor<i32>, tensor<ui8>, tensor<ui8>, tensor<2x3x3xf64>) -> (tensor<2x3x3xf64>, tensor<2x3x3xf64>, tensor<2x3x3xf64>, tensor<2x3xf64>, tensor<2x3xf64>, tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>, tensor<2xi32>)
  check.expect_eq_const %19#7, dense<0> : tensor<2xi32>
  %20 = stablehlo.complex %19#3, %19#4 : tensor<2x3xcomplex<f64>>
  %21 = stablehlo.convert %0 : (tensor<2x3x3xf64>) -> tensor<2x3x3xcomplex<f64>>
  %22 = stablehlo.dot_general %21, %19#6, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %23 = stablehlo.broadcast_in_dim %20, dims = [0, 2] : (tensor<2x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %24 = stablehlo.multiply %19#6, %23 : tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %22, %24, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  %25 = stablehlo.real %19#5 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %26 = stablehlo.imag %19#5 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %27 = stablehlo.negate %26 : tensor<2x3x3xf64>
  %28 = stablehlo.complex %25, %27 : tensor<2x3x3xcomplex<f64>>
  %29 = stablehlo.transpose %28, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %30 = stablehlo.dot_general %29, %21, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %31 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<2x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %32 = stablehlo.multiply %29, %31 : tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %30, %32, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  return
}

// -----

func.func @cgeev() {
  %0 = stablehlo.constant dense<[[[(2.0, 1.0), (1.0, -1.0), (0.5, 0.0)], [(4.0, 0.0), (-1.0, 2.0), (3.0, 0.0)], [(1.0, -2.0), (5.0, 0.0), (1.0, 1.0)]], [[(1.0, 0.0), (3.0, 1.0), (-2.0, 0.0)], [(6.0, -2.0), (1.0, 0.0), (1.0, 4.0)], [(2.0, 0.0), (-1.0, 0.0), (8.0, 1.0)]]]> : tensor<2x3x3xcomplex<f32>>
  %1:4 = stablehlo.custom_call @lapack_cgeev_ffi(%0) {mhlo.backend_config = {compute_left = 86 : ui8, compute_right = 86 : ui8}} : (tensor<2x3x3xcomplex<f32>>) -> (tensor<2x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>, tensor<2xi32>)
  check.expect_eq_const %1#3, dense<0> : tensor<2xi32>
  %2 = stablehlo.dot_general %0, %1#2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %3 = stablehlo.broadcast_in_dim %1#0, dims = [0, 2] : (tensor<2x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %4 = stablehlo.multiply %1#2, %3 : tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %2, %4, tolerance = 2.0e-5 : tensor<2x3x3xcomplex<f32>>
  %5 = stablehlo.real %1#1 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %6 = stablehlo.imag %1#1 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %7 = stablehlo.negate %6 : tensor<2x3x3xf32>
  %8 = stablehlo.complex %5, %7 : tensor<2x3x3xcomplex<f32>>
  %9 = stablehlo.transpose %8, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %10 = stablehlo.dot_general %9, %0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %11 = stablehlo.broadcast_in_dim %1#0, dims = [0, 1] : (tensor<2x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %12 = stablehlo.multiply %9, %11 : tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %10, %12, tolerance = 2.0e-5 : tensor<2x3x3xcomplex<f32>>
  // The older form.
  %13 = stablehlo.constant dense<2> : tensor<i32>
  %14 = stablehlo.constant dense<3> : tensor<i32>
  %15 = stablehlo.constant dense<86> : tensor<ui8>
  %16 = stablehlo.constant dense<86> : tensor<ui8>
  %17:6 = stablehlo.custom_call @lapack_cgeev(%13, %14, %15, %16, %0) : (tensor<i32>, tensor<i32>, tensor<ui8>, tensor<ui8>, tensor<2x3x3xcomplex<f32>>) -> (tensor<2x3x3xcomplex<f32>>, tensor<6xf32>, tensor<2x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>, tensor<2xi32>)
  check.expect_eq_const %17#5, dense<0> : tensor<2xi32>
  %18 = stablehlo.dot_general %0, %17#4, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %19 = stablehlo.broadcast_in_dim %17#2, dims = [0, 2] : (tensor<2x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %20 = stablehlo.multiply %17#4, %19 : tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %18, %20, tolerance = 2.0e-5 : tensor<2x3x3xcomplex<f32>>
  %21 = stablehlo.real %17#3 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %22 = stablehlo.imag %17#3 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %23 = stablehlo.negate %22 : tensor<2x3x3xf32>
  %24 = stablehlo.complex %21, %23 : tensor<2x3x3xcomplex<f32>>
  %25 = stablehlo.transpose %24, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %26 = stablehlo.dot_general %25, %0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %27 = stablehlo.broadcast_in_dim %17#2, dims = [0, 1] : (tensor<2x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %28 = stablehlo.multiply %25, %27 : tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %26, %28, tolerance = 2.0e-5 : tensor<2x3x3xcomplex<f32>>
  return
}

// -----

func.func @zgeev() {
  %0 = stablehlo.constant dense<[[[(2.0, 1.0), (1.0, -1.0), (0.5, 0.0)], [(4.0, 0.0), (-1.0, 2.0), (3.0, 0.0)], [(1.0, -2.0), (5.0, 0.0), (1.0, 1.0)]], [[(1.0, 0.0), (3.0, 1.0), (-2.0, 0.0)], [(6.0, -2.0), (1.0, 0.0), (1.0, 4.0)], [(2.0, 0.0), (-1.0, 0.0), (8.0, 1.0)]]]> : tensor<2x3x3xcomplex<f64>>
  %1:4 = stablehlo.custom_call @lapack_zgeev_ffi(%0) {mhlo.backend_config = {compute_left = 86 : ui8, compute_right = 86 : ui8}} : (tensor<2x3x3xcomplex<f64>>) -> (tensor<2x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>, tensor<2xi32>)
  check.expect_eq_const %1#3, dense<0> : tensor<2xi32>
  %2 = stablehlo.dot_general %0, %1#2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %3 = stablehlo.broadcast_in_dim %1#0, dims = [0, 2] : (tensor<2x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %4 = stablehlo.multiply %1#2, %3 : tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %2, %4, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  %5 = stablehlo.real %1#1 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %6 = stablehlo.imag %1#1 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %7 = stablehlo.negate %6 : tensor<2x3x3xf64>
  %8 = stablehlo.complex %5, %7 : tensor<2x3x3xcomplex<f64>>
  %9 = stablehlo.transpose %8, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %10 = stablehlo.dot_general %9, %0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %11 = stablehlo.broadcast_in_dim %1#0, dims = [0, 1] : (tensor<2x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %12 = stablehlo.multiply %9, %11 : tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %10, %12, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  // The older form.
  %13 = stablehlo.constant dense<2> : tensor<i32>
  %14 = stablehlo.constant dense<3> : tensor<i32>
  %15 = stablehlo.constant dense<86> : tensor<ui8>
  %16 = stablehlo.constant dense<86> : tensor<ui8>
  %17:6 = stablehlo.custom_call @lapack_zgeev(%13, %14, %15, %16, %0) : (tensor<i32>, tensor<i32>, tensor<ui8>, tensor<ui8>, tensor<2x3x3xcomplex<f64>>) -> (tensor<2x3x3xcomplex<f64>>, tensor<6xf64>, tensor<2x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>, tensor<2xi32>)
  check.expect_eq_const %17#5, dense<0> : tensor<2xi32>
  %18 = stablehlo.dot_general %0, %17#4, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %19 = stablehlo.broadcast_in_dim %17#2, dims = [0, 2] : (tensor<2x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %20 = stablehlo.multiply %17#4, %19 : tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %18, %20, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  %21 = stablehlo.real %17#3 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %22 = stablehlo.imag %17#3 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %23 = stablehlo.negate %22 : tensor<2x3x3xf64>
  %24 = stablehlo.complex %21, %23 : tensor<2x3x3xcomplex<f64>>
  %25 = stablehlo.transpose %24, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %26 = stablehlo.dot_general %25, %0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %27 = stablehlo.broadcast_in_dim %17#2, dims = [0, 1] : (tensor<2x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %28 = stablehlo.multiply %25, %27 : tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %26, %28, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  return
}
