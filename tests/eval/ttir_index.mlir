// TTIR, tensors from nothing, elements by computed places, and order.
// RUN: stablehlo-translate --interpret -split-input-file %s

func.func @from_nothing() {
  %constant = "ttir.constant"() <{value = dense<[1.5, -2.0]> : tensor<2xbf16>}> : () -> tensor<2xbf16>
  check.expect_eq_const %constant, dense<[1.5, -2.0]> : tensor<2xbf16>
  %full = "ttir.full"() <{shape = array<i32: 2, 1>, fill_value = 1.5 : f32}> : () -> tensor<2x1xbf16>
  check.expect_eq_const %full, dense<[[1.5], [1.5]]> : tensor<2x1xbf16>
  %full2 = "ttir.full"() <{shape = array<i32: 2>, fill_value = -7 : i32}> : () -> tensor<2xi32>
  check.expect_eq_const %full2, dense<[-7, -7]> : tensor<2xi32>
  %zeros = "ttir.zeros"() <{shape = array<i32: 1, 2>}> : () -> tensor<1x2xf32>
  check.expect_eq_const %zeros, dense<[[0.0, 0.0]]> : tensor<1x2xf32>
  %ones = "ttir.ones"() <{shape = array<i32: 2>}> : () -> tensor<2xi32>
  check.expect_eq_const %ones, dense<[1, 1]> : tensor<2xi32>
  %arange = "ttir.arange"() <{start = 2 : si64, end = 8 : si64, step = 3 : si64, arange_dimension = 1 : i64}> : () -> tensor<1x2x2xf32>
  check.expect_eq_const %arange, dense<[[[2.0, 2.0], [5.0, 5.0]]]> : tensor<1x2x2xf32>
  %arange6 = "ttir.arange"() <{start = 3 : si64, end = 0 : si64, step = -1 : si64, arange_dimension = 0 : i64}> : () -> tensor<3xi32>
  check.expect_eq_const %arange6, dense<[3, 2, 1]> : tensor<3xi32>
  %empty = ttir.empty() : tensor<2xf32>
  check.expect_eq_const %empty, dense<0.0> : tensor<2xf32>
  %a = stablehlo.constant dense<[1.5, 2.0]> : tensor<2xf32>
  %laid = ttir.to_layout %a, %empty : tensor<2xf32> into tensor<2xf32> -> tensor<2xf32>
  check.expect_eq %laid, %a : tensor<2xf32>
  "ttir.dealloc"(%empty) : (tensor<2xf32>) -> ()
  return
}

// -----

// Places outside of the table are brought to its edge; in the gradient they count for nothing.
func.func @embeddings() {
  %c0 = stablehlo.constant dense<[[3, 0], [-1, 9]]> : tensor<2x2xi32>
  %c1 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]> : tensor<4x2xbf16>
  %embedding = "ttir.embedding"(%c0, %c1) : (tensor<2x2xi32>, tensor<4x2xbf16>) -> tensor<2x2x2xbf16>
  check.expect_eq_const %embedding, dense<[[[6.0, 7.0], [0.0, 1.0]], [[0.0, 1.0], [6.0, 7.0]]]> : tensor<2x2x2xbf16>
  %c2 = stablehlo.constant dense<[2.0, 1.0]> : tensor<2xf32>
  %c3 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]]> : tensor<1x4x2xf32>
  %embedding1 = "ttir.embedding"(%c2, %c3) : (tensor<2xf32>, tensor<1x4x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %embedding1, dense<[[4.0, 5.0], [2.0, 3.0]]> : tensor<2x2xf32>
  %c4 = stablehlo.constant dense<[[3, 0], [3, 7]]> : tensor<2x2xi32>
  %c5 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]> : tensor<4x2xf32>
  %c6 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]> : tensor<2x2x2xf32>
  %embedding_backward = "ttir.embedding_backward"(%c4, %c5, %c6) : (tensor<2x2xi32>, tensor<4x2xf32>, tensor<2x2x2xf32>) -> tensor<4x2xf32>
  check.expect_eq_const %embedding_backward, dense<[[3.0, 4.0], [0.0, 0.0], [0.0, 0.0], [6.0, 8.0]]> : tensor<4x2xf32>
  return
}

// -----

func.func @gather() {
  %c0 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %c1 = stablehlo.constant dense<[[2, 0, 1], [1, 5, 0]]> : tensor<2x3xi32>
  %gather = "ttir.gather"(%c0, %c1) <{dim = 0 : i32}> : (tensor<3x4xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %gather, dense<[[8, 1, 6], [4, 9, 2]]> : tensor<2x3xi32>
  %c2 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xbf16>
  %c3 = stablehlo.constant dense<[[2, 0], [1, 5]]> : tensor<2x2xi64>
  %gather1 = "ttir.gather"(%c2, %c3) <{dim = -1 : i32}> : (tensor<3x4xbf16>, tensor<2x2xi64>) -> tensor<2x2xbf16>
  check.expect_eq_const %gather1, dense<[[2.0, 0.0], [5.0, 7.0]]> : tensor<2x2xbf16>
  %c4 = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi32>
  %gather2 = "ttir.gather"(%c0, %c4) <{offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, operand_batching_dims = array<i64>, start_indices_batching_dims = array<i64>, start_index_map = array<i64: 0>, index_vector_dim = 1 : si64, slice_sizes = array<i64: 1, 4>, indices_are_sorted = false}> : (tensor<3x4xi32>, tensor<2x1xi32>) -> tensor<2x4xi32>
  check.expect_eq_const %gather2, dense<[[8, 9, 10, 11], [0, 1, 2, 3]]> : tensor<2x4xi32>
  return
}

// -----

// Places outside are left out.
func.func @scatter() {
  %c0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %c1 = stablehlo.constant dense<[[0, 0], [2, 9]]> : tensor<2x2xi32>
  %c2 = stablehlo.constant dense<[[1.0e+01, 2.0e+01], [-3.0e+01, 4.0e+01]]> : tensor<2x2xf32>
  %scatter = "ttir.scatter"(%c0, %c1, %c2) <{dim = 1 : i32, scatter_reduce_type = #ttcore.reduce_type<sum>}> : (tensor<2x3xf32>, tensor<2x2xi32>, tensor<2x2xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %scatter, dense<[[31.0, 2.0, 3.0], [4.0, 5.0, -24.0]]> : tensor<2x3xf32>
  %scatter1 = "ttir.scatter"(%c0, %c1, %c2) <{dim = 1 : i32, scatter_reduce_type = #ttcore.reduce_type<prod>}> : (tensor<2x3xf32>, tensor<2x2xi32>, tensor<2x2xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %scatter1, dense<[[2.0e+02, 2.0, 3.0], [4.0, 5.0, -1.8e+02]]> : tensor<2x3xf32>
  %scatter2 = "ttir.scatter"(%c0, %c1, %c2) <{dim = 1 : i32, scatter_reduce_type = #ttcore.reduce_type<max>}> : (tensor<2x3xf32>, tensor<2x2xi32>, tensor<2x2xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %scatter2, dense<[[2.0e+01, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %scatter3 = "ttir.scatter"(%c0, %c1, %c2) <{dim = 1 : i32, scatter_reduce_type = #ttcore.reduce_type<min>}> : (tensor<2x3xf32>, tensor<2x2xi32>, tensor<2x2xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %scatter3, dense<[[1.0, 2.0, 3.0], [4.0, 5.0, -3.0e+01]]> : tensor<2x3xf32>
  %scatter4 = "ttir.scatter"(%c0, %c1, %c2) <{dim = 1 : i32, scatter_reduce_type = #ttcore.reduce_type<invalid>}> : (tensor<2x3xf32>, tensor<2x2xi32>, tensor<2x2xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %scatter4, dense<[[2.0e+01, 2.0, 3.0], [4.0, 5.0, -3.0e+01]]> : tensor<2x3xf32>
  %c3 = stablehlo.constant dense<[256.0, 0.0]> : tensor<2xbf16>
  %c4 = stablehlo.constant dense<[0, 0]> : tensor<2xi32>
  %c5 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xbf16>
  %scatter5 = "ttir.scatter"(%c3, %c4, %c5) <{dim = 0 : i32, scatter_reduce_type = #ttcore.reduce_type<sum>}> : (tensor<2xbf16>, tensor<2xi32>, tensor<2xbf16>) -> tensor<2xbf16>
  check.expect_eq_const %scatter5, dense<[258.0, 0.0]> : tensor<2xbf16>
  %c6 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %c7 = stablehlo.constant dense<[2]> : tensor<1xi32>
  %c8 = stablehlo.constant dense<[7]> : tensor<1xi32>
  %scatter6 = "ttir.scatter"(%c6, %c7, %c8) <{dim = 0 : i32, scatter_reduce_type = #ttcore.reduce_type<sum>}> : (tensor<3xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  check.expect_eq_const %scatter6, dense<[1, 2, 10]> : tensor<3xi32>
  return
}

// -----

// Equal ones keep their order; NaN is larger than any number.
func.func @order() {
  %c0 = stablehlo.constant dense<[[3.0, -1.0, 3.0, 2.0], [0.0, 5.0, -2.0, 5.0]]> : tensor<2x4xf32>
  %sort:2 = "ttir.sort"(%c0) <{dim = -1 : si32, descending = false, stable = true}> : (tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xi32>)
  check.expect_eq_const %sort#0, dense<[[-1.0, 2.0, 3.0, 3.0], [-2.0, 0.0, 5.0, 5.0]]> : tensor<2x4xf32>
  check.expect_eq_const %sort#1, dense<[[1, 3, 0, 2], [2, 0, 1, 3]]> : tensor<2x4xi32>
  %topk:2 = "ttir.topk"(%c0) <{k = 2 : i32, largest = false}> : (tensor<2x4xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)
  check.expect_eq_const %topk#0, dense<[[-1.0, 2.0], [-2.0, 0.0]]> : tensor<2x2xf32>
  check.expect_eq_const %topk#1, dense<[[1, 3], [2, 0]]> : tensor<2x2xi32>
  %sort2:2 = "ttir.sort"(%c0) <{dim = -1 : si32, descending = true, stable = true}> : (tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xi32>)
  check.expect_eq_const %sort2#0, dense<[[3.0, 3.0, 2.0, -1.0], [5.0, 5.0, 0.0, -2.0]]> : tensor<2x4xf32>
  check.expect_eq_const %sort2#1, dense<[[0, 2, 3, 1], [1, 3, 0, 2]]> : tensor<2x4xi32>
  %topk3:2 = "ttir.topk"(%c0) <{k = 2 : i32, largest = true}> : (tensor<2x4xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)
  check.expect_eq_const %topk3#0, dense<[[3.0, 3.0], [5.0, 5.0]]> : tensor<2x2xf32>
  check.expect_eq_const %topk3#1, dense<[[0, 2], [1, 3]]> : tensor<2x2xi32>
  %c1 = stablehlo.constant dense<[[3.0, -1.0, 3.0, 2.0], [0.0, 5.0, -2.0, 5.0]]> : tensor<2x4xbf16>
  %sort4:2 = "ttir.sort"(%c1) <{dim = 0 : si32}> : (tensor<2x4xbf16>) -> (tensor<2x4xbf16>, tensor<2x4xi64>)
  check.expect_eq_const %sort4#0, dense<[[0.0, -1.0, -2.0, 2.0], [3.0, 5.0, 3.0, 5.0]]> : tensor<2x4xbf16>
  check.expect_eq_const %sort4#1, dense<[[1, 0, 1, 0], [0, 1, 0, 1]]> : tensor<2x4xi64>
  %c2 = stablehlo.constant dense<[2.0, 0x7FC00000, 0xFF800000]> : tensor<3xf32>
  %sort5:2 = "ttir.sort"(%c2) : (tensor<3xf32>) -> (tensor<3xf32>, tensor<3xi32>)
  check.expect_almost_eq_const %sort5#0, dense<[0xFF800000, 2.0, 0x7FC00000]> : tensor<3xf32>, tolerance = 1.0e-6
  check.expect_eq_const %sort5#1, dense<[2, 0, 1]> : tensor<3xi32>
  %c3 = stablehlo.constant dense<[[4, 1], [9, 3], [7, 8]]> : tensor<3x2xi32>
  %topk6:2 = "ttir.topk"(%c3) <{k = 1 : i32, dim = 0 : i32}> : (tensor<3x2xi32>) -> (tensor<1x2xi32>, tensor<1x2xi32>)
  check.expect_eq_const %topk6#0, dense<[[9, 8]]> : tensor<1x2xi32>
  check.expect_eq_const %topk6#1, dense<[[1, 2]]> : tensor<1x2xi32>
  return
}

// -----

// One candidate, or next to no share of them, leaves no choice.
func.func @sampling() {
  %c0 = stablehlo.constant dense<[[1.0, 4.0, 2.0], [3.0, 0.0, -1.0]]> : tensor<2x3xbf16>
  %c1 = stablehlo.constant dense<[[10, 11, 12], [20, 21, 22]]> : tensor<2x3xi32>
  %c2 = stablehlo.constant dense<[1, 1]> : tensor<2xui32>
  %c3 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xbf16>
  %sampling = "ttir.sampling"(%c0, %c1, %c2, %c3, %c3) <{seed = 7 : ui32}> : (tensor<2x3xbf16>, tensor<2x3xi32>, tensor<2xui32>, tensor<2xbf16>, tensor<2xbf16>) -> tensor<2xi32>
  check.expect_eq_const %sampling, dense<[11, 20]> : tensor<2xi32>
  %c4 = stablehlo.constant dense<[[1.0, 4.0, 2.0], [3.0, 0.0, -1.0]]> : tensor<2x3xf32>
  %c5 = stablehlo.constant dense<[0, 0]> : tensor<2xui32>
  %c6 = stablehlo.constant dense<[0.01, 0.01]> : tensor<2xf32>
  %c7 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %sampling1 = "ttir.sampling"(%c4, %c1, %c5, %c6, %c7) : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<2xui32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xi32>
  check.expect_eq_const %sampling1, dense<[11, 20]> : tensor<2xi32>
  %c8 = stablehlo.constant dense<[3, 3]> : tensor<2xui32>
  %c9 = stablehlo.constant dense<[0.001, 0.001]> : tensor<2xf32>
  %sampling2 = "ttir.sampling"(%c4, %c1, %c8, %c7, %c9) <{seed = 9 : ui32}> : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<2xui32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xi32>
  check.expect_eq_const %sampling2, dense<[11, 20]> : tensor<2xi32>
  return
}
