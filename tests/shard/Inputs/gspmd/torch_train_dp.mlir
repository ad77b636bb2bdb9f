module @IrToHlo.69 attributes {mhlo.cross_program_prefetches = [], mhlo.input_output_alias = [], mhlo.is_dynamic = false, mhlo.use_auto_spmd_partitioning = false} {
  func.func @main(%arg0: tensor<16x4xf32> {mhlo.sharding = "{devices=[8,1]0,1,2,3,4,5,6,7}"}, %arg1: tensor<4xf32> {mhlo.sharding = "{replicated}"}, %arg2: tensor<4x8xf32> {mhlo.sharding = "{replicated}"}, %arg3: tensor<16x8xf32> {mhlo.sharding = "{devices=[8,1]0,1,2,3,4,5,6,7}"}, %arg4: tensor<f32> {mhlo.sharding = "{replicated}"}) -> (tensor<f32>, tensor<4x8xf32>, tensor<4xf32>) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<16x4xf32>
    %cst_0 = stablehlo.constant dense<1.562500e-02> : tensor<16x4xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<16x4xf32>
    %cst_2 = stablehlo.constant dense<1.562500e-02> : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.transpose %arg2, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[8,4]{0,1}"} : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %1 = stablehlo.dot_general %arg3, %0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x8xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
    %2 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<4xf32>) -> tensor<16x4xf32>
    %3 = stablehlo.add %1, %2 : tensor<16x4xf32>
    %4 = stablehlo.tanh %3 : tensor<16x4xf32>
    %5 = stablehlo.subtract %4, %arg0 : tensor<16x4xf32>
    %6 = stablehlo.multiply %5, %5 : tensor<16x4xf32>
    %7 = stablehlo.reduce(%6 init: %cst_3) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x4xf32>, tensor<f32>) -> tensor<f32>
    %8 = stablehlo.multiply %7, %cst_2 : tensor<f32>
    %9 = stablehlo.transpose %arg3, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[8,16]{0,1}"} : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %10 = stablehlo.multiply %5, %cst_1 : tensor<16x4xf32>
    %11 = stablehlo.multiply %10, %cst_0 : tensor<16x4xf32>
    %12 = stablehlo.power %4, %cst_1 : tensor<16x4xf32>
    %13 = stablehlo.subtract %cst, %12 : tensor<16x4xf32>
    %14 = stablehlo.multiply %11, %13 : tensor<16x4xf32>
    %15 = stablehlo.dot_general %9, %14, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
    %16 = stablehlo.transpose %15, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[4,8]{0,1}"} : (tensor<8x4xf32>) -> tensor<4x8xf32>
    %17 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %18 = stablehlo.multiply %16, %17 : tensor<4x8xf32>
    %19 = stablehlo.subtract %arg2, %18 : tensor<4x8xf32>
    %20 = stablehlo.reduce(%14 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<16x4xf32>, tensor<f32>) -> tensor<4xf32>
    %21 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %22 = stablehlo.multiply %20, %21 : tensor<4xf32>
    %23 = stablehlo.subtract %arg1, %22 : tensor<4xf32>
    return %8, %19, %23 : tensor<f32>, tensor<4x8xf32>, tensor<4xf32>
  }
}
