module {
  sdy.mesh @mesh = <["x"=1, "y"=1]>
  func.func @my_modela(%arg0: tensor<1x1x32x32xf32>) -> tensor<1x1x32x32xf32> {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}, {}, {"x"}, {"y"}]>] out_shardings=[<@mesh, [{}, {}, {"x"}, {"y"}]>] manual_axes={"x", "y"} (%arg1: tensor<1x1x32x32xf32>) {
      %1 = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 3 : i64, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<1x1x32x32xf32>) -> tensor<1x1x32x32xf32>
      sdy.return %1 : tensor<1x1x32x32xf32>
    } : (tensor<1x1x32x32xf32>) -> tensor<1x1x32x32xf32>
    return %0 : tensor<1x1x32x32xf32>
  }
}
