func.func @main(%x: tensor<128x65536xf32>, %w: tensor<65536x128xf32>) -> tensor<128x128xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<128x65536xf32>, tensor<65536x128xf32>) -> tensor<128x128xf32>
  %s = stablehlo.constant dense<0.02> : tensor<128x128xf32>
  %1 = stablehlo.add %0, %s : tensor<128x128xf32>
  return %1 : tensor<128x128xf32>
}
