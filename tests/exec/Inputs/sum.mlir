// Its sum depends on the order of its terms, which is the evaluator's or a loop's.
func.func @main(%x: tensor<4x4096xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x4096xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
