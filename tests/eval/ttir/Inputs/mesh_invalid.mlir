module attributes {ttcore.meshes = #ttcore.meshes<[<"mesh" = 1x4>]>} {
  func.func @axis(%x: tensor<8xi32>) -> tensor<8xi32> {
    %0 = "ttir.all_reduce"(%x) <{reduce_type = #ttcore.reduce_type<sum>, cluster_axis = 2 : ui32}> : (tensor<8xi32>) -> tensor<8xi32>
    return %0 : tensor<8xi32>
  }
  func.func @dims(%x: tensor<8xi32>) -> tensor<8xi32> {
    %0 = "ttir.mesh_shard"(%x) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 1>, shard_dims = array<i64: -1, 1>}> : (tensor<8xi32>) -> tensor<8xi32>
    return %0 : tensor<8xi32>
  }
  func.func @uneven(%x: tensor<6xi32>) -> tensor<6xi32> {
    %0 = "ttir.mesh_shard"(%x) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 1>, shard_dims = array<i64: -1, 0>}> : (tensor<6xi32>) -> tensor<6xi32>
    return %0 : tensor<6xi32>
  }
  func.func @shape(%x: tensor<8xi32>) -> tensor<4xi32> {
    %0 = "ttir.mesh_shard"(%x) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 2>, shard_dims = array<i64: -1, 0>}> : (tensor<8xi32>) -> tensor<4xi32>
    return %0 : tensor<4xi32>
  }
  func.func @spread(%x: tensor<8xi32>) -> tensor<8xi32> {
    %0 = "ttir.all_reduce"(%x) <{reduce_type = #ttcore.reduce_type<std>, cluster_axis = 1 : ui32}> : (tensor<8xi32>) -> tensor<8xi32>
    return %0 : tensor<8xi32>
  }
  func.func @differs(%x: tensor<8xi32>) -> tensor<2xi32> {
    %0 = "ttir.mesh_shard"(%x) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 4>, shard_dims = array<i64: -1, 0>}> : (tensor<8xi32>) -> tensor<2xi32>
    return %0 : tensor<2xi32>
  }
}
