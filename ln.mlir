module @jit_ln attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x64xf16>, %arg1: tensor<64xf16>) -> (tensor<2x64xf16> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<64xf16>) -> tensor<1x64xf16>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x64xf16>) -> tensor<2x64xf16>
    %2 = stablehlo.multiply %arg0, %1 : tensor<2x64xf16>
    %3 = stablehlo.convert %2 : (tensor<2x64xf16>) -> tensor<2x64xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<2x64xf32>, tensor<f32>) -> tensor<2xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x1xf32>
    %7 = stablehlo.divide %5, %6 : tensor<2x1xf32>
    %8 = stablehlo.convert %7 : (tensor<2x1xf32>) -> tensor<2x1xf16>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<2x1xf16>) -> tensor<2x64xf16>
    %10 = stablehlo.subtract %2, %9 : tensor<2x64xf16>
    %11 = stablehlo.multiply %10, %10 : tensor<2x64xf16>
    %12 = stablehlo.convert %11 : (tensor<2x64xf16>) -> tensor<2x64xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<2x64xf32>, tensor<f32>) -> tensor<2xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %cst_2 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x1xf32>
    %16 = stablehlo.divide %14, %15 : tensor<2x1xf32>
    %17 = stablehlo.convert %16 : (tensor<2x1xf32>) -> tensor<2x1xf16>
    %cst_3 = stablehlo.constant dense<1.013280e-06> : tensor<f16>
    %18 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f16>) -> tensor<2x1xf16>
    %19 = stablehlo.add %17, %18 : tensor<2x1xf16>
    %20 = stablehlo.rsqrt %19 : tensor<2x1xf16>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<2x1xf16>) -> tensor<2x64xf16>
    %22 = stablehlo.multiply %10, %21 : tensor<2x64xf16>
    return %22 : tensor<2x64xf16>
  }
}
