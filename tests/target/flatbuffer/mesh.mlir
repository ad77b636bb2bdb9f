// RUN: ttmlir-opt %s --ttir-to-ttnn-backend-pipeline="mesh-shape=1,2" -o %t.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttmlir-translate --flatbuffer-to-ttnn %t.ttnn | FileCheck %s
// RUN: ttrt read --section=inputs %t.ttnn | FileCheck %s --check-prefix=JSON
// Meshes, collectives, and arguments whose parts are elsewhere.

// CHECK: builtin.module attributes {ttcore.meshes = #ttcore.meshes<[<"mesh" = 1x2>]>, ttcore.system_desc =
// CHECK: meshShape = 1x2, chipIds = [0, 1]
// CHECK: func.func @f(%arg0: tensor<64x128xf32, #ttnn_layout{{[0-9]*}}> {ttcore.local_shape = #ttcore<local_shape local_shape = tensor<64x64xf32>>, ttcore.shard_status = #ttcore.shard_status<presharded>}
// CHECK: "ttnn.distribute_tensor"(%{{.*}}, %{{.*}}) <{mapper_config = #ttnn.mesh_mapper_config<placements = [<replicate, -1 : i32>, <shard, 1 : i32>], mesh_shape_override = [1 : ui32, 2 : ui32]>}>
// CHECK: "ttnn.all_gather"(%{{.*}}) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32}>
// JSON: "shard_status": "Presharded"
// JSON-NEXT: "local_shape": [
// JSON-NEXT: 64,
// JSON-NEXT: 64
func.func @f(%a: tensor<64x128xf32> {ttcore.local_shape = #ttcore<local_shape local_shape = tensor<64x64xf32>>, ttcore.shard_status = #ttcore.shard_status<presharded>}) -> tensor<64x128xf32> {
  %0 = "ttir.mesh_shard"(%a) <{shard_dims = array<i64: -1, 1>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 1, 2>, shard_type = #ttcore.shard_type<devices>}> : (tensor<64x128xf32>) -> tensor<64x64xf32>
  %1 = "ttir.all_gather"(%0) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32}> : (tensor<64x64xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
