// Gathers, scatters and sorts.
// RUN: tessera opt %s --convert-stablehlo-to-ttir | FileCheck %s

// CHECK-LABEL: func.func @rows(
// CHECK-NEXT: %0 = "ttir.embedding"(%arg1, %arg0) : (tensor<2x3xi32>, tensor<10x4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: return %0 : tensor<2x3x4xf32>
func.func @rows(%t: tensor<10x4xf32>, %i: tensor<2x3xi32>) -> tensor<2x3x4xf32> {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 4>}> : (tensor<10x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// Two parts of a start are one number of a row; they are clamped before.
// CHECK-LABEL: func.func @two_parts(
// CHECK-NEXT: %0 = "ttir.reshape"(%arg0) <{shape = [15 : i32, 4 : i32]}> : (tensor<3x5x4xf32>) -> tensor<15x4xf32>
// CHECK-NEXT: %1 = "ttir.constant"() <{value = dense<0> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
// CHECK-NEXT: %2 = "ttir.constant"() <{value = dense<{{\[\[}}2, 4]{{]}}> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
// CHECK-NEXT: %3 = "ttir.clamp_tensor"(%arg1, %1, %2) : (tensor<6x2xi32>, tensor<1x2xi32>, tensor<1x2xi32>) -> tensor<6x2xi32>
// CHECK-NEXT: %4 = "ttir.typecast"(%3) <{conservative_folding = false}> : (tensor<6x2xi32>) -> tensor<6x2xf32>
// CHECK-NEXT: %5 = "ttir.constant"() <{value = dense<{{\[\[}}5.000000e+00], [1.000000e+00]{{]}}> : tensor<2x1xf32>}> : () -> tensor<2x1xf32>
// CHECK-NEXT: %6 = "ttir.matmul"(%4, %5) <{transpose_a = false, transpose_b = false}> : (tensor<6x2xf32>, tensor<2x1xf32>) -> tensor<6x1xf32>
// CHECK-NEXT: %7 = "ttir.embedding"(%6, %0) : (tensor<6x1xf32>, tensor<15x4xf32>) -> tensor<6x1x4xf32>
// CHECK-NEXT: %8 = "ttir.reshape"(%7) <{shape = [6 : i32, 4 : i32]}> : (tensor<6x1x4xf32>) -> tensor<6x4xf32>
// CHECK-NEXT: return %8 : tensor<6x4xf32>
func.func @two_parts(%t: tensor<3x5x4xf32>, %i: tensor<6x2xi32>) -> tensor<6x4xf32> {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<3x5x4xf32>, tensor<6x2xi32>) -> tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
}

// CHECK-LABEL: func.func @in_batches(
// CHECK-NEXT: %0 = "ttir.reshape"(%arg1) <{shape = [2 : i32, 3 : i32]}> : (tensor<2x3x1xi32>) -> tensor<2x3xi32>
// CHECK-NEXT: %1 = "ttir.reshape"(%0) <{shape = [2 : i32, 3 : i32, 1 : i32]}> : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
// CHECK-NEXT: %2 = "ttir.broadcast"(%1) <{broadcast_dimensions = array<i64: 1, 1, 4>}> : (tensor<2x3x1xi32>) -> tensor<2x3x4xi32>
// CHECK-NEXT: %3 = "ttir.gather"(%arg0, %2) <{dim = 1 : i32}> : (tensor<2x5x4xf32>, tensor<2x3x4xi32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: return %3 : tensor<2x3x4xf32>
func.func @in_batches(%t: tensor<2x5x4xf32>, %i: tensor<2x3x1xi32>) -> tensor<2x3x4xf32> {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<2x5x4xf32>, tensor<2x3x1xi32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @one_slice(
// CHECK-NEXT: %0 = "ttir.constant"() <{value = dense<[7, 1]> : tensor<2xi32>}> : () -> tensor<2xi32>
// CHECK-NEXT: %1 = "ttir.slice_static"(%arg0) <{begins = [6 : i32, 1 : i32], ends = [8 : i32, 4 : i32], step = [1 : i32, 1 : i32]}> : (tensor<8x6xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %1 : tensor<2x3xf32>
func.func @one_slice(%t: tensor<8x6xf32>) -> tensor<2x3xf32> {
  %i = stablehlo.constant dense<[7, 1]> : tensor<2xi32>
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0, 1]>, slice_sizes = array<i64: 2, 3>}> : (tensor<8x6xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// 0 0 1 2 2: the ends once more.
// CHECK-LABEL: func.func @ends(
// CHECK-NEXT: %0 = "ttir.constant"() <{value = dense<{{\[\[}}0], [0], [1], [2], [2]{{]}}> : tensor<5x1xi64>}> : () -> tensor<5x1xi64>
// CHECK-NEXT: %1 = "ttir.slice_static"(%arg0) <{begins = [0 : i32, 0 : i32], ends = [1 : i32, 2 : i32], step = [1 : i32, 1 : i32]}> : (tensor<3x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %2 = "ttir.repeat"(%1) <{repeat_dimensions = array<i64: 1, 1>}> : (tensor<1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %3 = "ttir.slice_static"(%arg0) <{begins = [2 : i32, 0 : i32], ends = [3 : i32, 2 : i32], step = [1 : i32, 1 : i32]}> : (tensor<3x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %4 = "ttir.repeat"(%3) <{repeat_dimensions = array<i64: 1, 1>}> : (tensor<1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %5 = "ttir.concat"(%2, %arg0, %4) <{dim = 0 : si32}> : (tensor<1x2xf32>, tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<5x2xf32>
// CHECK-NEXT: return %5 : tensor<5x2xf32>
func.func @ends(%t: tensor<3x2xf32>) -> tensor<5x2xf32> {
  %i = stablehlo.constant dense<[[0], [0], [1], [2], [2]]> : tensor<5x1xi64>
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xf32>, tensor<5x1xi64>) -> tensor<5x2xf32>
  return %0 : tensor<5x2xf32>
}

// CHECK-LABEL: func.func @put_rows(
// CHECK-NEXT: %0 = "ttir.repeat"(%arg1) <{repeat_dimensions = array<i64: 1, 4>}> : (tensor<3x1xi32>) -> tensor<3x4xi32>
// CHECK-NEXT: %1 = "ttir.scatter"(%arg0, %0, %arg2) <{dim = 0 : i32, scatter_reduce_type = #ttcore.reduce_type<invalid>}> : (tensor<10x4xf32>, tensor<3x4xi32>, tensor<3x4xf32>) -> tensor<10x4xf32>
// CHECK-NEXT: return %1 : tensor<10x4xf32>
func.func @put_rows(%t: tensor<10x4xf32>, %i: tensor<3x1xi32>, %u: tensor<3x4xf32>) -> tensor<10x4xf32> {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<10x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<10x4xf32>
  return %0 : tensor<10x4xf32>
}

// CHECK-LABEL: func.func @add_rows(
// CHECK-NEXT: %0 = "ttir.constant"() <{value = dense<0.000000e+00> : tensor<10x4xf32>}> : () -> tensor<10x4xf32>
// CHECK-NEXT: %1 = "ttir.reshape"(%arg0) <{shape = [1 : i32, 3 : i32, 1 : i32]}> : (tensor<3x1xi32>) -> tensor<1x3x1xi32>
// CHECK-NEXT: %2 = "ttir.embedding_backward"(%1, %0, %arg1) : (tensor<1x3x1xi32>, tensor<10x4xf32>, tensor<3x4xf32>) -> tensor<10x4xf32>
// CHECK-NEXT: return %2 : tensor<10x4xf32>
func.func @add_rows(%i: tensor<3x1xi32>, %u: tensor<3x4xf32>) -> tensor<10x4xf32> {
  %t = stablehlo.constant dense<0.0> : tensor<10x4xf32>
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<10x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<10x4xf32>
  return %0 : tensor<10x4xf32>
}

// Elements of a line; those that lie outside go to a place that is not there.
// CHECK-LABEL: func.func @put_points(
// CHECK-NEXT: %0 = "ttir.slice_static"(%arg1) <{begins = [0 : i32, 1 : i32], ends = [4 : i32, 2 : i32], step = [1 : i32, 1 : i32]}> : (tensor<4x2xi32>) -> tensor<4x1xi32>
// CHECK-NEXT: %1 = "ttir.reshape"(%0) <{shape = [4 : i32]}> : (tensor<4x1xi32>) -> tensor<4xi32>
// CHECK-NEXT: %2 = "ttir.constant"() <{value = dense<0> : tensor<4xi32>}> : () -> tensor<4xi32>
// CHECK-NEXT: %3 = "ttir.ge"(%1, %2) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// CHECK-NEXT: %4 = "ttir.constant"() <{value = dense<5> : tensor<4xi32>}> : () -> tensor<4xi32>
// CHECK-NEXT: %5 = "ttir.lt"(%1, %4) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// CHECK-NEXT: %6 = "ttir.logical_and"(%3, %5) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
// CHECK-NEXT: %7 = "ttir.slice_static"(%arg1) <{begins = [0 : i32, 0 : i32], ends = [4 : i32, 1 : i32], step = [1 : i32, 1 : i32]}> : (tensor<4x2xi32>) -> tensor<4x1xi32>
// CHECK-NEXT: %8 = "ttir.reshape"(%7) <{shape = [4 : i32]}> : (tensor<4x1xi32>) -> tensor<4xi32>
// CHECK-NEXT: %9 = "ttir.constant"() <{value = dense<0> : tensor<4xi32>}> : () -> tensor<4xi32>
// CHECK-NEXT: %10 = "ttir.ge"(%8, %9) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// CHECK-NEXT: %11 = "ttir.constant"() <{value = dense<3> : tensor<4xi32>}> : () -> tensor<4xi32>
// CHECK-NEXT: %12 = "ttir.lt"(%8, %11) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
// CHECK-NEXT: %13 = "ttir.logical_and"(%6, %10) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
// CHECK-NEXT: %14 = "ttir.logical_and"(%13, %12) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
// CHECK-NEXT: %15 = "ttir.full"() <{fill_value = 5 : i32, shape = array<i32: 4>}> : () -> tensor<4xi32>
// CHECK-NEXT: %16 = "ttir.multiply"(%8, %15) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
// CHECK-NEXT: %17 = "ttir.add"(%1, %16) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
// CHECK-NEXT: %18 = "ttir.constant"() <{value = dense<15> : tensor<4xi32>}> : () -> tensor<4xi32>
// CHECK-NEXT: %19 = "ttir.where"(%14, %17, %18) : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
// CHECK-NEXT: %20 = "ttir.reshape"(%arg0) <{shape = [15 : i32]}> : (tensor<3x5xf32>) -> tensor<15xf32>
// CHECK-NEXT: %21 = "ttir.scatter"(%20, %19, %arg2) <{dim = 0 : i32, scatter_reduce_type = #ttcore.reduce_type<max>}> : (tensor<15xf32>, tensor<4xi32>, tensor<4xf32>) -> tensor<15xf32>
// CHECK-NEXT: %22 = "ttir.reshape"(%21) <{shape = [3 : i32, 5 : i32]}> : (tensor<15xf32>) -> tensor<3x5xf32>
// CHECK-NEXT: return %22 : tensor<3x5xf32>
func.func @put_points(%t: tensor<3x5xf32>, %i: tensor<4x2xi32>, %u: tensor<4xf32>) -> tensor<3x5xf32> {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<3x5xf32>, tensor<4x2xi32>, tensor<4xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// CHECK-LABEL: func.func @places(
// CHECK-NEXT: %0 = "ttir.arange"() <{arange_dimension = 1 : i64, end = 4 : si64, start = 0 : si64, step = 1 : si64}> : () -> tensor<2x4xi32>
// CHECK-NEXT: %values, %indices = "ttir.sort"(%arg0) <{descending = true, dim = 1 : si32, stable = true}> : (tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xi32>)
// CHECK-NEXT: return %values, %indices : tensor<2x4xf32>, tensor<2x4xi32>
func.func @places(%x: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xi32>) {
  %i = stablehlo.iota dim = 1 : tensor<2x4xi32>
  %0:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %1 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<2x4xf32>, tensor<2x4xi32>) -> (tensor<2x4xf32>, tensor<2x4xi32>)
  return %0#0, %0#1 : tensor<2x4xf32>, tensor<2x4xi32>
}

// CHECK-LABEL: func.func @argmax(
// CHECK-NEXT: %0 = "ttir.arange"() <{arange_dimension = 1 : i64, end = 4 : si64, start = 0 : si64, step = 1 : si64}> : () -> tensor<2x4xi32>
// CHECK-NEXT: %1 = "ttir.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
// CHECK-NEXT: %2 = "ttir.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
// CHECK-NEXT: %3 = "ttir.argmax"(%arg0) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<2x4xf32>) -> tensor<2xi32>
// CHECK-NEXT: return %3 : tensor<2xi32>
func.func @argmax(%x: tensor<2x4xf32>) -> tensor<2xi32> {
  %i = stablehlo.iota dim = 1 : tensor<2x4xi32>
  %c = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%x init: %c), (%i init: %z) across dimensions = [1] : (tensor<2x4xf32>, tensor<2x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%j: tensor<i32>, %k: tensor<i32>) {
    %1 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.compare EQ, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.compare LT, %j, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.and %2, %3 : tensor<i1>
    %5 = stablehlo.or %1, %4 : tensor<i1>
    %6 = stablehlo.maximum %a, %b : tensor<f32>
    %7 = stablehlo.select %5, %j, %k : tensor<i1>, tensor<i32>
    stablehlo.return %6, %7 : tensor<f32>, tensor<i32>
  }
  return %0#1 : tensor<2xi32>
}

// The last dimension, unless another is named.
// CHECK-LABEL: func.func @sort_last(
// CHECK-NEXT: %values, %indices = "ttir.sort"(%arg0) <{descending = false, dim = 1 : si32, stable = false}> : (tensor<2x4xi32>) -> (tensor<2x4xi32>, tensor<2x4xi32>)
// CHECK-NEXT: return %values : tensor<2x4xi32>
func.func @sort_last(%x: tensor<2x4xi32>) -> tensor<2x4xi32> {
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<2x4xi32>) -> tensor<2x4xi32>
  return %0 : tensor<2x4xi32>
}
