module {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func @op_sharding_annotation(%arg0: tensor<2x4x8x16xf32>, %arg1: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
    %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}p10, {"y", ?}, {?}, {?}]>]>} : tensor<2x4x8x16xf32>
    return %0 : tensor<2x4x8x16xf32>
  }
}
