// RUN: ttmlir-opt --ttir-to-ttnn-runtime-pipeline="mesh-shape=1,4" %s -o %t.mlir
// RUN: FileCheck %s --check-prefix=TTNN --input-file=%t.mlir
// RUN: tessera run %t.mlir --input=random --against=%s | FileCheck %s
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttmlir-translate --flatbuffer-to-ttnn %t.ttnn | FileCheck %s --check-prefix=TTNN
// Collectives as messages from one device to another; devices that nobody sends to have zeros.

// TTNN-COUNT-4: "ttnn.slice_static"
// TTNN: "ttnn.assign"
// TTNN-COUNT-12: "ttnn.point_to_point"
// TTNN: "ttnn.concat"
// TTNN: sender_coord = array<i64: 0, 0>
// CHECK: 32x128xf32 {{.*}} PASS (exact)
module attributes {ttcore.meshes = #ttcore.meshes<[<"mesh" = 1x4>]>} {
  func.func @main(%arg0: tensor<32x128xf32>) -> tensor<32x128xf32> {
    %0 = "ttir.mesh_shard"(%arg0) <{shard_dims = array<i64: -1, 1>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 1, 4>, shard_type = #ttcore.shard_type<devices>}> : (tensor<32x128xf32>) -> tensor<32x32xf32>
    %1 = "ttir.all_to_all"(%0) <{split_dim = 0 : si32, concat_dim = 1 : si32, split_count = 4 : si32, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<32x32xf32>) -> tensor<8x128xf32>
    %2 = "ttir.reshape"(%1) <{shape = [32 : i32, 32 : i32]}> : (tensor<8x128xf32>) -> tensor<32x32xf32>
    %3 = "ttir.collective_permute"(%2) <{source_target_pairs = dense<[[0, 1], [1, 0], [2, 2]]> : tensor<3x2xi64>}> : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %4 = "ttir.collective_broadcast"(%3) <{replica_groups = dense<[[1, 0], [2, 3]]> : tensor<2x2xi64>}> : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %5 = "ttir.add"(%3, %4) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %6 = "ttir.mesh_shard"(%5) <{shard_dims = array<i64: -1, 1>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 1, 4>, shard_type = #ttcore.shard_type<devices>}> : (tensor<32x32xf32>) -> tensor<32x128xf32>
    return %6 : tensor<32x128xf32>
  }
}
