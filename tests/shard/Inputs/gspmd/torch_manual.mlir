module @IrToHlo.15 attributes {mhlo.cross_program_prefetches = [], mhlo.input_output_alias = [], mhlo.is_dynamic = false, mhlo.use_auto_spmd_partitioning = false} {
  func.func @main(%arg0: tensor<f32> {mhlo.sharding = "{replicated}"}, %arg1: tensor<16x4xf32> {mhlo.sharding = "{devices=[8,1]0,1,2,3,4,5,6,7}"}) -> tensor<16x4xf32> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<16x4xf32>
    %0 = stablehlo.custom_call @SPMDFullToShardShape(%arg1) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<16x4xf32>) -> tensor<2x4xf32>
    %1 = stablehlo.sine %0 : tensor<2x4xf32>
    %2 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<2x4xf32>
    %4 = stablehlo.custom_call @Sharding(%3) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %5 = stablehlo.custom_call @SPMDShardToFullShape(%4) {backend_config = "", mhlo.sharding = "{devices=[8,1]0,1,2,3,4,5,6,7}"} : (tensor<2x4xf32>) -> tensor<16x4xf32>
    %6 = stablehlo.add %5, %cst : tensor<16x4xf32>
    return %6 : tensor<16x4xf32>
  }
}
