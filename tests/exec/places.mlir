// Gathers and scatters of any form are movements: clamped and cut windows, batches, several indices, all plain bodies.
// RUN: tessera run %s --function=gathers --input=random --check --rtol=0 --atol=0
// RUN: tessera run %s --function=gathers --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// RUN: tessera run %s --function=scatters --input=random --check --rtol=0 --atol=0
// RUN: tessera run %s --function=scatters --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// RUN: tessera run %s --function=rows --input=random --check --rtol=0 --atol=0
// RUN: tessera run %s --function=rows --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// RUN: tessera run %s --function=rows --input=random --threads=1 --output=%t.npz
// RUN: tessera run %s --function=rows --input=random --threads=3 --expect=%t.npz --rtol=0 --atol=0
// Many rows, at places in any order, some of them outside.
// RUN: tessera run %s --function=many_rows --input=random --check --rtol=0 --atol=0
// CHECK: 0 by the evaluator's kernels
// CHECK: move
// A scatter into what nobody else reads works in its place.
// RUN: tessera run %s --function=in_place --input=random --check --rtol=0 --atol=0
// RUN: tessera run %s --function=in_place --input=random --dump-program 2>&1 >/dev/null | FileCheck %s --check-prefix=PLACE
// RUN: tessera run %s --function=upsample --input=random --threads=1 --check --rtol=0 --atol=0
// RUN: tessera run %s --function=upsample --input=random --threads=5 --check --rtol=0 --atol=0
// PLACE: map {{.*}} writes %[[V:[0-9]+]]:8x9xf32
// PLACE: move scatter {{.*}} writes %{{[0-9]+}}:8x9xf32@%[[V]]
func.func @gathers(%x: tensor<5x6x7xf32>, %y: tensor<3x5x8xf32>) -> (tensor<4x2x6x3xf32>, tensor<3x4x2xf32>, tensor<7x5xf32>) {
  %i = stablehlo.constant dense<[[-3, 9], [2, 2], [4, 5], [0, -1]]> : tensor<4x2xi32>
  %j = stablehlo.constant dense<[[1, 2, 3, 9], [-1, 0, 0, 5], [4, 4, 1, 0]]> : tensor<3x4xi64>
  %k = stablehlo.constant dense<[3, 200, 1]> : tensor<3xui8>
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2, 3], start_index_map = [2, 0], index_vector_dim = 1>,
      slice_sizes = array<i64: 2, 6, 3>}> : (tensor<5x6x7xf32>, tensor<4x2xi32>) -> tensor<4x2x6x3xf32>
  %2 = "stablehlo.gather"(%y, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 2>}> : (tensor<3x5x8xf32>, tensor<3x4xi64>) -> tensor<3x4x2xf32>
  %3 = "stablehlo.gather"(%x, %k) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], collapsed_slice_dims = [1], start_index_map = [0, 2, 1],
      index_vector_dim = 0>, slice_sizes = array<i64: 5, 1, 7>}> : (tensor<5x6x7xf32>, tensor<3xui8>) -> tensor<5x7xf32>
  %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<5x7xf32>) -> tensor<7x5xf32>
  return %0, %2, %4 : tensor<4x2x6x3xf32>, tensor<3x4x2xf32>, tensor<7x5xf32>
}
func.func @scatters(%x: tensor<4x6x5xf32>, %u: tensor<5x2x6xf32>, %y: tensor<3x5x2xi32>, %v: tensor<3x4x2xi32>) -> (tensor<4x6x5xf32>, tensor<4x6x5xf32>, tensor<3x5x2xi32>) {
  %i = stablehlo.constant dense<[[-1, 0], [3, 4], [2, 2], [3, 4], [9, 9]]> : tensor<5x2xi32>
  %j = stablehlo.constant dense<[[1, 2, 3, 9], [-1, 0, 0, 5], [4, 4, 1, 0]]> : tensor<3x4xi64>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [2],
      scatter_dims_to_operand_dims = [0, 2], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x6x5xf32>, tensor<5x2xi32>, tensor<5x2x6xf32>) -> tensor<4x6x5xf32>
  %1 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [2],
      scatter_dims_to_operand_dims = [0, 2], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<4x6x5xf32>, tensor<5x2xi32>, tensor<5x2x6xf32>) -> tensor<4x6x5xf32>
  %2 = "stablehlo.scatter"(%y, %j, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.maximum %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<3x5x2xi32>, tensor<3x4xi64>, tensor<3x4x2xi32>) -> tensor<3x5x2xi32>
  return %0, %1, %2 : tensor<4x6x5xf32>, tensor<4x6x5xf32>, tensor<3x5x2xi32>
}
// Many updates of each row, in order; narrow floats are rounded after each.
func.func @rows(%x: tensor<7x200xf32>, %u: tensor<300x200xf32>, %y: tensor<7x200xbf16>, %v: tensor<300x200xbf16>) -> (tensor<7x200xf32>, tensor<7x200xbf16>) {
  %n = stablehlo.iota dim = 0 : tensor<300x1xi32>
  %m = stablehlo.constant dense<8> : tensor<300x1xi32>
  %i = stablehlo.remainder %n, %m : tensor<300x1xi32>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<7x200xf32>, tensor<300x1xi32>, tensor<300x200xf32>) -> tensor<7x200xf32>
  %1 = "stablehlo.scatter"(%y, %i, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %r = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %r : tensor<bf16>
  }) : (tensor<7x200xbf16>, tensor<300x1xi32>, tensor<300x200xbf16>) -> tensor<7x200xbf16>
  return %0, %1 : tensor<7x200xf32>, tensor<7x200xbf16>
}
func.func @in_place(%x: tensor<8x9xf32>, %u: tensor<2x9xf32>) -> tensor<9x8xf32> {
  %i = stablehlo.constant dense<[[3], [5]]> : tensor<2x1xi32>
  %0 = stablehlo.multiply %x, %x : tensor<8x9xf32>
  %1 = "stablehlo.scatter"(%0, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<8x9xf32>, tensor<2x1xi32>, tensor<2x9xf32>) -> tensor<8x9xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<8x9xf32>) -> tensor<9x8xf32>
  return %2 : tensor<9x8xf32>
}
func.func @many_rows(%x: tensor<37x70xi32>, %u: tensor<600x70xi32>) -> (tensor<37x70xi32>, tensor<37x70xi32>) {
  %n = stablehlo.iota dim = 0 : tensor<600xi64>
  %c = stablehlo.constant dense<29> : tensor<600xi64>
  %d = stablehlo.constant dense<41> : tensor<600xi64>
  %m = stablehlo.multiply %n, %c : tensor<600xi64>
  %r = stablehlo.remainder %m, %d : tensor<600xi64>
  %i = stablehlo.constant dense<2> : tensor<600xi64>
  %j = stablehlo.subtract %r, %i : tensor<600xi64>
  %0 = "stablehlo.scatter"(%x, %j, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<37x70xi32>, tensor<600xi64>, tensor<600x70xi32>) -> tensor<37x70xi32>
  %1 = "stablehlo.scatter"(%x, %j, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<37x70xi32>, tensor<600xi64>, tensor<600x70xi32>) -> tensor<37x70xi32>
  return %0, %1 : tensor<37x70xi32>, tensor<37x70xi32>
}
// Positions are the inner dimensions of the result: the same element of many windows at a time. Some windows are moved inside.
func.func @upsample(%x: tensor<2x5x6x3xf32>, %y: tensor<4x9xi8>, %i: tensor<7x300x2xi32>) -> (tensor<2x3x3x3x7x300xf32>, tensor<2x5x7x300xi8>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2, 3], start_index_map = [1, 2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 2, 3, 3, 3>}> : (tensor<2x5x6x3xf32>, tensor<7x300x2xi32>) -> tensor<2x3x3x3x7x300xf32>
  %1 = "stablehlo.gather"(%y, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 2, 5>}> : (tensor<4x9xi8>, tensor<7x300x2xi32>) -> tensor<2x5x7x300xi8>
  return %0, %1 : tensor<2x3x3x3x7x300xf32>, tensor<2x5x7x300xi8>
}
