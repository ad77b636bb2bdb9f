module {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func @input_annotation(%arg0: tensor<128x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<128x128xf32>) -> tensor<128x128xf32> {
    %0 = stablehlo.add %arg0, %arg1 : tensor<128x128xf32>
    return %0 : tensor<128x128xf32>
  }
}
