// No main: two public functions and one that nobody calls.
sdy.mesh @mesh = <["x"=4]>
func.func @first(%a: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x2xf32> {
  %0 = stablehlo.sine %a : tensor<8x2xf32>
  return %0 : tensor<8x2xf32>
}
func.func @second(%a: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = func.call @first(%a) : (tensor<8x2xf32>) -> tensor<8x2xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x2xf32>, tensor<f32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
func.func private @hidden(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.negate %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
