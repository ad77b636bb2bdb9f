// An op may run where it did not when no size that it checks can be wrong: what is unknown of an operand must be unknown, or alike, in
// the result.
// RUN: tessera opt %s --hlo-test-speculatability --allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: func.func @yes
// CHECK-NEXT: return
func.func @yes(%s: tensor<2x4xf32>, %d: tensor<?x4xf32>, %i: tensor<2x1xi32>, %m: tensor<3x3xf32>) {
  %0 = "stablehlo.all_gather"(%s) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x?xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<2x?xf32>) -> ()
  %1 = "stablehlo.all_to_all"(%s) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%1) : (tensor<?x?xf32>) -> ()
  %2 = stablehlo.bitcast_convert %s : (tensor<2x4xf32>) -> tensor<2x4xi32>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<2x4xi32>) -> ()
  %3 = stablehlo.concatenate %s, %s, dim = 0 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  "hlo_test_speculatability.is_speculatable"(%3) : (tensor<4x4xf32>) -> ()
  %4 = stablehlo.transpose %d, dims = [1, 0] : (tensor<?x4xf32>) -> tensor<4x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<4x?xf32>) -> ()
  %5 = stablehlo.dot_general %s, %m, contracting_dims = [] x [] : (tensor<2x4xf32>, tensor<3x3xf32>) -> tensor<2x4x3x3xf32>
  "hlo_test_speculatability.is_speculatable"(%5) : (tensor<2x4x3x3xf32>) -> ()
  %6 = "stablehlo.gather"(%s, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<2x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
  "hlo_test_speculatability.is_speculatable"(%6) : (tensor<2x4xf32>) -> ()
  %7 = "stablehlo.triangular_solve"(%m, %m) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  "hlo_test_speculatability.is_speculatable"(%7) : (tensor<3x3xf32>) -> ()
  return
}

// Sizes that are promised, and may turn out otherwise. How many devices take part is not known before.
// CHECK-LABEL: func.func @no
// CHECK-NEXT: return
func.func @no(%s: tensor<2x4xf32>, %d: tensor<?x4xf32>, %e: tensor<?x?xf32>, %i: tensor<?x1xi32>, %n: tensor<2xi64>, %m: tensor<3x3xf32>) {
  %0 = "stablehlo.all_gather"(%s) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x8xf32>
  "hlo_test_speculatability.is_not_speculatable"(%0) : (tensor<2x8xf32>) -> ()
  %1 = "stablehlo.all_to_all"(%s) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<4x2xf32>) -> ()
  %2 = stablehlo.bitcast_convert %d : (tensor<?x4xf32>) -> tensor<2x4xi32>
  "hlo_test_speculatability.is_not_speculatable"(%2) : (tensor<2x4xi32>) -> ()
  %3 = stablehlo.concatenate %d, %s, dim = 0 : (tensor<?x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<4x4xf32>) -> ()
  %4 = stablehlo.transpose %d, dims = [1, 0] : (tensor<?x4xf32>) -> tensor<4x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%4) : (tensor<4x2xf32>) -> ()
  %5 = stablehlo.dot_general %e, %m, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<3x3xf32>) -> tensor<?x3xf32>
  "hlo_test_speculatability.is_not_speculatable"(%5) : (tensor<?x3xf32>) -> ()
  %6 = "stablehlo.gather"(%s, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<2x4xf32>, tensor<?x1xi32>) -> tensor<2x4xf32>
  "hlo_test_speculatability.is_not_speculatable"(%6) : (tensor<2x4xf32>) -> ()
  %7 = "stablehlo.triangular_solve"(%e, %m) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<?x?xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  "hlo_test_speculatability.is_not_speculatable"(%7) : (tensor<3x3xf32>) -> ()
  %8 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<2xi64>) -> tensor<2x?xi32>
  "hlo_test_speculatability.is_not_speculatable"(%8) : (tensor<2x?xi32>) -> ()
  %9 = stablehlo.dynamic_broadcast_in_dim %d, %n, dims = [0, 1] : (tensor<?x4xf32>, tensor<2xi64>) -> tensor<?x4xf32>
  "hlo_test_speculatability.is_not_speculatable"(%9) : (tensor<?x4xf32>) -> ()
  return
}
