func.func @first(%a: tensor<32x64xbf16>) -> tensor<32x64xbf16> {
  %0 = "ttir.exp"(%a) : (tensor<32x64xbf16>) -> tensor<32x64xbf16>
  %1 = "ttir.multiply"(%0, %a) : (tensor<32x64xbf16>, tensor<32x64xbf16>) -> tensor<32x64xbf16>
  return %1 : tensor<32x64xbf16>
}
func.func @second(%a: tensor<32x64xsi32>, %b: tensor<32x64xsi32>) -> tensor<32x64xsi32> {
  %0 = "ttir.add"(%a, %b) : (tensor<32x64xsi32>, tensor<32x64xsi32>) -> tensor<32x64xsi32>
  return %0 : tensor<32x64xsi32>
}
