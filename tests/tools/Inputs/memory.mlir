sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<i32>) -> tensor<4000000xi32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<i32>) -> tensor<4000000xi32>
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<4000000xi32>
  %2 = stablehlo.add %0, %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<4000000xi32>
  return %2 : tensor<4000000xi32>
}
func.func @splat() -> tensor<4000000xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<4000000xf32>
  return %0 : tensor<4000000xf32>
}
func.func @same(%a: tensor<4000000xf32>) -> tensor<4000000xf32> {
  return %a : tensor<4000000xf32>
}
