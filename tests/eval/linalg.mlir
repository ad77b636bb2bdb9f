// Transforms, factorizations, normalization.
// RUN: stablehlo-translate --interpret -split-input-file %s

// [1, 2, 0, -1]: sums and differences by hand; three and five elements are no powers of two.
func.func @fft() {
  %x = stablehlo.constant dense<[(1.0, 0.0), (2.0, 0.0), (0.0, 0.0), (-1.0, 0.0)]> : tensor<4xcomplex<f64>>
  %a = stablehlo.fft %x, type = FFT, length = [4] : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %a, dense<[(2.0, 0.0), (1.0, -3.0), (0.0, 0.0), (1.0, 3.0)]> : tensor<4xcomplex<f64>>, tolerance = 1.0e-14
  %b = stablehlo.fft %a, type = IFFT, length = [4] : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
  check.expect_almost_eq %b, %x, tolerance = 1.0e-14 : tensor<4xcomplex<f64>>
  %r = stablehlo.real %x : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  %c = stablehlo.fft %r, type = RFFT, length = [4] : (tensor<4xf64>) -> tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %c, dense<[(2.0, 0.0), (1.0, -3.0), (0.0, 0.0)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-14
  %d = stablehlo.fft %c, type = IRFFT, length = [4] : (tensor<3xcomplex<f64>>) -> tensor<4xf64>
  check.expect_almost_eq %d, %r, tolerance = 1.0e-14 : tensor<4xf64>
  %y = stablehlo.constant dense<[(1.0, 0.0), (2.0, 0.0), (3.0, 0.0)]> : tensor<3xcomplex<f64>>
  %e = stablehlo.fft %y, type = FFT, length = [3] : (tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %e, dense<[(6.0, 0.0), (-1.5, 0.86602540378443865), (-1.5, -0.86602540378443865)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-14
  return
}

// -----

// Two dimensions: the first coefficient is the sum of all.
func.func @fft_planes() {
  %x = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %a = stablehlo.fft %x, type = RFFT, length = [3, 2] : (tensor<3x2xf32>) -> tensor<3x2xcomplex<f32>>
  check.expect_almost_eq_const %a, dense<[[(21.0, 0.0), (-3.0, 0.0)], [(-6.0, 3.46410155), (0.0, 0.0)], [(-6.0, -3.46410155), (0.0, 0.0)]]> : tensor<3x2xcomplex<f32>>, tolerance = 1.0e-5
  return
}

// -----

// [[4, 2], [2, 5]] = L L^T with L = [[2, 0], [1, 2]]; only one triangle is read.
func.func @cholesky() {
  %a = stablehlo.constant dense<[[4.0, 99.0], [2.0, 5.0]]> : tensor<2x2xf64>
  %l = stablehlo.cholesky %a, lower = true : tensor<2x2xf64>
  %mask = stablehlo.constant dense<[[1.0, 0.0], [1.0, 1.0]]> : tensor<2x2xf64>
  %m = stablehlo.multiply %l, %mask : tensor<2x2xf64>
  check.expect_almost_eq_const %m, dense<[[2.0, 0.0], [1.0, 2.0]]> : tensor<2x2xf64>, tolerance = 1.0e-14
  %h = stablehlo.constant dense<[[(2.0, 0.0), (0.0, 0.0)], [(0.0, 1.0), (3.0, 0.0)]]> : tensor<2x2xcomplex<f64>>
  %k = stablehlo.cholesky %h, lower = true : tensor<2x2xcomplex<f64>>
  // The last element: sqrt(3 - 1/2).
  %at = stablehlo.slice %k [1:2, 0:2] : (tensor<2x2xcomplex<f64>>) -> tensor<1x2xcomplex<f64>>
  check.expect_almost_eq_const %at, dense<[[(0.0, 0.70710678118654757), (1.5811388300841898, 0.0)]]> : tensor<1x2xcomplex<f64>>, tolerance = 1.0e-14
  return
}

// -----

// L x = b, x L = b, L^T x = b; with a diagonal that counts as ones.
func.func @triangular_solve() {
  %l = stablehlo.constant dense<[[2.0, 77.0], [1.0, 4.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[2.0], [9.0]]> : tensor<2x1xf32>
  %x = "stablehlo.triangular_solve"(%l, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  check.expect_eq_const %x, dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %c = stablehlo.reshape %b : (tensor<2x1xf32>) -> tensor<1x2xf32>
  %y = "stablehlo.triangular_solve"(%l, %c) <{left_side = false, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  check.expect_eq_const %y, dense<[[-7.0, 9.0]]> : tensor<1x2xf32>
  %d = stablehlo.constant dense<[[4.0], [8.0]]> : tensor<2x1xf32>
  %z = "stablehlo.triangular_solve"(%l, %d) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  check.expect_eq_const %z, dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  return
}

// -----

// Features (1, 3) and (10, 30): means 2 and 20, variances 1 and 100.
func.func @batch_norm() {
  %x = stablehlo.constant dense<[[1.0, 10.0], [3.0, 30.0]]> : tensor<2x2xf32>
  %scale = stablehlo.constant dense<[2.0, 1.0]> : tensor<2xf32>
  %offset = stablehlo.constant dense<[0.0, 5.0]> : tensor<2xf32>
  %y, %mean, %var = "stablehlo.batch_norm_training"(%x, %scale, %offset) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_almost_eq_const %y, dense<[[-2.0, 4.0], [2.0, 6.0]]> : tensor<2x2xf32>
  check.expect_almost_eq_const %mean, dense<[2.0, 20.0]> : tensor<2xf32>
  check.expect_almost_eq_const %var, dense<[1.0, 100.0]> : tensor<2xf32>
  %z = "stablehlo.batch_norm_inference"(%x, %scale, %offset, %mean, %var) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  check.expect_almost_eq %z, %y : tensor<2x2xf32>
  // A gradient that is the same for all elements of a feature does not reach them.
  %one = stablehlo.constant dense<1.0> : tensor<2x2xf32>
  %gx, %gs, %go = "stablehlo.batch_norm_grad"(%x, %scale, %mean, %var, %one) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_almost_eq_const %gx, dense<0.0> : tensor<2x2xf32>
  check.expect_almost_eq_const %gs, dense<0.0> : tensor<2xf32>
  check.expect_almost_eq_const %go, dense<2.0> : tensor<2xf32>
  return
}
