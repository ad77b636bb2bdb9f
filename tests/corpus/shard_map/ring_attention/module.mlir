module @jit_ring attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["sp"=4]> {stablehlo.mesh = {axes = [{name = "sp", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<2x8x2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"sp"}, {}, {}]>}, %arg1: tensor<2x8x2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"sp"}, {}, {}]>}, %arg2: tensor<2x8x2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"sp"}, {}, {}]>}) -> (tensor<2x8x2x4xf32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1, %arg2) in_shardings=[<@mesh, [{}, {"sp"}, {}, {}]>, <@mesh, [{}, {"sp"}, {}, {}]>, <@mesh, [{}, {"sp"}, {}, {}]>] out_shardings=[<@mesh, [{}, {"sp"}, {}, {}]>] manual_axes={"sp"} (%arg3: tensor<2x2x2x4xf32>, %arg4: tensor<2x2x2x4xf32>, %arg5: tensor<2x2x2x4xf32>) {
      %c = stablehlo.constant dense<1> : tensor<ui32>
      %c_0 = stablehlo.constant dense<4> : tensor<ui32>
      %1 = stablehlo.partition_id : tensor<ui32>
      %2 = stablehlo.divide %1, %c : tensor<ui32>
      %3 = stablehlo.remainder %2, %c_0 : tensor<ui32>
      %4 = stablehlo.convert %3 : (tensor<ui32>) -> tensor<i32>
      %cst = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
      %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x2xf32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x2x2x4xf32>
      %7 = stablehlo.multiply %arg3, %6 : tensor<2x2x2x4xf32>
      %8 = stablehlo.slice %arg3 [0:2, 0:2, 0:2, 0:1] : (tensor<2x2x2x4xf32>) -> tensor<2x2x2x1xf32>
      %9 = stablehlo.reshape %8 : (tensor<2x2x2x1xf32>) -> tensor<2x2x2xf32>
      %10 = stablehlo.transpose %9, dims = [0, 2, 1] : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x2x2xf32>
      %12 = stablehlo.multiply %11, %10 : tensor<2x2x2xf32>
      %13 = stablehlo.convert %5 : tensor<2x2x2xf32>
      %14 = stablehlo.add %13, %12 : tensor<2x2x2xf32>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x2x2xf32>
      %16 = stablehlo.multiply %15, %5 : tensor<2x2x2xf32>
      %17 = stablehlo.iota dim = 0 : tensor<4xi32>
      %c_4 = stablehlo.constant dense<0> : tensor<i32>
      %18:9 = stablehlo.while(%iterArg = %17, %iterArg_5 = %arg3, %iterArg_6 = %4, %iterArg_7 = %c_4, %iterArg_8 = %7, %iterArg_9 = %14, %iterArg_10 = %16, %iterArg_11 = %arg4, %iterArg_12 = %arg5) : tensor<4xi32>, tensor<2x2x2x4xf32>, tensor<i32>, tensor<i32>, tensor<2x2x2x4xf32>, tensor<2x2x2xf32>, tensor<2x2x2xf32>, tensor<2x2x2x4xf32>, tensor<2x2x2x4xf32>
      cond {
        %c_13 = stablehlo.constant dense<4> : tensor<i32>
        %23 = stablehlo.compare LT, %iterArg_7, %c_13, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %23 : tensor<i1>
      } do {
        %23 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_7) : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
        %24:5 = func.call @closed_call(%iterArg_5, %iterArg_6, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11, %iterArg_12, %23) : (tensor<2x2x2x4xf32>, tensor<i32>, tensor<2x2x2x4xf32>, tensor<2x2x2xf32>, tensor<2x2x2xf32>, tensor<2x2x2x4xf32>, tensor<2x2x2x4xf32>, tensor<i32>) -> (tensor<2x2x2x4xf32>, tensor<2x2x2xf32>, tensor<2x2x2xf32>, tensor<2x2x2x4xf32>, tensor<2x2x2x4xf32>)
        %c_13 = stablehlo.constant dense<1> : tensor<i32>
        %25 = stablehlo.add %iterArg_7, %c_13 : tensor<i32>
        stablehlo.return %iterArg, %iterArg_5, %iterArg_6, %25, %24#0, %24#1, %24#2, %24#3, %24#4 : tensor<4xi32>, tensor<2x2x2x4xf32>, tensor<i32>, tensor<i32>, tensor<2x2x2x4xf32>, tensor<2x2x2xf32>, tensor<2x2x2xf32>, tensor<2x2x2x4xf32>, tensor<2x2x2x4xf32>
      }
      %19 = stablehlo.transpose %18#6, dims = [0, 2, 1] : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
      %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<2x2x2xf32>) -> tensor<2x2x2x1xf32>
      %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3] : (tensor<2x2x2x1xf32>) -> tensor<2x2x2x4xf32>
      %22 = stablehlo.divide %18#4, %21 : tensor<2x2x2x4xf32>
      sdy.return %22 : tensor<2x2x2x4xf32>
    } : (tensor<2x8x2x4xf32>, tensor<2x8x2x4xf32>, tensor<2x8x2x4xf32>) -> tensor<2x8x2x4xf32>
    return %0 : tensor<2x8x2x4xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<4xi32>, %arg1: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<4xi32>, tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.reshape %0 : (tensor<1xi32>) -> tensor<i32>
    return %1 : tensor<i32>
  }
  func.func private @closed_call(%arg0: tensor<2x2x2x4xf32>, %arg1: tensor<i32>, %arg2: tensor<2x2x2x4xf32>, %arg3: tensor<2x2x2xf32>, %arg4: tensor<2x2x2xf32>, %arg5: tensor<2x2x2x4xf32>, %arg6: tensor<2x2x2x4xf32>, %arg7: tensor<i32>) -> (tensor<2x2x2x4xf32>, tensor<2x2x2xf32>, tensor<2x2x2xf32>, tensor<2x2x2x4xf32>, tensor<2x2x2x4xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg5, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [HIGHEST, HIGHEST] : (tensor<2x2x2x4xf32>, tensor<2x2x2x4xf32>) -> tensor<2x2x2x2xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x2x2xf32>
    %2 = stablehlo.divide %0, %1 : tensor<2x2x2x2xf32>
    %3 = stablehlo.subtract %arg1, %arg7 : tensor<i32>
    %c = stablehlo.constant dense<4> : tensor<i32>
    %4 = call @remainder(%3, %c) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %5 = stablehlo.multiply %arg1, %c_0 : tensor<i32>
    %6 = stablehlo.iota dim = 0 : tensor<2xi32>
    %7 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %8 = stablehlo.add %7, %6 : tensor<2xi32>
    %c_1 = stablehlo.constant dense<2> : tensor<i32>
    %9 = stablehlo.multiply %4, %c_1 : tensor<i32>
    %10 = stablehlo.iota dim = 0 : tensor<2xi32>
    %11 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %12 = stablehlo.add %11, %10 : tensor<2xi32>
    %13 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [1] : (tensor<2xi32>) -> tensor<1x2xi32>
    %15 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<2x1xi32>) -> tensor<2x2xi32>
    %16 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<1x2xi32>) -> tensor<2x2xi32>
    %17 = stablehlo.compare GE, %15, %16, SIGNED : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>
    %cst_2 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %18 = call @_where_0(%17, %2, %cst_2) : (tensor<2x2xi1>, tensor<2x2x2x2xf32>, tensor<f32>) -> tensor<2x2x2x2xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_3) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x2x2xf32>, tensor<f32>) -> tensor<2x2x2xf32>
    %20 = stablehlo.maximum %arg3, %19 : tensor<2x2x2xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<2x2x2xf32>) -> tensor<2x2x2x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<2x2x2x1xf32>) -> tensor<2x2x2x2xf32>
    %23 = stablehlo.subtract %18, %22 : tensor<2x2x2x2xf32>
    %24 = stablehlo.exponential %23 : tensor<2x2x2x2xf32>
    %25 = stablehlo.subtract %arg3, %20 : tensor<2x2x2xf32>
    %26 = stablehlo.exponential %25 : tensor<2x2x2xf32>
    %27 = stablehlo.convert %arg4 : tensor<2x2x2xf32>
    %28 = stablehlo.multiply %27, %26 : tensor<2x2x2xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%24 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x2x2x2xf32>, tensor<f32>) -> tensor<2x2x2xf32>
    %30 = stablehlo.add %28, %29 : tensor<2x2x2xf32>
    %31 = stablehlo.transpose %26, dims = [0, 2, 1] : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2] : (tensor<2x2x2xf32>) -> tensor<2x2x2x1xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2, 3] : (tensor<2x2x2x1xf32>) -> tensor<2x2x2x4xf32>
    %34 = stablehlo.multiply %arg2, %33 : tensor<2x2x2x4xf32>
    %35 = stablehlo.dot_general %arg6, %24, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [HIGHEST, HIGHEST] : (tensor<2x2x2x4xf32>, tensor<2x2x2x2xf32>) -> tensor<2x2x4x2xf32>
    %36 = stablehlo.transpose %35, dims = [0, 3, 1, 2] : (tensor<2x2x4x2xf32>) -> tensor<2x2x2x4xf32>
    %37 = stablehlo.add %34, %36 : tensor<2x2x2x4xf32>
    %38 = "stablehlo.collective_permute"(%arg5) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<2x2x2x4xf32>) -> tensor<2x2x2x4xf32>
    %39 = "stablehlo.collective_permute"(%arg6) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<2x2x2x4xf32>) -> tensor<2x2x2x4xf32>
    return %37, %20, %30, %38, %39 : tensor<2x2x2x4xf32>, tensor<2x2x2xf32>, tensor<2x2x2xf32>, tensor<2x2x2x4xf32>, tensor<2x2x2x4xf32>
  }
  func.func private @remainder(%arg0: tensor<i32>, %arg1: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.remainder %arg0, %2 : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.compare NE, %3, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.compare LT, %3, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.compare NE, %5, %6, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %8 = stablehlo.and %7, %4 : tensor<i1>
    %9 = stablehlo.add %3, %2 : tensor<i32>
    %10 = stablehlo.select %8, %9, %3 : tensor<i1>, tensor<i32>
    return %10 : tensor<i32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @_where_0(%arg0: tensor<2x2xi1>, %arg1: tensor<2x2x2x2xf32>, %arg2: tensor<f32>) -> tensor<2x2x2x2xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<2x2xi1>) -> tensor<2x2x2x2xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x2x2x2xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x2x2x2xi1>, tensor<2x2x2x2xf32>
    return %3 : tensor<2x2x2x2xf32>
  }
}
