module {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func @my_modela(%arg0: tensor<1x1x32x32xf32> {ttcore.shard_status = #ttcore.shard_status<unsharded>}, %arg1: tensor<1x1x32x32xf32> {ttcore.shard_status = #ttcore.shard_status<unsharded>}) -> (tensor<1x1x32x32xf32> {ttcore.shard_status = #ttcore.shard_status<unsharded>}, tensor<1x1x32x32xf32> {ttcore.shard_status = #ttcore.shard_status<unsharded>}) {
    %0:2 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{}, {}, {"x"}, {"y"}]>, <@mesh, [{}, {}, {"x"}, {"y"}]>] out_shardings=[<@mesh, [{}, {}, {"x"}, {"y"}]>, <@mesh, [{}, {}, {"x"}, {"y"}]>] manual_axes={"x", "y"} (%arg2: tensor<1x1x16x8xf32>, %arg3: tensor<1x1x16x8xf32>) {
      %1 = stablehlo.add %arg2, %arg3 : tensor<1x1x16x8xf32>
      %2 = stablehlo.add %1, %arg3 : tensor<1x1x16x8xf32>
      %3 = stablehlo.cosine %2 : tensor<1x1x16x8xf32>
      %4 = stablehlo.sine %2 : tensor<1x1x16x8xf32>
      sdy.return %3, %4 : tensor<1x1x16x8xf32>, tensor<1x1x16x8xf32>
    } : (tensor<1x1x32x32xf32>, tensor<1x1x32x32xf32>) -> (tensor<1x1x32x32xf32>, tensor<1x1x32x32xf32>)
    return %0#0, %0#1 : tensor<1x1x32x32xf32>, tensor<1x1x32x32xf32>
  }
}

