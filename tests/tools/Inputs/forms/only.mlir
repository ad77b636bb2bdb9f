// The module's only function has another name than main, and a name that is no word.
sdy.mesh @mesh = <["x"=2]>
func.func private @"f mode=forward, {x} \"y\" \\ }'"(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
  %0 = stablehlo.exponential %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
