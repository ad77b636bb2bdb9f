module @transformer_layer {
  func @forward(%x: tensor<32x512x1024xbf16>, 
                %w_q: tensor<1024x1024xbf16>,
                %w_k: tensor<1024x1024xbf16>, 
                %w_v: tensor<1024x1024xbf16>) -> tensor<32x512x1024xbf16> {
    // Layer normalization
    %ln_out = tessera.layer_norm %x {eps = 1.0e-5} : tensor<32x512x1024xbf16> -> tensor<32x512x1024xbf16>
    
    // QKV projections
    %q = tessera.matmul %ln_out, %w_q : tensor<32x512x1024xbf16>, tensor<1024x1024xbf16> -> tensor<32x512x1024xbf16>
    %k = tessera.matmul %ln_out, %w_k : tensor<32x512x1024xbf16>, tensor<1024x1024xbf16> -> tensor<32x512x1024xbf16>
    %v = tessera.matmul %ln_out, %w_v : tensor<32x512x1024xbf16>, tensor<1024x1024xbf16> -> tensor<32x512x1024xbf16>
    
    // Reshape for multi-head attention
    %q_heads = tessera.reshape %q : tensor<32x512x1024xbf16> -> tensor<32x16x512x64xbf16>
    %k_heads = tessera.reshape %k : tensor<32x512x1024xbf16> -> tensor<32x16x512x64xbf16>
    %v_heads = tessera.reshape %v : tensor<32x512x1024xbf16> -> tensor<32x16x512x64xbf16>
    
    // Attention computation
    %attn_out = tessera.flash_attention %q_heads, %k_heads, %v_heads {causal = true} :
      tensor<32x16x512x64xbf16>, tensor<32x16x512x64xbf16>, tensor<32x16x512x64xbf16> -> tensor<32x16x512x64xbf16>
    
    // Reshape back and add residual
    %attn_flat = tessera.reshape %attn_out : tensor<32x16x512x64xbf16> -> tensor<32x512x1024xbf16>
    %result = tessera.add %x, %attn_flat : tensor<32x512x1024xbf16>, tensor<32x512x1024xbf16> -> tensor<32x512x1024xbf16>
    
    return %result : tensor<32x512x1024xbf16>
  }
}
