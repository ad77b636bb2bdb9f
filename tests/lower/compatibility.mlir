// What older versions do not have is said with what they have.
// RUN: tessera opt %s --stablehlo-compatibility-expander=target=1.0.0 --split-input-file --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: tessera opt %s --split-input-file --mlir-print-debuginfo > %t.0
// RUN: tessera opt %s --stablehlo-compatibility-expander=target=current --split-input-file --mlir-print-debuginfo > %t.1
// RUN: diff %t.0 %t.1

// CHECK-LABEL: @tan
// CHECK: stablehlo.sine
// CHECK-NEXT: stablehlo.cosine
// CHECK-NEXT: stablehlo.divide
func.func @tan(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.tan %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----
// With an accuracy that the others would not have, it stays.
// CHECK-LABEL: @accurate
// CHECK: stablehlo.tan
func.func @accurate(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.tan %x {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----
// Sizes that the indices' type cannot hold make it wider.
// CHECK-LABEL: @gather
// CHECK: %[[W:.*]] = stablehlo.convert %{{.*}} : (tensor<300x2xui8>) -> tensor<300x2xi32>
// CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %[[W]] : (tensor<300x2xi32>) -> tensor<300x2x1xi32>
// CHECK-NEXT: %[[I:.*]] = stablehlo.iota dim = 0 : tensor<300x2x1xi32>
// CHECK-NEXT: %[[C:.*]] = stablehlo.concatenate %[[I]], %[[R]], dim = 2
// CHECK-NEXT: "stablehlo.gather"(%{{.*}}, %[[C]]) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, indices_are_sorted = true,
func.func @gather(%x: tensor<300x5xf32>, %i: tensor<300x2xui8>) -> tensor<300x2xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = true, slice_sizes = array<i64: 1, 1>}> : (tensor<300x5xf32>, tensor<300x2xui8>) -> tensor<300x2xf32>
  return %0 : tensor<300x2xf32>
}

// -----
// CHECK-LABEL: @scatter
// CHECK: %[[C:.*]] = stablehlo.concatenate %{{.*}}, %arg2, dim = 1 : (tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x2xi32>
// CHECK-NEXT: "stablehlo.scatter"(%arg0, %arg1, %[[C]], %arg3, %arg3)
// CHECK-SAME: inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
func.func @scatter(%x: tensor<3x4xf32>, %y: tensor<3x4xf32>, %i: tensor<3x1xi32>, %u: tensor<3xf32>) {
  %0:2 = "stablehlo.scatter"(%x, %y, %i, %u, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    stablehlo.return %c, %d : tensor<f32>, tensor<f32>
  }) : (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x1xi32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>)
  return
}

// -----
// CHECK-LABEL: @axes
// CHECK: replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>
module {
  sdy.mesh @mesh = <["a"=2, "b"=2]>
  func.func @axes(%x: tensor<4xf32>) -> tensor<8xf32> {
    %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "a">]>}> : (tensor<4xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----
// Ranges in files become their starts, wherever they stand.
// CHECK-LABEL: @ranges
// CHECK-SAME: loc("a.py":1:2)
// CHECK-NOT: " to "
// CHECK: fused<"m">["a.py":3:4, "x"("a.py":5:6)]
func.func @ranges(%x: tensor<f32> loc("a.py":1:2 to :9)) -> tensor<f32> {
  %0 = stablehlo.abs %x : tensor<f32> loc(fused<"m">["a.py":3:4 to 4:5, "x"("a.py":5:6 to :7)])
  return %0 : tensor<f32>
}
