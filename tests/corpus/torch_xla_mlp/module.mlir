module @IrToHlo.44 attributes {mhlo.cross_program_prefetches = [], mhlo.input_output_alias = [], mhlo.is_dynamic = false, mhlo.use_auto_spmd_partitioning = false} {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4x16xf32>, %arg2: tensor<16xf32>, %arg3: tensor<16x16xf32>, %arg4: tensor<16xf32>, %arg5: tensor<16x8xf32>, %arg6: tensor<3x8xf32>) -> tensor<3x4xf32> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<3x16xf32>
    %cst_0 = stablehlo.constant dense<0.707106769> : tensor<3x16xf32>
    %cst_1 = stablehlo.constant dense<5.000000e-01> : tensor<3x16xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<3x16xf32>
    %0 = stablehlo.transpose %arg5, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[8,16]{0,1}"} : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %1 = stablehlo.dot_general %arg6, %0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x8xf32>, tensor<8x16xf32>) -> tensor<3x16xf32>
    %2 = stablehlo.broadcast_in_dim %arg4, dims = [1] : (tensor<16xf32>) -> tensor<3x16xf32>
    %3 = stablehlo.add %1, %2 : tensor<3x16xf32>
    %4 = stablehlo.maximum %3, %cst_2 : tensor<3x16xf32>
    %5 = stablehlo.transpose %arg3, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[16,16]{0,1}"} : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %6 = stablehlo.dot_general %4, %5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x16xf32>, tensor<16x16xf32>) -> tensor<3x16xf32>
    %7 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<16xf32>) -> tensor<3x16xf32>
    %8 = stablehlo.add %6, %7 : tensor<3x16xf32>
    %9 = stablehlo.multiply %8, %cst_1 : tensor<3x16xf32>
    %10 = stablehlo.multiply %8, %cst_0 : tensor<3x16xf32>
    %11 = stablehlo.custom_call @mhlo.erf(%10) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<3x16xf32>) -> tensor<3x16xf32>
    %12 = stablehlo.add %11, %cst : tensor<3x16xf32>
    %13 = stablehlo.multiply %9, %12 : tensor<3x16xf32>
    %14 = stablehlo.transpose %arg1, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[16,4]{0,1}"} : (tensor<4x16xf32>) -> tensor<16x4xf32>
    %15 = stablehlo.dot_general %13, %14, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x16xf32>, tensor<16x4xf32>) -> tensor<3x4xf32>
    %16 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<4xf32>) -> tensor<3x4xf32>
    %17 = stablehlo.add %15, %16 : tensor<3x4xf32>
    return %17 : tensor<3x4xf32>
  }
}
