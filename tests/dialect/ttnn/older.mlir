// RUN: tessera opt %s | FileCheck %s
// What older texts say: types and layouts as properties, the device as an operand of collectives, ops with other names.

// CHECK-LABEL: @properties
func.func @properties(%a: tensor<32x32xf32>) -> tensor<32x32xf32> {
  // CHECK: "ttnn.add"(%arg0, %arg0) : (
  %0 = "ttnn.add"(%a, %a) <{dtype = #ttcore.supportedDataTypes<f32>, memory_config = #ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  // CHECK: "ttnn.relu"(%0) : (
  %1 = "ttnn.relu"(%0) <{layout = #ttnn.layout<tile>}> : (tensor<32x32xf32>) -> tensor<32x32xf32>
  return %1 : tensor<32x32xf32>
}

// CHECK: @collectives
module attributes {ttcore.meshes = #ttcore.meshes<[<"mesh" = 1x2>]>} {
func.func @collectives(%a: tensor<8x4xf32>) -> tensor<8x8xf32> {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  // CHECK: "ttnn.mesh_shard"(%arg0, %0) <{shard_dims = array<i64: -1, 1>
  %0 = "ttnn.mesh_shard"(%a, %d) <{shard_dims = array<i64: -1, 1>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 1, 2>, shard_type = #ttcore.shard_type<devices>}> : (tensor<8x4xf32>, !ttnn.device) -> tensor<8x2xf32>
  // CHECK: "ttnn.all_reduce"(%1) <{cluster_axis = 1 : ui32, num_links = 1 : ui32, reduce_type = #ttcore.reduce_type<sum>}> : (tensor<8x2xf32>) -> tensor<8x2xf32>
  %1 = "ttnn.all_reduce"(%0, %d) <{cluster_axis = 1 : ui32, num_links = 1 : ui32, reduce_type = #ttcore.reduce_type<sum>}> : (tensor<8x2xf32>, !ttnn.device) -> tensor<8x2xf32>
  // CHECK: "ttnn.reduce_scatter"(%2) <{
  %2 = "ttnn.reduce_scatter"(%1, %d) <{cluster_axis = 1 : ui32, num_links = 1 : ui32, reduce_type = #ttcore.reduce_type<sum>, scatter_dim = 0 : si32}> : (tensor<8x2xf32>, !ttnn.device) -> tensor<4x2xf32>
  // CHECK: "ttnn.collective_permute"(%1, %0) <{source_target_pairs = dense<{{.*}}> : tensor<2x2xi64>}>
  %3 = "ttnn.collective_permute"(%0, %d) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<8x2xf32>, !ttnn.device) -> tensor<8x2xf32>
  // CHECK: "ttnn.all_gather"(%4) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32, num_links = 2 : ui32}> : (tensor<8x2xf32>) -> tensor<8x8xf32>
  %4 = "ttnn.all_gather"(%3, %d) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32, num_links = 2 : ui32}> : (tensor<8x2xf32>, !ttnn.device) -> tensor<8x8xf32>
  return %4 : tensor<8x8xf32>
}
}
