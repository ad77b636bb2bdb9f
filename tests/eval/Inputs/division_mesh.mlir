sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.divide %a, %b : tensor<5xi32>
  %1 = stablehlo.remainder %0, %b : tensor<5xi32>
  return %1 : tensor<5xi32>
}
