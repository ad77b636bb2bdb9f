// RUN: ttmlir-opt %s --stablehlo-fusing | FileCheck %s

sdy.mesh @mesh = <["x"=1, "y"=2]>

// CHECK-LABEL: func @concat_reshape
// CHECK-NEXT: %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<2x4xf32>) -> tensor<3x2x4xf32>
// CHECK-NEXT: return %0
func.func @concat_reshape(%arg0: tensor<2x4xf32>) -> tensor<3x2x4xf32> {
  %0 = stablehlo.concatenate %arg0, %arg0, %arg0, dim = 0 : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<6x4xf32>
  %1 = stablehlo.reshape %0 : (tensor<6x4xf32>) -> tensor<3x2x4xf32>
  return %1 : tensor<3x2x4xf32>
}

// Three times two is not two times three.
// CHECK-LABEL: func @other_reshape
// CHECK: stablehlo.concatenate
func.func @other_reshape(%arg0: tensor<2x4xf32>) -> tensor<2x3x4xf32> {
  %0 = stablehlo.concatenate %arg0, %arg0, %arg0, dim = 0 : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<6x4xf32>
  %1 = stablehlo.reshape %0 : (tensor<6x4xf32>) -> tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}

// CHECK-LABEL: func @reshape_concat
// CHECK-NEXT: %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 2] : (tensor<2x4xf32>) -> tensor<2x3x4xf32>
func.func @reshape_concat(%arg0: tensor<2x4xf32>) -> tensor<2x3x4xf32> {
  %0 = stablehlo.reshape %arg0 : (tensor<2x4xf32>) -> tensor<2x1x4xf32>
  %1 = stablehlo.concatenate %0, %0, %0, dim = 1 : (tensor<2x1x4xf32>, tensor<2x1x4xf32>, tensor<2x1x4xf32>) -> tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}

// CHECK-LABEL: func @concat_ones
// CHECK-NEXT: stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x2xf32>
func.func @concat_ones(%arg0: tensor<2x1xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.concatenate %arg0, %arg0, dim = 1 : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// CHECK-LABEL: func @sharded
// CHECK: stablehlo.concatenate
func.func @sharded(%arg0: tensor<2x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<2x2xf32> {
  %0 = stablehlo.concatenate %arg0, %arg0, dim = 1 : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// CHECK-LABEL: func @gather
// CHECK-NEXT: "stablehlo.gather"(%arg0, %arg1)
func.func @gather(%arg0: tensor<8x4xf32>, %arg1: tensor<3xi32>) -> tensor<3x4xf32> {
  %0 = stablehlo.reshape %arg1 : (tensor<3xi32>) -> tensor<3x1xi32>
  %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  return %1 : tensor<3x4xf32>
}

// All columns of a row get the same row number: rows are scattered.
// CHECK-LABEL: func @scatter_rows
// CHECK: %[[ROWS:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [0]
// CHECK: %[[FIRST:.*]] = stablehlo.slice %[[ROWS]] [0:2, 0:1, 0:1]
// CHECK: %[[INDEX:.*]] = stablehlo.reshape %[[FIRST]] : (tensor<2x1x1xi64>) -> tensor<2x1xi64>
// CHECK: "stablehlo.scatter"(%arg0, %[[INDEX]], %arg2)
// CHECK-SAME: update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1
func.func @scatter_rows(%arg0: tensor<4x8xf32>, %arg1: tensor<2xi64>, %arg2: tensor<2x8xf32>) -> tensor<4x8xf32> {
  %rows = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<2xi64>) -> tensor<2x8x1xi64>
  %iota = stablehlo.iota dim = 1 : tensor<2x8x1xi64>
  %index = stablehlo.concatenate %rows, %iota, dim = 2 : (tensor<2x8x1xi64>, tensor<2x8x1xi64>) -> tensor<2x8x2xi64>
  %0 = "stablehlo.scatter"(%arg0, %index, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<2x8x2xi64>, tensor<2x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// Nobody knows that the columns of arg1 are alike.
// CHECK-LABEL: func @scatter_elements
// CHECK: scatter_dims_to_operand_dims = [0, 1]
func.func @scatter_elements(%arg0: tensor<4x8xf32>, %arg1: tensor<2x8x1xi64>, %arg2: tensor<2x8xf32>) -> tensor<4x8xf32> {
  %iota = stablehlo.iota dim = 1 : tensor<2x8x1xi64>
  %index = stablehlo.concatenate %arg1, %iota, dim = 2 : (tensor<2x8x1xi64>, tensor<2x8x1xi64>) -> tensor<2x8x2xi64>
  %0 = "stablehlo.scatter"(%arg0, %index, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<2x8x2xi64>, tensor<2x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
