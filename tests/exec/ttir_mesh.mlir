// Norms whose rows are divided among devices: loops, with a sum over the devices in between; each device's part of a value is a slice.
// RUN: tessera run %s --function=norms --input=random --dump-program --output=%t.npz 2>&1 | FileCheck %s --check-prefix=NORMS
// NORMS-NOT: other distributed
// NORMS: row distributed_rms_norm
// NORMS: other all_reduce
// NORMS: row distributed_rms_norm+distributed_layer_norm
// RUN: tessera run %s --function=norms --input=random --engine=reference --expect=%t.npz
// RUN: tessera run %s --function=norms --input=random --threads=3 --expect=%t.npz --atol=0 --rtol=0
// RUN: tessera run %s --function=parts --input=random --dump-program --output=%t.npz 2>&1 | FileCheck %s --check-prefix=PARTS
// PARTS: move mesh_partition
// RUN: tessera run %s --function=parts --input=random --engine=reference --expect=%t.npz --atol=0 --rtol=0
module attributes {ttcore.meshes = #ttcore.meshes<[<"mesh" = 2x4>]>} {
  func.func @norms(%x: tensor<6x32xf32>, %w: tensor<8xf32>, %r: tensor<6x32xf32>) -> tensor<6x32xf32> {
    %0 = "ttir.mesh_shard"(%x) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_dims = array<i64: 0, 1>}> : (tensor<6x32xf32>) -> tensor<3x8xf32>
    %1 = "ttir.mesh_shard"(%r) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_dims = array<i64: 0, 1>}> : (tensor<6x32xf32>) -> tensor<3x8xf32>
    %2 = "ttir.distributed_rms_norm"(%0, %w, %1) <{cluster_axis = 1 : ui32, epsilon = 1.0e-5 : f32, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<3x8xf32>, tensor<8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
    %3 = "ttir.distributed_layer_norm"(%2, %w, %w) <{cluster_axis = 1 : ui32, epsilon = 1.0e-5 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<3x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<3x8xf32>
    %4 = "ttir.mesh_shard"(%3) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 2, 4>, shard_dims = array<i64: 0, 1>}> : (tensor<3x8xf32>) -> tensor<6x32xf32>
    return %4 : tensor<6x32xf32>
  }
  func.func @parts(%x: tensor<6x32xf32>) -> tensor<6x32xf32> {
    %0 = "ttir.mesh_partition"(%x) <{cluster_axis = 0 : ui32, dim = 0 : si32}> : (tensor<6x32xf32>) -> tensor<3x32xf32>
    %1 = "ttir.mesh_partition"(%0) <{cluster_axis = 1 : ui32, dim = -1 : si32}> : (tensor<3x32xf32>) -> tensor<3x8xf32>
    %2 = "ttir.mesh_shard"(%1) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 2, 4>, shard_dims = array<i64: 0, 1>}> : (tensor<3x8xf32>) -> tensor<6x32xf32>
    return %2 : tensor<6x32xf32>
  }
}
