module attributes {ttcore.meshes = #ttcore.meshes<[<"mesh" = 1x2>]>} {
  func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
    %0 = "ttir.mesh_shard"(%x) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 2>, shard_dims = array<i64: -1, 0>}> : (tensor<4xi32>) -> tensor<2xi32>
    "debug.print"(%0) <{message = "part"}> : (tensor<2xi32>) -> ()
    "debug.dump"(%0) <{file_path = "part.npy"}> : (tensor<2xi32>) -> ()
    %1 = "ttir.mesh_shard"(%0) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 2>, shard_dims = array<i64: -1, 0>}> : (tensor<2xi32>) -> tensor<4xi32>
    return %1 : tensor<4xi32>
  }
  func.func @part(%x: tensor<2xi32>) -> tensor<2xi32> {
    return %x : tensor<2xi32>
  }
}
