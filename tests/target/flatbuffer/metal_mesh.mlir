// RUN: ttmlir-opt %s --ttir-to-ttmetal-host-pipeline=mesh-shape=1,2 -o %t.mlir
// RUN: ttmlir-translate --ttmetal-to-flatbuffer --goldens-from=%s %t.mlir -o %t.ttm
// RUN: ttmlir-translate --flatbuffer-to-ttmetal %t.ttm | FileCheck %s
// RUN: ttrt read %t.ttm | FileCheck %s --check-prefix=JSON
// RUN: ttrt run %t.ttm --result-file=%t.json | FileCheck %s --check-prefix=RAN
// Tensors are parted before and joined after the function of the host, in which devices talk to each other.

// CHECK: meshShape = 1x2, chipIds = [0, 1]
// CHECK: func.func @f(%arg0: tensor<64x128xf32>) -> tensor<64x128xf32>
// CHECK-NEXT: %[[P:.*]] = "ttir.mesh_shard"(%arg0) <{shard_dims = array<i64: -1, 1>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 1, 2>, shard_type = #ttcore.shard_type<devices>}>
// CHECK-NEXT: %[[C:.*]] = call @cpu_hoisted_f(%[[P]])
// CHECK-NEXT: %[[J:.*]] = "ttir.mesh_shard"(%[[C]]) <{shard_dims = array<i64: -1>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 1>, shard_type = #ttcore.shard_type<replicate>}>
// CHECK-NEXT: return %[[J]]
// CHECK: "ttir.all_gather"
// JSON: "type_type": "MeshShardCommand",
// JSON: "shard_type": "Devices",
// JSON-NEXT: "shard_direction": "FullToShardShape",
// JSON: "type_type": "CpuCommand",
// JSON: "mesh": "mesh"
// RAN: program 0 'f': PASS, {{[1-9].*}} values compared, 0 off
func.func @f(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = "ttir.mesh_shard"(%a) <{shard_dims = array<i64: -1, 1>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 1, 2>, shard_type = #ttcore.shard_type<devices>}> : (tensor<64x128xf32>) -> tensor<64x64xf32>
  %1 = "ttir.all_gather"(%0) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32}> : (tensor<64x64xf32>) -> tensor<64x128xf32>
  %2 = "ttir.mesh_shard"(%1) <{shard_dims = array<i64: -1>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 1>, shard_type = #ttcore.shard_type<replicate>}> : (tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
