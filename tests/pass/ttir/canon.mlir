// Canonicalization of ops that move and compute, one function per rule.
// RUN: tessera opt %s --canonicalize | FileCheck %s
// VALUES: --canonicalize

// CHECK-LABEL: func.func @tt_same_type
// CHECK-NEXT: return {{.*}} : tensor<2x3xf32>
func.func @tt_same_type(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "ttir.reshape"(%a) <{shape = [2 : i32, 3 : i32]}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = "ttir.typecast"(%0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
// CHECK-LABEL: func.func @tt_reshape_twice
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [4 : i32, 3 : i32]}> : (tensor<2x6xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: return {{.*}} : tensor<4x3xf32>
func.func @tt_reshape_twice(%a: tensor<2x6xf32>) -> tensor<4x3xf32> {
  %0 = "ttir.reshape"(%a) <{shape = [12 : i32]}> : (tensor<2x6xf32>) -> tensor<12xf32>
  %1 = "ttir.reshape"(%0) <{shape = [4 : i32, 3 : i32]}> : (tensor<12xf32>) -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}
// CHECK-LABEL: func.func @tt_reshape_permute_reshape
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [3 : i32, 2 : i32, 2 : i32]}> : (tensor<6x2xf32>) -> tensor<3x2x2xf32>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 1, 0, 2>}> : (tensor<3x2x2xf32>) -> tensor<2x3x2xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x3x2xf32>
func.func @tt_reshape_permute_reshape(%a: tensor<6x2xf32>) -> tensor<2x3x2xf32> {
  %0 = "ttir.reshape"(%a) <{shape = [1 : i32, 3 : i32, 2 : i32, 2 : i32]}> : (tensor<6x2xf32>) -> tensor<1x3x2x2xf32>
  %1 = "ttir.permute"(%0) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x3x2x2xf32>) -> tensor<1x2x3x2xf32>
  %2 = "ttir.reshape"(%1) <{shape = [2 : i32, 3 : i32, 2 : i32]}> : (tensor<1x2x3x2xf32>) -> tensor<2x3x2xf32>
  return %2 : tensor<2x3x2xf32>
}
// CHECK-LABEL: func.func @tt_permute_identity
// CHECK-NEXT: return {{.*}} : tensor<1x1x4xf32>
func.func @tt_permute_identity(%a: tensor<1x1x4xf32>) -> tensor<1x1x4xf32> {
  %0 = "ttir.permute"(%a) <{permutation = array<i64: 1, 0, 2>}> : (tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
  return %0 : tensor<1x1x4xf32>
}
// CHECK-LABEL: func.func @tt_permute_twice
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 2, 0, 1>}> : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
// CHECK-NEXT: return {{.*}} : tensor<4x2x3xf32>
func.func @tt_permute_twice(%a: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
  %0 = "ttir.permute"(%a) <{permutation = array<i64: 1, 0, 2>}> : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
  %1 = "ttir.permute"(%0) <{permutation = array<i64: 2, 1, 0>}> : (tensor<3x2x4xf32>) -> tensor<4x2x3xf32>
  return %1 : tensor<4x2x3xf32>
}
// CHECK-LABEL: func.func @tt_transpose_permute
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 2, 1, 0>}> : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
// CHECK-NEXT: return {{.*}} : tensor<4x3x2xf32>
func.func @tt_transpose_permute(%a: tensor<2x3x4xf32>) -> tensor<4x3x2xf32> {
  %0 = "ttir.transpose"(%a) <{dim0 = 0 : si32, dim1 = -1 : si32}> : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
  return %0 : tensor<4x3x2xf32>
}
// CHECK-LABEL: func.func @tt_broadcast_ones
// CHECK-NEXT: return {{.*}} : tensor<2x3xf32>
func.func @tt_broadcast_ones(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "ttir.broadcast"(%a) <{broadcast_dimensions = array<i64: 1, 1>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// CHECK-LABEL: func.func @tt_repeat_ones
// CHECK-NEXT: return {{.*}} : tensor<2x3xf32>
func.func @tt_repeat_ones(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "ttir.repeat"(%a) <{repeat_dimensions = array<i64: 1, 1>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// CHECK-LABEL: func.func @tt_repeat_twice
// CHECK-NEXT: "ttir.repeat"({{.*}}) <{repeat_dimensions = array<i64: 4, 3>}> : (tensor<2x3xf32>) -> tensor<8x9xf32>
// CHECK-NEXT: return {{.*}} : tensor<8x9xf32>
func.func @tt_repeat_twice(%a: tensor<2x3xf32>) -> tensor<8x9xf32> {
  %0 = "ttir.repeat"(%a) <{repeat_dimensions = array<i64: 2, 1>}> : (tensor<2x3xf32>) -> tensor<4x3xf32>
  %1 = "ttir.repeat"(%0) <{repeat_dimensions = array<i64: 2, 3>}> : (tensor<4x3xf32>) -> tensor<8x9xf32>
  return %1 : tensor<8x9xf32>
}
// CHECK-LABEL: func.func @tt_repeat_interleave_one
// CHECK-NEXT: return {{.*}} : tensor<2x3xf32>
func.func @tt_repeat_interleave_one(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "ttir.repeat_interleave"(%a) <{repeats = 1 : ui32, dim = 1 : si32}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// CHECK-LABEL: func.func @tt_reverse_twice
// CHECK-NEXT: "ttir.reverse"({{.*}}) <{dimensions = array<i64: 0, 2>}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x3x4xf32>
func.func @tt_reverse_twice(%a: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = "ttir.reverse"(%a) <{dimensions = array<i64: 0, 1>}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %1 = "ttir.reverse"(%0) <{dimensions = array<i64: 1, 2>}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}
// CHECK-LABEL: func.func @tt_reverse_none
// CHECK-NEXT: return {{.*}} : tensor<2x3xf32>
func.func @tt_reverse_none(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "ttir.reverse"(%a) <{dimensions = array<i64>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// CHECK-LABEL: func.func @tt_concat_one
// CHECK-NEXT: return {{.*}} : tensor<2x3xf32>
func.func @tt_concat_one(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "ttir.concat"(%a) <{dim = 0 : si32}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// CHECK-LABEL: func.func @tt_concat_empty
// CHECK-NEXT: "ttir.concat"({{.*}}) <{dim = -1 : si32}> : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x4xf32>
func.func @tt_concat_empty(%a: tensor<2x3xf32>, %b: tensor<2x0xf32>, %c: tensor<2x1xf32>) -> tensor<2x4xf32> {
  %0 = "ttir.concat"(%a, %b, %c) <{dim = -1 : si32}> : (tensor<2x3xf32>, tensor<2x0xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// CHECK-LABEL: func.func @tt_slice_twice
// CHECK-NEXT: "ttir.slice_static"({{.*}}) <{begins = [3 : i32, 0 : i32], ends = [8 : i32, 4 : i32], step = [4 : i32, 1 : i32]}> : (tensor<10x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x4xf32>
func.func @tt_slice_twice(%a: tensor<10x4xf32>) -> tensor<2x4xf32> {
  %0 = "ttir.slice_static"(%a) <{begins = [1 : i32, 0 : i32], ends = [-1 : i32, 4 : i32], step = [2 : i32, 1 : i32]}> : (tensor<10x4xf32>) -> tensor<4x4xf32>
  %1 = "ttir.slice_static"(%0) <{begins = [1 : i32, 0 : i32], ends = [4 : i32, 4 : i32], step = [2 : i32, 1 : i32]}> : (tensor<4x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}
// CHECK-LABEL: func.func @tt_slice_concat
// CHECK-NEXT: return {{.*}} : tensor<2x5xf32>
func.func @tt_slice_concat(%a: tensor<2x3xf32>, %b: tensor<2x5xf32>) -> tensor<2x5xf32> {
  %0 = "ttir.concat"(%a, %b) <{dim = 1 : si32}> : (tensor<2x3xf32>, tensor<2x5xf32>) -> tensor<2x8xf32>
  %1 = "ttir.slice_static"(%0) <{begins = [0 : i32, 3 : i32], ends = [2 : i32, 8 : i32], step = [1 : i32, 1 : i32]}> : (tensor<2x8xf32>) -> tensor<2x5xf32>
  return %1 : tensor<2x5xf32>
}
// CHECK-LABEL: func.func @tt_cumulative_dim
// CHECK-NEXT: "ttir.cumsum"({{.*}}) <{dim = 1 : i64}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x3xf32>
func.func @tt_cumulative_dim(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "ttir.cumsum"(%a) <{dim = -1 : i64}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// CHECK-LABEL: func.func @tt_scatter_empty
// CHECK-NEXT: return {{.*}} : tensor<4xf32>
func.func @tt_scatter_empty(%a: tensor<4xf32>, %i: tensor<0xsi32>, %s: tensor<0xf32>) -> tensor<4xf32> {
  %0 = "ttir.scatter"(%a, %i, %s) <{dim = 0 : i32, scatter_reduce_type = #ttcore.reduce_type<sum>}> : (tensor<4xf32>, tensor<0xsi32>, tensor<0xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// no values
// CHECK-LABEL: func.func @tt_mesh_shard_one
// CHECK-NEXT: return {{.*}} : tensor<4x4xf32>
func.func @tt_mesh_shard_one(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "ttir.mesh_shard"(%a) <{shard_dims = array<i64: -1>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 1>, shard_type = #ttcore.shard_type<devices>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// no values
// CHECK-LABEL: func.func @tt_collective_broadcast_one
// CHECK-NEXT: return {{.*}} : tensor<4x4xf32>
func.func @tt_collective_broadcast_one(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "ttir.collective_broadcast"(%a) <{replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// CHECK-LABEL: func.func @tt_flip_comparison
// CHECK-NEXT: "ttir.gt"({{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return {{.*}} : tensor<4xf32>
func.func @tt_flip_comparison(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "ttir.lt"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK-LABEL: func.func @tt_constant_full
// CHECK-NEXT: "ttir.full"() <{fill_value = 2.500000e+00 : f32, shape = array<i32: 4>}> : () -> tensor<4xf32>
// CHECK-NEXT: "ttir.add"({{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return {{.*}} : tensor<4xf32>
func.func @tt_constant_full(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "ttir.constant"() <{value = dense<2.5> : tensor<4xf32>}> : () -> tensor<4xf32>
  %1 = "ttir.add"(%a, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @tt_same_operands
// CHECK-NEXT: "ttir.zeros"() <{shape = array<i32: 4>}> : () -> tensor<4xf32>
// CHECK-NEXT: "ttir.ne"({{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return {{.*}} : tensor<4xf32>, tensor<4xsi32>
func.func @tt_same_operands(%a: tensor<4xf32>, %b: tensor<4xsi32>) -> (tensor<4xf32>, tensor<4xsi32>) {
  %0 = "ttir.logical_and"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = "ttir.bitwise_or"(%b, %b) : (tensor<4xsi32>, tensor<4xsi32>) -> tensor<4xsi32>
  return %0, %1 : tensor<4xf32>, tensor<4xsi32>
}
// CHECK-LABEL: func.func @tt_xor_same
// CHECK-NEXT: "ttir.zeros"() <{shape = array<i32: 4>}> : () -> tensor<4xsi32>
// CHECK-NEXT: return {{.*}} : tensor<4xsi32>
func.func @tt_xor_same(%a: tensor<4xsi32>) -> tensor<4xsi32> {
  %0 = "ttir.bitwise_xor"(%a, %a) : (tensor<4xsi32>, tensor<4xsi32>) -> tensor<4xsi32>
  return %0 : tensor<4xsi32>
}
// CHECK-LABEL: func.func @tt_logic_constant
// CHECK-NEXT: "ttir.ones"() <{shape = array<i32: 4>}> : () -> tensor<4xf32>
// CHECK-NEXT: "ttir.gt"({{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return {{.*}} : tensor<4xf32>, tensor<4xf32>
func.func @tt_logic_constant(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c = "ttir.full"() <{fill_value = 3.0 : f32, shape = array<i32: 4>}> : () -> tensor<4xf32>
  %0 = "ttir.logical_or"(%a, %c) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = "ttir.gt"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = "ttir.logical_and"(%c, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %2 : tensor<4xf32>, tensor<4xf32>
}
// CHECK-LABEL: func.func @tt_where_constant
// CHECK-NEXT: return {{.*}} : tensor<4xf32>
func.func @tt_where_constant(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %c = "ttir.zeros"() <{shape = array<i32: 4>}> : () -> tensor<4xf32>
  %0 = "ttir.where"(%c, %a, %b) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK-LABEL: func.func @tt_compare_same
// CHECK-NEXT: "ttir.ones"() <{shape = array<i32: 4>}> : () -> tensor<4xsi32>
// CHECK-NEXT: "ttir.eq"({{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return {{.*}} : tensor<4xsi32>, tensor<4xf32>
func.func @tt_compare_same(%a: tensor<4xsi32>, %b: tensor<4xf32>) -> (tensor<4xsi32>, tensor<4xf32>) {
  %0 = "ttir.eq"(%a, %a) : (tensor<4xsi32>, tensor<4xsi32>) -> tensor<4xsi32>
  %1 = "ttir.eq"(%b, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xsi32>, tensor<4xf32>
}
// CHECK-LABEL: func.func @tt_prod_boolean
// CHECK-NEXT: "ttir.gt"({{.*}}) : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: "ttir.min"({{.*}}) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<4x3xf32>) -> tensor<4xf32>
// CHECK-NEXT: return {{.*}} : tensor<4xf32>
func.func @tt_prod_boolean(%a: tensor<4x3xf32>, %b: tensor<4x3xf32>) -> tensor<4xf32> {
  %0 = "ttir.gt"(%a, %b) : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %1 = "ttir.prod"(%0) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<4x3xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// CHECK-LABEL: func.func @tt_clamp_twice
// CHECK-NEXT: "ttir.clamp_scalar"({{.*}}) <{max = 5.000000e-01 : f32, min = 0.000000e+00 : f32}> : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: "ttir.clamp_scalar"({{.*}}) <{max = 1.000000e+00 : f32, min = 0.000000e+00 : f32}> : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: "ttir.clamp_scalar"({{.*}}) <{max = 3.000000e+00 : f32, min = 2.000000e+00 : f32}> : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return {{.*}} : tensor<4xf32>, tensor<4xf32>
func.func @tt_clamp_twice(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = "ttir.clamp_scalar"(%a) <{min = 0.0 : f32, max = 1.0 : f32}> : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "ttir.clamp_scalar"(%0) <{min = -1.0 : f32, max = 0.5 : f32}> : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "ttir.clamp_scalar"(%a) <{min = 0.0 : f32, max = 1.0 : f32}> : (tensor<4xf32>) -> tensor<4xf32>
  %3 = "ttir.clamp_scalar"(%2) <{min = 2.0 : f32, max = 3.0 : f32}> : (tensor<4xf32>) -> tensor<4xf32>
  return %1, %3 : tensor<4xf32>, tensor<4xf32>
}
// CHECK-LABEL: func.func @tt_clamp_relu6
// CHECK-NEXT: "ttir.relu6"({{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return {{.*}} : tensor<4xf32>
func.func @tt_clamp_relu6(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "ttir.clamp_scalar"(%a) <{min = 0.0 : f32, max = 6.0 : f32}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK-LABEL: func.func @tt_clamp_constant
// CHECK-NEXT: "ttir.clamp_scalar"({{.*}}) <{max = 1.000000e+00 : f32, min = -5.000000e-01 : f32}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x4xf32>
func.func @tt_clamp_constant(%a: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %l = "ttir.full"() <{fill_value = -0.5 : f32, shape = array<i32: 4>}> : () -> tensor<4xf32>
  %h = "ttir.ones"() <{shape = array<i32: 1>}> : () -> tensor<1xf32>
  %0 = "ttir.clamp_tensor"(%a, %l, %h) : (tensor<2x4xf32>, tensor<4xf32>, tensor<1xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// CHECK-LABEL: func.func @tt_clamp_stretch
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 4 : i32]}> : (tensor<4xf32>) -> tensor<1x4xf32>
// CHECK-NEXT: "ttir.broadcast"({{.*}}) <{broadcast_dimensions = array<i64: 2, 1>}> : (tensor<1x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: "ttir.broadcast"({{.*}}) <{broadcast_dimensions = array<i64: 1, 4>}> : (tensor<2x1xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: "ttir.clamp_tensor"({{.*}}) : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x4xf32>
func.func @tt_clamp_stretch(%a: tensor<2x4xf32>, %l: tensor<4xf32>, %h: tensor<2x1xf32>) -> tensor<2x4xf32> {
  %0 = "ttir.clamp_tensor"(%a, %l, %h) : (tensor<2x4xf32>, tensor<4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// CHECK-LABEL: func.func @tt_linear_no_bias
// CHECK-NEXT: "ttir.matmul"({{.*}}) <{transpose_a = false, transpose_b = true}> : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x4xf32>
func.func @tt_linear_no_bias(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) -> tensor<2x4xf32> {
  %0 = "ttir.linear"(%a, %b) <{transpose_b = true}> : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// CHECK-LABEL: func.func @tt_matmul_merged
// CHECK-NEXT: "ttir.matmul"({{.*}}) <{transpose_a = false, transpose_b = false}> : (tensor<2x3x4x5xf32>, tensor<2x3x5x2xf32>) -> tensor<2x3x4x2xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x3x4x2xf32>
func.func @tt_matmul_merged(%a: tensor<2x3x4x5xf32>, %b: tensor<2x3x5x2xf32>) -> tensor<2x3x4x2xf32> {
  %0 = "ttir.reshape"(%a) <{shape = [6 : i32, 4 : i32, 5 : i32]}> : (tensor<2x3x4x5xf32>) -> tensor<6x4x5xf32>
  %1 = "ttir.reshape"(%b) <{shape = [6 : i32, 5 : i32, 2 : i32]}> : (tensor<2x3x5x2xf32>) -> tensor<6x5x2xf32>
  %2 = "ttir.matmul"(%0, %1) : (tensor<6x4x5xf32>, tensor<6x5x2xf32>) -> tensor<6x4x2xf32>
  %3 = "ttir.reshape"(%2) <{shape = [2 : i32, 3 : i32, 4 : i32, 2 : i32]}> : (tensor<6x4x2xf32>) -> tensor<2x3x4x2xf32>
  return %3 : tensor<2x3x4x2xf32>
}
// CHECK-LABEL: func.func @tt_pointwise_conv3d
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [8 : i32, 3 : i32]}> : (tensor<1x2x2x2x3xf32>) -> tensor<8x3xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [4 : i32, 3 : i32]}> : (tensor<4x3x1x1x1xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [4 : i32]}> : (tensor<1x1x1x1x4xf32>) -> tensor<4xf32>
// CHECK-NEXT: "ttir.linear"({{.*}}) <{transpose_a = false, transpose_b = true}> : (tensor<8x3xf32>, tensor<4x3xf32>, tensor<4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 2 : i32, 2 : i32, 2 : i32, 4 : i32]}> : (tensor<8x4xf32>) -> tensor<1x2x2x2x4xf32>
// CHECK-NEXT: return {{.*}} : tensor<1x2x2x2x4xf32>
func.func @tt_pointwise_conv3d(%a: tensor<1x2x2x2x3xf32>, %w: tensor<4x3x1x1x1xf32>, %b: tensor<1x1x1x1x4xf32>) -> tensor<1x2x2x2x4xf32> {
  %0 = "ttir.conv3d"(%a, %w, %b) <{stride = array<i32: 1, 1, 1>, padding = array<i32: 0, 0, 0>, groups = 1 : i32}> : (tensor<1x2x2x2x3xf32>, tensor<4x3x1x1x1xf32>, tensor<1x1x1x1x4xf32>) -> tensor<1x2x2x2x4xf32>
  return %0 : tensor<1x2x2x2x4xf32>
}
// CHECK-LABEL: func.func @tt_embedding_squeeze
// CHECK-NEXT: "ttir.constant"() <{value = dense<{{\[\[}}4], [1]]> : tensor<2x1xsi32>}> : () -> tensor<2x1xsi32>
// CHECK-NEXT: "ttir.cumsum"({{.*}}) <{dim = 1 : i64}> : (tensor<2x1xsi32>) -> tensor<2x1xsi32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [2 : i32]}> : (tensor<2x1xsi32>) -> tensor<2xsi32>
// CHECK-NEXT: "ttir.embedding"({{.*}}) : (tensor<2xsi32>, tensor<5x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x3xf32>
func.func @tt_embedding_squeeze(%w: tensor<5x3xf32>) -> tensor<2x3xf32> {
  %i = "ttir.constant"() <{value = dense<[4, 1]> : tensor<2xsi32>}> : () -> tensor<2xsi32>
  %r = "ttir.reshape"(%i) <{shape = [2 : i32, 1 : i32]}> : (tensor<2xsi32>) -> tensor<2x1xsi32>
  %c = "ttir.cumsum"(%r) <{dim = 1 : i64}> : (tensor<2x1xsi32>) -> tensor<2x1xsi32>
  %r2 = "ttir.reshape"(%c) <{shape = [1 : i32, 2 : i32]}> : (tensor<2x1xsi32>) -> tensor<1x2xsi32>
  %0 = "ttir.embedding"(%r2, %w) : (tensor<1x2xsi32>, tensor<5x3xf32>) -> tensor<1x2x3xf32>
  %1 = "ttir.reshape"(%0) <{shape = [2 : i32, 3 : i32]}> : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
// CHECK-LABEL: func.func @tt_pool_one
// CHECK-NEXT: return {{.*}} : tensor<1x4x4x2xf32>
func.func @tt_pool_one(%a: tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> {
  %0 = "ttir.max_pool2d"(%a) <{kernel = 1 : i32, stride = array<i32: 1, 1>, dilation = 1 : i32, padding = array<i32: 0, 0, 0, 0>, ceil_mode = false}> : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  return %0 : tensor<1x4x4x2xf32>
}
// CHECK-LABEL: func.func @tt_topk_one
// CHECK-NEXT: "ttir.zeros"() <{shape = array<i32: 4, 1>}> : () -> tensor<4x1xsi32>
// CHECK-NEXT: return {{.*}} : tensor<4x1xf32>, tensor<4x1xsi32>
func.func @tt_topk_one(%a: tensor<4x1xf32>) -> (tensor<4x1xf32>, tensor<4x1xsi32>) {
  %0:2 = "ttir.topk"(%a) <{k = 1 : i32}> : (tensor<4x1xf32>) -> (tensor<4x1xf32>, tensor<4x1xsi32>)
  return %0#0, %0#1 : tensor<4x1xf32>, tensor<4x1xsi32>
}
// CHECK-LABEL: func.func @tt_update_cache_paged
// CHECK-NEXT: "ttir.ones"() <{shape = array<i32: 2>}> : () -> tensor<2xui32>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x3x2x5xf32>) -> tensor<1x2x3x5xf32>
// CHECK-NEXT: "ttir.paged_update_cache"({{.*}}) <{share_cache = false}> : (tensor<2x3x4x5xf32>, tensor<1x2x3x5xf32>, tensor<2xui32>) -> ()
// CHECK-NEXT: return {{.*}} : tensor<2x3x4x5xf32>
func.func @tt_update_cache_paged(%c: tensor<2x3x4x5xf32>, %v: tensor<1x3x2x5xf32>) -> tensor<2x3x4x5xf32> {
  %i = "ttir.constant"() <{value = dense<1> : tensor<1xui32>}> : () -> tensor<1xui32>
  "ttir.update_cache"(%c, %v, %i) <{batch_offset = 0 : i32}> : (tensor<2x3x4x5xf32>, tensor<1x3x2x5xf32>, tensor<1xui32>) -> ()
  return %c : tensor<2x3x4x5xf32>
}
// no values
// CHECK-LABEL: func.func @tt_layout_cast_twice
// CHECK-NEXT: return %arg0 : tensor<32x32xf32, #ttnn_layout>
func.func @tt_layout_cast_twice(%a: tensor<32x32xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<l1>>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0, 0), (0, 0)>]>>>) -> tensor<32x32xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<l1>>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0, 0), (0, 0)>]>>> {
  %0 = ttir.ttnn_metal_layout_cast %a : tensor<32x32xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<l1>>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0, 0), (0, 0)>]>>> -> tensor<1x1x1x1x!ttcore.tile<32x32, f32>, #ttcore.metal_layout<logical_shape = 32x32, dim_alignments = 32x32, collapsed_intervals = dense<[[0, -1]]> : tensor<1x2xi64>, l1, sharded>>
  %1 = ttir.ttnn_metal_layout_cast %0 : tensor<1x1x1x1x!ttcore.tile<32x32, f32>, #ttcore.metal_layout<logical_shape = 32x32, dim_alignments = 32x32, collapsed_intervals = dense<[[0, -1]]> : tensor<1x2xi64>, l1, sharded>> -> tensor<32x32xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<l1>>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0, 0), (0, 0)>]>>>
  return %1 : tensor<32x32xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<l1>>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0, 0), (0, 0)>]>>>
}
// CHECK-LABEL: func.func @tt_dimension_size
// CHECK-NEXT: "ttir.full"() <{fill_value = 7 : i32, shape = array<i32: 1>}> : () -> tensor<1xui32>
// CHECK-NEXT: return {{.*}} : tensor<1xui32>
func.func @tt_dimension_size(%a: tensor<3x7xf32>) -> tensor<1xui32> {
  %0 = "ttir.get_dimension_size"(%a) <{dimension = 1 : i32}> : (tensor<3x7xf32>) -> tensor<1xui32>
  return %0 : tensor<1xui32>
}
