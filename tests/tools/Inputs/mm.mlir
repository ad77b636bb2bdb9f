func.func @main(%a: tensor<5x4xf32>, %b: tensor<4x6xf32>) -> tensor<5x6xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<5x4xf32>, tensor<4x6xf32>) -> tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}
