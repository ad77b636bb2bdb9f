module @IrToHlo.149 attributes {mhlo.cross_program_prefetches = [], mhlo.input_output_alias = [], mhlo.is_dynamic = false, mhlo.use_auto_spmd_partitioning = false} {
  func.func @main(%arg0: tensor<5xf32>, %arg1: tensor<5x6xf32>, %arg2: tensor<6xf32>, %arg3: tensor<6xf32>, %arg4: tensor<6xf32>, %arg5: tensor<6xf32>, %arg6: tensor<6xf32>, %arg7: tensor<6x2x3x3xf32>, %arg8: tensor<4xf32>, %arg9: tensor<4xf32>, %arg10: tensor<4xf32>, %arg11: tensor<4xf32>, %arg12: tensor<4xf32>, %arg13: tensor<4x3x3x3xf32>, %arg14: tensor<2x3x12x12xf32>) -> tensor<2x5xf32> {
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<2x6xf32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<2x6x2x2xf32>
    %cst_1 = stablehlo.constant dense<3.40282347E+38> : tensor<2x6x2x2xf32>
    %cst_2 = stablehlo.constant dense<3.000000e+00> : tensor<2x6x2x2xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<2x6x2x2xf32>
    %cst_4 = stablehlo.constant dense<-3.40282347E+38> : tensor<2x6x2x2xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<2x4x12x12xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.convolution(%arg14, %arg13) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x12x12xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x12x12xf32>
    %1 = stablehlo.broadcast_in_dim %arg12, dims = [1] : (tensor<4xf32>) -> tensor<2x4x12x12xf32>
    %2 = stablehlo.add %0, %1 : tensor<2x4x12x12xf32>
    %3 = "stablehlo.batch_norm_inference"(%2, %arg11, %arg10, %arg9, %arg8) <{epsilon = 9.99999974E-6 : f32, feature_index = 1 : i64}> : (tensor<2x4x12x12xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x12x12xf32>
    %4 = stablehlo.maximum %3, %cst_5 : tensor<2x4x12x12xf32>
    %5 = "stablehlo.reduce_window"(%4, %cst_6) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>}> ({
    ^bb0(%arg15: tensor<f32>, %arg16: tensor<f32>):
      %29 = stablehlo.maximum %arg15, %arg16 : tensor<f32>
      stablehlo.return %29 : tensor<f32>
    }) : (tensor<2x4x12x12xf32>, tensor<f32>) -> tensor<2x4x6x6xf32>
    %6 = stablehlo.convolution(%5, %arg7) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x4x6x6xf32>, tensor<6x2x3x3xf32>) -> tensor<2x6x2x2xf32>
    %7 = stablehlo.broadcast_in_dim %arg6, dims = [1] : (tensor<6xf32>) -> tensor<2x6x2x2xf32>
    %8 = stablehlo.add %6, %7 : tensor<2x6x2x2xf32>
    %9 = "stablehlo.batch_norm_inference"(%8, %arg5, %arg4, %arg3, %arg2) <{epsilon = 9.99999974E-6 : f32, feature_index = 1 : i64}> : (tensor<2x6x2x2xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<2x6x2x2xf32>
    %10 = stablehlo.add %9, %cst_2 : tensor<2x6x2x2xf32>
    %11 = stablehlo.clamp %cst_3, %10, %cst_1 : tensor<2x6x2x2xf32>
    %12 = stablehlo.clamp %cst_4, %11, %cst_0 : tensor<2x6x2x2xf32>
    %13 = stablehlo.multiply %9, %12 : tensor<2x6x2x2xf32>
    %14 = stablehlo.divide %13, %cst_0 : tensor<2x6x2x2xf32>
    %15 = stablehlo.reduce(%14 init: %cst_7) applies stablehlo.add across dimensions = [3, 2] : (tensor<2x6x2x2xf32>, tensor<f32>) -> tensor<2x6xf32>
    %16 = stablehlo.multiply %15, %cst : tensor<2x6xf32>
    %17 = stablehlo.transpose %arg1, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[6,5]{0,1}"} : (tensor<5x6xf32>) -> tensor<6x5xf32>
    %18 = stablehlo.dot_general %16, %17, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6xf32>, tensor<6x5xf32>) -> tensor<2x5xf32>
    %19 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<5xf32>) -> tensor<2x5xf32>
    %20 = stablehlo.add %18, %19 : tensor<2x5xf32>
    %21 = stablehlo.reduce(%20 init: %cst_6) applies stablehlo.maximum across dimensions = [1] : (tensor<2x5xf32>, tensor<f32>) -> tensor<2xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0] : (tensor<2xf32>) -> tensor<2x5xf32>
    %23 = stablehlo.subtract %20, %22 : tensor<2x5xf32>
    %24 = stablehlo.exponential %23 : tensor<2x5xf32>
    %25 = stablehlo.reduce(%24 init: %cst_7) applies stablehlo.add across dimensions = [1] : (tensor<2x5xf32>, tensor<f32>) -> tensor<2xf32>
    %26 = stablehlo.log %25 : tensor<2xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0] : (tensor<2xf32>) -> tensor<2x5xf32>
    %28 = stablehlo.subtract %23, %27 : tensor<2x5xf32>
    return %28 : tensor<2x5xf32>
  }
}
