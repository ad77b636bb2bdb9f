func.func @main(%x: tensor<32x64xbf16>, %w: tensor<64x64xbf16>) -> tensor<32x64xbf16> {
  %0 = "ttir.matmul"(%x, %w) : (tensor<32x64xbf16>, tensor<64x64xbf16>) -> tensor<32x64xbf16>
  %1 = "ttir.gelu"(%0) : (tensor<32x64xbf16>) -> tensor<32x64xbf16>
  %2 = "ttir.maximum"(%1, %x) : (tensor<32x64xbf16>, tensor<32x64xbf16>) -> tensor<32x64xbf16>
  %3 = "ttir.gt"(%2, %x) : (tensor<32x64xbf16>, tensor<32x64xbf16>) -> tensor<32x64xi1>
  %4 = "ttir.where"(%3, %2, %x) : (tensor<32x64xi1>, tensor<32x64xbf16>, tensor<32x64xbf16>) -> tensor<32x64xbf16>
  %5 = "ttir.softmax"(%4) <{dimension = 1 : si32}> : (tensor<32x64xbf16>) -> tensor<32x64xbf16>
  return %5 : tensor<32x64xbf16>
}
