// Slices, pads, windows and the like on a dimension in parts: each device gets the elements that its part of the result is
// made of, and no more; nothing is gathered.
// RUN: tessera opt %s --tessera-partition=propagate=false 2>&1 | FileCheck %s
// CHECK-NOT: all_gather
// CHECK-NOT: remark
module {
  sdy.mesh @mesh = <["x"=4]>

  // Two elements of the neighbours, each of them one way.
  // CHECK: func.func @main
  // CHECK: stablehlo.slice %arg0 [0:1, 0:4]
  // CHECK-NEXT: collective_permute{{.*}}dense<{{\[}}[1, 0]]>
  // CHECK: stablehlo.slice %arg0 [3:4, 0:4]
  // CHECK-NEXT: collective_permute{{.*}}dense<{{\[}}[2, 3]]>
  func.func @main(%a: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<12x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = stablehlo.slice %a [2:14, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<16x4xf32>) -> tensor<12x4xf32>
    return %0 : tensor<12x4xf32>
  }

  // A halo of one element on both sides; zeros at the ends.
  // CHECK: func.func @conv
  // CHECK-DAG: collective_permute{{.*}}dense<{{\[}}[1, 0], [2, 1], [3, 2]]>{{.*}} : (tensor<1x1x1xf32>)
  // CHECK-DAG: collective_permute{{.*}}dense<{{\[}}[0, 1], [1, 2], [2, 3]]>{{.*}} : (tensor<1x1x1xf32>)
  // CHECK: stablehlo.concatenate {{.*}} -> tensor<1x6x1xf32>
  // CHECK: stablehlo.select
  // CHECK: stablehlo.convolution{{.*}}pad = {{\[}}[0, 0]]{{.*}} -> tensor<1x4x1xf32>
  func.func @conv(%a: tensor<1x16x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}, %k: tensor<3x1x1xf32>) -> (tensor<1x16x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}) {
    %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}, {}]>]>} : (tensor<1x16x1xf32>, tensor<3x1x1xf32>) -> tensor<1x16x1xf32>
    return %0 : tensor<1x16x1xf32>
  }

  // Pooling without overlap needs no neighbours.
  // CHECK: func.func @pool
  // CHECK-NOT: collective_permute
  // CHECK: reduce_window
  func.func @pool(%a: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %r = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>, tensor<f32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }

  // CHECK: func.func @reverse
  // CHECK: collective_permute{{.*}}dense<{{\[}}[3, 0], [2, 1], [1, 2], [0, 3]]>
  // CHECK: stablehlo.reverse
  func.func @reverse(%a: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    %0 = stablehlo.reverse %a, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<16xf32>
    return %0 : tensor<16xf32>
  }

  // Each device writes the part of the update that falls into its part.
  // CHECK: func.func @update
  // CHECK-NOT: collective
  // CHECK-NOT: all_reduce
  // CHECK: stablehlo.select {{.*}}, %arg0 : tensor<4xi1>, tensor<4xf32>
  // CHECK-NEXT: return
  func.func @update(%a: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %u: tensor<3xf32>, %i: tensor<i32>) -> (tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    %0 = stablehlo.dynamic_update_slice %a, %u, %i {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>, tensor<3xf32>, tensor<i32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }

  // A small slice is found where it is; bits are joined, so that signs of zeros and NaNs stay as they are.
  // CHECK: func.func @find
  // CHECK: all_reduce
  // CHECK: (tensor<3xi32>) -> tensor<3xi32>
  // CHECK-NEXT: stablehlo.bitcast_convert
  func.func @find(%a: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %i: tensor<i32>) -> tensor<3xf32> {
    %0 = stablehlo.dynamic_slice %a, %i, sizes = [3] : (tensor<16xf32>, tensor<i32>) -> tensor<3xf32>
    return %0 : tensor<3xf32>
  }

  // A table in parts by rows: indices are moved to where the part begins.
  // CHECK: func.func @table
  // CHECK: stablehlo.clamp
  // CHECK: stablehlo.subtract
  // CHECK: "stablehlo.gather"{{.*}} : (tensor<4x8xf32>, tensor<5x1xi64>) -> tensor<5x8xf32>
  // CHECK: all_reduce
  // CHECK: (tensor<5x8xi32>) -> tensor<5x8xi32>
  func.func @table(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %i: tensor<5x1xi32>) -> tensor<5x8xf32> {
    %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<16x8xf32>, tensor<5x1xi32>) -> tensor<5x8xf32>
    return %0 : tensor<5x8xf32>
  }

  // What is outside of a part is left out by the scatter itself.
  // CHECK: func.func @scatter
  // CHECK: "stablehlo.scatter"
  // CHECK: (tensor<4x8xf32>, tensor<5x1xi64>, tensor<5x8xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: return
  func.func @scatter(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %i: tensor<5x1xi32>, %u: tensor<5x8xf32>) -> (tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      stablehlo.return %y : tensor<f32>
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<16x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<16x8xf32>
    return %0 : tensor<16x8xf32>
  }

  // The sorted dimension is whole for a while, the other one in parts.
  // CHECK: func.func @sort
  // CHECK: all_to_all
  // CHECK: "stablehlo.sort"
  // CHECK: (tensor<2x16xf32>) -> tensor<2x16xf32>
  // CHECK: all_to_all
  func.func @sort(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
    %0 = "stablehlo.sort"(%a) <{dimension = 1 : i64}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %r = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %r : tensor<i1>
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8x16xf32>) -> tensor<8x16xf32>
    return %0 : tensor<8x16xf32>
  }
}
