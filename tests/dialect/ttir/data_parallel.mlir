// RUN: tessera opt %s --ttir-automatic-data-parallelization='mesh-shape=1,8' | FileCheck %s
// RUN: tessera opt %s --ttir-automatic-data-parallelization='mesh-shape=1,8' -o %t && tessera opt %t | cmp %t -
// What the pass writes: shards of arguments in front of everything, local shapes, collectives, results put together.

// CHECK: module attributes {ttcore.meshes = #ttcore.meshes<[<"mesh" = 1x8>]>}

// Arguments without a word get one; unused ones stay as they are. A replica is shard_shape [1], shard_dims [-1].
// CHECK-LABEL: func.func @mlp
// CHECK-SAME: %arg0: tensor<32x784xf32> {ttcore.argument_type = #ttcore.argument_type<input>}
// CHECK-SAME: %arg1: tensor<784x128xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}
// CHECK-SAME: %arg2: tensor<128xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}
// CHECK-SAME: %arg3: tensor<7xf32>)
// CHECK-NEXT: %0 = "ttir.mesh_shard"(%arg0) <{shard_dims = array<i64: -1, 0>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 8, 1>, shard_type = #ttcore.shard_type<devices>}> : (tensor<32x784xf32>) -> tensor<4x784xf32>
// CHECK-NEXT: %1 = "ttir.mesh_shard"(%arg1) <{shard_dims = array<i64: -1>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 1>, shard_type = #ttcore.shard_type<replicate>}> : (tensor<784x128xf32>) -> tensor<784x128xf32>
// CHECK-NEXT: %2 = "ttir.mesh_shard"(%arg2)
// CHECK-NEXT: %3 = "ttir.matmul"(%0, %1) <{transpose_a = false, transpose_b = false}> : (tensor<4x784xf32>, tensor<784x128xf32>) -> tensor<4x128xf32>
// CHECK-NEXT: %4 = "ttir.add"(%3, %2) : (tensor<4x128xf32>, tensor<128xf32>) -> tensor<4x128xf32>
// CHECK-NEXT: %5 = "ttir.relu"(%4) : (tensor<4x128xf32>) -> tensor<4x128xf32>
// CHECK-NEXT: %6 = "ttir.mesh_shard"(%5) <{shard_dims = array<i64: -1, 0>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 8, 1>, shard_type = #ttcore.shard_type<devices>}> : (tensor<4x128xf32>) -> tensor<32x128xf32>
// CHECK-NEXT: return %6 : tensor<32x128xf32>
func.func @mlp(%x: tensor<32x784xf32>, %w: tensor<784x128xf32>, %b: tensor<128xf32>, %unused: tensor<7xf32>) -> tensor<32x128xf32> {
  %0 = "ttir.matmul"(%x, %w) : (tensor<32x784xf32>, tensor<784x128xf32>) -> tensor<32x128xf32>
  %1 = "ttir.add"(%0, %b) : (tensor<32x128xf32>, tensor<128xf32>) -> tensor<32x128xf32>
  %2 = "ttir.relu"(%1) : (tensor<32x128xf32>) -> tensor<32x128xf32>
  return %2 : tensor<32x128xf32>
}

// The older form with destinations, arguments of equal shape: what the user says decides which are inputs.
// CHECK-LABEL: func.func @equal_shapes
// CHECK-SAME: %arg0: tensor<8x8xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}
// CHECK-SAME: %arg1: tensor<8x8xf32> {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "x"}
// CHECK: "ttir.mesh_shard"(%arg0) <{{.*}}shard_type = #ttcore.shard_type<replicate>
// CHECK: "ttir.mesh_shard"(%arg1) <{{.*}}shard_type = #ttcore.shard_type<devices>
// CHECK: "ttir.matmul"{{.*}} : (tensor<1x8xf32>, tensor<8x8xf32>) -> tensor<1x8xf32>
func.func @equal_shapes(%w: tensor<8x8xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %x: tensor<8x8xf32> {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "x"}) -> tensor<8x8xf32> {
  %0 = ttir.empty() : tensor<8x8xf32>
  %1 = "ttir.matmul"(%x, %w, %0) <{transpose_b = true}> : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = ttir.empty() : tensor<8x8xf32>
  %3 = "ttir.relu"(%1, %2) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}

// Constants and defaults are whole, too; only gaps are filled.
// CHECK-LABEL: func.func @annotated
// CHECK-SAME: %arg1: tensor<16x4xf32> {ttcore.argument_type = #ttcore.argument_type<constant>}
// CHECK-SAME: %arg2: tensor<16x4xf32> {ttcore.argument_type = #ttcore.argument_type<default>}
// CHECK-SAME: %arg3: tensor<16x4xf32> {ttcore.argument_type = #ttcore.argument_type<input>}
// CHECK: "ttir.mesh_shard"(%arg1) <{{.*}}replicate
// CHECK: "ttir.mesh_shard"(%arg2) <{{.*}}replicate
// CHECK: "ttir.mesh_shard"(%arg3) <{{.*}}devices
// CHECK: "ttir.mesh_partition"{{.*}}<{cluster_axis = 1 : ui32, dim = 0 : si32}> : (tensor<16x4xf32>) -> tensor<2x4xf32>
func.func @annotated(%x: tensor<16x4xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %c: tensor<16x4xf32> {ttcore.argument_type = #ttcore.argument_type<constant>}, %d: tensor<16x4xf32> {ttcore.argument_type = #ttcore.argument_type<default>}, %gap: tensor<16x4xf32>) -> tensor<16x4xf32> {
  %0 = "ttir.add"(%x, %c) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
  %1 = "ttir.add"(%0, %d) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
  %2 = "ttir.add"(%1, %gap) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
  return %2 : tensor<16x4xf32>
}

// Sums over the batch are joined and not put together again; whole values are returned as they are.
// CHECK-LABEL: func.func @results
// CHECK: [[S:%[0-9]+]] = "ttir.sum"({{.*}} : (tensor<2x4xf32>) -> tensor<4xf32>
// CHECK-NEXT: [[T:%[0-9]+]] = "ttir.all_reduce"([[S]]) <{cluster_axis = 1 : ui32, reduce_type = #ttcore.reduce_type<sum>}>
// CHECK: "ttir.all_reduce"({{.*}}reduce_type<mean>
// CHECK: "ttir.all_reduce"({{.*}}reduce_type<max>
// CHECK: "ttir.all_reduce"({{.*}}reduce_type<min>
// CHECK: "ttir.all_reduce"({{.*}}reduce_type<prod>
// CHECK: [[W:%[0-9]+]] = "ttir.exp"
// CHECK: shard_to_full
// CHECK-NOT: shard_to_full
// CHECK: return {{%[0-9]+}}, [[T]], {{.*}}, [[W]] :
func.func @results(%x: tensor<16x4xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %w: tensor<4xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<16x4xf32>, tensor<4xf32>, tensor<f32>, tensor<4xf32>, tensor<1x4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = "ttir.multiply"(%x, %w) : (tensor<16x4xf32>, tensor<4xf32>) -> tensor<16x4xf32>
  %1 = "ttir.sum"(%0) <{dim_arg = [0 : i32], keep_dim = false}> : (tensor<16x4xf32>) -> tensor<4xf32>
  %2 = "ttir.mean"(%0) <{keep_dim = false}> : (tensor<16x4xf32>) -> tensor<f32>
  %3 = "ttir.max"(%0) <{dim_arg = [-2 : i32], keep_dim = false}> : (tensor<16x4xf32>) -> tensor<4xf32>
  %4 = "ttir.min"(%0) <{dim_arg = [0 : i32], keep_dim = true}> : (tensor<16x4xf32>) -> tensor<1x4xf32>
  %5 = "ttir.prod"(%0) <{dim_arg = [0 : i32], keep_dim = false}> : (tensor<16x4xf32>) -> tensor<4xf32>
  %6 = "ttir.exp"(%w) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<16x4xf32>, tensor<4xf32>, tensor<f32>, tensor<4xf32>, tensor<1x4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Attributes that speak of sizes follow: reshapes that merge the batch, masks that are broadcast, constants, slices.
// CHECK-LABEL: func.func @attributes
// CHECK: "ttir.constant"() <{value = dense<5.000000e-01> : tensor<2x6x4xf32>}>
// CHECK: "ttir.reshape"({{.*}} <{shape = [12 : i32, 4 : i32]}> : (tensor<2x6x4xf32>) -> tensor<12x4xf32>
// CHECK: "ttir.reshape"({{.*}} <{shape = [2 : i32, 6 : i32, 4 : i32]}>
// CHECK: "ttir.broadcast"({{.*}} <{broadcast_dimensions = array<i64: 2, 1, 4>}> : (tensor<1x6x1xf32>) -> tensor<2x6x4xf32>
// CHECK: "ttir.full"() <{fill_value = 2.000000e+00 : f32, shape = array<i32: 2, 6, 4>}>
// CHECK: "ttir.slice_static"({{.*}}ends = [2 : i32, 6 : i32, 4 : i32]
func.func @attributes(%x: tensor<16x6x4xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %m: tensor<1x6x1xf32> {ttcore.argument_type = #ttcore.argument_type<constant>}) -> tensor<16x3x4xf32> {
  %c = "ttir.constant"() <{value = dense<0.5> : tensor<16x6x4xf32>}> : () -> tensor<16x6x4xf32>
  %0 = "ttir.multiply"(%x, %c) : (tensor<16x6x4xf32>, tensor<16x6x4xf32>) -> tensor<16x6x4xf32>
  %1 = "ttir.reshape"(%0) <{shape = [96 : i32, 4 : i32]}> : (tensor<16x6x4xf32>) -> tensor<96x4xf32>
  %2 = "ttir.reshape"(%1) <{shape = [16 : i32, 6 : i32, 4 : i32]}> : (tensor<96x4xf32>) -> tensor<16x6x4xf32>
  %3 = "ttir.broadcast"(%m) <{broadcast_dimensions = array<i64: 16, 1, 4>}> : (tensor<1x6x1xf32>) -> tensor<16x6x4xf32>
  %4 = "ttir.add"(%2, %3) : (tensor<16x6x4xf32>, tensor<16x6x4xf32>) -> tensor<16x6x4xf32>
  %5 = "ttir.full"() <{shape = array<i32: 16, 6, 4>, fill_value = 2.0 : f32}> : () -> tensor<16x6x4xf32>
  %6 = "ttir.multiply"(%4, %5) : (tensor<16x6x4xf32>, tensor<16x6x4xf32>) -> tensor<16x6x4xf32>
  %7 = "ttir.slice_static"(%6) <{begins = [0 : i32, 3 : i32, 0 : i32], ends = [16 : i32, 6 : i32, 4 : i32], step = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<16x6x4xf32>) -> tensor<16x3x4xf32>
  return %7 : tensor<16x3x4xf32>
}

// The batch is the second dimension here: the first is mixed.
// CHECK-LABEL: func.func @batch_is_second
// CHECK: "ttir.mesh_shard"(%arg0) <{shard_dims = array<i64: -1, 1>, {{.*}}shard_shape = array<i64: 1, 8, 1>{{.*}} -> tensor<5x2x4xf32>
// CHECK-NOT: all_gather
// CHECK: "ttir.mesh_shard"({{.*}}<{shard_dims = array<i64: -1, 1>, shard_direction = #ttcore.shard_direction<shard_to_full>
func.func @batch_is_second(%x: tensor<5x16x4xf32>, %w: tensor<4x4xf32>) -> tensor<5x16x4xf32> {
  %0 = "ttir.cumsum"(%x) <{dim = 0 : i64}> : (tensor<5x16x4xf32>) -> tensor<5x16x4xf32>
  %1 = "ttir.matmul"(%0, %w) : (tensor<5x16x4xf32>, tensor<4x4xf32>) -> tensor<5x16x4xf32>
  %2 = "ttir.softmax"(%1) <{dimension = 0 : si32}> : (tensor<5x16x4xf32>) -> tensor<5x16x4xf32>
  return %2 : tensor<5x16x4xf32>
}

// An op that needs the whole batch gets it; what comes after is whole, until it meets what is not.
// CHECK-LABEL: func.func @mixes
// CHECK: [[G:%[0-9]+]] = "ttir.all_gather"({{.*}} <{all_gather_dim = 0 : si32, cluster_axis = 1 : ui32}> : (tensor<2x4xf32>) -> tensor<16x4xf32>
// CHECK: [[C:%[0-9]+]] = "ttir.cumsum"([[G]])
// CHECK: [[P:%[0-9]+]] = "ttir.mesh_partition"([[C]])
// CHECK: "ttir.add"({{.*}}[[P]]) : (tensor<2x4xf32>, tensor<2x4xf32>)
func.func @mixes(%x: tensor<16x4xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %w: tensor<4xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<16x4xf32> {
  %0 = "ttir.multiply"(%x, %w) : (tensor<16x4xf32>, tensor<4xf32>) -> tensor<16x4xf32>
  %1 = "ttir.cumsum"(%0) <{dim = 0 : i64}> : (tensor<16x4xf32>) -> tensor<16x4xf32>
  %2 = "ttir.add"(%0, %1) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
  return %2 : tensor<16x4xf32>
}

// Nothing to divide: all copies.
// CHECK-LABEL: func.func @weights_only
// CHECK-NOT: devices
// CHECK: return
func.func @weights_only(%w: tensor<16x4xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<16x4xf32> {
  %0 = "ttir.exp"(%w) : (tensor<16x4xf32>) -> tensor<16x4xf32>
  return %0 : tensor<16x4xf32>
}

// An argument that is returned as it came; a declaration; a scalar.
// CHECK-LABEL: func.func @returned
// CHECK: "ttir.mesh_shard"(%arg0) <{{.*}}devices
// CHECK: shard_to_full
func.func @returned(%x: tensor<16x4xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %s: tensor<f32>) -> (tensor<16x4xf32>, tensor<16x4xf32>) {
  %0 = "ttir.multiply"(%x, %s) : (tensor<16x4xf32>, tensor<f32>) -> tensor<16x4xf32>
  return %x, %0 : tensor<16x4xf32>, tensor<16x4xf32>
}
func.func private @declared(tensor<16x4xf32>) -> tensor<16x4xf32>
