#loc = loc("f":1:2)
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<4x?xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>}) -> tensor<i32> {
  %c = stablehlo.constant dense<[1, -2]> : tensor<2xi32>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%c init: %i) applies stablehlo.add across dimensions = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
  %1 = stablehlo.while(%x = %0) : tensor<i32> cond {
    %2 = stablehlo.compare LT, %x, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    stablehlo.return %x : tensor<i32>
  } loc(#loc)
  return %1 : tensor<i32>
}
