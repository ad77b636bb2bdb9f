// geqp3: a p = q r, the longest column first.
// In the four types of number, on two matrices at once: what comes out, multiplied again, is what went in.
// RUN: stablehlo-translate --interpret -split-input-file %s

func.func @sgeqp3() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0, 0.5], [3.0, -1.0, 2.0], [0.0, 4.0, 1.0], [2.0, 1.0, -3.0]], [[1.0, 0.0, 1.0], [-1.0, 3.0, 2.0], [4.0, 1.0, 1.0], [0.5, -2.0, 2.0]]]> : tensor<2x4x3xf32>
  %1 = stablehlo.constant dense<[[0, 0, 0], [0, 0, 0]]> : tensor<2x3xi32>
  %2:3 = stablehlo.custom_call @lapack_sgeqp3_ffi(%0, %1) {mhlo.backend_config = {}} : (tensor<2x4x3xf32>, tensor<2x3xi32>) -> (tensor<2x4x3xf32>, tensor<2x3xi32>, tensor<2x3xf32>)
  %3 = stablehlo.custom_call @lapack_sorgqr_ffi(%2#0, %2#2) {mhlo.backend_config = {}} : (tensor<2x4x3xf32>, tensor<2x3xf32>) -> tensor<2x4x3xf32>
  %4 = stablehlo.iota dim = 1 : tensor<2x3x3xi32>
  %5 = stablehlo.constant dense<1> : tensor<i32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
  %7 = stablehlo.subtract %2#1, %6 : tensor<2x3xi32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0, 2] : (tensor<2x3xi32>) -> tensor<2x3x3xi32>
  %9 = stablehlo.compare EQ, %4, %8 : (tensor<2x3x3xi32>, tensor<2x3x3xi32>) -> tensor<2x3x3xi1>
  %10 = stablehlo.convert %9 : (tensor<2x3x3xi1>) -> tensor<2x3x3xf32>
  %11 = stablehlo.dot_general %0, %10, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xf32>, tensor<2x3x3xf32>) -> tensor<2x4x3xf32>
  %12 = stablehlo.transpose %3, dims = [0, 2, 1] : (tensor<2x4x3xf32>) -> tensor<2x3x4xf32>
  %13 = stablehlo.dot_general %12, %3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x3xf32>) -> tensor<2x3x3xf32>
  %14 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %15 = stablehlo.broadcast_in_dim %14, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  check.expect_almost_eq %13, %15, tolerance = 1.0e-5 : tensor<2x3x3xf32>
  %16 = stablehlo.slice %2#0 [0:2, 0:3, 0:3] : (tensor<2x4x3xf32>) -> tensor<2x3x3xf32>
  %17 = stablehlo.constant dense<[[1.0, 1.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %18 = stablehlo.broadcast_in_dim %17, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %19 = stablehlo.multiply %16, %18 : tensor<2x3x3xf32>
  %20 = stablehlo.dot_general %3, %19, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xf32>, tensor<2x3x3xf32>) -> tensor<2x4x3xf32>
  check.expect_almost_eq %20, %11, tolerance = 1.0e-5 : tensor<2x4x3xf32>
  %21 = stablehlo.slice %2#1 [0:2, 0:1] : (tensor<2x3xi32>) -> tensor<2x1xi32>
  check.expect_eq_const %21, dense<[[2], [1]]> : tensor<2x1xi32>
  // The first column is to stay the first.
  %22 = stablehlo.constant dense<[[1, 0, 0], [1, 0, 0]]> : tensor<2x3xi32>
  %23:3 = stablehlo.custom_call @lapack_sgeqp3_ffi(%0, %22) {mhlo.backend_config = {}} : (tensor<2x4x3xf32>, tensor<2x3xi32>) -> (tensor<2x4x3xf32>, tensor<2x3xi32>, tensor<2x3xf32>)
  %24 = stablehlo.custom_call @lapack_sorgqr_ffi(%23#0, %23#2) {mhlo.backend_config = {}} : (tensor<2x4x3xf32>, tensor<2x3xf32>) -> tensor<2x4x3xf32>
  %25 = stablehlo.iota dim = 1 : tensor<2x3x3xi32>
  %26 = stablehlo.constant dense<1> : tensor<i32>
  %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
  %28 = stablehlo.subtract %23#1, %27 : tensor<2x3xi32>
  %29 = stablehlo.broadcast_in_dim %28, dims = [0, 2] : (tensor<2x3xi32>) -> tensor<2x3x3xi32>
  %30 = stablehlo.compare EQ, %25, %29 : (tensor<2x3x3xi32>, tensor<2x3x3xi32>) -> tensor<2x3x3xi1>
  %31 = stablehlo.convert %30 : (tensor<2x3x3xi1>) -> tensor<2x3x3xf32>
  %32 = stablehlo.dot_general %0, %31, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xf32>, tensor<2x3x3xf32>) -> tensor<2x4x3xf32>
  %33 = stablehlo.transpose %24, dims = [0, 2, 1] : (tensor<2x4x3xf32>) -> tensor<2x3x4xf32>
  %34 = stablehlo.dot_general %33, %24, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x3xf32>) -> tensor<2x3x3xf32>
  %35 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %36 = stablehlo.broadcast_in_dim %35, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  check.expect_almost_eq %34, %36, tolerance = 1.0e-5 : tensor<2x3x3xf32>
  %37 = stablehlo.slice %23#0 [0:2, 0:3, 0:3] : (tensor<2x4x3xf32>) -> tensor<2x3x3xf32>
  %38 = stablehlo.constant dense<[[1.0, 1.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %39 = stablehlo.broadcast_in_dim %38, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %40 = stablehlo.multiply %37, %39 : tensor<2x3x3xf32>
  %41 = stablehlo.dot_general %24, %40, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xf32>, tensor<2x3x3xf32>) -> tensor<2x4x3xf32>
  check.expect_almost_eq %41, %32, tolerance = 1.0e-5 : tensor<2x4x3xf32>
  %42 = stablehlo.slice %23#1 [0:2, 0:1] : (tensor<2x3xi32>) -> tensor<2x1xi32>
  check.expect_eq_const %42, dense<1> : tensor<2x1xi32>
  // The last column is to be the first.
  %43 = stablehlo.constant dense<[[0, 0, 1], [0, 0, 1]]> : tensor<2x3xi32>
  %44:3 = stablehlo.custom_call @lapack_sgeqp3_ffi(%0, %43) {mhlo.backend_config = {}} : (tensor<2x4x3xf32>, tensor<2x3xi32>) -> (tensor<2x4x3xf32>, tensor<2x3xi32>, tensor<2x3xf32>)
  %45 = stablehlo.custom_call @lapack_sorgqr_ffi(%44#0, %44#2) {mhlo.backend_config = {}} : (tensor<2x4x3xf32>, tensor<2x3xf32>) -> tensor<2x4x3xf32>
  %46 = stablehlo.iota dim = 1 : tensor<2x3x3xi32>
  %47 = stablehlo.constant dense<1> : tensor<i32>
  %48 = stablehlo.broadcast_in_dim %47, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
  %49 = stablehlo.subtract %44#1, %48 : tensor<2x3xi32>
  %50 = stablehlo.broadcast_in_dim %49, dims = [0, 2] : (tensor<2x3xi32>) -> tensor<2x3x3xi32>
  %51 = stablehlo.compare EQ, %46, %50 : (tensor<2x3x3xi32>, tensor<2x3x3xi32>) -> tensor<2x3x3xi1>
  %52 = stablehlo.convert %51 : (tensor<2x3x3xi1>) -> tensor<2x3x3xf32>
  %53 = stablehlo.dot_general %0, %52, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xf32>, tensor<2x3x3xf32>) -> tensor<2x4x3xf32>
  %54 = stablehlo.transpose %45, dims = [0, 2, 1] : (tensor<2x4x3xf32>) -> tensor<2x3x4xf32>
  %55 = stablehlo.dot_general %54, %45, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x3xf32>) -> tensor<2x3x3xf32>
  %56 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %57 = stablehlo.broadcast_in_dim %56, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  check.expect_almost_eq %55, %57, tolerance = 1.0e-5 : tensor<2x3x3xf32>
  %58 = stablehlo.slice %44#0 [0:2, 0:3, 0:3] : (tensor<2x4x3xf32>) -> tensor<2x3x3xf32>
  %59 = stablehlo.constant dense<[[1.0, 1.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf32>
  %60 = stablehlo.broadcast_in_dim %59, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
  %61 = stablehlo.multiply %58, %60 : tensor<2x3x3xf32>
  %62 = stablehlo.dot_general %45, %61, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xf32>, tensor<2x3x3xf32>) -> tensor<2x4x3xf32>
  check.expect_almost_eq %62, %53, tolerance = 1.0e-5 : tensor<2x4x3xf32>
  %63 = stablehlo.slice %44#1 [0:2, 0:1] : (tensor<2x3xi32>) -> tensor<2x1xi32>
  check.expect_eq_const %63, dense<3> : tensor<2x1xi32>
  return
}

// -----

func.func @dgeqp3() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0, 0.5], [3.0, -1.0, 2.0], [0.0, 4.0, 1.0], [2.0, 1.0, -3.0]], [[1.0, 0.0, 1.0], [-1.0, 3.0, 2.0], [4.0, 1.0, 1.0], [0.5, -2.0, 2.0]]]> : tensor<2x4x3xf64>
  %1 = stablehlo.constant dense<[[0, 0, 0], [0, 0, 0]]> : tensor<2x3xi32>
  %2:3 = stablehlo.custom_call @lapack_dgeqp3_ffi(%0, %1) {mhlo.backend_config = {}} : (tensor<2x4x3xf64>, tensor<2x3xi32>) -> (tensor<2x4x3xf64>, tensor<2x3xi32>, tensor<2x3xf64>)
  %3 = stablehlo.custom_call @lapack_dorgqr_ffi(%2#0, %2#2) {mhlo.backend_config = {}} : (tensor<2x4x3xf64>, tensor<2x3xf64>) -> tensor<2x4x3xf64>
  %4 = stablehlo.iota dim = 1 : tensor<2x3x3xi32>
  %5 = stablehlo.constant dense<1> : tensor<i32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
  %7 = stablehlo.subtract %2#1, %6 : tensor<2x3xi32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0, 2] : (tensor<2x3xi32>) -> tensor<2x3x3xi32>
  %9 = stablehlo.compare EQ, %4, %8 : (tensor<2x3x3xi32>, tensor<2x3x3xi32>) -> tensor<2x3x3xi1>
  %10 = stablehlo.convert %9 : (tensor<2x3x3xi1>) -> tensor<2x3x3xf64>
  %11 = stablehlo.dot_general %0, %10, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xf64>, tensor<2x3x3xf64>) -> tensor<2x4x3xf64>
  %12 = stablehlo.transpose %3, dims = [0, 2, 1] : (tensor<2x4x3xf64>) -> tensor<2x3x4xf64>
  %13 = stablehlo.dot_general %12, %3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf64>, tensor<2x4x3xf64>) -> tensor<2x3x3xf64>
  %14 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %15 = stablehlo.broadcast_in_dim %14, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  check.expect_almost_eq %13, %15, tolerance = 1.0e-13 : tensor<2x3x3xf64>
  %16 = stablehlo.slice %2#0 [0:2, 0:3, 0:3] : (tensor<2x4x3xf64>) -> tensor<2x3x3xf64>
  %17 = stablehlo.constant dense<[[1.0, 1.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %18 = stablehlo.broadcast_in_dim %17, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %19 = stablehlo.multiply %16, %18 : tensor<2x3x3xf64>
  %20 = stablehlo.dot_general %3, %19, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xf64>, tensor<2x3x3xf64>) -> tensor<2x4x3xf64>
  check.expect_almost_eq %20, %11, tolerance = 1.0e-13 : tensor<2x4x3xf64>
  %21 = stablehlo.slice %2#1 [0:2, 0:1] : (tensor<2x3xi32>) -> tensor<2x1xi32>
  check.expect_eq_const %21, dense<[[2], [1]]> : tensor<2x1xi32>
  // The first column is to stay the first.
  %22 = stablehlo.constant dense<[[1, 0, 0], [1, 0, 0]]> : tensor<2x3xi32>
  %23:3 = stablehlo.custom_call @lapack_dgeqp3_ffi(%0, %22) {mhlo.backend_config = {}} : (tensor<2x4x3xf64>, tensor<2x3xi32>) -> (tensor<2x4x3xf64>, tensor<2x3xi32>, tensor<2x3xf64>)
  %24 = stablehlo.custom_call @lapack_dorgqr_ffi(%23#0, %23#2) {mhlo.backend_config = {}} : (tensor<2x4x3xf64>, tensor<2x3xf64>) -> tensor<2x4x3xf64>
  %25 = stablehlo.iota dim = 1 : tensor<2x3x3xi32>
  %26 = stablehlo.constant dense<1> : tensor<i32>
  %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
  %28 = stablehlo.subtract %23#1, %27 : tensor<2x3xi32>
  %29 = stablehlo.broadcast_in_dim %28, dims = [0, 2] : (tensor<2x3xi32>) -> tensor<2x3x3xi32>
  %30 = stablehlo.compare EQ, %25, %29 : (tensor<2x3x3xi32>, tensor<2x3x3xi32>) -> tensor<2x3x3xi1>
  %31 = stablehlo.convert %30 : (tensor<2x3x3xi1>) -> tensor<2x3x3xf64>
  %32 = stablehlo.dot_general %0, %31, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xf64>, tensor<2x3x3xf64>) -> tensor<2x4x3xf64>
  %33 = stablehlo.transpose %24, dims = [0, 2, 1] : (tensor<2x4x3xf64>) -> tensor<2x3x4xf64>
  %34 = stablehlo.dot_general %33, %24, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf64>, tensor<2x4x3xf64>) -> tensor<2x3x3xf64>
  %35 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %36 = stablehlo.broadcast_in_dim %35, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  check.expect_almost_eq %34, %36, tolerance = 1.0e-13 : tensor<2x3x3xf64>
  %37 = stablehlo.slice %23#0 [0:2, 0:3, 0:3] : (tensor<2x4x3xf64>) -> tensor<2x3x3xf64>
  %38 = stablehlo.constant dense<[[1.0, 1.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %39 = stablehlo.broadcast_in_dim %38, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %40 = stablehlo.multiply %37, %39 : tensor<2x3x3xf64>
  %41 = stablehlo.dot_general %24, %40, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xf64>, tensor<2x3x3xf64>) -> tensor<2x4x3xf64>
  check.expect_almost_eq %41, %32, tolerance = 1.0e-13 : tensor<2x4x3xf64>
  %42 = stablehlo.slice %23#1 [0:2, 0:1] : (tensor<2x3xi32>) -> tensor<2x1xi32>
  check.expect_eq_const %42, dense<1> : tensor<2x1xi32>
  // The last column is to be the first.
  %43 = stablehlo.constant dense<[[0, 0, 1], [0, 0, 1]]> : tensor<2x3xi32>
  %44:3 = stablehlo.custom_call @lapack_dgeqp3_ffi(%0, %43) {mhlo.backend_config = {}} : (tensor<2x4x3xf64>, tensor<2x3xi32>) -> (tensor<2x4x3xf64>, tensor<2x3xi32>, tensor<2x3xf64>)
  %45 = stablehlo.custom_call @lapack_dorgqr_ffi(%44#0, %44#2) {mhlo.backend_config = {}} : (tensor<2x4x3xf64>, tensor<2x3xf64>) -> tensor<2x4x3xf64>
  %46 = stablehlo.iota dim = 1 : tensor<2x3x3xi32>
  %47 = stablehlo.constant dense<1> : tensor<i32>
  %48 = stablehlo.broadcast_in_dim %47, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
  %49 = stablehlo.subtract %44#1, %48 : tensor<2x3xi32>
  %50 = stablehlo.broadcast_in_dim %49, dims = [0, 2] : (tensor<2x3xi32>) -> tensor<2x3x3xi32>
  %51 = stablehlo.compare EQ, %46, %50 : (tensor<2x3x3xi32>, tensor<2x3x3xi32>) -> tensor<2x3x3xi1>
  %52 = stablehlo.convert %51 : (tensor<2x3x3xi1>) -> tensor<2x3x3xf64>
  %53 = stablehlo.dot_general %0, %52, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xf64>, tensor<2x3x3xf64>) -> tensor<2x4x3xf64>
  %54 = stablehlo.transpose %45, dims = [0, 2, 1] : (tensor<2x4x3xf64>) -> tensor<2x3x4xf64>
  %55 = stablehlo.dot_general %54, %45, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf64>, tensor<2x4x3xf64>) -> tensor<2x3x3xf64>
  %56 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %57 = stablehlo.broadcast_in_dim %56, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  check.expect_almost_eq %55, %57, tolerance = 1.0e-13 : tensor<2x3x3xf64>
  %58 = stablehlo.slice %44#0 [0:2, 0:3, 0:3] : (tensor<2x4x3xf64>) -> tensor<2x3x3xf64>
  %59 = stablehlo.constant dense<[[1.0, 1.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  %60 = stablehlo.broadcast_in_dim %59, dims = [1, 2] : (tensor<3x3xf64>) -> tensor<2x3x3xf64>
  %61 = stablehlo.multiply %58, %60 : tensor<2x3x3xf64>
  %62 = stablehlo.dot_general %45, %61, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xf64>, tensor<2x3x3xf64>) -> tensor<2x4x3xf64>
  check.expect_almost_eq %62, %53, tolerance = 1.0e-13 : tensor<2x4x3xf64>
  %63 = stablehlo.slice %44#1 [0:2, 0:1] : (tensor<2x3xi32>) -> tensor<2x1xi32>
  check.expect_eq_const %63, dense<3> : tensor<2x1xi32>
  return
}

// -----

func.func @cgeqp3() {
  %0 = stablehlo.constant dense<[[[(1.0, 0.0), (2.0, 1.0), (0.5, 0.0)], [(3.0, -1.0), (-1.0, 0.0), (2.0, 0.0)], [(0.0, 0.0), (4.0, 0.0), (1.0, 2.0)], [(2.0, 0.0), (1.0, 1.0), (-3.0, 0.0)]], [[(1.0, 2.0), (0.0, 0.0), (1.0, 0.0)], [(-1.0, 0.0), (3.0, 0.0), (2.0, -1.0)], [(4.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.5, 0.0), (-2.0, 0.0), (2.0, 1.0)]]]> : tensor<2x4x3xcomplex<f32>>
  %1 = stablehlo.constant dense<[[0, 0, 0], [0, 0, 0]]> : tensor<2x3xi32>
  %2:3 = stablehlo.custom_call @lapack_cgeqp3_ffi(%0, %1) {mhlo.backend_config = {}} : (tensor<2x4x3xcomplex<f32>>, tensor<2x3xi32>) -> (tensor<2x4x3xcomplex<f32>>, tensor<2x3xi32>, tensor<2x3xcomplex<f32>>)
  %3 = stablehlo.custom_call @lapack_cungqr_ffi(%2#0, %2#2) {mhlo.backend_config = {}} : (tensor<2x4x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>) -> tensor<2x4x3xcomplex<f32>>
  %4 = stablehlo.iota dim = 1 : tensor<2x3x3xi32>
  %5 = stablehlo.constant dense<1> : tensor<i32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
  %7 = stablehlo.subtract %2#1, %6 : tensor<2x3xi32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0, 2] : (tensor<2x3xi32>) -> tensor<2x3x3xi32>
  %9 = stablehlo.compare EQ, %4, %8 : (tensor<2x3x3xi32>, tensor<2x3x3xi32>) -> tensor<2x3x3xi1>
  %10 = stablehlo.convert %9 : (tensor<2x3x3xi1>) -> tensor<2x3x3xcomplex<f32>>
  %11 = stablehlo.dot_general %0, %10, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x4x3xcomplex<f32>>
  %12 = stablehlo.real %3 : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x4x3xf32>
  %13 = stablehlo.imag %3 : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x4x3xf32>
  %14 = stablehlo.negate %13 : tensor<2x4x3xf32>
  %15 = stablehlo.complex %12, %14 : tensor<2x4x3xcomplex<f32>>
  %16 = stablehlo.transpose %15, dims = [0, 2, 1] : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x3x4xcomplex<f32>>
  %17 = stablehlo.dot_general %16, %3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xcomplex<f32>>, tensor<2x4x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %18 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %19 = stablehlo.broadcast_in_dim %18, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %17, %19, tolerance = 1.0e-5 : tensor<2x3x3xcomplex<f32>>
  %20 = stablehlo.slice %2#0 [0:2, 0:3, 0:3] : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %21 = stablehlo.constant dense<[[(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %22 = stablehlo.broadcast_in_dim %21, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %23 = stablehlo.multiply %20, %22 : tensor<2x3x3xcomplex<f32>>
  %24 = stablehlo.dot_general %3, %23, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x4x3xcomplex<f32>>
  check.expect_almost_eq %24, %11, tolerance = 1.0e-5 : tensor<2x4x3xcomplex<f32>>
  %25 = stablehlo.slice %2#1 [0:2, 0:1] : (tensor<2x3xi32>) -> tensor<2x1xi32>
  check.expect_eq_const %25, dense<[[2], [1]]> : tensor<2x1xi32>
  // The first column is to stay the first.
  %26 = stablehlo.constant dense<[[1, 0, 0], [1, 0, 0]]> : tensor<2x3xi32>
  %27:3 = stablehlo.custom_call @lapack_cgeqp3_ffi(%0, %26) {mhlo.backend_config = {}} : (tensor<2x4x3xcomplex<f32>>, tensor<2x3xi32>) -> (tensor<2x4x3xcomplex<f32>>, tensor<2x3xi32>, tensor<2x3xcomplex<f32>>)
  %28 = stablehlo.custom_call @lapack_cungqr_ffi(%27#0, %27#2) {mhlo.backend_config = {}} : (tensor<2x4x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>) -> tensor<2x4x3xcomplex<f32>>
  %29 = stablehlo.iota dim = 1 : tensor<2x3x3xi32>
  %30 = stablehlo.constant dense<1> : tensor<i32>
  %31 = stablehlo.broadcast_in_dim %30, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
  %32 = stablehlo.subtract %27#1, %31 : tensor<2x3xi32>
  %33 = stablehlo.broadcast_in_dim %32, dims = [0, 2] : (tensor<2x3xi32>) -> tensor<2x3x3xi32>
  %34 = stablehlo.compare EQ, %29, %33 : (tensor<2x3x3xi32>, tensor<2x3x3xi32>) -> tensor<2x3x3xi1>
  %35 = stablehlo.convert %34 : (tensor<2x3x3xi1>) -> tensor<2x3x3xcomplex<f32>>
  %36 = stablehlo.dot_general %0, %35, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x4x3xcomplex<f32>>
  %37 = stablehlo.real %28 : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x4x3xf32>
  %38 = stablehlo.imag %28 : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x4x3xf32>
  %39 = stablehlo.negate %38 : tensor<2x4x3xf32>
  %40 = stablehlo.complex %37, %39 : tensor<2x4x3xcomplex<f32>>
  %41 = stablehlo.transpose %40, dims = [0, 2, 1] : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x3x4xcomplex<f32>>
  %42 = stablehlo.dot_general %41, %28, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xcomplex<f32>>, tensor<2x4x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %43 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %44 = stablehlo.broadcast_in_dim %43, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %42, %44, tolerance = 1.0e-5 : tensor<2x3x3xcomplex<f32>>
  %45 = stablehlo.slice %27#0 [0:2, 0:3, 0:3] : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %46 = stablehlo.constant dense<[[(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %47 = stablehlo.broadcast_in_dim %46, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %48 = stablehlo.multiply %45, %47 : tensor<2x3x3xcomplex<f32>>
  %49 = stablehlo.dot_general %28, %48, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x4x3xcomplex<f32>>
  check.expect_almost_eq %49, %36, tolerance = 1.0e-5 : tensor<2x4x3xcomplex<f32>>
  %50 = stablehlo.slice %27#1 [0:2, 0:1] : (tensor<2x3xi32>) -> tensor<2x1xi32>
  check.expect_eq_const %50, dense<1> : tensor<2x1xi32>
  // The last column is to be the first.
  %51 = stablehlo.constant dense<[[0, 0, 1], [0, 0, 1]]> : tensor<2x3xi32>
  %52:3 = stablehlo.custom_call @lapack_cgeqp3_ffi(%0, %51) {mhlo.backend_config = {}} : (tensor<2x4x3xcomplex<f32>>, tensor<2x3xi32>) -> (tensor<2x4x3xcomplex<f32>>, tensor<2x3xi32>, tensor<2x3xcomplex<f32>>)
  %53 = stablehlo.custom_call @lapack_cungqr_ffi(%52#0, %52#2) {mhlo.backend_config = {}} : (tensor<2x4x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>) -> tensor<2x4x3xcomplex<f32>>
  %54 = stablehlo.iota dim = 1 : tensor<2x3x3xi32>
  %55 = stablehlo.constant dense<1> : tensor<i32>
  %56 = stablehlo.broadcast_in_dim %55, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
  %57 = stablehlo.subtract %52#1, %56 : tensor<2x3xi32>
  %58 = stablehlo.broadcast_in_dim %57, dims = [0, 2] : (tensor<2x3xi32>) -> tensor<2x3x3xi32>
  %59 = stablehlo.compare EQ, %54, %58 : (tensor<2x3x3xi32>, tensor<2x3x3xi32>) -> tensor<2x3x3xi1>
  %60 = stablehlo.convert %59 : (tensor<2x3x3xi1>) -> tensor<2x3x3xcomplex<f32>>
  %61 = stablehlo.dot_general %0, %60, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x4x3xcomplex<f32>>
  %62 = stablehlo.real %53 : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x4x3xf32>
  %63 = stablehlo.imag %53 : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x4x3xf32>
  %64 = stablehlo.negate %63 : tensor<2x4x3xf32>
  %65 = stablehlo.complex %62, %64 : tensor<2x4x3xcomplex<f32>>
  %66 = stablehlo.transpose %65, dims = [0, 2, 1] : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x3x4xcomplex<f32>>
  %67 = stablehlo.dot_general %66, %53, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xcomplex<f32>>, tensor<2x4x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %68 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %69 = stablehlo.broadcast_in_dim %68, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %67, %69, tolerance = 1.0e-5 : tensor<2x3x3xcomplex<f32>>
  %70 = stablehlo.slice %52#0 [0:2, 0:3, 0:3] : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %71 = stablehlo.constant dense<[[(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f32>>
  %72 = stablehlo.broadcast_in_dim %71, dims = [1, 2] : (tensor<3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %73 = stablehlo.multiply %70, %72 : tensor<2x3x3xcomplex<f32>>
  %74 = stablehlo.dot_general %53, %73, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x4x3xcomplex<f32>>
  check.expect_almost_eq %74, %61, tolerance = 1.0e-5 : tensor<2x4x3xcomplex<f32>>
  %75 = stablehlo.slice %52#1 [0:2, 0:1] : (tensor<2x3xi32>) -> tensor<2x1xi32>
  check.expect_eq_const %75, dense<3> : tensor<2x1xi32>
  return
}

// -----

func.func @zgeqp3() {
  %0 = stablehlo.constant dense<[[[(1.0, 0.0), (2.0, 1.0), (0.5, 0.0)], [(3.0, -1.0), (-1.0, 0.0), (2.0, 0.0)], [(0.0, 0.0), (4.0, 0.0), (1.0, 2.0)], [(2.0, 0.0), (1.0, 1.0), (-3.0, 0.0)]], [[(1.0, 2.0), (0.0, 0.0), (1.0, 0.0)], [(-1.0, 0.0), (3.0, 0.0), (2.0, -1.0)], [(4.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.5, 0.0), (-2.0, 0.0), (2.0, 1.0)]]]> : tensor<2x4x3xcomplex<f64>>
  %1 = stablehlo.constant dense<[[0, 0, 0], [0, 0, 0]]> : tensor<2x3xi32>
  %2:3 = stablehlo.custom_call @lapack_zgeqp3_ffi(%0, %1) {mhlo.backend_config = {}} : (tensor<2x4x3xcomplex<f64>>, tensor<2x3xi32>) -> (tensor<2x4x3xcomplex<f64>>, tensor<2x3xi32>, tensor<2x3xcomplex<f64>>)
  %3 = stablehlo.custom_call @lapack_zungqr_ffi(%2#0, %2#2) {mhlo.backend_config = {}} : (tensor<2x4x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x4x3xcomplex<f64>>
  %4 = stablehlo.iota dim = 1 : tensor<2x3x3xi32>
  %5 = stablehlo.constant dense<1> : tensor<i32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
  %7 = stablehlo.subtract %2#1, %6 : tensor<2x3xi32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0, 2] : (tensor<2x3xi32>) -> tensor<2x3x3xi32>
  %9 = stablehlo.compare EQ, %4, %8 : (tensor<2x3x3xi32>, tensor<2x3x3xi32>) -> tensor<2x3x3xi1>
  %10 = stablehlo.convert %9 : (tensor<2x3x3xi1>) -> tensor<2x3x3xcomplex<f64>>
  %11 = stablehlo.dot_general %0, %10, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x4x3xcomplex<f64>>
  %12 = stablehlo.real %3 : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x4x3xf64>
  %13 = stablehlo.imag %3 : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x4x3xf64>
  %14 = stablehlo.negate %13 : tensor<2x4x3xf64>
  %15 = stablehlo.complex %12, %14 : tensor<2x4x3xcomplex<f64>>
  %16 = stablehlo.transpose %15, dims = [0, 2, 1] : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x3x4xcomplex<f64>>
  %17 = stablehlo.dot_general %16, %3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xcomplex<f64>>, tensor<2x4x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %18 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %19 = stablehlo.broadcast_in_dim %18, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %17, %19, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  %20 = stablehlo.slice %2#0 [0:2, 0:3, 0:3] : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %21 = stablehlo.constant dense<[[(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %22 = stablehlo.broadcast_in_dim %21, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %23 = stablehlo.multiply %20, %22 : tensor<2x3x3xcomplex<f64>>
  %24 = stablehlo.dot_general %3, %23, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x4x3xcomplex<f64>>
  check.expect_almost_eq %24, %11, tolerance = 1.0e-13 : tensor<2x4x3xcomplex<f64>>
  %25 = stablehlo.slice %2#1 [0:2, 0:1] : (tensor<2x3xi32>) -> tensor<2x1xi32>
  check.expect_eq_const %25, dense<[[2], [1]]> : tensor<2x1xi32>
  // The first column is to stay the first.
  %26 = stablehlo.constant dense<[[1, 0, 0], [1, 0, 0]]> : tensor<2x3xi32>
  %27:3 = stablehlo.custom_call @lapack_zgeqp3_ffi(%0, %26) {mhlo.backend_config = {}} : (tensor<2x4x3xcomplex<f64>>, tensor<2x3xi32>) -> (tensor<2x4x3xcomplex<f64>>, tensor<2x3xi32>, tensor<2x3xcomplex<f64>>)
  %28 = stablehlo.custom_call @lapack_zungqr_ffi(%27#0, %27#2) {mhlo.backend_config = {}} : (tensor<2x4x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x4x3xcomplex<f64>>
  %29 = stablehlo.iota dim = 1 : tensor<2x3x3xi32>
  %30 = stablehlo.constant dense<1> : tensor<i32>
  %31 = stablehlo.broadcast_in_dim %30, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
  %32 = stablehlo.subtract %27#1, %31 : tensor<2x3xi32>
  %33 = stablehlo.broadcast_in_dim %32, dims = [0, 2] : (tensor<2x3xi32>) -> tensor<2x3x3xi32>
  %34 = stablehlo.compare EQ, %29, %33 : (tensor<2x3x3xi32>, tensor<2x3x3xi32>) -> tensor<2x3x3xi1>
  %35 = stablehlo.convert %34 : (tensor<2x3x3xi1>) -> tensor<2x3x3xcomplex<f64>>
  %36 = stablehlo.dot_general %0, %35, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x4x3xcomplex<f64>>
  %37 = stablehlo.real %28 : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x4x3xf64>
  %38 = stablehlo.imag %28 : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x4x3xf64>
  %39 = stablehlo.negate %38 : tensor<2x4x3xf64>
  %40 = stablehlo.complex %37, %39 : tensor<2x4x3xcomplex<f64>>
  %41 = stablehlo.transpose %40, dims = [0, 2, 1] : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x3x4xcomplex<f64>>
  %42 = stablehlo.dot_general %41, %28, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xcomplex<f64>>, tensor<2x4x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %43 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %44 = stablehlo.broadcast_in_dim %43, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %42, %44, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  %45 = stablehlo.slice %27#0 [0:2, 0:3, 0:3] : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %46 = stablehlo.constant dense<[[(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %47 = stablehlo.broadcast_in_dim %46, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %48 = stablehlo.multiply %45, %47 : tensor<2x3x3xcomplex<f64>>
  %49 = stablehlo.dot_general %28, %48, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x4x3xcomplex<f64>>
  check.expect_almost_eq %49, %36, tolerance = 1.0e-13 : tensor<2x4x3xcomplex<f64>>
  %50 = stablehlo.slice %27#1 [0:2, 0:1] : (tensor<2x3xi32>) -> tensor<2x1xi32>
  check.expect_eq_const %50, dense<1> : tensor<2x1xi32>
  // The last column is to be the first.
  %51 = stablehlo.constant dense<[[0, 0, 1], [0, 0, 1]]> : tensor<2x3xi32>
  %52:3 = stablehlo.custom_call @lapack_zgeqp3_ffi(%0, %51) {mhlo.backend_config = {}} : (tensor<2x4x3xcomplex<f64>>, tensor<2x3xi32>) -> (tensor<2x4x3xcomplex<f64>>, tensor<2x3xi32>, tensor<2x3xcomplex<f64>>)
  %53 = stablehlo.custom_call @lapack_zungqr_ffi(%52#0, %52#2) {mhlo.backend_config = {}} : (tensor<2x4x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x4x3xcomplex<f64>>
  %54 = stablehlo.iota dim = 1 : tensor<2x3x3xi32>
  %55 = stablehlo.constant dense<1> : tensor<i32>
  %56 = stablehlo.broadcast_in_dim %55, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
  %57 = stablehlo.subtract %52#1, %56 : tensor<2x3xi32>
  %58 = stablehlo.broadcast_in_dim %57, dims = [0, 2] : (tensor<2x3xi32>) -> tensor<2x3x3xi32>
  %59 = stablehlo.compare EQ, %54, %58 : (tensor<2x3x3xi32>, tensor<2x3x3xi32>) -> tensor<2x3x3xi1>
  %60 = stablehlo.convert %59 : (tensor<2x3x3xi1>) -> tensor<2x3x3xcomplex<f64>>
  %61 = stablehlo.dot_general %0, %60, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x4x3xcomplex<f64>>
  %62 = stablehlo.real %53 : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x4x3xf64>
  %63 = stablehlo.imag %53 : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x4x3xf64>
  %64 = stablehlo.negate %63 : tensor<2x4x3xf64>
  %65 = stablehlo.complex %62, %64 : tensor<2x4x3xcomplex<f64>>
  %66 = stablehlo.transpose %65, dims = [0, 2, 1] : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x3x4xcomplex<f64>>
  %67 = stablehlo.dot_general %66, %53, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xcomplex<f64>>, tensor<2x4x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %68 = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %69 = stablehlo.broadcast_in_dim %68, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  check.expect_almost_eq %67, %69, tolerance = 1.0e-13 : tensor<2x3x3xcomplex<f64>>
  %70 = stablehlo.slice %52#0 [0:2, 0:3, 0:3] : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %71 = stablehlo.constant dense<[[(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %72 = stablehlo.broadcast_in_dim %71, dims = [1, 2] : (tensor<3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %73 = stablehlo.multiply %70, %72 : tensor<2x3x3xcomplex<f64>>
  %74 = stablehlo.dot_general %53, %73, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x4x3xcomplex<f64>>
  check.expect_almost_eq %74, %61, tolerance = 1.0e-13 : tensor<2x4x3xcomplex<f64>>
  %75 = stablehlo.slice %52#1 [0:2, 0:1] : (tensor<2x3xi32>) -> tensor<2x1xi32>
  check.expect_eq_const %75, dense<3> : tensor<2x1xi32>
  return
}
