// Matrix products and convolutions: batches, groups, dilation, reversal, wider results.
// RUN: stablehlo-translate --interpret -split-input-file %s

func.func @dot() {
  %a = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %c = stablehlo.dot %a, %b : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %c, dense<[[19.0, 22.0], [43.0, 50.0]]> : tensor<2x2xf32>
  %d = stablehlo.dot_general %a, %b, contracting_dims = [0] x [1] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %d, dense<[[23.0, 31.0], [34.0, 46.0]]> : tensor<2x2xf32>
  %e = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  check.expect_eq_const %e, dense<[17.0, 53.0]> : tensor<2xf32>
  %f = stablehlo.dot_general %a, %b, contracting_dims = [0, 1] x [0, 1] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<f32>
  check.expect_eq_const %f, dense<70.0> : tensor<f32>
  %g = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq %g, %c : tensor<2x2xf32>
  return
}

// -----

// 100 * 100 leaves i8; 256 + 1 leaves bf16.
func.func @wider() {
  %a = stablehlo.constant dense<[100, -128]> : tensor<2xi8>
  %c = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : (tensor<2xi8>, tensor<2xi8>) -> tensor<i32>
  check.expect_eq_const %c, dense<26384> : tensor<i32>
  %x = stablehlo.constant dense<[16.0, 1.0]> : tensor<2xbf16>
  %y = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0] : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<f32>
  check.expect_eq_const %y, dense<257.0> : tensor<f32>
  %z = stablehlo.constant dense<[(0.0, 1.0), (2.0, 0.0)]> : tensor<2xcomplex<f32>>
  %w = stablehlo.dot_general %z, %z, contracting_dims = [0] x [0] : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<complex<f32>>
  check.expect_eq_const %w, dense<(3.0, 0.0)> : tensor<complex<f32>>
  return
}

// -----

func.func @einsum() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %b = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %c = "stablehlo.einsum"(%a, %b) <{einsum_config = "ij,kj->ki"}> : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %c, dense<[[17, 39], [23, 53]]> : tensor<2x2xi32>
  %d = "stablehlo.unary_einsum"(%a) <{einsum_config = "ij->j"}> : (tensor<2x2xi32>) -> tensor<2xi32>
  check.expect_eq_const %d, dense<[4, 6]> : tensor<2xi32>
  return
}

// -----

// Along one dimension: plain, in steps of two with padding, with holes in the kernel, in the input, backwards.
func.func @convolution() {
  %x = stablehlo.constant dense<[[[1], [2], [3], [4], [5]]]> : tensor<1x5x1xi32>
  %k = stablehlo.constant dense<[[[1]], [[10]], [[100]]]> : tensor<3x1x1xi32>
  %a = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x1xi32>, tensor<3x1x1xi32>) -> tensor<1x3x1xi32>
  check.expect_eq_const %a, dense<[[[321], [432], [543]]]> : tensor<1x3x1xi32>
  %b = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x1xi32>, tensor<3x1x1xi32>) -> tensor<1x3x1xi32>
  check.expect_eq_const %b, dense<[[[210], [432], [54]]]> : tensor<1x3x1xi32>
  %c = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x1xi32>, tensor<3x1x1xi32>) -> tensor<1x1x1xi32>
  check.expect_eq_const %c, dense<531> : tensor<1x1x1xi32>
  %d = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {lhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x1xi32>, tensor<3x1x1xi32>) -> tensor<1x7x1xi32>
  check.expect_eq_const %d, dense<[[[201], [20], [302], [30], [403], [40], [504]]]> : tensor<1x7x1xi32>
  %e = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x1xi32>, tensor<3x1x1xi32>) -> tensor<1x3x1xi32>
  check.expect_eq_const %e, dense<[[[123], [234], [345]]]> : tensor<1x3x1xi32>
  return
}

// -----

// Two groups of features: each output feature sees one input feature. Two groups of batches: output feature o sees batch o.
func.func @groups() {
  %x = stablehlo.constant dense<[[[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]]]> : tensor<1x3x2xf32>
  %k = stablehlo.constant dense<[[[1.0, 2.0]], [[3.0, 4.0]]]> : tensor<2x1x2xf32>
  %a = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x3x2xf32>, tensor<2x1x2xf32>) -> tensor<1x2x2xf32>
  check.expect_eq_const %a, dense<[[[7.0, 100.0], [11.0, 160.0]]]> : tensor<1x2x2xf32>
  %y = stablehlo.constant dense<[[[1.0], [2.0], [3.0]], [[10.0], [20.0], [30.0]]]> : tensor<2x3x1xf32>
  %b = stablehlo.convolution(%y, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<2x3x1xf32>, tensor<2x1x2xf32>) -> tensor<1x2x2xf32>
  check.expect_eq %b, %a : tensor<1x2x2xf32>
  return
}

// -----

// Two dimensions in another order of axes, i8 into i32; the padding comes at run time in the second.
func.func @planes() {
  %x = stablehlo.constant dense<[[[[100, 101], [102, 103]]]]> : tensor<1x1x2x2xi8>
  %k = stablehlo.constant dense<[[[[1, 2], [3, 4]]]]> : tensor<1x1x2x2xi8>
  %a = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x2x2xi8>, tensor<1x1x2x2xi8>) -> tensor<1x1x1x1xi32>
  check.expect_eq_const %a, dense<1020> : tensor<1x1x1x1xi32>
  %p = stablehlo.constant dense<[[1, 0], [1, 0]]> : tensor<2x2xi64>
  %b = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, feature_group_count = 1 : i64,
    dimension_numbers = #stablehlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>}> : (tensor<1x1x2x2xi8>, tensor<1x1x2x2xi8>, tensor<2x2xi64>) -> tensor<1x1x2x2xi32>
  check.expect_eq_const %b, dense<[[[[400, 704], [608, 1020]]]]> : tensor<1x1x2x2xi32>
  return
}

// -----

// Rows 0 and 1 meet the first matrix, row 2 the second.
func.func @ragged() {
  %a = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %b = stablehlo.constant dense<[[[1.0], [1.0]], [[1.0], [-1.0]]]> : tensor<2x2x1xf32>
  %n = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %c = "chlo.ragged_dot"(%a, %b, %n) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
    lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<3x2xf32>, tensor<2x2x1xf32>, tensor<2xi64>) -> tensor<3x1xf32>
  check.expect_eq_const %c, dense<[[3.0], [7.0], [-1.0]]> : tensor<3x1xf32>
  return
}

// -----

// Of truth values a product is an and, and a sum an or, as in stablehlo.add: two of them are true, not 2 modulo 2.
func.func @truth() {
  %t = stablehlo.constant dense<true> : tensor<2xi1>
  %m = stablehlo.constant dense<[[true, false], [true, false]]> : tensor<2x2xi1>
  %zero = stablehlo.constant dense<false> : tensor<i1>
  %size = stablehlo.constant dense<[2]> : tensor<1xi64>
  %m3 = stablehlo.reshape %m : (tensor<2x2xi1>) -> tensor<1x2x2xi1>
  %dot = stablehlo.dot %t, %m : (tensor<2xi1>, tensor<2x2xi1>) -> tensor<2xi1>
  check.expect_eq_const %dot, dense<[true, false]> : tensor<2xi1>
  %general = stablehlo.dot_general %t, %t, contracting_dims = [0] x [0] : (tensor<2xi1>, tensor<2xi1>) -> tensor<i1>
  check.expect_eq_const %general, dense<true> : tensor<i1>
  %einsum = "stablehlo.einsum"(%t, %m) {einsum_config = "a,ab->b"} : (tensor<2xi1>, tensor<2x2xi1>) -> tensor<2xi1>
  check.expect_eq_const %einsum, dense<[true, false]> : tensor<2xi1>
  %unary = "stablehlo.unary_einsum"(%m) {einsum_config = "ab->b"} : (tensor<2x2xi1>) -> tensor<2xi1>
  check.expect_eq_const %unary, dense<[true, false]> : tensor<2xi1>
  %ragged = "chlo.ragged_dot"(%m, %m3, %size) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x2xi1>, tensor<1x2x2xi1>, tensor<1xi64>) -> tensor<2x2xi1>
  check.expect_eq_const %ragged, dense<[[true, false], [false, false]]> : tensor<2x2xi1>
  %picture = stablehlo.constant dense<[[[true], [true], [false], [false]]]> : tensor<1x4x1xi1>
  %kernel = stablehlo.constant dense<true> : tensor<2x1x1xi1>
  %conv = stablehlo.convolution(%picture, %kernel) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xi1>, tensor<2x1x1xi1>) -> tensor<1x3x1xi1>
  check.expect_eq_const %conv, dense<[[[true], [true], [false]]]> : tensor<1x3x1xi1>
  %window = "stablehlo.reduce_window"(%t, %zero) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%x: tensor<i1>, %y: tensor<i1>):
    %s = stablehlo.add %x, %y : tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<2xi1>, tensor<i1>) -> tensor<1xi1>
  check.expect_eq_const %window, dense<true> : tensor<1xi1>
  %sum = stablehlo.reduce(%t init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %sum, dense<true> : tensor<i1>
  return
}
