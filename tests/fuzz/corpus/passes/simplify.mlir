// tessera-simplify,func.func(canonicalize),cse
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<2xf32>
  %0 = stablehlo.add %a, %z : tensor<2xf32>
  %1 = stablehlo.reshape %0 : (tensor<2xf32>) -> tensor<1x2xf32>
  %2 = stablehlo.reshape %1 : (tensor<1x2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}
