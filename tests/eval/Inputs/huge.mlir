func.func @main() -> tensor<1099511627776xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<1099511627776xf32>
  return %0 : tensor<1099511627776xf32>
}
