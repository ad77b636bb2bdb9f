// func.func(chlo-legalize-to-stablehlo),func.func(stablehlo-aggressive-simplification),tessera-fuse
func.func @main(%a: tensor<3xf32>, %b: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>) {
  %0 = chlo.broadcast_add %a, %b : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = chlo.erf %a : tensor<3xf32> -> tensor<3xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<3xf32>
}
