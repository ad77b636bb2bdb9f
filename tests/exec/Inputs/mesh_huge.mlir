sdy.mesh @mesh = <["x"=2]>
func.func @main() -> (tensor<70368744177664xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.iota dim = 0 : tensor<70368744177664xf32>
  return %0 : tensor<70368744177664xf32>
}
