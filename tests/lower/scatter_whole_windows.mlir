// A window that is partly outside is not written at all, after the pass; before it, what is inside is.
// RUN: tessera opt %s --tessera-scatter-whole-windows -split-input-file | stablehlo-translate --interpret -split-input-file
// RUN: tessera opt %s --tessera-scatter-whole-windows -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @vectors
// CHECK: %[[LOW:.*]] = stablehlo.compare GE, %[[I:.*]], %{{.*}}, SIGNED
// CHECK: %[[HIGH:.*]] = stablehlo.compare LE, %[[I]], %{{.*}}, SIGNED
// CHECK: %[[IN:.*]] = stablehlo.and %[[LOW]], %[[HIGH]]
// CHECK: %[[NEW:.*]] = stablehlo.select %[[IN]], %[[I]],
// CHECK: "stablehlo.scatter"(%{{.*}}, %[[NEW]], %{{.*}}) <{indices_are_sorted = false
func.func @vectors() {
  %a = stablehlo.constant dense<0> : tensor<5xi32>
  %i = stablehlo.constant dense<[[4], [-1], [0], [3]]> : tensor<4x1xi32>
  %u = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi32>
  %0 = "stablehlo.scatter"(%a, %i, %u) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %s = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<5xi32>, tensor<4x1xi32>, tensor<4x2xi32>) -> tensor<5xi32>
  check.expect_eq_const %0, dense<[5, 6, 0, 7, 8]> : tensor<5xi32>
  return
}

// -----

// Two components, of which one has windows; indices of a small type without signs.
// CHECK-LABEL: func.func @components
// CHECK: stablehlo.convert {{.*}} -> tensor<2x2xi64>
func.func @components() {
  %a = stablehlo.constant dense<0> : tensor<2x3xi32>
  %i = stablehlo.constant dense<[[1, 2], [1, 1]]> : tensor<2x2xui8>
  %u = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    stablehlo.return %y : tensor<i32>
  }) : (tensor<2x3xi32>, tensor<2x2xui8>, tensor<2x2xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %0, dense<[[0, 0, 0], [0, 3, 4]]> : tensor<2x3xi32>
  return
}

// -----

// A batching dimension, and indices that are no vectors.
func.func @batches() {
  %a = stablehlo.constant dense<0> : tensor<2x3xi32>
  %i = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %u = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    stablehlo.return %y : tensor<i32>
  }) : (tensor<2x3xi32>, tensor<2xi64>, tensor<2x2xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %0, dense<[[0, 0, 0], [0, 3, 4]]> : tensor<2x3xi32>
  return
}

// -----

// CHECK-LABEL: func.func @points
// CHECK-NOT: stablehlo.select
// CHECK: return
func.func @points() {
  %a = stablehlo.constant dense<0> : tensor<3xi32>
  %i = stablehlo.constant dense<[[1], [3]]> : tensor<2x1xi32>
  %u = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    stablehlo.return %y : tensor<i32>
  }) : (tensor<3xi32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<3xi32>
  check.expect_eq_const %0, dense<[0, 1, 0]> : tensor<3xi32>
  return
}
