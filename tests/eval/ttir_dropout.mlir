// Devices drop other elements each; with a seed that they share, the same ones.
// RUN: tessera run %s --input=4x16xf32=1

#devices = #ttcore.shard_type<devices>
module attributes {ttcore.meshes = #ttcore.meshes<[<"mesh" = 1x2>]>} {
  func.func @main(%a: tensor<4x16xf32>) {
    %0 = "ttir.mesh_shard"(%a) <{shard_type = #devices, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 1, 2>, shard_dims = array<i64: -1, 1>}> : (tensor<4x16xf32>) -> tensor<4x8xf32>
    %own = "ttir.dropout"(%0) <{prob = 0.5 : f32, seed = 3 : ui32}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %1 = "ttir.mesh_shard"(%own) <{shard_type = #devices, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 1, 2>, shard_dims = array<i64: -1, 1>}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
    %left = "ttir.slice_static"(%1) <{begins = [0 : i32, 0 : i32], ends = [4 : i32, 8 : i32], step = [1 : i32, 1 : i32]}> : (tensor<4x16xf32>) -> tensor<4x8xf32>
    %right = "ttir.slice_static"(%1) <{begins = [0 : i32, 8 : i32], ends = [4 : i32, 16 : i32], step = [1 : i32, 1 : i32]}> : (tensor<4x16xf32>) -> tensor<4x8xf32>
    %ne = "ttir.ne"(%left, %right) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %some = "ttir.reduce_or"(%ne) <{keep_dim = false}> : (tensor<4x8xi1>) -> tensor<i1>
    check.expect_eq_const %some, dense<true> : tensor<i1>
    %shared = "ttir.dropout"(%0) <{prob = 0.5 : f32, seed = 3 : ui32, use_per_device_seed = false}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %2 = "ttir.mesh_shard"(%shared) <{shard_type = #devices, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 1, 2>, shard_dims = array<i64: -1, 1>}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
    %left2 = "ttir.slice_static"(%2) <{begins = [0 : i32, 0 : i32], ends = [4 : i32, 8 : i32], step = [1 : i32, 1 : i32]}> : (tensor<4x16xf32>) -> tensor<4x8xf32>
    %right2 = "ttir.slice_static"(%2) <{begins = [0 : i32, 8 : i32], ends = [4 : i32, 16 : i32], step = [1 : i32, 1 : i32]}> : (tensor<4x16xf32>) -> tensor<4x8xf32>
    check.expect_eq %left2, %right2 : tensor<4x8xf32>
    return
  }
}
