module {
  func.func @main(%arg0: tensor<64x128xbf16>, %arg1: tensor<128x96xbf16>, %arg2: tensor<96xbf16>) -> tensor<64x96xbf16> {
    %0 = "ttir.matmul"(%arg0, %arg1) : (tensor<64x128xbf16>, tensor<128x96xbf16>) -> tensor<64x96xbf16>
    %1 = "ttir.add"(%0, %arg2) : (tensor<64x96xbf16>, tensor<96xbf16>) -> tensor<64x96xbf16>
    %2 = "ttir.gelu"(%1) : (tensor<64x96xbf16>) -> tensor<64x96xbf16>
    return %2 : tensor<64x96xbf16>
  }
}
