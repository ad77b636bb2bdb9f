module {
  func.func @modela(%arg0: tensor<32x32xf32>) -> tensor<32x32xbf16> {
    %0 = "ttir.sigmoid"(%arg0) : (tensor<32x32xf32>) -> tensor<32x32xbf16>
    return %0 : tensor<32x32xbf16>
  }
}
