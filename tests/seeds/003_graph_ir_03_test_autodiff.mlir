    func @forward(%x: tensor<32x128xf32>, %w: tensor<128x64xf32>) -> tensor<32x64xf32> attributes {tessera.autodiff} {
      %0 = tessera.matmul %x, %w : tensor<32x128xf32>, tensor<128x64xf32> -> tensor<32x64xf32>
      return %0 : tensor<32x64xf32>
    }
