// tessera-lower-autodiff,inline,symbol-dce
func.func @main(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = func.call @f(%0) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}
func.func private @f(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.tanh %x : tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
