module @jit_f attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x8x8xf32> {mhlo.sharding = "{devices=[4,1,1,2]<=[8] last_tile_dim_replicate}"}, %arg1: tensor<3x4x8xf32> {mhlo.sharding = "{devices=[1,2,1,4]<=[4,2]T(1,0) last_tile_dim_replicate}"}) -> (tensor<3x4x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "", mhlo.sharding = "{devices=[4,1,1,2]<=[8] last_tile_dim_replicate}"} : (tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<4x8x8xf32>) -> tensor<1x8x8xf32>
    %2 = stablehlo.custom_call @Sharding(%arg1) {backend_config = "", mhlo.sharding = "{devices=[1,2,1,4]<=[4,2]T(1,0) last_tile_dim_replicate}"} : (tensor<3x4x8xf32>) -> tensor<3x4x8xf32>
    %3 = stablehlo.custom_call @SPMDFullToShardShape(%2) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<3x4x8xf32>) -> tensor<3x2x8xf32>
    %4 = call @shmap_body(%1, %3) : (tensor<1x8x8xf32>, tensor<3x2x8xf32>) -> tensor<3x2x8xf32>
    %5 = stablehlo.custom_call @Sharding(%4) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<3x2x8xf32>) -> tensor<3x2x8xf32>
    %6 = stablehlo.custom_call @SPMDShardToFullShape(%5) {backend_config = "", mhlo.sharding = "{devices=[1,2,1,4]<=[4,2]T(1,0) last_tile_dim_replicate}"} : (tensor<3x2x8xf32>) -> tensor<3x4x8xf32>
    return %6 : tensor<3x4x8xf32>
  }
  func.func private @shmap_body(%arg0: tensor<1x8x8xf32>, %arg1: tensor<3x2x8xf32>) -> (tensor<3x2x8xf32> {jax.result_info = "[None, ('data',), None]"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    %c = stablehlo.constant dense<2> : tensor<ui32>
    %c_0 = stablehlo.constant dense<4> : tensor<ui32>
    %1 = stablehlo.partition_id : tensor<ui32>
    %2 = stablehlo.divide %1, %c : tensor<ui32>
    %3 = stablehlo.remainder %2, %c_0 : tensor<ui32>
    %4 = stablehlo.convert %3 : (tensor<ui32>) -> tensor<i32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x2x8xf32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %7:7 = stablehlo.while(%iterArg = %4, %iterArg_6 = %arg1, %iterArg_7 = %0, %iterArg_8 = %c_3, %iterArg_9 = %c_2, %iterArg_10 = %5, %iterArg_11 = %6) : tensor<i32>, tensor<3x2x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<i32>, tensor<2x8xf32>, tensor<3x2x8xf32>
    cond {
      %c_12 = stablehlo.constant dense<6> : tensor<i32>
      %11 = stablehlo.compare LT, %iterArg_8, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    } do {
      %11:3 = func.call @closed_call(%iterArg, %iterArg_6, %iterArg_7, %iterArg_9, %iterArg_10, %iterArg_11) : (tensor<i32>, tensor<3x2x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<2x8xf32>, tensor<3x2x8xf32>) -> (tensor<i32>, tensor<2x8xf32>, tensor<3x2x8xf32>)
      %c_12 = stablehlo.constant dense<1> : tensor<i32>
      %12 = stablehlo.add %iterArg_8, %c_12 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_6, %iterArg_7, %12, %11#0, %11#1, %11#2 : tensor<i32>, tensor<3x2x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<i32>, tensor<2x8xf32>, tensor<3x2x8xf32>
    }
    %c_4 = stablehlo.constant dense<3> : tensor<i32>
    %8 = stablehlo.compare EQ, %4, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %9 = call @_where_1(%8, %7#6, %c_5) : (tensor<i1>, tensor<3x2x8xf32>, tensor<i32>) -> tensor<3x2x8xf32>
    %10 = "stablehlo.all_reduce"(%9) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %11 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %11 : tensor<f32>
    }) : (tensor<3x2x8xf32>) -> tensor<3x2x8xf32>
    return %10 : tensor<3x2x8xf32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<3x2x8xf32>, %arg2: tensor<8x8xf32>, %arg3: tensor<i32>, %arg4: tensor<2x8xf32>, %arg5: tensor<3x2x8xf32>) -> (tensor<i32>, tensor<2x8xf32>, tensor<3x2x8xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg3, %c : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %arg0, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_1 = stablehlo.constant dense<2> : tensor<i32>
    %2 = stablehlo.minimum %arg3, %c_1 : tensor<i32>
    %3 = stablehlo.convert %2 : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.compare LT, %3, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_3 = stablehlo.constant dense<3> : tensor<i32>
    %5 = stablehlo.add %3, %c_3 : tensor<i32>
    %6 = stablehlo.select %4, %5, %3 : tensor<i1>, tensor<i32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.compare LT, %c_4, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %c_7 = stablehlo.constant dense<2> : tensor<i32>
    %8 = stablehlo.add %c_6, %c_7 : tensor<i32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.select %7, %8, %c_8 : tensor<i1>, tensor<i32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %10 = stablehlo.compare LT, %c_9, %c_10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %c_12 = stablehlo.constant dense<8> : tensor<i32>
    %11 = stablehlo.add %c_11, %c_12 : tensor<i32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %12 = stablehlo.select %10, %11, %c_13 : tensor<i1>, tensor<i32>
    %13 = stablehlo.dynamic_slice %arg1, %6, %9, %12, sizes = [1, 2, 8] : (tensor<3x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x8xf32>
    %14 = stablehlo.reshape %13 : (tensor<1x2x8xf32>) -> tensor<2x8xf32>
    %15 = call @_where(%1, %14, %arg4) : (tensor<i1>, tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %16 = stablehlo.dot_general %15, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
    %17 = stablehlo.tanh %16 : tensor<2x8xf32>
    %c_14 = stablehlo.constant dense<3> : tensor<i32>
    %18 = stablehlo.subtract %arg3, %c_14 : tensor<i32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %19 = stablehlo.maximum %18, %c_15 : tensor<i32>
    %c_16 = stablehlo.constant dense<3> : tensor<i32>
    %20 = stablehlo.compare EQ, %arg0, %c_16, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_17 = stablehlo.constant dense<3> : tensor<i32>
    %21 = stablehlo.compare GE, %arg3, %c_17, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_18 = stablehlo.constant dense<false> : tensor<i1>
    %22 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i1>) -> tensor<i1>
    %23 = stablehlo.compare NE, %21, %22, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %24 = stablehlo.convert %23 : tensor<i1>
    %25 = stablehlo.and %20, %24 : tensor<i1>
    %c_19 = stablehlo.constant dense<0> : tensor<i32>
    %26 = stablehlo.compare LT, %19, %c_19, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_20 = stablehlo.constant dense<3> : tensor<i32>
    %27 = stablehlo.add %19, %c_20 : tensor<i32>
    %28 = stablehlo.select %26, %27, %19 : tensor<i1>, tensor<i32>
    %29 = stablehlo.convert %28 : tensor<i32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %31 = "stablehlo.scatter"(%arg5, %30, %17) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      stablehlo.return %arg7 : tensor<f32>
    }) : (tensor<3x2x8xf32>, tensor<1xi32>, tensor<2x8xf32>) -> tensor<3x2x8xf32>
    %32 = call @_where_0(%25, %31, %arg5) : (tensor<i1>, tensor<3x2x8xf32>, tensor<3x2x8xf32>) -> tensor<3x2x8xf32>
    %33 = "stablehlo.collective_permute"(%17) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 2], [2, 4], [4, 6], [6, 0], [1, 3], [3, 5], [5, 7], [7, 1]]> : tensor<8x2xi64>}> : (tensor<2x8xf32>) -> tensor<2x8xf32>
    return %0, %33, %32 : tensor<i32>, tensor<2x8xf32>, tensor<3x2x8xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<2x8xf32>, %arg2: tensor<2x8xf32>) -> tensor<2x8xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<2x8xf32>
    return %0 : tensor<2x8xf32>
  }
  func.func private @_where_0(%arg0: tensor<i1>, %arg1: tensor<3x2x8xf32>, %arg2: tensor<3x2x8xf32>) -> tensor<3x2x8xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<3x2x8xf32>
    return %0 : tensor<3x2x8xf32>
  }
  func.func private @_where_1(%arg0: tensor<i1>, %arg1: tensor<3x2x8xf32>, %arg2: tensor<i32>) -> tensor<3x2x8xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<3x2x8xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<3x2x8xf32>
    return %2 : tensor<3x2x8xf32>
  }
}
