func.func @twice(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @narrow(%a: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = stablehlo.multiply %a, %a : tensor<4xbf16>
  %1 = stablehlo.add %0, %a : tensor<4xbf16>
  return %1 : tensor<4xbf16>
}
