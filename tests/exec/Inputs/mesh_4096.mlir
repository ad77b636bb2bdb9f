sdy.mesh @m = <["x"=4096]>
func.func @main(%a: tensor<8192x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}, %b: tensor<16x8192xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}]>}) -> tensor<16x16xf32> {
  %0 = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<16x8192xf32>, tensor<8192x16xf32>) -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
