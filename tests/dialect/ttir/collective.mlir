// RUN: tessera opt %s -o %t && tessera opt %t | cmp %t -
// RUN: tessera opt %s | FileCheck %s
// Ops between devices, experts and quantization. Every reduction has a meaning here.

// CHECK: "ttir.mesh_shard"(%arg0
func.func @f0(%a: tensor<8xf32>) {
  %0 = "ttir.mesh_shard"(%a) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 2>, shard_dims = array<i64: -1, 0>}> : (tensor<8xf32>) -> tensor<4xf32>
  return
}

// CHECK: "ttir.mesh_shard"(%arg0
func.func @f1(%a: tensor<8xf32>) {
  %0 = "ttir.mesh_shard"(%a) <{shard_type = #ttcore.shard_type<replicate>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 1>, shard_dims = array<i64: -1>}> : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// CHECK: "ttir.mesh_partition"(%arg0
func.func @f2(%a: tensor<8xf32>) {
  %0 = "ttir.mesh_partition"(%a) <{dim = 0 : si32}> : (tensor<8xf32>) -> tensor<4xf32>
  return
}

// CHECK: "ttir.all_gather"(%arg0
func.func @f3(%a: tensor<8xf32>) {
  %0 = "ttir.all_gather"(%a) <{all_gather_dim = -1 : si32, cluster_axis = 1 : ui32}> : (tensor<8xf32>) -> tensor<16xf32>
  return
}

// CHECK: "ttir.all_reduce"(%arg0
func.func @f4(%a: tensor<8xf32>) {
  %0 = "ttir.all_reduce"(%a) <{reduce_type = #ttcore.reduce_type<prod>, cluster_axis = 1 : ui32}> : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// CHECK: "ttir.reduce_scatter"(%arg0
func.func @f5(%a: tensor<8xf32>) {
  %0 = "ttir.reduce_scatter"(%a) <{reduce_type = #ttcore.reduce_type<mean>, scatter_dim = 0 : si32, cluster_axis = 1 : ui32}> : (tensor<8xf32>) -> tensor<4xf32>
  return
}

// CHECK: "ttir.collective_permute"(%arg0
func.func @f6(%a: tensor<8xf32>) {
  %0 = "ttir.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// CHECK: "ttir.all_to_all"(%arg0
func.func @f7(%a: tensor<8x8xf32>) {
  %0 = "ttir.all_to_all"(%a) <{split_dim = 0 : si32, concat_dim = 1 : si32, split_count = 2 : si32, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<8x8xf32>) -> tensor<4x16xf32>
  return
}

// CHECK: "ttir.collective_broadcast"(%arg0
func.func @f8(%a: tensor<8xf32>) {
  %0 = "ttir.collective_broadcast"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// CHECK: "ttir.all_to_all_dispatch"(%arg0
func.func @f9(%a: tensor<2x4x1x8xf32>, %b: tensor<2x4x1x2xi32>, %c: tensor<1x1x8x2xi32>) {
  %0:2 = "ttir.all_to_all_dispatch"(%a, %b, %c) <{num_devices = 2 : i64, cluster_axis = 0 : i64}> : (tensor<2x4x1x8xf32>, tensor<2x4x1x2xi32>, tensor<1x1x8x2xi32>) -> (tensor<1x4x4x8xf32>, tensor<1x4x4x2xi32>)
  return
}

// CHECK: "ttir.topk_router_gpt"(%arg0
func.func @f10(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>) {
  %0:2 = "ttir.topk_router_gpt"(%a, %b, %c) <{k = 2 : i32, num_experts = 16 : i32}> : (tensor<4x8xf32>, tensor<8x16xf32>, tensor<4x16xf32>) -> (tensor<4x2xui16>, tensor<4x2xf32>)
  return
}

// CHECK: "ttir.quantize"(%arg0
func.func @f11(%a: tensor<2xf32>) {
  %0 = "ttir.quantize"(%a) : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.1>>
  return
}

// CHECK: "ttir.dequantize"(%arg0
func.func @f12(%a: tensor<2x!quant.uniform<i8:f32, 0.1>>) {
  %0 = "ttir.dequantize"(%a) : (tensor<2x!quant.uniform<i8:f32, 0.1>>) -> tensor<2xf32>
  return
}

// CHECK: "ttir.requantize"(%arg0
func.func @f13(%a: tensor<2x!quant.uniform<i8:f32, 0.1>>) {
  %0 = "ttir.requantize"(%a) : (tensor<2x!quant.uniform<i8:f32, 0.1>>) -> tensor<2x!quant.uniform<i8:f32, 0.2>>
  return
}

// CHECK: "ttir.quantize_unrolled"(%arg0
func.func @f14(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<3xi32>) {
  %0 = "ttir.quantize_unrolled"(%a, %b, %c) <{axis = 1 : i32}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xi32>) -> tensor<2x3x!quant.uniform<i8:f32:1, {0.1,0.2,0.3}>>
  return
}
