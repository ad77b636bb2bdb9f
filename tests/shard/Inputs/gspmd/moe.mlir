module @jit_f attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x8xf32> {mhlo.sharding = "{devices=[8,1]<=[8]}"}, %arg1: tensor<8x8xf32> {mhlo.sharding = "{replicated}"}, %arg2: tensor<8x8x16xf32> {mhlo.sharding = "{devices=[8,1,1]<=[8]}"}, %arg3: tensor<8x16x8xf32> {mhlo.sharding = "{devices=[8,1,1]<=[8]}"}) -> (tensor<16x8xf32> {jax.result_info = "result", mhlo.sharding = "{devices=[8,1]<=[8]}"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %3 = stablehlo.maximum %2, %1 : tensor<16xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x8xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<16x8xf32>
    %7 = stablehlo.exponential %6 : tensor<16x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x8xf32>
    %11 = stablehlo.divide %7, %10 : tensor<16x8xf32>
    %values, %indices = chlo.top_k(%11, k = 2) : tensor<16x8xf32> -> (tensor<16x2xf32>, tensor<16x2xi32>)
    %12 = call @_one_hot(%indices) : (tensor<16x2xi32>) -> tensor<16x2x8xf32>
    %13 = stablehlo.broadcast_in_dim %values, dims = [0, 1] : (tensor<16x2xf32>) -> tensor<16x2x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<16x2x1xf32>) -> tensor<16x2x8xf32>
    %15 = stablehlo.multiply %12, %14 : tensor<16x2x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<16x2x8xf32>, tensor<f32>) -> tensor<16x8xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %18 = stablehlo.compare GT, %16, %17, FLOAT : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xi1>
    %19 = stablehlo.convert %18 : (tensor<16x8xi1>) -> tensor<16x8xf32>
    %20 = stablehlo.dot_general %arg0, %19, batching_dims = [0] x [0], contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8x8xf32>
    %21 = stablehlo.transpose %20, dims = [2, 0, 1] : (tensor<16x8x8xf32>) -> tensor<8x16x8xf32>
    %22 = stablehlo.custom_call @Sharding(%21) {backend_config = "", mhlo.sharding = "{devices=[8,1,1]<=[8]}"} : (tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %23 = stablehlo.dot_general %22, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x8xf32>, tensor<8x8x16xf32>) -> tensor<8x16x16xf32>
    %24 = call @relu(%23) : (tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
    %25 = stablehlo.dot_general %24, %arg3, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x16xf32>, tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %26 = stablehlo.dot_general %25, %16, batching_dims = [1] x [0], contracting_dims = [0] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    return %26 : tensor<16x8xf32>
  }
  func.func private @_one_hot(%arg0: tensor<16x2xi32>) -> tensor<16x2x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<16x2xi32>) -> tensor<16x2x1xi32>
    %1 = stablehlo.iota dim = 2 : tensor<1x1x8xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<16x2x1xi32>) -> tensor<16x2x8xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x1x8xi32>) -> tensor<16x2x8xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<16x2x8xi32>, tensor<16x2x8xi32>) -> tensor<16x2x8xi1>
    %5 = stablehlo.convert %4 : (tensor<16x2x8xi1>) -> tensor<16x2x8xf32>
    return %5 : tensor<16x2x8xf32>
  }
  func.func private @relu(%arg0: tensor<8x16x16xf32>) -> tensor<8x16x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16x16xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<8x16x16xf32>
    return %1 : tensor<8x16x16xf32>
  }
}
