module @jit_f attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x16xf32> {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"}, %arg1: tensor<4x8x4x4xf32> {mhlo.sharding = "{devices=[2,1,4,1]<=[8]}"}, %arg2: tensor<4x8x4x4xf32> {mhlo.sharding = "{devices=[2,1,4,1]<=[8]}"}, %arg3: tensor<16x4x4xf32> {mhlo.sharding = "{devices=[1,4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}"}, %arg4: tensor<16x4x4xf32> {mhlo.sharding = "{devices=[1,4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}"}, %arg5: tensor<16x4x4xf32> {mhlo.sharding = "{devices=[1,4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}"}, %arg6: tensor<4x4x16xf32> {mhlo.sharding = "{devices=[4,1,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}"}, %arg7: tensor<i32> {mhlo.sharding = "{replicated}"}) -> (tensor<4x16xf32> {jax.result_info = "result[0]", mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"}, tensor<4x8x4x4xf32> {jax.result_info = "result[1]", mhlo.sharding = "{devices=[2,1,4,1]<=[8]}"}, tensor<4x8x4x4xf32> {jax.result_info = "result[2]", mhlo.sharding = "{devices=[2,1,4,1]<=[8]}"}) {
    %0 = stablehlo.dot_general %arg0, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<16x4x4xf32>) -> tensor<4x4x4xf32>
    %1 = stablehlo.dot_general %arg0, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<16x4x4xf32>) -> tensor<4x4x4xf32>
    %2 = stablehlo.dot_general %arg0, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<16x4x4xf32>) -> tensor<4x4x4xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 2, 3] : (tensor<4x4x4xf32>) -> tensor<4x1x4x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.compare LT, %arg7, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<8> : tensor<i32>
    %5 = stablehlo.add %arg7, %c_0 : tensor<i32>
    %6 = stablehlo.select %4, %5, %arg7 : tensor<i1>, tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.dynamic_update_slice %arg1, %3, %c_1, %6, %c_2, %c_3 : (tensor<4x8x4x4xf32>, tensor<4x1x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x4x4xf32>
    %8 = stablehlo.broadcast_in_dim %2, dims = [0, 2, 3] : (tensor<4x4x4xf32>) -> tensor<4x1x4x4xf32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %arg7, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_5 = stablehlo.constant dense<8> : tensor<i32>
    %10 = stablehlo.add %arg7, %c_5 : tensor<i32>
    %11 = stablehlo.select %9, %10, %arg7 : tensor<i1>, tensor<i32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %12 = stablehlo.dynamic_update_slice %arg2, %8, %c_6, %11, %c_7, %c_8 : (tensor<4x8x4x4xf32>, tensor<4x1x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x4x4xf32>
    %13 = stablehlo.dot_general %0, %7, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x4x4xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x8xf32>
    %14 = stablehlo.iota dim = 0 : tensor<8xi32>
    %15 = stablehlo.broadcast_in_dim %arg7, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %16 = stablehlo.compare LE, %14, %15, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %cst = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %17 = call @_where(%16, %13, %cst) : (tensor<8xi1>, tensor<4x4x8xf32>, tensor<f32>) -> tensor<4x4x8xf32>
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_9) applies stablehlo.maximum across dimensions = [2] : (tensor<4x4x8xf32>, tensor<f32>) -> tensor<4x4xf32>
    %cst_10 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %20 = stablehlo.maximum %19, %18 : tensor<4x4xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<4x4xf32>) -> tensor<4x4x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<4x4x1xf32>) -> tensor<4x4x8xf32>
    %23 = stablehlo.subtract %17, %22 : tensor<4x4x8xf32>
    %24 = stablehlo.exponential %23 : tensor<4x4x8xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_11) applies stablehlo.add across dimensions = [2] : (tensor<4x4x8xf32>, tensor<f32>) -> tensor<4x4xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1] : (tensor<4x4xf32>) -> tensor<4x4x1xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2] : (tensor<4x4x1xf32>) -> tensor<4x4x8xf32>
    %28 = stablehlo.divide %24, %27 : tensor<4x4x8xf32>
    %29 = stablehlo.dot_general %28, %12, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4x8xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x4xf32>
    %30 = stablehlo.dot_general %29, %arg6, contracting_dims = [1, 2] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x4x4xf32>, tensor<4x4x16xf32>) -> tensor<4x16xf32>
    return %30, %7, %12 : tensor<4x16xf32>, tensor<4x8x4x4xf32>, tensor<4x8x4x4xf32>
  }
  func.func private @_where(%arg0: tensor<8xi1>, %arg1: tensor<4x4x8xf32>, %arg2: tensor<f32>) -> tensor<4x4x8xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<8xi1>) -> tensor<4x4x8xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x4x8xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<4x4x8xi1>, tensor<4x4x8xf32>
    return %3 : tensor<4x4x8xf32>
  }
}
