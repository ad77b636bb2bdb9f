// RUN: tessera opt %s -split-input-file -verify-diagnostics
// What ops between devices and mixtures of experts refuse.

func.func @f0(%a: tensor<8xf32>) {
  // expected-error@+1 {{Invalid shard_type (maximal) for mesh_shard op.}}
  %0 = "ttir.mesh_shard"(%a) <{shard_type = #ttcore.shard_type<maximal>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 2>, shard_dims = array<i64: 0>}> : (tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f0(%a: tensor<8xf32>) {
  // expected-error@+1 {{Invalid tensor dimension for mesh partition op. Dimension must be >= to input tensor rank or < -input tensor rank, got dim = 1}}
  %0 = "ttir.mesh_partition"(%a) <{dim = 1 : si32, cluster_axis = 0 : ui32}> : (tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f0(%a: tensor<8xf32>) {
  // expected-error@+1 {{Invalid dimension for all gather op. Gather dimension must be >= to input tensor rank or < -input tensor rank, got gather_dim = 1}}
  %0 = "ttir.all_gather"(%a) <{all_gather_dim = 1 : si32, cluster_axis = 0 : ui32}> : (tensor<8xf32>) -> tensor<16xf32>
  return
}

// -----

func.func @f0(%a: tensor<8xf32>) {
  // expected-error@+1 {{Invalid reduction type for all reduce op.}}
  %0 = "ttir.all_reduce"(%a) <{reduce_type = #ttcore.reduce_type<invalid>, cluster_axis = 0 : ui32}> : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @f0(%a: tensor<8xf32>) {
  // expected-error@+1 {{Invalid reduction type for all reduce async op.}}
  %0 = "ttir.all_reduce_async"(%a) <{reduce_type = #ttcore.reduce_type<invalid>, cluster_axis = 0 : ui32}> : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @f0(%a: tensor<8xf32>) {
  // expected-error@+1 {{Invalid reduction type for reduce scatter op.}}
  %0 = "ttir.reduce_scatter"(%a) <{reduce_type = #ttcore.reduce_type<invalid>, scatter_dim = 0 : si32, cluster_axis = 0 : ui32}> : (tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f0(%a: tensor<8xf32>) {
  // expected-error@+1 {{Invalid dimension for reduce scatter op. Scatter dimension must be >= to input tensor rank or < -input tensor rank, got scatter_dim = 1}}
  %0 = "ttir.reduce_scatter"(%a) <{reduce_type = #ttcore.reduce_type<sum>, scatter_dim = 1 : si32, cluster_axis = 0 : ui32}> : (tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f0(%a: tensor<8xf32>) {
  // expected-error@+1 {{The rank of source target pairs must be 2, got rank = 1}}
  %0 = "ttir.collective_permute"(%a) <{source_target_pairs = dense<[0, 1]> : tensor<2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @f0(%a: tensor<8xf32>) {
  // expected-error@+1 {{There are duplicate 'src' or 'dest' devices in source target pairs}}
  %0 = "ttir.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @f0(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{splitDim must be in the range [0, 1], got 2}}
  %0 = "ttir.all_to_all"(%a) <{split_dim = 2 : si32, concat_dim = 1 : si32, split_count = 2 : si32, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<8x8xf32>) -> tensor<4x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{splitCount must be a positive integer}}
  %0 = "ttir.all_to_all"(%a) <{split_dim = 0 : si32, concat_dim = 1 : si32, split_count = 0 : si32, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<8x8xf32>) -> tensor<4x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{splitDim size must be divisible by splitCount}}
  %0 = "ttir.all_to_all"(%a) <{split_dim = 0 : si32, concat_dim = 1 : si32, split_count = 3 : si32, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<8x8xf32>) -> tensor<4x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{concatDim must be in the range [0, 1], got 2}}
  %0 = "ttir.all_to_all"(%a) <{split_dim = 0 : si32, concat_dim = 2 : si32, split_count = 2 : si32, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<8x8xf32>) -> tensor<4x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{Output shape mismatch: expected = <4, 16> output = <8, 8>}}
  %0 = "ttir.all_to_all"(%a) <{split_dim = 0 : si32, concat_dim = 1 : si32, split_count = 2 : si32, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @f0(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{Input and output element types must match}}
  %0 = "ttir.all_to_all"(%a) <{split_dim = 0 : si32, concat_dim = 1 : si32, split_count = 2 : si32, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<8x8xf32>) -> tensor<4x16xbf16>
  return
}

// -----

func.func @f0(%a: tensor<8x8xf32>) {
  // expected-error@+1 {{replicaGroup count must match splitCount}}
  %0 = "ttir.all_to_all"(%a) <{split_dim = 0 : si32, concat_dim = 1 : si32, split_count = 4 : si32, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<8x8xf32>) -> tensor<2x32xf32>
  return
}

// -----

func.func @f0(%a: tensor<8xf32>) {
  // expected-error@+1 {{input and output must have the same type}}
  %0 = "ttir.collective_broadcast"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<8xf32>) -> tensor<8xbf16>
  return
}

// -----

func.func @f0(%a: tensor<8xf32>) {
  // expected-error@+1 {{replica_groups must be a 2D array}}
  %0 = "ttir.collective_broadcast"(%a) <{replica_groups = dense<[0, 1]> : tensor<2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @f0(%a: tensor<8xf32>) {
  // expected-error@+1 {{replica_groups values must be positive}}
  %0 = "ttir.collective_broadcast"(%a) <{replica_groups = dense<[[0, -1]]> : tensor<1x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @f0(%a: tensor<8xf32>) {
  // expected-error@+1 {{replica_groups values must be in the range [0, 1], got 2}}
  %0 = "ttir.collective_broadcast"(%a) <{replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @f0(%a: tensor<8xf32>) {
  // expected-error@+1 {{replica_groups must not contain duplicate values}}
  %0 = "ttir.collective_broadcast"(%a) <{replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x4x8xf32>, %b: tensor<2x4x1x2xi32>, %c: tensor<1x1x8x2xi32>) {
  // expected-error@+1 {{input_tensor must be a 4D tensor [B, S, 1, H]}}
  %0:2 = "ttir.all_to_all_dispatch"(%a, %b, %c) <{num_devices = 2 : i64, cluster_axis = 0 : i64}> : (tensor<2x4x8xf32>, tensor<2x4x1x2xi32>, tensor<1x1x8x2xi32>) -> (tensor<1x4x4x8xf32>, tensor<1x4x4x2xi32>)
  return
}

// -----

func.func @f0(%a: tensor<2x4x1x8xf32>, %b: tensor<2x4x1x2xi32>, %c: tensor<1x1x8x2xi32>) {
  // expected-error@+1 {{num_devices must be positive}}
  %0:2 = "ttir.all_to_all_dispatch"(%a, %b, %c) <{num_devices = 0 : i64, cluster_axis = 0 : i64}> : (tensor<2x4x1x8xf32>, tensor<2x4x1x2xi32>, tensor<1x1x8x2xi32>) -> (tensor<1x4x4x8xf32>, tensor<1x4x4x2xi32>)
  return
}

// -----

func.func @f0(%a: tensor<2x4x1x8xf32>, %b: tensor<2x4x1x2xi32>, %c: tensor<1x1x8x2xi32>) {
  // expected-error@+1 {{cluster_axis must be 0 or 1}}
  %0:2 = "ttir.all_to_all_dispatch"(%a, %b, %c) <{num_devices = 2 : i64, cluster_axis = 2 : i64}> : (tensor<2x4x1x8xf32>, tensor<2x4x1x2xi32>, tensor<1x1x8x2xi32>) -> (tensor<1x4x4x8xf32>, tensor<1x4x4x2xi32>)
  return
}

// -----

func.func @f0(%a: tensor<4x4x4x8xf32>, %b: tensor<1x4x4x2xi32>, %c: tensor<1x1x8x2xi32>) {
  // expected-error@+1 {{num_experts_per_tok must be positive}}
  %0 = "ttir.all_to_all_combine"(%a, %b, %c) <{num_devices = 2 : i64, cluster_axis = 0 : i64, num_experts_per_tok = 0 : i64}> : (tensor<4x4x4x8xf32>, tensor<1x4x4x2xi32>, tensor<1x1x8x2xi32>) -> tensor<2x2x4x8xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x2x4x8xf32>, %b: tensor<1x1x8x2xi32>, %c: tensor<1x2x4x2xi32>) {
  // expected-error@+1 {{reduction_size must be positive}}
  %0:2 = "ttir.moe_expert_token_remap"(%a, %b, %c) <{reduction_size = 0 : i64}> : (tensor<1x2x4x8xf32>, tensor<1x1x8x2xi32>, tensor<1x2x4x2xi32>) -> (tensor<1x2x4x4xf32>, tensor<1x1x1x4xi32>)
  return
}

// -----

func.func @f0(%a: tensor<4x8x2xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>) {
  // expected-error@+1 {{input must be a 2D tensor [B, hidden_dim], but got rank 3}}
  %0:2 = "ttir.topk_router_gpt"(%a, %b, %c) <{k = 2 : i32, num_experts = 16 : i32}> : (tensor<4x8x2xf32>, tensor<8x16xf32>, tensor<4x16xf32>) -> (tensor<4x2xui16>, tensor<4x2xf32>)
  return
}

// -----

func.func @f0(%a: tensor<4x8xf32>, %b: tensor<9x16xf32>, %c: tensor<4x16xf32>) {
  // expected-error@+1 {{weight dim 0 (9) must equal input hidden_dim (8)}}
  %0:2 = "ttir.topk_router_gpt"(%a, %b, %c) <{k = 2 : i32, num_experts = 16 : i32}> : (tensor<4x8xf32>, tensor<9x16xf32>, tensor<4x16xf32>) -> (tensor<4x2xui16>, tensor<4x2xf32>)
  return
}

// -----

func.func @f0(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>) {
  // expected-error@+1 {{k must be positive, but got: 0}}
  %0:2 = "ttir.topk_router_gpt"(%a, %b, %c) <{k = 0 : i32, num_experts = 16 : i32}> : (tensor<4x8xf32>, tensor<8x16xf32>, tensor<4x16xf32>) -> (tensor<4x2xui16>, tensor<4x2xf32>)
  return
}

// -----

func.func @f0(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>) {
  // expected-error@+1 {{expert_indices dim 1 (3) must equal k (2)}}
  %0:2 = "ttir.topk_router_gpt"(%a, %b, %c) <{k = 2 : i32, num_experts = 16 : i32}> : (tensor<4x8xf32>, tensor<8x16xf32>, tensor<4x16xf32>) -> (tensor<4x3xui16>, tensor<4x2xf32>)
  return
}

// -----

func.func @f0(%a: tensor<2xi32>) {
  // expected-error@+1 {{Input element type must be float, but got 'i32'}}
  %0 = "ttir.quantize"(%a) : (tensor<2xi32>) -> tensor<2x!quant.uniform<i8:f32, 0.1>>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>) {
  // expected-error@+1 {{Output element type must be UniformQuantizedType or UniformQuantizedPerAxisType, but got 'f32'}}
  %0 = "ttir.quantize"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>) {
  // expected-error@+1 {{Input element type must be UniformQuantizedType or UniformQuantizedPerAxisType, but got 'f32'}}
  %0 = "ttir.dequantize"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x!quant.uniform<i8:f32, 0.1>>) {
  // expected-error@+1 {{Output element type must be float, but got 'i32'}}
  %0 = "ttir.dequantize"(%a) : (tensor<2x!quant.uniform<i8:f32, 0.1>>) -> tensor<2xi32>
  return
}

// -----

func.func @f0(%a: tensor<2x!quant.uniform<i8:f32, 0.1>>) {
  // expected-error@+1 {{Input tensor rank of 1 does not match the output tensor rank of 2}}
  %0 = "ttir.dequantize"(%a) : (tensor<2x!quant.uniform<i8:f32, 0.1>>) -> tensor<2x1xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x!quant.uniform<i8:f32, 0.1>>) {
  // expected-error@+1 {{Output tensor shape (3) must match the inferred shape: (2)}}
  %0 = "ttir.requantize"(%a) : (tensor<2x!quant.uniform<i8:f32, 0.1>>) -> tensor<3x!quant.uniform<i8:f32, 0.2>>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<3xi32>) {
  // expected-error@+1 {{Axis value 2 is out of the range [0, 2) for the input tensor of rank 2}}
  %0 = "ttir.quantize_unrolled"(%a, %b, %c) <{axis = 2 : i32}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xi32>) -> tensor<2x3x!quant.uniform<i8:f32:1, {0.1,0.2,0.3}>>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>, %b: tensor<2xf32>, %c: tensor<2xi32>) {
  // expected-error@+1 {{Number of scales (2) does not match the size of the quantized axis (3)}}
  %0 = "ttir.quantize_unrolled"(%a, %b, %c) <{axis = 1 : i32}> : (tensor<2x3xf32>, tensor<2xf32>, tensor<2xi32>) -> tensor<2x3x!quant.uniform<i8:f32:1, {0.1,0.2}>>
  return
}

// -----

func.func @f0(%a: tensor<2x!quant.uniform<i8:f32, 0.1>>, %b: tensor<1xf32>, %c: tensor<1xi32>, %d: tensor<1xf32>, %e: tensor<1xi32>) {
  // expected-error@+1 {{Input and output element types must both be per-axis or both be per-tensor quantized types, but got '!quant.uniform<i8:f32, 1.000000e-01>' and 'f32'}}
  %0 = "ttir.requantize_unrolled"(%a, %b, %c, %d, %e) : (tensor<2x!quant.uniform<i8:f32, 0.1>>, tensor<1xf32>, tensor<1xi32>, tensor<1xf32>, tensor<1xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  // expected-error@+1 {{`arg_roles` attribute must not be empty.}}
  %0 = "ttir.tt_lang_op"(%a, %b) <{kernel_id = "k", version_tag = "1", arg_roles = ""}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  // expected-error@+1 {{`arg_roles` token count (1) must match number of inputs (2).}}
  %0 = "ttir.tt_lang_op"(%a, %b) <{kernel_id = "k", version_tag = "1", arg_roles = "in"}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  // expected-error@+1 {{`arg_roles` must list all "in" operands before any "out" operand (destination-passing-style ordering).}}
  %0 = "ttir.tt_lang_op"(%a, %b) <{kernel_id = "k", version_tag = "1", arg_roles = "out,in"}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  // expected-error@+1 {{`arg_roles` token must be "in" or "out", got: "to".}}
  %0 = "ttir.tt_lang_op"(%a, %b) <{kernel_id = "k", version_tag = "1", arg_roles = "in,to"}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  // expected-error@+1 {{number of "out" roles (1) must match number of results (2).}}
  %0:2 = "ttir.tt_lang_op"(%a, %b) <{kernel_id = "k", version_tag = "1", arg_roles = "in,out"}> : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f0(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  // expected-error@+1 {{`kernel_id` attribute must not be empty.}}
  %0 = "ttir.tt_lang_op"(%a, %b) <{kernel_id = "", version_tag = "1", arg_roles = "in,out"}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}
