// An index that counts along dimension 0 makes it a batching dimension.
// RUN: sdy_opt %s --sdy-explicit-gather-scatter-batching | FileCheck %s

// The other components are cut out of indices that are no concatenation of single ones; the concatenation goes.
// CHECK-LABEL: func @gather
func.func @gather(%arg0: tensor<4x8x16xf32>, %arg1: tensor<4x2xi32>) -> tensor<4xf32> {
  // CHECK-NEXT: %0 = "stablehlo.gather"(%arg0, %arg1)
  // CHECK-SAME: dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1, 2], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>
  // CHECK-SAME: (tensor<4x8x16xf32>, tensor<4x2xi32>) -> tensor<4xf32>
  // CHECK-NEXT: return %0
  %0 = stablehlo.iota dim = 0 : tensor<4x1xi32>
  %1 = stablehlo.slice %arg1 [0:4, 0:1] : (tensor<4x2xi32>) -> tensor<4x1xi32>
  %3 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1, 2], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 1>, indices_are_sorted = false} : (tensor<4x8x16xf32>, tensor<4x2xi32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// CHECK-LABEL: func @sliced
func.func @sliced(%arg0: tensor<4x8xf32>, %arg1: tensor<i32>) -> tensor<4xf32> {
  // CHECK-NEXT: %0 = stablehlo.iota dim = 0 : tensor<4x2xi32>
  // CHECK-NEXT: %1 = stablehlo.slice %0 [0:4, 1:2] : (tensor<4x2xi32>) -> tensor<4x1xi32>
  // CHECK-NEXT: "stablehlo.gather"(%arg0, %1)
  // CHECK-SAME: operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1]
  // CHECK-SAME: {mhlo.tag}
  %0 = stablehlo.iota dim = 0 : tensor<4x2xi32>
  %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> {mhlo.tag} : (tensor<4x8xf32>, tensor<4x2xi32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func @scatter
func.func @scatter(%arg0: tensor<4x8xf32>, %arg1: tensor<4x1xi32>, %arg2: tensor<4xf32>) -> tensor<4x8xf32> {
  // CHECK-NEXT: "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = false}>
  %0 = stablehlo.iota dim = 0 : tensor<4xi32>
  %1 = stablehlo.reshape %0 : (tensor<4xi32>) -> tensor<4x1xi32>
  %2 = stablehlo.concatenate %1, %arg1, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
  %3 = "stablehlo.scatter"(%arg0, %2, %arg2) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>} : (tensor<4x8xf32>, tensor<4x2xi32>, tensor<4xf32>) -> tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}

// An iota along another dimension says nothing.
// CHECK-LABEL: func @other
func.func @other(%arg0: tensor<4x8xf32>) -> tensor<4xf32> {
  // CHECK-NOT: operand_batching_dims
  %0 = stablehlo.iota dim = 1 : tensor<4x2xi32>
  %1 = "stablehlo.gather"(%arg0, %0) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>} : (tensor<4x8xf32>, tensor<4x2xi32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
