// RUN: tessera opt %s -split-input-file -verify-diagnostics
// What attention, heads and caches refuse.

func.func @f0(%a: tensor<1x4x8x16xf32>, %b: tensor<1x2x8x16xf32>, %c: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{Query and result must have the same type}}
  %0 = "ttir.scaled_dot_product_attention"(%a, %b, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x8xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x4x8x16xf32>, %b: tensor<1x2x8x16xf32>, %c: tensor<1x2x9x16xf32>) {
  // expected-error@+1 {{Key and value must have the same type}}
  %0 = "ttir.scaled_dot_product_attention"(%a, %b, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x9x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<4x8x16xf32>, %b: tensor<1x2x8x16xf32>, %c: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{Query must be a 4D tensor}}
  %0 = "ttir.scaled_dot_product_attention"(%a, %b, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<4x8x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x4x8x16xf32>, %b: tensor<2x8x16xf32>, %c: tensor<2x8x16xf32>) {
  // expected-error@+1 {{Key/Value must be a 4D tensor}}
  %0 = "ttir.scaled_dot_product_attention"(%a, %b, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<1x4x8x16xf32>, tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x4x8x16xf32>, %b: tensor<2x2x8x16xf32>, %c: tensor<2x2x8x16xf32>) {
  // expected-error@+1 {{Key/Value batch size must match query batch size}}
  %0 = "ttir.scaled_dot_product_attention"(%a, %b, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<1x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x4x8x16xf32>, %b: tensor<1x2x8x8xf32>, %c: tensor<1x2x8x8xf32>) {
  // expected-error@+1 {{Key/Value head size must match query head size}}
  %0 = "ttir.scaled_dot_product_attention"(%a, %b, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<1x4x8x16xf32>, tensor<1x2x8x8xf32>, tensor<1x2x8x8xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x4x8x16xf32>, %b: tensor<1x3x8x16xf32>, %c: tensor<1x3x8x16xf32>) {
  // expected-error@+1 {{Query num heads must be divisible by key/value num heads}}
  %0 = "ttir.scaled_dot_product_attention"(%a, %b, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<1x4x8x16xf32>, tensor<1x3x8x16xf32>, tensor<1x3x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x4x8x16xf32>, %b: tensor<1x2x8x16xf32>, %c: tensor<1x2x8x16xf32>, %d: tensor<1x1x8x8xf32>) {
  // expected-error@+1 {{Attention mask is not allowed when is_causal is true}}
  %0 = "ttir.scaled_dot_product_attention"(%a, %b, %c, %d) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x1x8x8xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x4x8x16xf32>, %b: tensor<1x2x8x16xf32>, %c: tensor<1x2x8x16xf32>, %d: tensor<8x8xf32>) {
  // expected-error@+1 {{Attention mask must be a 4D tensor}}
  %0 = "ttir.scaled_dot_product_attention"(%a, %b, %c, %d) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<8x8xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x4x8x16xf32>, %b: tensor<1x2x8x16xf32>, %c: tensor<1x2x8x16xf32>, %d: tensor<3x1x8x8xf32>) {
  // expected-error@+1 {{Attention mask batch size must be 1 (broadcast) or match query batch size}}
  %0 = "ttir.scaled_dot_product_attention"(%a, %b, %c, %d) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<3x1x8x8xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x4x8x16xf32>, %b: tensor<1x2x8x16xf32>, %c: tensor<1x2x8x16xf32>, %d: tensor<1x3x8x8xf32>) {
  // expected-error@+1 {{Attention mask dim 1 must be 1 (broadcast) or match query num heads}}
  %0 = "ttir.scaled_dot_product_attention"(%a, %b, %c, %d) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x3x8x8xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x4x8x16xf32>, %b: tensor<1x2x8x16xf32>, %c: tensor<1x2x8x16xf32>, %d: tensor<1x1x7x8xf32>) {
  // expected-error@+1 {{Attention mask dim 2 must be 1 (broadcast) or match query sequence length}}
  %0 = "ttir.scaled_dot_product_attention"(%a, %b, %c, %d) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x1x7x8xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x4x8x16xf32>, %b: tensor<1x2x8x16xf32>, %c: tensor<1x2x8x16xf32>, %d: tensor<1x1x8x7xf32>) {
  // expected-error@+1 {{Attention mask at dim 3 must match key/value sequence length (max sequence length)}}
  %0 = "ttir.scaled_dot_product_attention"(%a, %b, %c, %d) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x1x8x7xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x4x8x16xf32>, %b: tensor<1x2x9x16xf32>, %c: tensor<1x2x9x16xf32>) {
  // expected-error@+1 {{Sequence length must match key/value sequence length when is_causal is true}}
  %0 = "ttir.scaled_dot_product_attention"(%a, %b, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<1x4x8x16xf32>, tensor<1x2x9x16xf32>, tensor<1x2x9x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x2x4x16xf32>, %b: tensor<2x2x8x16xf32>, %c: tensor<2x2x8x16xf32>, %d: tensor<2xf32>) {
  // expected-error@+1 {{Cur pos tensor must be a tensor of integers}}
  %0 = "ttir.scaled_dot_product_attention_decode"(%a, %b, %c, %d) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0>}> : (tensor<1x2x4x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2xf32>) -> tensor<1x2x4x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x2x4x16xf32>, %b: tensor<2x2x8x16xf32>, %c: tensor<2x2x8x16xf32>, %d: tensor<2x1xi32>) {
  // expected-error@+1 {{Cur pos tensor must be a 1D tensor}}
  %0 = "ttir.scaled_dot_product_attention_decode"(%a, %b, %c, %d) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0>}> : (tensor<1x2x4x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x1xi32>) -> tensor<1x2x4x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x2x4x16xf32>, %b: tensor<2x2x8x16xf32>, %c: tensor<2x2x8x16xf32>, %d: tensor<2xi32>) {
  // expected-error@+1 {{Query dim 0 must be 1}}
  %0 = "ttir.scaled_dot_product_attention_decode"(%a, %b, %c, %d) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0>}> : (tensor<2x2x4x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2xi32>) -> tensor<2x2x4x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x2x4x16xf32>, %b: tensor<2x2x8x16xf32>, %c: tensor<2x2x8x16xf32>, %d: tensor<3xi32>) {
  // expected-error@+1 {{Cur pos tensor batch size must match query batch size}}
  %0 = "ttir.scaled_dot_product_attention_decode"(%a, %b, %c, %d) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0>}> : (tensor<1x2x4x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>, tensor<3xi32>) -> tensor<1x2x4x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x2x4x16xf32>, %b: tensor<2x2x8x16xf32>, %c: tensor<2x2x8x16xf32>, %d: tensor<1x1x3x8xf32>, %e: tensor<2xi32>) {
  // expected-error@+1 {{Attention mask num heads must be 1 (broadcast) or match query num heads}}
  %0 = "ttir.scaled_dot_product_attention_decode"(%a, %b, %c, %d, %e) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0>}> : (tensor<1x2x4x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>, tensor<1x1x3x8xf32>, tensor<2xi32>) -> tensor<1x2x4x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x2x4x16xf32>, %b: tensor<2x2x8x16xf32>, %c: tensor<2x2x8x16xf32>, %d: tensor<1x1x4x7xf32>, %e: tensor<2xi32>) {
  // expected-error@+1 {{Attention mask sequence length must match key/value sequence length}}
  %0 = "ttir.scaled_dot_product_attention_decode"(%a, %b, %c, %d, %e) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0>}> : (tensor<1x2x4x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>, tensor<1x1x4x7xf32>, tensor<2xi32>) -> tensor<1x2x4x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x2x4x16xf32>, %b: tensor<9x2x32x16xf32>, %c: tensor<9x2x32x16xf32>, %d: tensor<2x4xf32>, %e: tensor<1x2x4x16xf32>) {
  // expected-error@+1 {{Page table must be an integer tensor.}}
  %0 = "ttir.paged_scaled_dot_product_attention_decode"(%a, %b, %c, %d, %e) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0>}> : (tensor<1x2x4x16xf32>, tensor<9x2x32x16xf32>, tensor<9x2x32x16xf32>, tensor<2x4xf32>, tensor<1x2x4x16xf32>) -> tensor<1x2x4x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x2x4x16xf32>, %b: tensor<9x2x31x16xf32>, %c: tensor<9x2x31x16xf32>, %d: tensor<2x4xi32>, %e: tensor<1x2x4x16xf32>) {
  // expected-error@+1 {{Block size must be divisible by 32.}}
  %0 = "ttir.paged_scaled_dot_product_attention_decode"(%a, %b, %c, %d, %e) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0>}> : (tensor<1x2x4x16xf32>, tensor<9x2x31x16xf32>, tensor<9x2x31x16xf32>, tensor<2x4xi32>, tensor<1x2x4x16xf32>) -> tensor<1x2x4x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x2x4x16xf32>, %b: tensor<9x2x32x16xf32>, %c: tensor<9x2x32x16xf32>, %d: tensor<3x4xi32>, %e: tensor<1x2x4x16xf32>) {
  // expected-error@+1 {{Page table number of users must match query number of users.}}
  %0 = "ttir.paged_scaled_dot_product_attention_decode"(%a, %b, %c, %d, %e) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0>}> : (tensor<1x2x4x16xf32>, tensor<9x2x32x16xf32>, tensor<9x2x32x16xf32>, tensor<3x4xi32>, tensor<1x2x4x16xf32>) -> tensor<1x2x4x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x2x4x16xf32>, %b: tensor<9x2x32x16xf32>, %c: tensor<9x2x32x16xf32>, %d: tensor<2x4xi32>, %e: tensor<1x2x4x16xf32>) {
  // expected-error@+1 {{Attention mask is required when is_causal is false.}}
  %0 = "ttir.paged_scaled_dot_product_attention_decode"(%a, %b, %c, %d, %e) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0>}> : (tensor<1x2x4x16xf32>, tensor<9x2x32x16xf32>, tensor<9x2x32x16xf32>, tensor<2x4xi32>, tensor<1x2x4x16xf32>) -> tensor<1x2x4x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x4x8x16xf32>, %b: tensor<9x2x32x16xf32>, %c: tensor<9x2x32x16xf32>, %d: tensor<1x4xi32>, %e: tensor<2xi32>, %f: tensor<1x4x8x16xf32>) {
  // expected-error@+1 {{Chunk start index must have shape [1] (a single prefix offset shared by all users).}}
  %0 = "ttir.chunked_scaled_dot_product_attention"(%a, %b, %c, %d, %e, %f) : (tensor<1x4x8x16xf32>, tensor<9x2x32x16xf32>, tensor<9x2x32x16xf32>, tensor<1x4xi32>, tensor<2xi32>, tensor<1x4x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x4x8x16xf32>, %b: tensor<9x2x32x16xf32>, %c: tensor<9x2x32x16xf32>, %d: tensor<1x4xi32>, %e: tensor<1xi32>, %f: tensor<1x4x8x16xf32>) {
  // expected-error@+1 {{Result shape must match query shape.}}
  %0 = "ttir.chunked_scaled_dot_product_attention"(%a, %b, %c, %d, %e, %f) : (tensor<1x4x8x16xf32>, tensor<9x2x32x16xf32>, tensor<9x2x32x16xf32>, tensor<1x4xi32>, tensor<1xi32>, tensor<1x4x8x16xf32>) -> tensor<1x4x8x8xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x2x4x16xf32>, %b: tensor<9x2x32x16xf32>, %c: tensor<2x4xi32>) {
  // expected-error@+1 {{Key num KV heads (nkv) must be 1, got 2.}}
  %0 = "ttir.paged_flash_multi_latent_attention_decode"(%a, %b, %c) <{head_dim_v = 8 : ui32, operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 0, 0>}> : (tensor<1x2x4x16xf32>, tensor<9x2x32x16xf32>, tensor<2x4xi32>) -> tensor<1x2x4x8xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x2x4x16xf32>, %b: tensor<9x1x32x16xf32>, %c: tensor<2x4xi32>) {
  // expected-error@+1 {{head_dim_v must be greater than 0.}}
  %0 = "ttir.paged_flash_multi_latent_attention_decode"(%a, %b, %c) <{head_dim_v = 0 : ui32, operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 0, 0>}> : (tensor<1x2x4x16xf32>, tensor<9x1x32x16xf32>, tensor<2x4xi32>) -> tensor<1x2x4x8xf32>
  return
}

// -----

func.func @f0(%a: tensor<16xf32>, %b: tensor<8x16xf32>, %c: tensor<8x16xf32>) {
  // expected-error@+1 {{query, key and value must have rank >= 2 (..., S, D)}}
  %0 = "ttir.sdpa_fw"(%a, %b, %c) : (tensor<16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x4x8x16xf32>, %b: tensor<2x4x8x16xf32>, %c: tensor<1x4x8x16xf32>) {
  // expected-error@+1 {{query, key and value must share the same batch size}}
  %0 = "ttir.sdpa_fw"(%a, %b, %c) : (tensor<1x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<1x4x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x4x8x16xf32>, %b: tensor<1x4x9x16xf32>, %c: tensor<1x4x8x16xf32>) {
  // expected-error@+1 {{query, key and value must share the same sequence length}}
  %0 = "ttir.sdpa_fw"(%a, %b, %c) : (tensor<1x4x8x16xf32>, tensor<1x4x9x16xf32>, tensor<1x4x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x4x8x16xf32>, %b: tensor<1x4x8x8xf32>, %c: tensor<1x4x8x16xf32>) {
  // expected-error@+1 {{query and key must have the same head dimension}}
  %0 = "ttir.sdpa_fw"(%a, %b, %c) : (tensor<1x4x8x16xf32>, tensor<1x4x8x8xf32>, tensor<1x4x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x4x8x16xf32>, %b: tensor<1x4x8x16xf32>, %c: tensor<1x2x8x16xf32>) {
  // expected-error@+1 {{key and value must have the same number of heads}}
  %0 = "ttir.sdpa_fw"(%a, %b, %c) : (tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x4x8x16xf32>, %b: tensor<1x3x8x16xf32>, %c: tensor<1x3x8x16xf32>) {
  // expected-error@+1 {{number of query heads must be a positive multiple of the number of key/value heads}}
  %0 = "ttir.sdpa_fw"(%a, %b, %c) : (tensor<1x4x8x16xf32>, tensor<1x3x8x16xf32>, tensor<1x3x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x4x8x16xf32>, %b: tensor<1x4x8x16xf32>, %c: tensor<1x4x8x16xf32>) {
  // expected-error@+1 {{attention_mask is required when mask_type is 'arbitrary'}}
  %0 = "ttir.sdpa_fw"(%a, %b, %c) <{mask_type = #ttcore.attention_mask_type<arbitrary>}> : (tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x4x8x16xf32>, %b: tensor<1x4x8x16xf32>, %c: tensor<1x4x8x16xf32>, %d: tensor<1x1x8x8xf32>) {
  // expected-error@+1 {{attention_mask is only allowed when mask_type is 'arbitrary'}}
  %0 = "ttir.sdpa_fw"(%a, %b, %c, %d) : (tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x1x8x8xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x4x8x16xf32>, %b: tensor<1x4x8x16xf32>, %c: tensor<1x4x8x16xf32>, %d: tensor<1x1x8x7xf32>) {
  // expected-error@+1 {{attention_mask must have shape (1, 1, S, S)}}
  %0 = "ttir.sdpa_fw"(%a, %b, %c, %d) <{mask_type = #ttcore.attention_mask_type<arbitrary>}> : (tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x1x8x7xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x4x8x16xf32>, %b: tensor<1x4x8x16xf32>, %c: tensor<1x4x8x16xf32>) {
  // expected-error@+1 {{output must have shape (B, Hq, S, Dv)}}
  %0 = "ttir.sdpa_fw"(%a, %b, %c) : (tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>) -> tensor<1x4x8x8xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x4x8x16xf32>, %b: tensor<1x4x8x16xf32>, %c: tensor<1x4x8x16xf32>) {
  // expected-error@+1 {{intermediates result must be present iff return_intermediates is true}}
  %0 = "ttir.sdpa_fw"(%a, %b, %c) <{return_intermediates = true}> : (tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x4x8x16xf32>, %b: tensor<1x4x8x16xf32>, %c: tensor<1x4x8x16xf32>) {
  // expected-error@+1 {{intermediates must have shape (B, Hq, S, 32)}}
  %0:2 = "ttir.sdpa_fw"(%a, %b, %c) <{return_intermediates = true}> : (tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>) -> (tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>)
  return
}

// -----

func.func @f0(%a: tensor<1x4x8x8xf32>, %b: tensor<1x4x8x16xf32>, %c: tensor<1x4x8x16xf32>, %d: tensor<1x4x8x16xf32>, %e: tensor<1x4x8x16xf32>, %f: tensor<1x4x8x32xf32>) {
  // expected-error@+1 {{grad_output must have shape (B, Hq, S, Dv)}}
  %0:3 = "ttir.sdpa_bw"(%a, %b, %c, %d, %e, %f) <{mask_type = #ttcore.attention_mask_type<none>}> : (tensor<1x4x8x8xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8x32xf32>) -> (tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>)
  return
}

// -----

func.func @f0(%a: tensor<1x4x8x16xf32>, %b: tensor<1x4x8x16xf32>, %c: tensor<1x4x8x16xf32>, %d: tensor<1x4x8x16xf32>, %e: tensor<1x4x8x16xf32>, %f: tensor<1x4x8x32xf32>) {
  // expected-error@+1 {{grad_key must have the same shape as key}}
  %0:3 = "ttir.sdpa_bw"(%a, %b, %c, %d, %e, %f) <{mask_type = #ttcore.attention_mask_type<none>}> : (tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8x32xf32>) -> (tensor<1x4x8x16xf32>, tensor<1x4x8x8xf32>, tensor<1x4x8x16xf32>)
  return
}

// -----

func.func @f0(%a: tensor<2x3x4xf32>) {
  // expected-error@+1 {{expected rank of input tensor is 4, got rank 3}}
  %0 = "ttir.concatenate_heads"(%a) : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3x4x5xf32>) {
  // expected-error@+1 {{expected rank of output tensor is 3, got rank 2}}
  %0 = "ttir.concatenate_heads"(%a) : (tensor<2x3x4x5xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3x4x5xf32>) {
  // expected-error@+1 {{expected output batch dimension to be 2, got 1}}
  %0 = "ttir.concatenate_heads"(%a) : (tensor<2x3x4x5xf32>) -> tensor<1x4x15xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3x4x5xf32>) {
  // expected-error@+1 {{expected output sequence dimension to be 4, got 3}}
  %0 = "ttir.concatenate_heads"(%a) : (tensor<2x3x4x5xf32>) -> tensor<2x3x15xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3x4x5xf32>) {
  // expected-error@+1 {{expected output hidden dimension to be num_heads * head_size = 15, got 14}}
  %0 = "ttir.concatenate_heads"(%a) : (tensor<2x3x4x5xf32>) -> tensor<2x4x14xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x24xf32>) {
  // expected-error@+1 {{expected rank of input tensor is 3, got rank 2}}
  %0:3 = "ttir.split_query_key_value_and_split_heads"(%a) <{num_heads = 2 : ui32, transpose_key = false}> : (tensor<1x24xf32>) -> (tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>)
  return
}

// -----

func.func @f0(%a: tensor<1x8x24xf32>) {
  // expected-error@+1 {{expected rank of query/key/value output tensor is 4, got query rank: 4, key rank: 4, value rank: 3}}
  %0:3 = "ttir.split_query_key_value_and_split_heads"(%a) <{num_heads = 2 : ui32, transpose_key = false}> : (tensor<1x8x24xf32>) -> (tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<2x8x4xf32>)
  return
}

// -----

func.func @f0(%a: tensor<1x8x24xf32>) {
  // expected-error@+1 {{expected key output shape (1, 2, 4, 8), got (1, 2, 8, 4)}}
  %0:3 = "ttir.split_query_key_value_and_split_heads"(%a) <{num_heads = 2 : ui32, transpose_key = true}> : (tensor<1x8x24xf32>) -> (tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>)
  return
}

// -----

func.func @f0(%a: tensor<1x8x24xf32>) {
  // expected-error@+1 {{expected positive numbers of heads}}
  %0:3 = "ttir.split_query_key_value_and_split_heads"(%a) <{num_heads = 0 : ui32, transpose_key = true}> : (tensor<1x8x24xf32>) -> (tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>)
  return
}

// -----

func.func @f0(%a: tensor<1x2x8x4xf32>, %b: tensor<1x2x1x4xbf16>, %c: tensor<1xi32>) {
  // expected-error@+1 {{Cache and input tensors must have the same dtype. Got cache dtype = f32, input dtype = bf16}}
  "ttir.update_cache"(%a, %b, %c) <{batch_offset = 0 : i32}> : (tensor<1x2x8x4xf32>, tensor<1x2x1x4xbf16>, tensor<1xi32>) -> ()
  return
}

// -----

func.func @f0(%a: tensor<2x8x4xf32>, %b: tensor<1x2x1x4xf32>, %c: tensor<1xi32>) {
  // expected-error@+1 {{Cache tensor must be a 4D tensor}}
  "ttir.update_cache"(%a, %b, %c) <{batch_offset = 0 : i32}> : (tensor<2x8x4xf32>, tensor<1x2x1x4xf32>, tensor<1xi32>) -> ()
  return
}

// -----

func.func @f0(%a: tensor<1x2x8x4xf32>, %b: tensor<2x1x4xf32>, %c: tensor<1xi32>) {
  // expected-error@+1 {{Input tensor must be a 4D tensor}}
  "ttir.update_cache"(%a, %b, %c) <{batch_offset = 0 : i32}> : (tensor<1x2x8x4xf32>, tensor<2x1x4xf32>, tensor<1xi32>) -> ()
  return
}

// -----

func.func @f0(%a: tensor<1x2x8x4xf32>, %b: tensor<2x2x1x4xf32>, %c: tensor<1xi32>) {
  // expected-error@+1 {{Input tensor requires that dim 0 have size 1, got input dim 0 size = 2}}
  "ttir.update_cache"(%a, %b, %c) <{batch_offset = 0 : i32}> : (tensor<1x2x8x4xf32>, tensor<2x2x1x4xf32>, tensor<1xi32>) -> ()
  return
}

// -----

func.func @f0(%a: tensor<1x2x8x4xf32>, %b: tensor<1x3x1x4xf32>, %c: tensor<1xi32>) {
  // expected-error@+1 {{Cache tensor shape must match input tensor shape on dims 1 and 3. Got cache shape (1, 2, 8, 4), input shape (1, 3, 1, 4)}}
  "ttir.update_cache"(%a, %b, %c) <{batch_offset = 0 : i32}> : (tensor<1x2x8x4xf32>, tensor<1x3x1x4xf32>, tensor<1xi32>) -> ()
  return
}

// -----

func.func @f0(%a: tensor<1x2x8x4xf32>, %b: tensor<1x2x9x4xf32>) {
  // expected-error@+1 {{Input tensor requires that dim 2 have a size which is less than or equal to the size of dim 2 of the cache tensor. Got cache dim 2 size = 8, input dim 2 size = 9}}
  "ttir.fill_cache"(%a, %b) <{batch_offset = 0 : i32}> : (tensor<1x2x8x4xf32>, tensor<1x2x9x4xf32>) -> ()
  return
}

// -----

func.func @f0(%a: tensor<9x2x32x4xf32>, %b: tensor<1x3x2x4xf32>, %c: tensor<2xi32>, %d: tensor<2x4xi32>) {
  // expected-error@+1 {{Input tensor must have shape equal to the number of users (determined by update index shape): 2, got 3}}
  "ttir.paged_update_cache"(%a, %b, %c, %d) : (tensor<9x2x32x4xf32>, tensor<1x3x2x4xf32>, tensor<2xi32>, tensor<2x4xi32>) -> ()
  return
}

// -----

func.func @f0(%a: tensor<9x2x31x4xf32>, %b: tensor<1x2x2x4xf32>, %c: tensor<2xi32>, %d: tensor<2x4xi32>) {
  // expected-error@+1 {{Block size must be divisible by 32, got 31}}
  "ttir.paged_update_cache"(%a, %b, %c, %d) : (tensor<9x2x31x4xf32>, tensor<1x2x2x4xf32>, tensor<2xi32>, tensor<2x4xi32>) -> ()
  return
}

// -----

func.func @f0(%a: tensor<9x2x32x4xf32>, %b: tensor<1x2x2x4xf32>, %c: tensor<2xi32>, %d: tensor<3x4xi32>) {
  // expected-error@+1 {{Page table tensor must have dim 0 be equal to the number of users (determined by update index shape): 2, got 3}}
  "ttir.paged_update_cache"(%a, %b, %c, %d) : (tensor<9x2x32x4xf32>, tensor<1x2x2x4xf32>, tensor<2xi32>, tensor<3x4xi32>) -> ()
  return
}

// -----

func.func @f0(%a: tensor<9x2x32x4xf32>, %b: tensor<2x2x8x4xf32>, %c: tensor<1x4xi32>) {
  // expected-error@+1 {{Input batch must be statically 1 when no batch_idx_tensor is provided, got 2}}
  "ttir.paged_fill_cache"(%a, %b, %c) : (tensor<9x2x32x4xf32>, tensor<2x2x8x4xf32>, tensor<1x4xi32>) -> ()
  return
}

// -----

func.func @f0(%a: tensor<9x2x32x4xf32>, %b: tensor<?x2x8x4xf32>, %c: tensor<1x4xi32>) {
  // expected-error@+1 {{Input batch must be statically 1 when no batch_idx_tensor is provided, got dynamic}}
  "ttir.paged_fill_cache"(%a, %b, %c) : (tensor<9x2x32x4xf32>, tensor<?x2x8x4xf32>, tensor<1x4xi32>) -> ()
  return
}

// -----

func.func @f0(%a: tensor<9x2x32x4xf32>, %b: tensor<2x2x8x4xf32>, %c: tensor<1x4xi32>, %d: tensor<3xi32>) {
  // expected-error@+1 {{Batch index tensor must have dim 0 equal to input batch (2), got 3}}
  "ttir.paged_fill_cache"(%a, %b, %c, %d) : (tensor<9x2x32x4xf32>, tensor<2x2x8x4xf32>, tensor<1x4xi32>, tensor<3xi32>) -> ()
  return
}

// -----

func.func @f0(%a: tensor<9x2x32x4xf32>, %b: tensor<1x3x8x4xf32>, %c: tensor<1x4xi32>) {
  // expected-error@+1 {{Input must have the same number of heads as the cache.}}
  "ttir.paged_fill_cache"(%a, %b, %c) : (tensor<9x2x32x4xf32>, tensor<1x3x8x4xf32>, tensor<1x4xi32>) -> ()
  return
}
