module @jit_f attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x4xf32> {mhlo.sharding = "{devices=[8,1]<=[8]}"}, %arg1: tensor<1xf32> {mhlo.sharding = "{replicated}"}) -> (tensor<16x4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg1 : (tensor<1xf32>) -> tensor<f32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.compare GT, %0, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.convert %1 : (tensor<i1>) -> tensor<i32>
    %3 = "stablehlo.case"(%2) ({
      %4 = stablehlo.reverse %arg0, dims = [0] : tensor<16x4xf32>
      %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
      %6 = stablehlo.multiply %4, %5 : tensor<16x4xf32>
      stablehlo.return %6 : tensor<16x4xf32>
    }, {
      %4 = stablehlo.sine %arg0 : tensor<16x4xf32>
      %5 = stablehlo.custom_call @Sharding(%4) {backend_config = "", mhlo.sharding = "{devices=[8,1]<=[8]}"} : (tensor<16x4xf32>) -> tensor<16x4xf32>
      stablehlo.return %5 : tensor<16x4xf32>
    }) : (tensor<i32>) -> tensor<16x4xf32>
    return %3 : tensor<16x4xf32>
  }
}
