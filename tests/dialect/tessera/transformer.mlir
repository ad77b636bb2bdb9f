// The layer of the seed, small: as it is written there, and in StableHLO.
// RUN: tessera run %s --input=random --output=%t.npz
// RUN: tessera opt %s --tessera-to-stablehlo | tessera run - --input=random --expect=%t.npz
// RUN: tessera opt %s --tessera-to-stablehlo --stablehlo-to-tessera | tessera run - --input=random --expect=%t.npz
// RUN: tessera opt %s | FileCheck %s
// CHECK: func.func @forward(%arg0: tensor<2x8x16xbf16>
// CHECK: tessera.layer_norm %arg0 {eps = 1.000000e-05 : f64}
module @transformer_layer {
  func @forward(%x: tensor<2x8x16xbf16>,
                %w_q: tensor<16x16xbf16>,
                %w_k: tensor<16x16xbf16>,
                %w_v: tensor<16x16xbf16>) -> tensor<2x8x16xbf16> {
    %ln_out = tessera.layer_norm %x {eps = 1.0e-5} : tensor<2x8x16xbf16> -> tensor<2x8x16xbf16>
    %q = tessera.matmul %ln_out, %w_q : tensor<2x8x16xbf16>, tensor<16x16xbf16> -> tensor<2x8x16xbf16>
    %k = tessera.matmul %ln_out, %w_k : tensor<2x8x16xbf16>, tensor<16x16xbf16> -> tensor<2x8x16xbf16>
    %v = tessera.matmul %ln_out, %w_v : tensor<2x8x16xbf16>, tensor<16x16xbf16> -> tensor<2x8x16xbf16>
    %q_heads = tessera.reshape %q : tensor<2x8x16xbf16> -> tensor<2x4x8x4xbf16>
    %k_heads = tessera.reshape %k : tensor<2x8x16xbf16> -> tensor<2x4x8x4xbf16>
    %v_heads = tessera.reshape %v : tensor<2x8x16xbf16> -> tensor<2x4x8x4xbf16>
    %attn_out = tessera.flash_attention %q_heads, %k_heads, %v_heads {causal = true} :
      tensor<2x4x8x4xbf16>, tensor<2x4x8x4xbf16>, tensor<2x4x8x4xbf16> -> tensor<2x4x8x4xbf16>
    %attn_flat = tessera.reshape %attn_out : tensor<2x4x8x4xbf16> -> tensor<2x8x16xbf16>
    %result = tessera.add %x, %attn_flat : tensor<2x8x16xbf16>, tensor<2x8x16xbf16> -> tensor<2x8x16xbf16>
    return %result : tensor<2x8x16xbf16>
  }
}
