module @IrToHlo.11 attributes {mhlo.cross_program_prefetches = [], mhlo.input_output_alias = [], mhlo.is_dynamic = false, mhlo.use_auto_spmd_partitioning = false} {
  func.func @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "{devices=[4,1,2]0,6,1,7,3,5,2,4 last_tile_dim_replicate}"}, %arg1: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,4]0,1,3,2,6,7,5,4}"}) -> tensor<8x8xf32> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<8x8xf32>
    %0 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = stablehlo.custom_call @Sharding(%0) {backend_config = "", mhlo.sharding = "{devices=[4,2]0,6,1,7,3,5,2,4}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = stablehlo.add %1, %cst : tensor<8x8xf32>
    return %2 : tensor<8x8xf32>
  }
}
