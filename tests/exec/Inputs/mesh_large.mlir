sdy.mesh @large_mesh = <["x"=64]>
func.func @main(%a: tensor<64x65536xf32> {sdy.sharding = #sdy.sharding<@large_mesh, [{"x"}, {}]>}) -> (tensor<64x65536xf32> {sdy.sharding = #sdy.sharding<@large_mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.abs %a : tensor<64x65536xf32>
  return %0 : tensor<64x65536xf32>
}
