module @IrToHlo.84 attributes {mhlo.cross_program_prefetches = [], mhlo.input_output_alias = [], mhlo.is_dynamic = false, mhlo.use_auto_spmd_partitioning = false} {
  func.func @main(%arg0: tensor<6x3x3x3xf32> {mhlo.sharding = "{replicated}"}, %arg1: tensor<8x3x8x8xf32> {mhlo.sharding = "{devices=[8,1,1,1]0,1,2,3,4,5,6,7}"}) -> tensor<8x6x4x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<8x6x8x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<6xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<6xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.convolution(%arg1, %arg0) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x3x8x8xf32>, tensor<6x3x3x3xf32>) -> tensor<8x6x8x8xf32>
    %output, %batch_mean, %batch_var = "stablehlo.batch_norm_training"(%0, %cst_1, %cst_0) <{epsilon = 9.99999974E-6 : f32, feature_index = 1 : i64}> : (tensor<8x6x8x8xf32>, tensor<6xf32>, tensor<6xf32>) -> (tensor<8x6x8x8xf32>, tensor<6xf32>, tensor<6xf32>)
    %1 = stablehlo.maximum %output, %cst : tensor<8x6x8x8xf32>
    %2 = "stablehlo.reduce_window"(%1, %cst_2) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %3 = stablehlo.maximum %arg2, %arg3 : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) : (tensor<8x6x8x8xf32>, tensor<f32>) -> tensor<8x6x4x4xf32>
    return %2 : tensor<8x6x4x4xf32>
  }
}
