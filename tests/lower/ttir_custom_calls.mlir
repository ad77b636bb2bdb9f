// RUN: tessera opt %s --convert-stablehlo-to-ttir | FileCheck %s
// Custom calls of tt.* targets: operands by flags of the frontend, attributes from its strings. What does not fit stays.

// CHECK-LABEL: func.func @attention
func.func @attention(%q: tensor<1x2x4x8xf32>, %m: tensor<1x1x4x4xf32>) -> (tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>) {
  // CHECK: "ttir.scaled_dot_product_attention"(%arg0, %arg0, %arg0, %arg1) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>, scale = 5.000000e-01 : f32}>
  %0 = stablehlo.custom_call @tt.scaled_dot_product_attention(%q, %q, %q, %m) {api_version = 0 : i32, mhlo.frontend_attributes = {is_causal = "False", scale = "0.5", has_attention_mask = "True"}} : (tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x1x4x4xf32>) -> tensor<1x2x4x8xf32>
  // The flag says that there is no mask, but there are four operands.
  // CHECK: stablehlo.custom_call @tt.scaled_dot_product_attention
  %1 = stablehlo.custom_call @tt.scaled_dot_product_attention(%q, %q, %q, %m) {api_version = 0 : i32, mhlo.frontend_attributes = {is_causal = "False", has_attention_mask = "False"}} : (tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x1x4x4xf32>) -> tensor<1x2x4x8xf32>
  // Not a number.
  // CHECK: stablehlo.custom_call @tt.scaled_dot_product_attention
  %2 = stablehlo.custom_call @tt.scaled_dot_product_attention(%q, %q, %q) {api_version = 0 : i32, mhlo.frontend_attributes = {scale = "half"}} : (tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>) -> tensor<1x2x4x8xf32>
  return %0, %1, %2 : tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>
}

// CHECK-LABEL: func.func @sampling
func.func @sampling(%v: tensor<4x8xf32>, %i: tensor<4x8xi32>, %k: tensor<4xi32>, %p: tensor<4xf32>, %t: tensor<4xf32>) -> tensor<4xi32> {
  // CHECK: "ttir.sampling"(%arg0, %arg1, %arg2, %arg3, %arg4) <{seed = 7 : ui32}>
  %0 = stablehlo.custom_call @tt.sampling(%v, %i, %k, %p, %t) {api_version = 0 : i32, mhlo.frontend_attributes = {seed = "7"}} : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<4xi32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// A cache is written into, unless its old value is asked for afterwards.
// CHECK-LABEL: func.func @caches
func.func @caches(%c: tensor<2x2x8x4xf32>, %n: tensor<1x2x3x4xf32>, %d: tensor<2x2x8x4xf32>) -> (tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>) {
  // CHECK: "ttir.fill_cache"(%arg0, %arg1) <{batch_offset = 1 : i32}>
  %0 = stablehlo.custom_call @tt.fill_cache(%c, %n) {api_version = 0 : i32, mhlo.frontend_attributes = {batch_offset = "1"}} : (tensor<2x2x8x4xf32>, tensor<1x2x3x4xf32>) -> tensor<2x2x8x4xf32>
  // CHECK: %[[F:.*]] = stablehlo.custom_call @tt.fill_cache(%arg2, %arg1)
  %1 = stablehlo.custom_call @tt.fill_cache(%d, %n) {api_version = 0 : i32, mhlo.frontend_attributes = {batch_offset = "0"}} : (tensor<2x2x8x4xf32>, tensor<1x2x3x4xf32>) -> tensor<2x2x8x4xf32>
  // CHECK: return %arg0, %[[F]], %arg2
  return %0, %1, %d : tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>
}

// One token goes where an argument says; more of them only where they are known to begin at 0.
// CHECK-LABEL: func.func @tokens
func.func @tokens(%c: tensor<1x2x8x4xf32>, %at: tensor<1xi64>, %one: tensor<1x2x1x4xf32>, %d: tensor<1x2x8x4xf32>, %ats: tensor<3xi64>, %some: tensor<1x2x3x4xf32>, %e: tensor<1x2x8x4xf32>) -> (tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>) {
  // CHECK: "ttir.update_cache"(%arg0, %arg2, %arg1) <{batch_offset = 0 : i32}>
  %0 = "stablehlo.scatter"(%c, %at, %one) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1, 3], inserted_window_dims = [2], scatter_dims_to_operand_dims = [2], index_vector_dim = 1>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    stablehlo.return %new : tensor<f32>
  }) : (tensor<1x2x8x4xf32>, tensor<1xi64>, tensor<1x2x1x4xf32>) -> tensor<1x2x8x4xf32>
  // CHECK-NOT: "ttir.fill_cache"(%arg3
  %1 = "stablehlo.scatter"(%d, %ats, %some) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1, 3], inserted_window_dims = [2], scatter_dims_to_operand_dims = [2], index_vector_dim = 1>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    stablehlo.return %new : tensor<f32>
  }) : (tensor<1x2x8x4xf32>, tensor<3xi64>, tensor<1x2x3x4xf32>) -> tensor<1x2x8x4xf32>
  // CHECK: "ttir.fill_cache"(%arg6, %arg5) <{batch_offset = 0 : i32}>
  %first = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi64>
  %2 = "stablehlo.scatter"(%e, %first, %some) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1, 3], inserted_window_dims = [2], scatter_dims_to_operand_dims = [2], index_vector_dim = 1>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    stablehlo.return %new : tensor<f32>
  }) : (tensor<1x2x8x4xf32>, tensor<3xi64>, tensor<1x2x3x4xf32>) -> tensor<1x2x8x4xf32>
  return %0, %1, %2 : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
}

// What has no op of TTIR is a composite with a function that computes it.
// CHECK-LABEL: func.func @composites
func.func @composites(%q: tensor<1x2x3x4xf32>, %k: tensor<1x1x5x4xf32>, %w: tensor<1x2x3x1xf32>) -> (tensor<1x1x3x5xf32>, tensor<1x2x3x2xf32>) {
  // CHECK: "ttcore.composite"(%arg0, %arg1, %arg2) <{composite_attributes = {chunk_start_idx = 1 : ui32}, composite_name = "indexer_score_dsa", decomposition = @indexer_score_dsa_decomp}>
  %0 = stablehlo.custom_call @tt.indexer_score_dsa(%q, %k, %w) {api_version = 0 : i32, mhlo.frontend_attributes = {chunk_start_idx = "1"}} : (tensor<1x2x3x4xf32>, tensor<1x1x5x4xf32>, tensor<1x2x3x1xf32>) -> tensor<1x1x3x5xf32>
  // CHECK: "ttcore.composite"(%arg0, %arg1)
  // CHECK-SAME: decomposition = @flash_mla_prefill_decomp
  %1 = stablehlo.custom_call @tt.flash_mla_prefill(%q, %k) {api_version = 0 : i32, mhlo.frontend_attributes = {head_dim_v = "2"}} : (tensor<1x2x3x4xf32>, tensor<1x1x5x4xf32>) -> tensor<1x2x3x2xf32>
  return %0, %1 : tensor<1x1x3x5xf32>, tensor<1x2x3x2xf32>
}
// CHECK: func.func private @indexer_score_dsa_decomp
// CHECK: func.func private @flash_mla_prefill_decomp
