func.func @main(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = stablehlo.tanh %x : tensor<8x16xf32>
  %1 = stablehlo.add %x, %y : tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}
