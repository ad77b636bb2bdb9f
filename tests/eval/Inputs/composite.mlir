func.func private @square(%x: tensor<3xi32>) -> tensor<3xi32> {
  %0 = stablehlo.multiply %x, %x : tensor<3xi32>
  return %0 : tensor<3xi32>
}
func.func @main() -> tensor<3xi32> {
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %0 = stablehlo.composite "our.square" %a {decomposition = @square} : (tensor<3xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}
