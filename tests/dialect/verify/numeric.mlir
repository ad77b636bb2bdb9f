// RUN: tessera opt %s --split-input-file --verify-diagnostics
// Rules of normalization, decompositions, FFT and random numbers.

func.func @good(%a: tensor<?x4xf32, #stablehlo.bounds<7, ?>>, %s: tensor<4xf32>, %c: tensor<3x5xcomplex<f32>>, %m: tensor<2x3x3xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%a, %s, %s) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<?x4xf32, #stablehlo.bounds<7, ?>>, tensor<4xf32>, tensor<4xf32>) -> (tensor<?x4xf32, #stablehlo.bounds<7, ?>>, tensor<4xf32>, tensor<4xf32>)
  %1 = stablehlo.fft %c, type = IRFFT, length = [8] : (tensor<3x5xcomplex<f32>>) -> tensor<3x8xf32>
  %2 = stablehlo.cholesky %m, lower = true : tensor<2x3x3xf32>
  return
}

// -----

func.func @norm_many(%a: tensor<2x4xf32>, %g: tensor<3x4xf32>, %s: tensor<4xf32>) {
  // expected-error@+2 {{expects multi-dimensional operands to have compatible shapes.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:3 = "stablehlo.batch_norm_grad"(%a, %s, %s, %s, %g) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3x4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @norm_one(%a: tensor<2x4xf32>, %s: tensor<4xf32>, %r: tensor<3xf32>) {
  // expected-error@+2 {{expects single-dimensional operands to have compatible shapes.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.batch_norm_inference"(%a, %s, %s, %s, %r) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @norm_index(%a: tensor<2x4xf32>, %s: tensor<4xf32>) {
  // expected-error@+2 {{got featureIndex 2, and rank 2.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.batch_norm_inference"(%a, %s, %s, %s, %s) {epsilon = 1.0 : f32, feature_index = 2 : i64} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @norm_count(%a: tensor<2x4xf32>, %s: tensor<3xf32>) {
  // expected-error@+2 {{the size of single-dimensional operands is 3 and the feature count is 4.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.batch_norm_inference"(%a, %s, %s, %s, %s) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<2x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @cholesky_rank(%a: tensor<3xf32>) {
  // expected-error@+2 {{argument 'a' must have rank >= 2, got shape 3.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.cholesky"(%a) : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @cholesky_square(%a: tensor<3x4xf32>) {
  // expected-error@+2 {{minor dimensions of 'a' must have equal size, got shape 3, 4.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.cholesky"(%a) : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @solve_rank(%a: tensor<3xf32>, %b: tensor<3xf32>) {
  // expected-error@+2 {{operand 'a' must have rank >= 2, but got 'tensor<3xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @solve_square(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>) {
  // expected-error@+2 {{two minor dimensions of operand 'a' must be compatible, but got 'tensor<3x4xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @solve_ranks(%a: tensor<3x3xf32>, %b: tensor<1x3x3xf32>) {
  // expected-error@+2 {{operands must have equal rank, but got}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<1x3x3xf32>) -> tensor<1x3x3xf32>
  return
}

// -----

func.func @solve_shared(%a: tensor<3x3xf32>, %b: tensor<4x3xf32>) {
  // expected-error@+2 {{shared dimension of operands 'a' and 'b' must be compatible, but got}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @solve_batch(%a: tensor<2x3x3xf32>, %b: tensor<1x3x3xf32>) {
  // expected-error@+2 {{batch dimensions of the operands must be compatible, but got}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x3x3xf32>, tensor<1x3x3xf32>) -> tensor<1x3x3xf32>
  return
}

// -----

func.func @solve_transpose(%a: tensor<3x3xf32>, %b: tensor<3x3xf32>) {
  // expected-error@+2 {{Invalid transpose option value for triangular solve}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE_INVALID>} : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @fft_length(%a: tensor<4xcomplex<f32>>) {
  // expected-error@+2 {{rank must be between 1 and 3, but got 0.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64>} : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @fft_real(%a: tensor<4xcomplex<f32>>) {
  // expected-error@+2 {{RFFT requires f32 or f64 input type, but is given 'complex<f32>'.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 4>} : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @fft_complex(%a: tensor<4xf32>) {
  // expected-error@+2 {{FFT/IFFT/IRFFT take a complex tensor as input, but is given 'tensor<4xf32>'.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 4>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @fft_rank(%a: tensor<4xcomplex<f32>>) {
  // expected-error@+2 {{operand rank must not be less than fft rank of 2 for operand of type}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 4, 4>} : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @fft_rfft(%a: tensor<4xf32>) {
  // expected-error@+2 {{RFFT requires innermost dimensions to be compatible with fft_length. Got: 4 but wanted 5.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 5>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @fft_irfft_outer(%a: tensor<3x5xcomplex<f32>>) {
  // expected-error@+2 {{and 3 != 4.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 4, 8>} : (tensor<3x5xcomplex<f32>>) -> tensor<3x5xcomplex<f32>>
  return
}

// -----

func.func @fft_irfft_inner(%a: tensor<3x5xcomplex<f32>>) {
  // expected-error@+2 {{Got: 5 but fft_length is 3, 6.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 3, 6>} : (tensor<3x5xcomplex<f32>>) -> tensor<3x5xcomplex<f32>>
  return
}

// -----

func.func @fft_negative(%a: tensor<?xcomplex<f32>>) {
  // expected-error@+2 {{expects fft_length to be non-negative, but got -2.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: -2>} : (tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>>
  return
}

// -----

func.func @rng_normal(%a: tensor<i32>, %s: tensor<1xi64>) {
  // expected-error@+2 {{mu and sigma must be floats}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.rng"(%a, %a, %s) {rng_distribution = #stablehlo<rng_distribution NORMAL>} : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<?xi32>
  return
}

// -----

func.func @rng_negative(%a: tensor<f32>) {
  %s = stablehlo.constant dense<[-1]> : tensor<1xi64>
  // expected-error@+2 {{expects shape to be non-negative, but got [-1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.rng"(%a, %a, %s) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @rng_rank(%a: tensor<f32>, %s: tensor<99999999xi64>) {
  // expected-error@+2 {{expects shape to have at most 65536 elements, but got 99999999}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.rng"(%a, %a, %s) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<f32>, tensor<f32>, tensor<99999999xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @bits_state(%a: tensor<2xui64>) {
  // expected-error@+1 {{output state shape must be compatible with initial state shape. Got:}}
  %0:2 = "stablehlo.rng_bit_generator"(%a) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  return
}
