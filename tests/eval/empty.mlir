// Of nothing there may be very many: matrices without elements are not walked through.
// RUN: stablehlo-translate --interpret -split-input-file %s

func.func @matrices() {
  %a = stablehlo.iota dim = 0 : tensor<4294967296x0x0xf32>
  %0 = "stablehlo.triangular_solve"(%a, %a) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<4294967296x0x0xf32>, tensor<4294967296x0x0xf32>) -> tensor<4294967296x0x0xf32>
  %1 = stablehlo.cholesky %a, lower = true : tensor<4294967296x0x0xf32>
  %2 = stablehlo.dot_general %a, %a, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4294967296x0x0xf32>, tensor<4294967296x0x0xf32>) -> tensor<4294967296x0x0xf32>
  %3 = stablehlo.custom_call @lapack_strsm_ffi(%a, %a) {mhlo.backend_config = {side = 76 : ui8, uplo = 76 : ui8, trans_x = 78 : ui8, diag = 78 : ui8}} : (tensor<4294967296x0x0xf32>, tensor<4294967296x0x0xf32>) -> tensor<4294967296x0x0xf32>
  %4 = "stablehlo.einsum"(%a, %a) <{einsum_config = "bij,bjk->bik"}> : (tensor<4294967296x0x0xf32>, tensor<4294967296x0x0xf32>) -> tensor<4294967296x0x0xf32>
  return
}

// -----

func.func @qr() {
  %a = stablehlo.iota dim = 0 : tensor<4294967296x3x0xf32>
  %0:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%a) {mhlo.backend_config = {}} : (tensor<4294967296x3x0xf32>) -> (tensor<4294967296x3x0xf32>, tensor<4294967296x0xf32>)
  %1 = stablehlo.custom_call @lapack_sorgqr_ffi(%0#0, %0#1) {mhlo.backend_config = {}} : (tensor<4294967296x3x0xf32>, tensor<4294967296x0xf32>) -> tensor<4294967296x3x0xf32>
  return
}

// -----

func.func @convolution() {
  %a = stablehlo.iota dim = 0 : tensor<4294967296x0x2xf32>
  %k = stablehlo.constant dense<0.0> : tensor<1x2x3xf32>
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4294967296x0x2xf32>, tensor<1x2x3xf32>) -> tensor<4294967296x0x3xf32>
  return
}

// -----

func.func @bits() {
  %s = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4294967297x0xui32>)
  check.expect_eq %0#0, %s : tensor<2xui64>
  return
}

// -----

// No matrix at all, of any size; and matrices without columns have orthogonal bases all the same.
func.func @none() {
  %a = stablehlo.constant dense<> : tensor<0x3x3xf64>
  %0:2 = stablehlo.custom_call @lapack_dpotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<0x3x3xf64>) -> (tensor<0x3x3xf64>, tensor<0xi32>)
  %b = stablehlo.constant dense<> : tensor<2x2x0xf64>
  %1:5 = stablehlo.custom_call @lapack_dgesdd_ffi(%b) {mhlo.backend_config = {mode = 65 : ui8}} : (tensor<2x2x0xf64>) -> (tensor<2x2x0xf64>, tensor<2x0xf64>, tensor<2x2x2xf64>, tensor<2x0x0xf64>, tensor<2xi32>)
  check.expect_eq_const %1#2, dense<[[[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 1.0]]]> : tensor<2x2x2xf64>
  return
}

// -----

func.func @ragged() {
  %a = stablehlo.iota dim = 0 : tensor<4294967296x2x0xf32>
  %b = stablehlo.iota dim = 0 : tensor<1x4294967296x0x0xf32>
  %g = stablehlo.constant dense<2> : tensor<1xi64>
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<4294967296x2x0xf32>, tensor<1x4294967296x0x0xf32>, tensor<1xi64>) -> tensor<4294967296x2x0xf32>
  %c = stablehlo.constant dense<> : tensor<2x0xf32>
  %d = stablehlo.constant dense<> : tensor<1x0x3xf32>
  %1 = "chlo.ragged_dot"(%c, %d, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<2x0xf32>, tensor<1x0x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
  check.expect_eq_const %1, dense<0.0> : tensor<2x3xf32>
  return
}
