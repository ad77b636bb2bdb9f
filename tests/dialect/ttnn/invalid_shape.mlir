// RUN: not tessera opt %s -split-input-file 2>&1 | FileCheck %s
// Rules of TTNN that are broken, one by one.

// CHECK: error: 'ttnn.argmax' op dim attribute value 2 is out of range for input tensor of rank 2, expected value in range [-2, 1]
func.func @f(%a0: tensor<8x4xf32>) {
  %r = "ttnn.argmax"(%a0) <{dim = 2 : si32}> : (tensor<8x4xf32>) -> tensor<8xui32>
  return
}

// -----

// CHECK: error: 'ttnn.argmax' op expected output shape (8, 1), got (8)
func.func @f(%a0: tensor<8x4xf32>) {
  %r = "ttnn.argmax"(%a0) <{dim = 1 : si32, keep_dim = true}> : (tensor<8x4xf32>) -> tensor<8xui32>
  return
}

// -----

// CHECK: error: 'ttnn.argmax' op expected output shape (), got (8)
func.func @f(%a0: tensor<8x4xf32>) {
  %r = "ttnn.argmax"(%a0) : (tensor<8x4xf32>) -> tensor<8xui32>
  return
}

// -----

// CHECK: error: 'ttnn.prod' op Input tensor rank is greater than 4 for reduce(product).
func.func @f(%a0: tensor<1x1x1x8x4xf32>) {
  %r = "ttnn.prod"(%a0) <{keep_dim = false}> : (tensor<1x1x1x8x4xf32>) -> tensor<f32>
  return
}

// -----

// CHECK: error: 'ttnn.pow_scalar' op exponent must be non-negative; but got -2
func.func @f(%a0: tensor<8xf32>) {
  %r = "ttnn.pow_scalar"(%a0) <{rhs = -2 : i32}> : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// CHECK: error: 'ttnn.pow_scalar' op exponent must be non-negative; but got -2.0
func.func @f(%a0: tensor<8xf32>) {
  %r = "ttnn.pow_scalar"(%a0) <{rhs = -2.0 : f32}> : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// CHECK: error: 'ttnn.repeat' op Input tensor rank 1 doesn't match the number of repeat dimensions 2.
func.func @f(%a0: tensor<8xf32>) {
  %r = "ttnn.repeat"(%a0) <{repeat_dims = #ttnn.shape<2x2>}> : (tensor<8xf32>) -> tensor<16xf32>
  return
}

// -----

// CHECK: error: 'ttnn.repeat' op Input tensor shape (8) at index 0 does not repeat to output (17) using repeat value 2.
func.func @f(%a0: tensor<8xf32>) {
  %r = "ttnn.repeat"(%a0) <{repeat_dims = #ttnn.shape<2>}> : (tensor<8xf32>) -> tensor<17xf32>
  return
}

// -----

// CHECK: error: 'ttnn.repeat' op Repeat dimension at index 0 must be greater than 0.
func.func @f(%a0: tensor<8xf32>) {
  %r = "ttnn.repeat"(%a0) <{repeat_dims = #ttnn.shape<0>}> : (tensor<8xf32>) -> tensor<0xf32>
  return
}

// -----

// CHECK: error: 'ttnn.gather' op Index tensor element type must be one of ui16, ui32, si32 or i32, got
func.func @f(%a0: tensor<8xf32>, %a1: tensor<2xf32>) {
  %r = "ttnn.gather"(%a0, %a1) <{dim = 0 : si32}> : (tensor<8xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// CHECK: error: 'ttnn.gather' op Input tensor and index tensor must have the same rank. Got input rank = 2, index rank = 1
func.func @f(%a0: tensor<8x2xf32>, %a1: tensor<2xui32>) {
  %r = "ttnn.gather"(%a0, %a1) <{dim = 0 : si32}> : (tensor<8x2xf32>, tensor<2xui32>) -> tensor<2xf32>
  return
}

// -----

// CHECK: error: 'ttnn.gather' op Dimension must be in the range [-1, 1), got dim = 1
func.func @f(%a0: tensor<8xf32>, %a1: tensor<2xui32>) {
  %r = "ttnn.gather"(%a0, %a1) <{dim = 1 : si32}> : (tensor<8xf32>, tensor<2xui32>) -> tensor<2xf32>
  return
}

// -----

// CHECK: error: 'ttnn.gather' op Index tensor and result tensor must have the same shape.
func.func @f(%a0: tensor<8xf32>, %a1: tensor<2xui32>) {
  %r = "ttnn.gather"(%a0, %a1) <{dim = 0 : si32}> : (tensor<8xf32>, tensor<2xui32>) -> tensor<3xf32>
  return
}

// -----

// CHECK: error: 'ttnn.sort' op Dimension out of range
func.func @f(%a0: tensor<8xf32>) {
  %r:2 = "ttnn.sort"(%a0) <{dim = 1 : si8}> : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xui16>)
  return
}

// -----

// CHECK: error: 'ttnn.sort' op Expected integer data type for indices but got 'f32'
func.func @f(%a0: tensor<8xf32>) {
  %r:2 = "ttnn.sort"(%a0) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

// CHECK: error: 'ttnn.matmul' op Input A[-1](4) and B[-2](8) must have matching inner dimensions
func.func @f(%a0: tensor<8x4xf32>, %a1: tensor<8x4xf32>) {
  %r = "ttnn.matmul"(%a0, %a1) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

// CHECK: error: 'ttnn.linear' op Output shape(8,3) must match the broadcasted shape(3,8,2) or the matmul output shape(8,2)
func.func @f(%a0: tensor<8x4xf32>, %a1: tensor<4x2xf32>, %a2: tensor<3x8x2xf32>) {
  %r = "ttnn.linear"(%a0, %a1, %a2) : (tensor<8x4xf32>, tensor<4x2xf32>, tensor<3x8x2xf32>) -> tensor<8x3xf32>
  return
}

// -----

// CHECK: error: 'ttnn.rms_norm' op weight tensor must be 1D with size matching the last dimension of input
func.func @f(%a0: tensor<8x4xf32>, %a1: tensor<8xf32>) {
  %r = "ttnn.rms_norm"(%a0, %a1) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<8x4xf32>, tensor<8xf32>) -> tensor<8x4xf32>
  return
}

// -----

// CHECK: error: 'ttnn.layer_norm' op bias tensor must be 0D for 0D input tensor
func.func @f(%a0: tensor<f32>, %a1: tensor<1xf32>) {
  %r = "ttnn.layer_norm"(%a0, %a1) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (tensor<f32>, tensor<1xf32>) -> tensor<f32>
  return
}

// -----

// CHECK: error: 'ttnn.rms_norm' op input and output must have the same shape
func.func @f(%a0: tensor<8x4xf32>) {
  %r = "ttnn.rms_norm"(%a0) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<8x4xf32>) -> tensor<8x5xf32>
  return
}

// -----

// CHECK: error: 'ttnn.rms_norm_pre_all_gather' op residual tensor shape must match the input tensor shape
func.func @f(%a0: tensor<8x4xf32>, %a1: tensor<8x3xf32>) {
  %r = "ttnn.rms_norm_pre_all_gather"(%a0, %a1) : (tensor<8x4xf32>, tensor<8x3xf32>) -> tensor<8x32xf32>
  return
}

// -----

// CHECK: error: 'ttnn.rms_norm_pre_all_gather' op output dimension 0 (9) must match input dimension (8)
func.func @f(%a0: tensor<8x4xf32>) {
  %r = "ttnn.rms_norm_pre_all_gather"(%a0) : (tensor<8x4xf32>) -> tensor<9x32xf32>
  return
}

// -----

// CHECK: error: 'ttnn.layer_norm_pre_all_gather' op output last dimension must be 64 (2 * TILE_WIDTH) for layernorm partial statistics, got 32
func.func @f(%a0: tensor<8x4xf32>) {
  %r = "ttnn.layer_norm_pre_all_gather"(%a0) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<8x4xf32>) -> tensor<8x32xf32>
  return
}

// -----

// CHECK: error: 'ttnn.layer_norm_post_all_gather' op stats must have rank >= 2
func.func @f(%a0: tensor<8x4xf32>, %a1: tensor<8xf32>) {
  %r = "ttnn.layer_norm_post_all_gather"(%a0, %a1) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (tensor<8x4xf32>, tensor<8xf32>) -> tensor<8x4xf32>
  return
}

// -----

// CHECK: error: 'ttnn.batch_norm_inference' op Input tensor must have rank 4
func.func @f(%a0: tensor<8x4xf32>, %a1: tensor<1x4x1x1xf32>, %a2: tensor<1x4x1x1xf32>, %a3: tensor<1x4x1x1xf32>, %a4: tensor<1x4x1x1xf32>) {
  %r = "ttnn.batch_norm_inference"(%a0, %a1, %a2, %a3, %a4) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (tensor<8x4xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>) -> tensor<8x4xf32>
  return
}

// -----

// CHECK: error: 'ttnn.all_gather' op Invalid gather dimension for all reduce op. Gather dimension must be >= to input tensor rank or < -input tensor rank, got gather_dim = 1
func.func @f(%a0: tensor<8xf32>) {
  %r = "ttnn.all_gather"(%a0) <{all_gather_dim = 1 : si32, cluster_axis = 0 : ui32}> : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

#tiled = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>>
#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32xf32, #ttnn.buffer_type<dram>>, <interleaved>>
// CHECK: error: 'ttnn.all_gather' op Input and output layouts must agree, but got input layout row_major and output layout tile.
func.func @f(%a0: tensor<32x32xf32, #rows>) {
  %r = "ttnn.all_gather"(%a0) <{all_gather_dim = 1 : si32, cluster_axis = 0 : ui32}> : (tensor<32x32xf32, #rows>) -> tensor<32x32xf32, #tiled>
  return
}

// -----

// CHECK: error: 'ttnn.point_to_point' op Optional output tensor must match input tensor in shape and element type.
func.func @f(%a0: tensor<8xf32>, %a1: tensor<9xf32>) {
  %r = "ttnn.point_to_point"(%a0, %a1) <{sender_coord = array<i64: 0, 0>, receiver_coord = array<i64: 0, 1>}> : (tensor<8xf32>, tensor<9xf32>) -> tensor<8xf32>
  return
}

// -----

// CHECK: error: 'ttnn.point_to_point' op Can't send/receive to the same device
func.func @f(%a0: tensor<8xf32>, %a1: tensor<8xf32>) {
  %r = "ttnn.point_to_point"(%a0, %a1) <{sender_coord = array<i64: 0, 0>, receiver_coord = array<i64: 0, 0>}> : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// CHECK: error: 'ttnn.all_to_all_combine' op cluster_axis must be 0 or 1
func.func @f(%a0: tensor<1x2x3x4xf32>, %a1: tensor<1x2x3x4xf32>, %a2: tensor<1x2x3x4xf32>) {
  %r = "ttnn.all_to_all_combine"(%a0, %a1, %a2) <{num_devices = 1 : i64, cluster_axis = 2 : i64, num_experts_per_tok = 1 : i64}> : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  return
}

// -----

// CHECK: error: 'ttnn.all_to_all_combine' op output_shard_dim must be 1 or 2, got 3
func.func @f(%a0: tensor<1x2x3x4xf32>, %a1: tensor<1x2x3x4xf32>, %a2: tensor<1x2x3x4xf32>) {
  %r = "ttnn.all_to_all_combine"(%a0, %a1, %a2) <{num_devices = 1 : i64, cluster_axis = 1 : i64, num_experts_per_tok = 1 : i64, output_shard_dim = 3 : i64}> : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  return
}

// -----

// CHECK: error: 'ttnn.all_to_all_dispatch_metadata' op expert_mapping must be a 2D tensor [D, E]
func.func @f(%a0: tensor<1x1x3x4xf32>, %a1: tensor<1x1x3x4xf32>, %a2: tensor<1x1x3x4xf32>, %a3: tensor<1x1x3x4xf32>) {
  %r:3 = "ttnn.all_to_all_dispatch_metadata"(%a0, %a1, %a2, %a3) <{num_devices = 1 : i64, cluster_axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>}> : (tensor<1x1x3x4xf32>, tensor<1x1x3x4xf32>, tensor<1x1x3x4xf32>, tensor<1x1x3x4xf32>) -> (tensor<1x3x4xf32>, tensor<1x3x4xf32>, tensor<1x3x4xf32>)
  return
}

// -----

// CHECK: error: 'ttnn.moe_expert_token_remap' op expert_mapping must be a 4D tensor [1, 1, E, D]
func.func @f(%a0: tensor<1x2x3x4xf32>, %a1: tensor<4xf32>, %a2: tensor<1x2x3x4xf32>) {
  %r:2 = "ttnn.moe_expert_token_remap"(%a0, %a1, %a2) <{reduction_size = 1 : i64}> : (tensor<1x2x3x4xf32>, tensor<4xf32>, tensor<1x2x3x4xf32>) -> (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>)
  return
}

// -----

// CHECK: error: 'ttnn.prepare_moe_compute_w2_weights' op hidden_size must be a positive multiple of 32
func.func @f(%a0: tensor<1x2x32x32xf32>, %a1: !ttnn.device) {
  %r = "ttnn.prepare_moe_compute_w2_weights"(%a0, %a1) <{hidden_size = 31 : ui32, intermediate_size = 32 : ui32}> : (tensor<1x2x32x32xf32>, !ttnn.device) -> tensor<1x2x32x32xf32>
  return
}
