module {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func @my_modela(%arg0: tensor<1x1x32x32xf32>, %arg1: tensor<1x1x32x32xf32>) -> tensor<1x1x32x32xf32> {
    %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"x"}, {"y"}]>]>} : tensor<1x1x32x32xf32>
    %1 = sdy.all_gather [{}, {}, {"x"}, {"y"}] %0 out_sharding=<@mesh, [{}, {}, {}, {}]> : tensor<1x1x32x32xf32>
    return %1 : tensor<1x1x32x32xf32>
  }
}
