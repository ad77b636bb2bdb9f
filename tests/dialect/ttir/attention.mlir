// RUN: tessera opt %s -o %t && tessera opt %t | cmp %t -
// RUN: tessera opt %s | FileCheck %s
// Attention, heads, and caches that are written to.

// CHECK: "ttir.scaled_dot_product_attention"(%arg0
func.func @f0(%a: tensor<1x4x8x16xf32>, %b: tensor<1x2x8x16xf32>, %c: tensor<1x2x8x16xf32>, %d: tensor<1x1x8x8xf32>) {
  %0 = "ttir.scaled_dot_product_attention"(%a, %b, %c, %d) <{is_causal = false, scale = 0.25 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x1x8x8xf32>) -> tensor<1x4x8x16xf32>
  return
}

// CHECK: "ttir.scaled_dot_product_attention_decode"(%arg0
func.func @f1(%a: tensor<1x2x4x16xf32>, %b: tensor<2x2x8x16xf32>, %c: tensor<2x2x8x16xf32>, %d: tensor<2xi32>) {
  %0 = "ttir.scaled_dot_product_attention_decode"(%a, %b, %c, %d) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0>}> : (tensor<1x2x4x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2xi32>) -> tensor<1x2x4x16xf32>
  return
}

// CHECK: "ttir.paged_scaled_dot_product_attention_decode"(%arg0
func.func @f2(%a: tensor<1x2x4x16xf32>, %b: tensor<9x2x32x16xf32>, %c: tensor<9x2x32x16xf32>, %d: tensor<2x4xi32>, %e: tensor<1x2x4x16xf32>, %f: tensor<2xi32>) {
  %0 = "ttir.paged_scaled_dot_product_attention_decode"(%a, %b, %c, %d, %e, %f) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 1, 0>}> : (tensor<1x2x4x16xf32>, tensor<9x2x32x16xf32>, tensor<9x2x32x16xf32>, tensor<2x4xi32>, tensor<1x2x4x16xf32>, tensor<2xi32>) -> tensor<1x2x4x16xf32>
  return
}

// CHECK: "ttir.chunked_scaled_dot_product_attention"(%arg0
func.func @f3(%a: tensor<1x4x8x16xf32>, %b: tensor<9x2x32x16xf32>, %c: tensor<9x2x32x16xf32>, %d: tensor<1x4xi32>, %e: tensor<1xi32>, %f: tensor<1x4x8x16xf32>) {
  %0 = "ttir.chunked_scaled_dot_product_attention"(%a, %b, %c, %d, %e, %f) : (tensor<1x4x8x16xf32>, tensor<9x2x32x16xf32>, tensor<9x2x32x16xf32>, tensor<1x4xi32>, tensor<1xi32>, tensor<1x4x8x16xf32>) -> tensor<1x4x8x16xf32>
  return
}

// CHECK: "ttir.paged_flash_multi_latent_attention_decode"(%arg0
func.func @f4(%a: tensor<1x2x4x16xf32>, %b: tensor<9x1x32x16xf32>, %c: tensor<2x4xi32>) {
  %0 = "ttir.paged_flash_multi_latent_attention_decode"(%a, %b, %c) <{head_dim_v = 8 : ui32, operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 0, 0>}> : (tensor<1x2x4x16xf32>, tensor<9x1x32x16xf32>, tensor<2x4xi32>) -> tensor<1x2x4x8xf32>
  return
}

// CHECK: "ttir.sdpa_fw"(%arg0
func.func @f5(%a: tensor<1x4x8x16xf32>, %b: tensor<1x2x8x16xf32>, %c: tensor<1x2x8x16xf32>) {
  %0:2 = "ttir.sdpa_fw"(%a, %b, %c) <{return_intermediates = true}> : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> (tensor<1x4x8x16xf32>, tensor<1x4x8x32xf32>)
  return
}

// CHECK: "ttir.sdpa_bw"(%arg0
func.func @f6(%a: tensor<1x4x8x16xf32>, %b: tensor<1x4x8x16xf32>, %c: tensor<1x4x8x16xf32>, %d: tensor<1x4x8x16xf32>, %e: tensor<1x4x8x16xf32>, %f: tensor<1x4x8x32xf32>, %g: tensor<1x1x8x8xf32>) {
  %0:3 = "ttir.sdpa_bw"(%a, %b, %c, %d, %e, %f, %g) : (tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8x32xf32>, tensor<1x1x8x8xf32>) -> (tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>)
  return
}

// CHECK: "ttir.concatenate_heads"(%arg0
func.func @f7(%a: tensor<2x3x4x5xf32>) {
  %0 = "ttir.concatenate_heads"(%a) : (tensor<2x3x4x5xf32>) -> tensor<2x4x15xf32>
  return
}

// CHECK: "ttir.split_query_key_value_and_split_heads"(%arg0
func.func @f8(%a: tensor<1x8x16xf32>, %b: tensor<1x6x16xf32>) {
  %0:3 = "ttir.split_query_key_value_and_split_heads"(%a, %b) <{num_heads = 4 : ui32, num_kv_heads = 2 : ui32, transpose_key = true}> : (tensor<1x8x16xf32>, tensor<1x6x16xf32>) -> (tensor<1x4x8x4xf32>, tensor<1x2x4x6xf32>, tensor<1x2x6x4xf32>)
  return
}

// CHECK: "ttir.update_cache"(%arg0
func.func @f9(%a: tensor<1x2x8x4xf32>, %b: tensor<1x2x1x4xf32>, %c: tensor<1xi32>) {
  "ttir.update_cache"(%a, %b, %c) <{batch_offset = 0 : i32}> : (tensor<1x2x8x4xf32>, tensor<1x2x1x4xf32>, tensor<1xi32>) -> ()
  return
}

// CHECK: "ttir.fill_cache"(%arg0
func.func @f10(%a: tensor<1x2x8x4xf32>, %b: tensor<1x2x8x4xf32>) {
  "ttir.fill_cache"(%a, %b) <{batch_offset = 0 : i32}> : (tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>) -> ()
  return
}

// CHECK: "ttir.paged_update_cache"(%arg0
func.func @f11(%a: tensor<9x2x32x4xf32>, %b: tensor<1x2x2x4xf32>, %c: tensor<2xi32>, %d: tensor<2x4xi32>) {
  "ttir.paged_update_cache"(%a, %b, %c, %d) : (tensor<9x2x32x4xf32>, tensor<1x2x2x4xf32>, tensor<2xi32>, tensor<2x4xi32>) -> ()
  return
}

// CHECK: "ttir.paged_fill_cache"(%arg0
func.func @f12(%a: tensor<9x2x32x4xf32>, %b: tensor<2x2x8x4xf32>, %c: tensor<1x4xi32>, %d: tensor<2xi32>) {
  "ttir.paged_fill_cache"(%a, %b, %c, %d) : (tensor<9x2x32x4xf32>, tensor<2x2x8x4xf32>, tensor<1x4xi32>, tensor<2xi32>) -> ()
  return
}
