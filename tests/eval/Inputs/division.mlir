func.func @main() -> tensor<2xi32> {
  %a = stablehlo.constant dense<[5, 6]> : tensor<2xi32>
  %b = stablehlo.constant dense<[0, 3]> : tensor<2xi32>
  %0 = stablehlo.divide %a, %b : tensor<2xi32>
  return %0 : tensor<2xi32>
}
