func.func @main(%cache: tensor<2x3x8x4xf32>, %x: tensor<1x3x2x4xf32>, %long: tensor<2x3x5x4xf32>) -> (tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) {
  %at = "ttir.constant"() <{value = dense<[6]> : tensor<1xi32>}> : () -> tensor<1xi32>
  "ttir.update_cache"(%cache, %x, %at) <{batch_offset = 0 : i32}> : (tensor<2x3x8x4xf32>, tensor<1x3x2x4xf32>, tensor<1xi32>) -> ()
  %0 = "ttir.exp"(%cache) : (tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  "ttir.fill_cache"(%cache, %long) <{batch_offset = 0 : i32}> : (tensor<2x3x8x4xf32>, tensor<2x3x5x4xf32>) -> ()
  return %0, %cache : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>
}
