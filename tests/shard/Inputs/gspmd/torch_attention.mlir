module @IrToHlo.64 attributes {mhlo.cross_program_prefetches = [], mhlo.input_output_alias = [], mhlo.is_dynamic = false, mhlo.use_auto_spmd_partitioning = false} {
  func.func @main(%arg0: tensor<16x16xf32> {mhlo.sharding = "{devices=[1,4,2]0,4,1,5,2,6,3,7 last_tile_dim_replicate}"}, %arg1: tensor<16x16xf32> {mhlo.sharding = "{devices=[4,1,2]0,4,1,5,2,6,3,7 last_tile_dim_replicate}"}, %arg2: tensor<4x8x16xf32> {mhlo.sharding = "{devices=[2,1,1,4]0,1,2,3,4,5,6,7 last_tile_dim_replicate}"}, %arg3: tensor<f32> {mhlo.sharding = "{replicated}"}, %arg4: tensor<16x16xf32> {mhlo.sharding = "{devices=[4,1,2]0,4,1,5,2,6,3,7 last_tile_dim_replicate}"}, %arg5: tensor<16x16xf32> {mhlo.sharding = "{devices=[4,1,2]0,4,1,5,2,6,3,7 last_tile_dim_replicate}"}) -> tensor<4x8x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reshape %arg2 : (tensor<4x8x16xf32>) -> tensor<32x16xf32>
    %1 = stablehlo.transpose %arg5, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[16,16]{0,1}"} : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %3 = stablehlo.reshape %2 : (tensor<32x16xf32>) -> tensor<4x8x4x4xf32>
    %4 = stablehlo.transpose %3, dims = [0, 2, 1, 3] {result_layout = dense<[3, 1, 2, 0]> : tensor<4xindex>, xla_shape = "f32[4,4,8,4]{3,1,2,0}"} : (tensor<4x8x4x4xf32>) -> tensor<4x4x8x4xf32>
    %5 = stablehlo.reshape %4 : (tensor<4x4x8x4xf32>) -> tensor<16x8x4xf32>
    %6 = stablehlo.transpose %arg4, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[16,16]{0,1}"} : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %7 = stablehlo.dot_general %0, %6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %8 = stablehlo.reshape %7 : (tensor<32x16xf32>) -> tensor<4x8x4x4xf32>
    %9 = stablehlo.transpose %8, dims = [0, 2, 3, 1] : (tensor<4x8x4x4xf32>) -> tensor<4x4x4x8xf32>
    %10 = stablehlo.reshape %9 : (tensor<4x4x4x8xf32>) -> tensor<16x4x8xf32>
    %11 = stablehlo.dot_general %5, %10, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x8x4xf32>, tensor<16x4x8xf32>) -> tensor<16x8x8xf32>
    %12 = stablehlo.reshape %11 : (tensor<16x8x8xf32>) -> tensor<4x4x8x8xf32>
    %13 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<f32>) -> tensor<4x4x8x8xf32>
    %14 = stablehlo.divide %12, %13 : tensor<4x4x8x8xf32>
    %15 = stablehlo.reduce(%14 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<4x4x8x8xf32>, tensor<f32>) -> tensor<4x4x8xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<4x4x8xf32>) -> tensor<4x4x8x8xf32>
    %17 = stablehlo.subtract %14, %16 : tensor<4x4x8x8xf32>
    %18 = stablehlo.exponential %17 : tensor<4x4x8x8xf32>
    %19 = stablehlo.reduce(%18 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<4x4x8x8xf32>, tensor<f32>) -> tensor<4x4x8xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<4x4x8xf32>) -> tensor<4x4x8x8xf32>
    %21 = stablehlo.divide %18, %20 : tensor<4x4x8x8xf32>
    %22 = stablehlo.reshape %21 : (tensor<4x4x8x8xf32>) -> tensor<16x8x8xf32>
    %23 = stablehlo.transpose %arg1, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[16,16]{0,1}"} : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %24 = stablehlo.dot_general %0, %23, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %25 = stablehlo.reshape %24 : (tensor<32x16xf32>) -> tensor<4x8x4x4xf32>
    %26 = stablehlo.transpose %25, dims = [0, 2, 1, 3] {result_layout = dense<[3, 1, 2, 0]> : tensor<4xindex>, xla_shape = "f32[4,4,8,4]{3,1,2,0}"} : (tensor<4x8x4x4xf32>) -> tensor<4x4x8x4xf32>
    %27 = stablehlo.reshape %26 : (tensor<4x4x8x4xf32>) -> tensor<16x8x4xf32>
    %28 = stablehlo.dot_general %22, %27, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x8x8xf32>, tensor<16x8x4xf32>) -> tensor<16x8x4xf32>
    %29 = stablehlo.reshape %28 : (tensor<16x8x4xf32>) -> tensor<4x4x8x4xf32>
    %30 = stablehlo.transpose %29, dims = [0, 2, 1, 3] {result_layout = dense<[3, 1, 2, 0]> : tensor<4xindex>, xla_shape = "f32[4,8,4,4]{3,1,2,0}"} : (tensor<4x4x8x4xf32>) -> tensor<4x8x4x4xf32>
    %31 = stablehlo.reshape %30 : (tensor<4x8x4x4xf32>) -> tensor<32x16xf32>
    %32 = stablehlo.transpose %arg0, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[16,16]{0,1}"} : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %33 = stablehlo.dot_general %31, %32, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %34 = stablehlo.reshape %33 : (tensor<32x16xf32>) -> tensor<4x8x16xf32>
    return %34 : tensor<4x8x16xf32>
  }
}
