// Gather and scatter: batches, clamped and dropped indices, bodies that are no plain op, several operands.
// RUN: stablehlo-translate --interpret -split-input-file %s

func.func @rows() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %i = stablehlo.constant dense<[[2], [0], [9], [-1]]> : tensor<4x1xi32>
  %g = "stablehlo.gather"(%a, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2>, indices_are_sorted = false}> : (tensor<3x2xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
  check.expect_eq_const %g, dense<[[5, 6], [1, 2], [5, 6], [1, 2]]> : tensor<4x2xi32>
  return
}

// -----

// Batching dimensions: row b is taken from matrix b. The slice sizes come at run time in the second.
func.func @batches() {
  %a = stablehlo.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi32>
  %i = stablehlo.constant dense<[[1], [0]]> : tensor<2x1xi64>
  %g = "stablehlo.gather"(%a, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 1, 2>}> : (tensor<2x2x2xi32>, tensor<2x1xi64>) -> tensor<2x2xi32>
  check.expect_eq_const %g, dense<[[3, 4], [5, 6]]> : tensor<2x2xi32>
  %sizes = stablehlo.constant dense<[1, 1, 2]> : tensor<3xi64>
  %h = "stablehlo.dynamic_gather"(%a, %i, %sizes) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>}> : (tensor<2x2x2xi32>, tensor<2x1xi64>, tensor<3xi64>) -> tensor<2x2xi32>
  check.expect_eq %h, %g : tensor<2x2xi32>
  return
}

// -----

// Updates of one place meet in order; those outside are dropped, not clamped.
func.func @scatter() {
  %a = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
  %i = stablehlo.constant dense<[[0], [2], [0], [3], [-1]]> : tensor<5x1xi32>
  %u = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %s = "stablehlo.scatter"(%a, %i, %u) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%old: tensor<i32>, %new: tensor<i32>):
    %sum = stablehlo.add %old, %new : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<3xi32>, tensor<5x1xi32>, tensor<5xi32>) -> tensor<3xi32>
  check.expect_eq_const %s, dense<[14, 20, 32]> : tensor<3xi32>
  // 2 * old - new: not even commutative
  %t = "stablehlo.scatter"(%a, %i, %u) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%old: tensor<i32>, %new: tensor<i32>):
    %twice = stablehlo.add %old, %old : tensor<i32>
    %less = stablehlo.subtract %twice, %new : tensor<i32>
    stablehlo.return %less : tensor<i32>
  }) : (tensor<3xi32>, tensor<5x1xi32>, tensor<5xi32>) -> tensor<3xi32>
  check.expect_eq_const %t, dense<[35, 20, 58]> : tensor<3xi32>
  return
}

// -----

// Two operands at once: the larger key brings its value along. A window of two columns.
func.func @several_and_windows() {
  %k = stablehlo.constant dense<[5, 5]> : tensor<2xi32>
  %v = stablehlo.constant dense<[0.5, 0.25]> : tensor<2xf32>
  %i = stablehlo.constant dense<[[0], [1]]> : tensor<2x1xi32>
  %ku = stablehlo.constant dense<[7, 3]> : tensor<2xi32>
  %vu = stablehlo.constant dense<[8.0, 9.0]> : tensor<2xf32>
  %r:2 = "stablehlo.scatter"(%k, %v, %i, %ku, %vu) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%k0: tensor<i32>, %v0: tensor<f32>, %k1: tensor<i32>, %v1: tensor<f32>):
    %p = stablehlo.compare GT, %k1, %k0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %key = stablehlo.select %p, %k1, %k0 : tensor<i1>, tensor<i32>
    %val = stablehlo.select %p, %v1, %v0 : tensor<i1>, tensor<f32>
    stablehlo.return %key, %val : tensor<i32>, tensor<f32>
  }) : (tensor<2xi32>, tensor<2xf32>, tensor<2x1xi32>, tensor<2xi32>, tensor<2xf32>) -> (tensor<2xi32>, tensor<2xf32>)
  check.expect_eq_const %r#0, dense<[7, 5]> : tensor<2xi32>
  check.expect_eq_const %r#1, dense<[8.0, 0.25]> : tensor<2xf32>
  %m = stablehlo.constant dense<0> : tensor<2x3xi32>
  %at = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %w = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi32>
  %s = "stablehlo.scatter"(%m, %at, %w) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 0>}> ({
  ^bb0(%old: tensor<i32>, %new: tensor<i32>):
    stablehlo.return %new : tensor<i32>
  }) : (tensor<2x3xi32>, tensor<2xi32>, tensor<1x2xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %s, dense<[[0, 0, 0], [0, 1, 2]]> : tensor<2x3xi32>
  return
}

// -----

func.func @torch_index_select() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %i = stablehlo.constant dense<[2, 0]> : tensor<2xi32>
  %s = "stablehlo.torch_index_select"(%a, %i) <{dim = 1 : i64, batch_dims = 0 : i64}> : (tensor<2x3xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %s, dense<[[3, 1], [6, 4]]> : tensor<2x2xi32>
  return
}
