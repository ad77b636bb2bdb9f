module @IrToHlo.40 attributes {mhlo.cross_program_prefetches = [], mhlo.input_output_alias = [], mhlo.is_dynamic = false, mhlo.use_auto_spmd_partitioning = false} {
  func.func @main(%arg0: tensor<16x16xf32> {mhlo.sharding = "{devices=[8,1]0,1,2,3,4,5,6,7}"}, %arg1: tensor<16x16xf32> {mhlo.sharding = "{devices=[8,1]0,1,2,3,4,5,6,7}"}, %arg2: tensor<16x16xf32> {mhlo.sharding = "{devices=[8,1]0,1,2,3,4,5,6,7}"}) -> (tensor<16x16xf32>, tensor<16xf32>) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<16x16xf32>
    %cst_0 = stablehlo.constant dense<0.707106769> : tensor<16x16xf32>
    %cst_1 = stablehlo.constant dense<5.000000e-01> : tensor<16x16xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.transpose %arg1, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[16,16]{0,1}"} : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %1 = stablehlo.dot_general %arg2, %0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %2 = stablehlo.multiply %1, %cst_1 : tensor<16x16xf32>
    %3 = stablehlo.multiply %1, %cst_0 : tensor<16x16xf32>
    %4 = stablehlo.custom_call @mhlo.erf(%3) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %5 = stablehlo.add %4, %cst : tensor<16x16xf32>
    %6 = stablehlo.multiply %2, %5 : tensor<16x16xf32>
    %7 = stablehlo.custom_call @Sharding(%6) {backend_config = "", mhlo.sharding = "{devices=[8,1]0,1,2,3,4,5,6,7}"} : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %8 = stablehlo.transpose %arg0, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[16,16]{0,1}"} : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %9 = stablehlo.dot_general %7, %8, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %10 = stablehlo.multiply %9, %cst_1 : tensor<16x16xf32>
    %11 = stablehlo.multiply %9, %cst_0 : tensor<16x16xf32>
    %12 = stablehlo.custom_call @mhlo.erf(%11) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %13 = stablehlo.add %12, %cst : tensor<16x16xf32>
    %14 = stablehlo.multiply %10, %13 : tensor<16x16xf32>
    %15 = stablehlo.custom_call @Sharding(%14) {backend_config = "", mhlo.sharding = "{devices=[8,1]0,1,2,3,4,5,6,7}"} : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %16 = stablehlo.reduce(%15 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<16x16xf32>, tensor<f32>) -> tensor<16xf32>
    return %15, %16 : tensor<16x16xf32>, tensor<16xf32>
  }
}
