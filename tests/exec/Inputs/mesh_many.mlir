sdy.mesh @many_mesh = <["x"=8193]>
func.func @main(%a: tensor<8193xi32> {sdy.sharding = #sdy.sharding<@many_mesh, [{"x"}]>}) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %s = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8193xi32>, tensor<i32>) -> tensor<i32>
  return %s : tensor<i32>
}
