// One function, a call of a helper, a custom call with a sharding rule of its own.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func public @main(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                       %b: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> tensor<4x4xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = func.call @helper(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = stablehlo.sine %1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=4}, custom>} : tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}
func.func private @helper(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.cosine %a : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
