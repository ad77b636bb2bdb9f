// Modules compute the same before and after the pipeline.
// RUN: ttmlir-opt %s --stablehlo-pipeline -o %t.mlir
// RUN: for f in pad cat reverse slice odd update gather scatter reduce_max reduce_from reduce_mul iota constant two_axes exchange rng_free conv_kernel; do tessera run %s --function=$f --input=random --output=%t.npz && tessera run %t.mlir --function=$f --input=random --expect=%t.npz || exit 1; done
// RUN: FileCheck %s < %t.mlir

sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @pad(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> tensor<4x12xf32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.pad %arg0, %c, low = [0, 3], high = [0, 1], interior = [0, 0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x12xf32>
  return %0 : tensor<4x12xf32>
}
func.func @cat(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> tensor<4x16xf32> {
  %0 = stablehlo.concatenate %arg0, %arg0, dim = 1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}
func.func @reverse(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<4x8xf32> {
  %0 = stablehlo.reverse %arg0, dims = [1] : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
func.func @slice(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<4x4xf32> {
  %0 = stablehlo.slice %arg0 [0:4, 2:6] : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// Every other element: each device takes of its own.
// CHECK-LABEL: func @odd
// CHECK: stablehlo.slice %arg1 [0:2, 1:4:2] : (tensor<2x4xf32>) -> tensor<2x2xf32>
func.func @odd(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %0 = stablehlo.slice %arg0 [0:4, 1:8:2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
func.func @update(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %arg1: tensor<4x2xf32>) -> tensor<4x8xf32> {
  %c = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %arg0, %arg1, %c, %c : (tensor<4x8xf32>, tensor<4x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
// Indices point into the whole table.
// CHECK-LABEL: func @gather
// CHECK: stablehlo.all_gather
// CHECK-NOT: stablehlo.all_reduce
// CHECK: func.func @scatter
func.func @gather(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<3x4xf32> {
  %c = stablehlo.constant dense<[6, 1, 4]> : tensor<3xi32>
  %0 = "stablehlo.gather"(%arg0, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<3xi32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
func.func @scatter(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<3x4xf32>) -> tensor<8x4xf32> {
  %c = stablehlo.constant dense<[[6], [1], [6]]> : tensor<3x1xi32>
  %0 = "stablehlo.scatter"(%arg0, %c, %arg1) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
// The largest of all parts, not their sum.
// CHECK-LABEL: func @reduce_max
// CHECK: stablehlo.all_reduce
// CHECK: stablehlo.maximum
func.func @reduce_max(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> tensor<4xf32> {
  %c = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @reduce_from(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %arg1: tensor<f32>) -> tensor<4xf32> {
  %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @reduce_mul(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> tensor<4xf32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.multiply across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @iota(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<4x8xf32> {
  %0 = stablehlo.iota dim = 1 : tensor<4x8xf32>
  %1 = stablehlo.add %arg0, %0 : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
func.func @constant(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, %arg1: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %b = stablehlo.constant dense<[1.0, 2.0, 1.0, 2.0]> : tensor<4xf32>
  %0 = stablehlo.add %arg0, %a : tensor<4xf32>
  %1 = stablehlo.add %arg1, %b : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
// Axes of one dimension are gathered minor first: parts 0 1, then 2 3.
// CHECK-LABEL: func @two_axes
// CHECK: stablehlo.all_gather
// CHECK-SAME: dense<{{\[\[}}0, 1], [2, 3]]>
// CHECK: stablehlo.all_gather
// CHECK-SAME: dense<{{\[\[}}0, 2], [1, 3]]>
func.func @two_axes(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %0 = stablehlo.negate %arg0 : tensor<8xf32>
  return %0 : tensor<8xf32>
}
// And exchanged in one exchange.
// CHECK-LABEL: func @exchange
// CHECK: stablehlo.all_to_all
// CHECK-SAME: dense<{{\[\[}}0, 1, 2, 3]]>
func.func @exchange(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>}) {
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", "y"}, {}]>]>} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
func.func @rng_free(%arg0: tensor<2xui64>, %arg1: tensor<8xui32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> tensor<8xui32> {
  %0:2 = stablehlo.rng_bit_generator %arg0, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8xui32>)
  %1 = stablehlo.xor %0#1, %arg1 : tensor<8xui32>
  return %1 : tensor<8xui32>
}

// A kernel's gradient: windows as large as the image, which is in parts.
func.func @conv_kernel(%arg0: tensor<2x8x8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}, {}]>}, %arg1: tensor<2x8x8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}, {}]>}) -> tensor<3x3x2x3xf32> {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x2xf32>, tensor<2x8x8x3xf32>) -> tensor<3x3x2x3xf32>
  return %0 : tensor<3x3x2x3xf32>
}
