// RUN: not tessera opt %s -split-input-file 2>&1 | FileCheck %s
// Rules of TTNN that are broken, one by one.

// CHECK: error: 'ttnn.sampling' op temp batch dimension (3) must match input_values batch (2)
func.func @f(%a0: tensor<2x8xf32>, %a1: tensor<2x8xui32>, %a2: tensor<2xui32>, %a3: tensor<2xf32>, %a4: tensor<3xf32>) {
  %r = "ttnn.sampling"(%a0, %a1, %a2, %a3, %a4) : (tensor<2x8xf32>, tensor<2x8xui32>, tensor<2xui32>, tensor<2xf32>, tensor<3xf32>) -> tensor<2xui32>
  return
}

// -----

// CHECK: error: 'ttnn.sampling' op batch (64) must be in [1, 32] (kernel limit)
func.func @f(%a0: tensor<64x8xf32>, %a1: tensor<64x8xui32>, %a2: tensor<64xui32>, %a3: tensor<64xf32>, %a4: tensor<64xf32>) {
  %r = "ttnn.sampling"(%a0, %a1, %a2, %a3, %a4) : (tensor<64x8xf32>, tensor<64x8xui32>, tensor<64xui32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64xui32>
  return
}

// -----

// CHECK: error: 'ttnn.nlp_concat_heads' op expected output shape (2, 1, 8, 64), got (2, 1, 8, 63)
func.func @f(%a0: tensor<2x4x8x16xf32>) {
  %r = "ttnn.nlp_concat_heads"(%a0) : (tensor<2x4x8x16xf32>) -> tensor<2x1x8x63xf32>
  return
}

// -----

// CHECK: error: 'ttnn.nlp_concat_heads_decode' op num_heads attribute must be less than or equal to input num_heads dimension, got num_heads = 5, input num_heads dimension = 4
func.func @f(%a0: tensor<1x2x4x16xf32>) {
  %r = "ttnn.nlp_concat_heads_decode"(%a0) <{num_heads = 5 : ui32}> : (tensor<1x2x4x16xf32>) -> tensor<1x1x2x80xf32>
  return
}

// -----

// CHECK: error: 'ttnn.rotary_embedding' op cos and sin tensor shapes must match.
func.func @f(%a0: tensor<1x1x32x32xf32>, %a1: tensor<1x1x32x32xf32>, %a2: tensor<1x1x16x32xf32>) {
  %r = "ttnn.rotary_embedding"(%a0, %a1, %a2) : (tensor<1x1x32x32xf32>, tensor<1x1x32x32xf32>, tensor<1x1x16x32xf32>) -> tensor<1x1x32x32xf32>
  return
}

// -----

// CHECK: error: 'ttnn.rotary_embedding_llama' op all input tensors must be bfloat16 type.
func.func @f(%a0: tensor<1x1x32x32xf32>, %a1: tensor<1x1x32x32xf32>, %a2: tensor<1x1x32x32xf32>, %a3: tensor<1x1x32x32xf32>) {
  %r = "ttnn.rotary_embedding_llama"(%a0, %a1, %a2, %a3) : (tensor<1x1x32x32xf32>, tensor<1x1x32x32xf32>, tensor<1x1x32x32xf32>, tensor<1x1x32x32xf32>) -> tensor<1x1x32x32xf32>
  return
}

// -----

// CHECK: error: 'ttnn.flash_mla_prefill' op Query num heads must be divisible by key num heads (GQA/MQA/MLA)
func.func @f(%a0: tensor<1x4x8x16xf32>, %a1: tensor<1x3x8x16xf32>) {
  %r = "ttnn.flash_mla_prefill"(%a0, %a1) <{head_dim_v = 8 : ui32, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (tensor<1x4x8x16xf32>, tensor<1x3x8x16xf32>) -> tensor<1x4x8x8xf32>
  return
}

// -----

// CHECK: error: 'ttnn.flash_mla_prefill' op Result shape must be [batch, num_query_heads, seq_len, head_dim_v]
func.func @f(%a0: tensor<1x4x8x16xf32>, %a1: tensor<1x1x8x16xf32>) {
  %r = "ttnn.flash_mla_prefill"(%a0, %a1) <{head_dim_v = 8 : ui32, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (tensor<1x4x8x16xf32>, tensor<1x1x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

// CHECK: error: 'ttnn.indexer_score_dsa' op Weights shape must be [batch, num_heads, query_seq_len, 1]
func.func @f(%a0: tensor<1x4x8x16xf32>, %a1: tensor<1x1x8x16xf32>, %a2: tensor<1x4x8x2xf32>) {
  %r = "ttnn.indexer_score_dsa"(%a0, %a1, %a2) : (tensor<1x4x8x16xf32>, tensor<1x1x8x16xf32>, tensor<1x4x8x2xf32>) -> tensor<1x1x8x8xf32>
  return
}
