// TTIR, products of matrices.
// RUN: stablehlo-translate --interpret -split-input-file %s

func.func @matmul() {
  %c0 = stablehlo.constant dense<[[-1.0, 0.0, 1.0], [2.0, 3.0, 4.0]]> : tensor<2x3xf32>
  %c1 = stablehlo.constant dense<[[-3.0, -2.0, -1.0, 0.0], [1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<3x4xf32>
  %matmul = "ttir.matmul"(%c0, %c1) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  check.expect_eq_const %matmul, dense<[[8.0, 8.0, 8.0, 8.0], [17.0, 26.0, 35.0, 44.0]]> : tensor<2x4xf32>
  %c2 = stablehlo.constant dense<[[-1.0, 2.0], [0.0, 3.0], [1.0, 4.0]]> : tensor<3x2xf32>
  %matmul1 = "ttir.matmul"(%c2, %c1) <{transpose_a = true}> : (tensor<3x2xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  check.expect_eq_const %matmul1, dense<[[8.0, 8.0, 8.0, 8.0], [17.0, 26.0, 35.0, 44.0]]> : tensor<2x4xf32>
  %c3 = stablehlo.constant dense<[[-1.0, 0.0, 1.0], [2.0, 3.0, 4.0]]> : tensor<2x3xbf16>
  %c4 = stablehlo.constant dense<[[-3.0, 1.0, 5.0], [-2.0, 2.0, 6.0], [-1.0, 3.0, 7.0], [0.0, 4.0, 8.0]]> : tensor<4x3xbf16>
  %matmul2 = "ttir.matmul"(%c3, %c4) <{transpose_b = true}> : (tensor<2x3xbf16>, tensor<4x3xbf16>) -> tensor<2x4xbf16>
  check.expect_eq_const %matmul2, dense<[[8.0, 8.0, 8.0, 8.0], [17.0, 26.0, 35.0, 44.0]]> : tensor<2x4xbf16>
  %c5 = stablehlo.constant dense<[[-1, 0, 1], [2, 3, 4]]> : tensor<2x3xi32>
  %c6 = stablehlo.constant dense<[[-3, -2, -1, 0], [1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<3x4xi32>
  %matmul3 = "ttir.matmul"(%c5, %c6) : (tensor<2x3xi32>, tensor<3x4xi32>) -> tensor<2x4xi32>
  check.expect_eq_const %matmul3, dense<[[8, 8, 8, 8], [17, 26, 35, 44]]> : tensor<2x4xi32>
  %c7 = stablehlo.constant dense<[-3.0, 1.0, 5.0]> : tensor<3xf32>
  %matmul4 = "ttir.matmul"(%c0, %c7) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  check.expect_eq_const %matmul4, dense<[8.0, 17.0]> : tensor<2xf32>
  %c8 = stablehlo.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf32>
  %matmul5 = "ttir.matmul"(%c8, %c1) : (tensor<3xf32>, tensor<3x4xf32>) -> tensor<4xf32>
  check.expect_eq_const %matmul5, dense<[8.0, 8.0, 8.0, 8.0]> : tensor<4xf32>
  %c9 = stablehlo.constant dense<[[[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]], [[[6.0, 7.0, 8.0], [9.0, 1.0e+01, 11.0]]]]> : tensor<2x1x2x3xf32>
  %c10 = stablehlo.constant dense<[[[-7.0, -6.0], [-5.0, -4.0], [-3.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0], [9.0, 1.0e+01]]]> : tensor<3x3x2xf32>
  %matmul6 = "ttir.matmul"(%c9, %c10) : (tensor<2x1x2x3xf32>, tensor<3x3x2xf32>) -> tensor<2x3x2x2xf32>
  check.expect_eq_const %matmul6, dense<[[[[-11.0, -8.0], [-56.0, -44.0]], [[7.0, 1.0e+01], [16.0, 28.0]], [[25.0, 28.0], [88.0, 1.0e+02]]], [[[-101.0, -8.0e+01], [-146.0, -116.0]], [[25.0, 46.0], [34.0, 64.0]], [[151.0, 172.0], [214.0, 244.0]]]]> : tensor<2x3x2x2xf32>
  %matmul7 = "ttir.matmul"(%c9, %c1) : (tensor<2x1x2x3xf32>, tensor<3x4xf32>) -> tensor<2x1x2x4xf32>
  check.expect_eq_const %matmul7, dense<[[[[11.0, 14.0, 17.0, 2.0e+01], [2.0e+01, 32.0, 44.0, 56.0]]], [[[29.0, 5.0e+01, 71.0, 92.0], [38.0, 68.0, 98.0, 128.0]]]]> : tensor<2x1x2x4xf32>
  %c11 = stablehlo.constant dense<> : tensor<2x0xf32>
  %c12 = stablehlo.constant dense<> : tensor<0x2xf32>
  %matmul8 = "ttir.matmul"(%c11, %c12) : (tensor<2x0xf32>, tensor<0x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %matmul8, dense<[[0.0, 0.0], [0.0, 0.0]]> : tensor<2x2xf32>
  return
}

// -----

// Sums of bf16 are not rounded on the way: 256 + 1 + 1 is 258, not 256.
func.func @sums_are_wider() {
  %c0 = stablehlo.constant dense<[[256.0, 1.0, 1.0]]> : tensor<1x3xbf16>
  %c1 = stablehlo.constant dense<[[1.0], [1.0], [1.0]]> : tensor<3x1xbf16>
  %matmul = "ttir.matmul"(%c0, %c1) : (tensor<1x3xbf16>, tensor<3x1xbf16>) -> tensor<1x1xbf16>
  check.expect_eq_const %matmul, dense<[[258.0]]> : tensor<1x1xbf16>
  %c2 = stablehlo.constant dense<[[256.0, 1.0]]> : tensor<1x2xbf16>
  %c3 = stablehlo.constant dense<[[1.0], [1.0]]> : tensor<2x1xbf16>
  %c4 = stablehlo.constant dense<[1.0]> : tensor<1xbf16>
  %linear = "ttir.linear"(%c2, %c3, %c4) : (tensor<1x2xbf16>, tensor<2x1xbf16>, tensor<1xbf16>) -> tensor<1x1xbf16>
  check.expect_eq_const %linear, dense<[[258.0]]> : tensor<1x1xbf16>
  return
}

// -----

func.func @linear() {
  %c0 = stablehlo.constant dense<[[-1.0, 0.0, 1.0], [2.0, 3.0, 4.0]]> : tensor<2x3xf32>
  %c1 = stablehlo.constant dense<[[-3.0, -2.0, -1.0, 0.0], [1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<3x4xf32>
  %c2 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %linear = "ttir.linear"(%c0, %c1, %c2) : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  check.expect_eq_const %linear, dense<[[9.0, 1.0e+01, 11.0, 12.0], [18.0, 28.0, 38.0, 48.0]]> : tensor<2x4xf32>
  %c3 = stablehlo.constant dense<[[-3.0, 1.0, 5.0], [-2.0, 2.0, 6.0], [-1.0, 3.0, 7.0], [0.0, 4.0, 8.0]]> : tensor<4x3xf32>
  %linear1 = "ttir.linear"(%c0, %c3) <{transpose_b = true}> : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  check.expect_eq_const %linear1, dense<[[8.0, 8.0, 8.0, 8.0], [17.0, 26.0, 35.0, 44.0]]> : tensor<2x4xf32>
  %c4 = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %linear2 = "ttir.linear"(%c0, %c1, %c4) : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  check.expect_eq_const %linear2, dense<[[9.0, 9.0, 9.0, 9.0], [19.0, 28.0, 37.0, 46.0]]> : tensor<2x4xf32>
  return
}

// -----

func.func @dot_general() {
  %c0 = stablehlo.constant dense<[[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], [[6.0, 7.0, 8.0], [9.0, 1.0e+01, 11.0]]]> : tensor<2x2x3xf32>
  %c1 = stablehlo.constant dense<[[[-5.0, -4.0], [-3.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0]], [[3.0, 4.0], [5.0, 6.0]]]> : tensor<3x2x2xf32>
  %dot_general = "ttir.dot_general"(%c0, %c1) <{batch_dims_lhs = array<i64: 0>, batch_dims_rhs = array<i64: 1>, contract_dims_lhs = array<i64: 2>, contract_dims_rhs = array<i64: 0>}> : (tensor<2x2x3xf32>, tensor<3x2x2xf32>) -> tensor<2x2x2xf32>
  check.expect_eq_const %dot_general, dense<[[[5.0, 8.0], [-4.0, 8.0]], [[29.0, 5.0e+01], [38.0, 68.0]]]> : tensor<2x2x2xf32>
  %c2 = stablehlo.constant dense<[[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], [[6.0, 7.0, 8.0], [9.0, 10.0, 11.0]]]> : tensor<2x2x3xbf16>
  %c3 = stablehlo.constant dense<[[[-5.0, -4.0], [-3.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0]], [[3.0, 4.0], [5.0, 6.0]]]> : tensor<3x2x2xbf16>
  %dot_general1 = "ttir.dot_general"(%c2, %c3) <{batch_dims_lhs = array<i64>, batch_dims_rhs = array<i64>, contract_dims_lhs = array<i64: 2, 0>, contract_dims_rhs = array<i64: 0, 2>}> : (tensor<2x2x3xbf16>, tensor<3x2x2xbf16>) -> tensor<2x2xbf16>
  check.expect_eq_const %dot_general1, dense<[[13.0, 61.0], [4.0, 88.0]]> : tensor<2x2xbf16>
  return
}

// -----

// Experts whose mark is 0 give nothing.
func.func @sparse() {
  %c0 = stablehlo.constant dense<[[[[1.0, 2.0]], [[3.0, 4.0]]]]> : tensor<1x2x1x2xf32>
  %c1 = stablehlo.constant dense<[[[[0.0], [1.0]], [[2.0], [3.0]], [[4.0], [5.0]]]]> : tensor<1x3x2x1xf32>
  %c2 = stablehlo.constant dense<[[[[1.0, 0.0, 2.0]], [[1.0, 1.0, 0.0]]]]> : tensor<1x2x1x3xf32>
  %sparse_matmul = "ttir.sparse_matmul"(%c0, %c1, %c2) <{is_input_a_sparse = false, is_input_b_sparse = true}> : (tensor<1x2x1x2xf32>, tensor<1x3x2x1xf32>, tensor<1x2x1x3xf32>) -> tensor<1x2x1x3x1x1xf32>
  check.expect_eq_const %sparse_matmul, dense<[[[[[[2.0]], [[0.0]], [[14.0]]]], [[[[4.0]], [[18.0]], [[0.0]]]]]]> : tensor<1x2x1x3x1x1xf32>
  %c3 = stablehlo.constant dense<[[[[0.0, 1.0]], [[2.0, 3.0]], [[4.0, 5.0]]]]> : tensor<1x3x1x2xf32>
  %c4 = stablehlo.constant dense<[[[[1.0, 0.0, 2.0]]]]> : tensor<1x1x1x3xf32>
  %sparse_matmul1 = "ttir.sparse_matmul"(%c3, %c1, %c4) <{is_input_a_sparse = true, is_input_b_sparse = true}> : (tensor<1x3x1x2xf32>, tensor<1x3x2x1xf32>, tensor<1x1x1x3xf32>) -> tensor<1x3x1x1xf32>
  check.expect_eq_const %sparse_matmul1, dense<[[[[1.0]], [[0.0]], [[41.0]]]]> : tensor<1x3x1x1xf32>
  return
}

// -----

// Sums of integers have 64 bits until they become the result: it may be wider than the operands. Of truth values a sum
// is an or.
func.func @integers() {
  %small = stablehlo.constant dense<[100, -128]> : tensor<2xi8>
  %wide = "ttir.dot_general"(%small, %small) <{batch_dims_lhs = array<i64>, batch_dims_rhs = array<i64>, contract_dims_lhs = array<i64: 0>, contract_dims_rhs = array<i64: 0>}> : (tensor<2xi8>, tensor<2xi8>) -> tensor<i32>
  check.expect_eq_const %wide, dense<26384> : tensor<i32>
  %t = stablehlo.constant dense<true> : tensor<2xi1>
  %m = stablehlo.constant dense<[[true, false], [true, false]]> : tensor<2x2xi1>
  %none = stablehlo.constant dense<false> : tensor<2xi1>
  %dot = "ttir.dot_general"(%t, %m) <{batch_dims_lhs = array<i64>, batch_dims_rhs = array<i64>, contract_dims_lhs = array<i64: 0>, contract_dims_rhs = array<i64: 0>}> : (tensor<2xi1>, tensor<2x2xi1>) -> tensor<2xi1>
  check.expect_eq_const %dot, dense<[true, false]> : tensor<2xi1>
  %matmul = "ttir.matmul"(%t, %m) : (tensor<2xi1>, tensor<2x2xi1>) -> tensor<2xi1>
  check.expect_eq %matmul, %dot : tensor<2xi1>
  %linear = "ttir.linear"(%m, %m, %t) <{transpose_a = true}> : (tensor<2x2xi1>, tensor<2x2xi1>, tensor<2xi1>) -> tensor<2x2xi1>
  check.expect_eq_const %linear, dense<true> : tensor<2x2xi1>
  %sum = "ttir.sum"(%m) <{dim_arg = [0 : i32], keep_dim = false}> : (tensor<2x2xi1>) -> tensor<2xi1>
  check.expect_eq %sum, %dot : tensor<2xi1>
  %running = "ttir.cumsum"(%t) <{dim = 0 : i64}> : (tensor<2xi1>) -> tensor<2xi1>
  check.expect_eq %running, %t : tensor<2xi1>
  %add = "ttir.add"(%t, %t) : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  check.expect_eq %add, %t : tensor<2xi1>
  %index = stablehlo.constant dense<0> : tensor<2xi32>
  %scatter = "ttir.scatter"(%none, %index, %t) <{dim = 0 : i32, scatter_reduce_type = #ttcore.reduce_type<sum>}> : (tensor<2xi1>, tensor<2xi32>, tensor<2xi1>) -> tensor<2xi1>
  check.expect_eq %scatter, %dot : tensor<2xi1>
  %picture = stablehlo.constant dense<true> : tensor<1x2x2x1xi1>
  %kernel = stablehlo.constant dense<true> : tensor<1x1x2x2xi1>
  %conv = "ttir.conv2d"(%picture, %kernel) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x2x2x1xi1>, tensor<1x1x2x2xi1>) -> tensor<1x1x1x1xi1>
  check.expect_eq_const %conv, dense<true> : tensor<1x1x1x1xi1>
  return
}
