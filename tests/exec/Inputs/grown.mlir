// A sum, whose terms are in another order in another engine, and an op that is very sensitive to it.
func.func @main(%x: tensor<4x300xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %many = stablehlo.constant dense<1.0e8> : tensor<4xf32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x300xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.multiply %0, %many : tensor<4xf32>
  %2 = stablehlo.sine %1 : tensor<4xf32>
  return %2, %0 : tensor<4xf32>, tensor<4xf32>
}
