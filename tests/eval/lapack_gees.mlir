// gees: a = z t z^H with z^H z = 1, t triangular but for blocks of two.
// In the four types of number, by the newer and the older name, on two matrices at once: what comes out, multiplied again, is what went in.
// RUN: stablehlo-translate --interpret -split-input-file %s

func.func @sgees() {
  %0 = stablehlo.constant dense<[[[2.0, 1.0, 0.5], [4.0, -1.0, 3.0], [1.0, 5.0, 1.0]], [[1.0, 3.0, -2.0], [6.0, 1.0, 1.0], [2.0, -1.0, 8.0]]]> : tensor<2x3x3xf32>
  %1:6 = stablehlo.custom_call @lapack_sgees_ffi(%0) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}} : (tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<2x3x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %1#5, dense<0> : tensor<2xi32>
  %2 = stablehlo.transpose %1#1, dims = [0, 2, 1] : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %3 = stablehlo.dot_general %2, %1#1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %4 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  check.expect_almost_eq %3, %5, tolerance = 1.0e-5 : tensor<2x3x3xf32>
  %6 = stablehlo.dot_general %1#1, %1#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %7 = stablehlo.transpose %1#1, dims = [0, 2, 1] : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %8 = stablehlo.dot_general %6, %7, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  check.expect_almost_eq %8, %0, tolerance = 2.0e-5 : tensor<2x3x3xf32>
  %9 = stablehlo.constant dense<[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [0.0, 1.0, 1.0]]> : tensor<3x3xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %11 = stablehlo.multiply %1#0, %10 : tensor<2x3x3xf32>
  check.expect_almost_eq %11, %1#0, tolerance = 1.0e-5 : tensor<2x3x3xf32>
  // The older form.
  %12 = stablehlo.constant dense<2> : tensor<i32>
  %13 = stablehlo.constant dense<3> : tensor<i32>
  %14 = stablehlo.constant dense<86> : tensor<ui8>
  %15 = stablehlo.constant dense<78> : tensor<ui8>
  %16:6 = stablehlo.custom_call @lapack_sgees(%12, %13, %14, %15, %0) : (tensor<i32>, tensor<i32>, tensor<ui8>, tensor<ui8>, tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3x3xf32>, tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %16#5, dense<0> : tensor<2xi32>
  %17 = stablehlo.transpose %16#3, dims = [0, 2, 1] : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %18 = stablehlo.dot_general %17, %16#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %19 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %20 = stablehlo.broadcast_in_dim %19, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  check.expect_almost_eq %18, %20, tolerance = 1.0e-5 : tensor<2x3x3xf32>
  %21 = stablehlo.dot_general %16#3, %16#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %22 = stablehlo.transpose %16#3, dims = [0, 2, 1] : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %23 = stablehlo.dot_general %21, %22, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  check.expect_almost_eq %23, %0, tolerance = 2.0e-5 : tensor<2x3x3xf32>
  %24 = stablehlo.constant dense<[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [0.0, 1.0, 1.0]]> : tensor<3x3xf32>
  %25 = stablehlo.broadcast_in_dim %24, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %26 = stablehlo.multiply %16#0, %25 : tensor<2x3x3xf32>
  check.expect_almost_eq %26, %16#0, tolerance = 1.0e-5 : tensor<2x3x3xf32>
  return
}

// -----

func.func @dgees() {
  %0 = stablehlo.constant dense<[[[2.0, 1.0, 0.5], [4.0, -1.0, 3.0], [1.0, 5.0, 1.0]], [[1.0, 3.0, -2.0], [6.0, 1.0, 1.0], [2.0, -1.0, 8.0]]]> : tensor<2x3x3xf64>
  %1:6 = stablehlo.custom_call @lapack_dgees_ffi(%0) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}} : (tensor<2x3x3xf64>) -> (tensor<2x3x3xf64>, tensor<2x3x3xf64>, tensor<2x3xf64>, tensor<2x3xf64>, tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %1#5, dense<0> : tensor<2xi32>
  %2 = stablehlo.transpose %1#1, dims = [0, 2, 1] : (tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %3 = stablehlo.dot_general %2, %1#1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %4 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %5 = stablehlo.broadcast_in_dim %4, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  check.expect_almost_eq %3, %5, tolerance = 1.0e-13 : tensor<2x3x3xf64>
  %6 = stablehlo.dot_general %1#1, %1#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %7 = stablehlo.transpose %1#1, dims = [0, 2, 1] : (tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %8 = stablehlo.dot_general %6, %7, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  check.expect_almost_eq %8, %0, tolerance = 1.0e-13 : tensor<2x3x3xf64>
  %9 = stablehlo.constant dense<[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [0.0, 1.0, 1.0]]> : tensor<3x3xf64>
  %10 = stablehlo.broadcast_in_dim %9, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %11 = stablehlo.multiply %1#0, %10 : tensor<2x3x3xf64>
  check.expect_almost_eq %11, %1#0, tolerance = 1.0e-13 : tensor<2x3x3xf64>
  // The older form.
  %12 = stablehlo.constant dense<2> : tensor<i32>
  %13 = stablehlo.constant dense<3> : tensor<i32>
  %14 = stablehlo.constant dense<86> : tensor<ui8>
  %15 = stablehlo.constant dense<78> : tensor<ui8>
  %16:6 = stablehlo.custom_call @lapack_dgees(%12, %13, %14, %15, %0) : (tensor<i32>, tensor<i32>, tensor<ui8>, tensor<ui8>, tensor<2x3x3xf64>) -> (tensor<2x3x3xf64>, tensor<2x3xf64>, tensor<2x3xf64>, tensor<2x3x3xf64>, tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %16#5, dense<0> : tensor<2xi32>
  %17 = stablehlo.transpose %16#3, dims = [0, 2, 1] : (tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %18 = stablehlo.dot_general %17, %16#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %19 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %20 = stablehlo.broadcast_in_dim %19, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  check.expect_almost_eq %18, %20, tolerance = 1.0e-13 : tensor<2x3x3xf64>
  %21 = stablehlo.dot_general %16#3, %16#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %22 = stablehlo.transpose %16#3, dims = [0, 2, 1] : (tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %23 = stablehlo.dot_general %21, %22, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  check.expect_almost_eq %23, %0, tolerance = 1.0e-13 : tensor<2x3x3xf64>
  %24 = stablehlo.constant dense<[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [0.0, 1.0, 1.0]]> : tensor<3x3xf64>
  %25 = stablehlo.broadcast_in_dim %24, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %26 = stablehlo.multiply %16#0, %25 : tensor<2x3x3xf64>
  check.expect_almost_eq %26, %16#0, tolerance = 1.0e-13 : tensor<2x3x3xf64>
  return
}

// -----

func.func @cgees() {
  %0 = stablehlo.constant dense<[[[(2.0, 1.0), (1.0, -1.0), (0.5, 0.0)], [(4.0, 0.0), (-1.0, 2.0), (3.0, 0.0)], [(1.0, -2.0), (5.0, 0.0), (1.0, 1.0)]], [[(1.0, 0.0), (3.0, 1.0), (-2.0, 0.0)], [(6.0, -2.0), (1.0, 0.0), (1.0, 4.0)], [(2.0, 0.0), (-1.0, 0.0), (8.0, 1.0)]]]> : tensor<2x3x3xcomplex<f32>>
  %1:5 = stablehlo.custom_call @lapack_cgees_ffi(%0) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}} : (tensor<2x3x3xcomplex<f32>>) -> (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %1#4, dense<0> : tensor<2xi32>
  %2 = stablehlo.real %1#1 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %3 = stablehlo.imag %1#1 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %4 = stablehlo.negate %3 : tensor<2x3x3xf32>
  %5 = stablehlo.complex %2, %4 : tensor<2x3x3xcomplex<f32>>
  %6 = stablehlo.transpose %5, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %7 = stablehlo.dot_general %6, %1#1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %8 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %9 = stablehlo.broadcast_in_dim %8, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %7, %9, tolerance = 1.0e-5 : tensor<2x3x3xcomplex<f32>>
  %10 = stablehlo.dot_general %1#1, %1#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %11 = stablehlo.real %1#1 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %12 = stablehlo.imag %1#1 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %13 = stablehlo.negate %12 : tensor<2x3x3xf32>
  %14 = stablehlo.complex %11, %13 : tensor<2x3x3xcomplex<f32>>
  %15 = stablehlo.transpose %14, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %16 = stablehlo.dot_general %10, %15, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %16, %0, tolerance = 2.0e-5 : tensor<2x3x3xcomplex<f32>>
  %17 = stablehlo.constant dense<[[(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %18 = stablehlo.broadcast_in_dim %17, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %19 = stablehlo.multiply %1#0, %18 : tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %19, %1#0, tolerance = 1.0e-5 : tensor<2x3x3xcomplex<f32>>
  // The older form.
  %20 = stablehlo.constant dense<2> : tensor<i32>
  %21 = stablehlo.constant dense<3> : tensor<i32>
  %22 = stablehlo.constant dense<86> : tensor<ui8>
  %23 = stablehlo.constant dense<78> : tensor<ui8>
  %24:6 = stablehlo.custom_call @lapack_cgees(%20, %21, %22, %23, %0) : (tensor<i32>, tensor<i32>, tensor<ui8>, tensor<ui8>, tensor<2x3x3xcomplex<f32>>) -> (tensor<2x3x3xcomplex<f32>>, tensor<2x3xf32>, tensor<2x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>, tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %24#5, dense<0> : tensor<2xi32>
  %25 = stablehlo.real %24#3 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %26 = stablehlo.imag %24#3 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %27 = stablehlo.negate %26 : tensor<2x3x3xf32>
  %28 = stablehlo.complex %25, %27 : tensor<2x3x3xcomplex<f32>>
  %29 = stablehlo.transpose %28, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %30 = stablehlo.dot_general %29, %24#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %31 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %32 = stablehlo.broadcast_in_dim %31, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %30, %32, tolerance = 1.0e-5 : tensor<2x3x3xcomplex<f32>>
  %33 = stablehlo.dot_general %24#3, %24#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %34 = stablehlo.real %24#3 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %35 = stablehlo.imag %24#3 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %36 = stablehlo.negate %35 : tensor<2x3x3xf32>
  %37 = stablehlo.complex %34, %36 : tensor<2x3x3xcomplex<f32>>
  %38 = stablehlo.transpose %37, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %39 = stablehlo.dot_general %33, %38, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %39, %0, tolerance = 2.0e-5 : tensor<2x3x3xcomplex<f32>>
  %40 = stablehlo.constant dense<[[(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %41 = stablehlo.broadcast_in_dim %40, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %42 = stablehlo.multiply %24#0, %41 : tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %42, %24#0, tolerance = 1.0e-5 : tensor<2x3x3xcomplex<f32>>
  return
}

// -----

func.func @zgees() {
  %0 = stablehlo.constant dense<[[[(2.0, 1.0), (1.0, -1.0), (0.5, 0.0)], [(4.0, 0.0), (-1.0, 2.0), (3.0, 0.0)], [(1.0, -2.0), (5.0, 0.0), (1.0, 1.0)]], [[(1.0, 0.0), (3.0, 1.0), (-2.0, 0.0)], [(6.0, -2.0), (1.0, 0.0), (1.0, 4.0)], [(2.0, 0.0), (-1.0, 0.0), (8.0, 1.0)]]]> : tensor<2x3x3xcomplex<f64>>
  %1:5 = stablehlo.custom_call @lapack_zgees_ffi(%0) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}} : (tensor<2x3x3xcomplex<f64>>) -> (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>, tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %1#4, dense<0> : tensor<2xi32>
  %2 = stablehlo.real %1#1 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %3 = stablehlo.imag %1#1 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %4 = stablehlo.negate %3 : tensor<2x3x3xf64>
  %5 = stablehlo.complex %2, %4 : tensor<2x3x3xcomplex<f64>>
  %6 = stablehlo.transpose %5, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %7 = stablehlo.dot_general %6, %1#1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %8 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %9 = stablehlo.broadcast_in_dim %8, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %7, %9, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  %10 = stablehlo.dot_general %1#1, %1#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %11 = stablehlo.real %1#1 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %12 = stablehlo.imag %1#1 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %13 = stablehlo.negate %12 : tensor<2x3x3xf64>
  %14 = stablehlo.complex %11, %13 : tensor<2x3x3xcomplex<f64>>
  %15 = stablehlo.transpose %14, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %16 = stablehlo.dot_general %10, %15, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %16, %0, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  %17 = stablehlo.constant dense<[[(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %18 = stablehlo.broadcast_in_dim %17, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %19 = stablehlo.multiply %1#0, %18 : tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %19, %1#0, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  // The older form.
  %20 = stablehlo.constant dense<2> : tensor<i32>
  %21 = stablehlo.constant dense<3> : tensor<i32>
  %22 = stablehlo.constant dense<86> : tensor<ui8>
  %23 = stablehlo.constant dense<78> : tensor<ui8>
  %24:6 = stablehlo.custom_call @lapack_zgees(%20, %21, %22, %23, %0) : (tensor<i32>, tensor<i32>, tensor<ui8>, tensor<ui8>, tensor<2x3x3xcomplex<f64>>) -> (tensor<2x3x3xcomplex<f64>>, tensor<2x3xf64>, tensor<2x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>, tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %24#5, dense<0> : tensor<2xi32>
  %25 = stablehlo.real %24#3 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %26 = stablehlo.imag %24#3 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %27 = stablehlo.negate %26 : tensor<2x3x3xf64>
  %28 = stablehlo.complex %25, %27 : tensor<2x3x3xcomplex<f64>>
  %29 = stablehlo.transpose %28, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %30 = stablehlo.dot_general %29, %24#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %31 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %32 = stablehlo.broadcast_in_dim %31, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %30, %32, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  %33 = stablehlo.dot_general %24#3, %24#0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %34 = stablehlo.real %24#3 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %35 = stablehlo.imag %24#3 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %36 = stablehlo.negate %35 : tensor<2x3x3xf64>
  %37 = stablehlo.complex %34, %36 : tensor<2x3x3xcomplex<f64>>
  %38 = stablehlo.transpose %37, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %39 = stablehlo.dot_general %33, %38, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %39, %0, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  %40 = stablehlo.constant dense<[[(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %41 = stablehlo.broadcast_in_dim %40, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %42 = stablehlo.multiply %24#0, %41 : tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %42, %24#0, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  return
}
