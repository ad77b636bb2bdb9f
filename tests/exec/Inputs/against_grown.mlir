func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %near = stablehlo.constant dense<1.0> : tensor<4xf32>
  %many = stablehlo.constant dense<1.0e8> : tensor<4xf32>
  %0 = stablehlo.add %x, %near : tensor<4xf32>
  %1 = stablehlo.multiply %0, %many : tensor<4xf32>
  %2 = stablehlo.sine %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
