module @jit_pipe attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["stage"=2]> {stablehlo.mesh = {axes = [{name = "stage", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<2x2x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"stage"}, {}, {}]>}, %arg1: tensor<2x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"stage"}, {}]>}, %arg2: tensor<2x2x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}) -> (tensor<2x2x2xf32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1, %arg2) in_shardings=[<@mesh, [{"stage"}, {}, {}]>, <@mesh, [{"stage"}, {}]>, <@mesh, [{}, {}, {}]>] out_shardings=[<@mesh, [{}, {}, {}]>] manual_axes={"stage"} (%arg3: tensor<1x2x2xf32>, %arg4: tensor<1x2xf32>, %arg5: tensor<2x2x2xf32>) {
      %1 = stablehlo.reshape %arg3 : (tensor<1x2x2xf32>) -> tensor<2x2xf32>
      %2 = stablehlo.reshape %arg4 : (tensor<1x2xf32>) -> tensor<2xf32>
      %c = stablehlo.constant dense<1> : tensor<ui32>
      %c_0 = stablehlo.constant dense<2> : tensor<ui32>
      %3 = stablehlo.partition_id : tensor<ui32>
      %4 = stablehlo.divide %3, %c : tensor<ui32>
      %5 = stablehlo.remainder %4, %c_0 : tensor<ui32>
      %6 = stablehlo.convert %5 : (tensor<ui32>) -> tensor<i32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
      %8 = stablehlo.slice %1 [0:1, 0:1] : (tensor<2x2xf32>) -> tensor<1x1xf32>
      %9 = stablehlo.reshape %8 : (tensor<1x1xf32>) -> tensor<f32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %10 = stablehlo.multiply %cst_1, %9 : tensor<f32>
      %11 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
      %12 = stablehlo.add %7, %11 : tensor<2x2xf32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x2x2xf32>
      %14 = stablehlo.slice %1 [0:1, 0:1] : (tensor<2x2xf32>) -> tensor<1x1xf32>
      %15 = stablehlo.reshape %14 : (tensor<1x1xf32>) -> tensor<f32>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %16 = stablehlo.multiply %cst_3, %15 : tensor<f32>
      %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<f32>) -> tensor<2x2x2xf32>
      %18 = stablehlo.add %13, %17 : tensor<2x2x2xf32>
      %19 = stablehlo.iota dim = 0 : tensor<3xi32>
      %c_4 = stablehlo.constant dense<0> : tensor<i32>
      %20:8 = stablehlo.while(%iterArg = %19, %iterArg_7 = %6, %iterArg_8 = %arg5, %iterArg_9 = %1, %iterArg_10 = %2, %iterArg_11 = %c_4, %iterArg_12 = %12, %iterArg_13 = %18) : tensor<3xi32>, tensor<i32>, tensor<2x2x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<i32>, tensor<2x2xf32>, tensor<2x2x2xf32>
      cond {
        %c_14 = stablehlo.constant dense<3> : tensor<i32>
        %24 = stablehlo.compare LT, %iterArg_11, %c_14, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %24 : tensor<i1>
      } do {
        %24 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_11) : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
        %25:2 = func.call @closed_call(%iterArg_7, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_12, %iterArg_13, %24) : (tensor<i32>, tensor<2x2x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2x2x2xf32>, tensor<i32>) -> (tensor<2x2xf32>, tensor<2x2x2xf32>)
        %c_14 = stablehlo.constant dense<1> : tensor<i32>
        %26 = stablehlo.add %iterArg_11, %c_14 : tensor<i32>
        stablehlo.return %iterArg, %iterArg_7, %iterArg_8, %iterArg_9, %iterArg_10, %26, %25#0, %25#1 : tensor<3xi32>, tensor<i32>, tensor<2x2x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<i32>, tensor<2x2xf32>, tensor<2x2x2xf32>
      }
      %c_5 = stablehlo.constant dense<1> : tensor<i32>
      %21 = stablehlo.compare EQ, %6, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_6 = stablehlo.constant dense<0> : tensor<i32>
      %22 = func.call @_where_1(%21, %20#7, %c_6) : (tensor<i1>, tensor<2x2x2xf32>, tensor<i32>) -> tensor<2x2x2xf32>
      %23 = "stablehlo.all_reduce"(%22) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
        %24 = stablehlo.add %arg6, %arg7 : tensor<f32>
        stablehlo.return %24 : tensor<f32>
      }) : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
      sdy.return %23 : tensor<2x2x2xf32>
    } : (tensor<2x2x2xf32>, tensor<2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
    return %0 : tensor<2x2x2xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<3xi32>, %arg1: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<3xi32>, tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.reshape %0 : (tensor<1xi32>) -> tensor<i32>
    return %1 : tensor<i32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<2x2x2xf32>, %arg2: tensor<2x2xf32>, %arg3: tensor<2xf32>, %arg4: tensor<2x2xf32>, %arg5: tensor<2x2x2xf32>, %arg6: tensor<i32>) -> (tensor<2x2xf32>, tensor<2x2x2xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare EQ, %arg0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.minimum %arg6, %c_0 : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.compare LT, %1, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_2 = stablehlo.constant dense<2> : tensor<i32>
    %3 = stablehlo.add %1, %c_2 : tensor<i32>
    %4 = stablehlo.select %2, %3, %1 : tensor<i1>, tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.compare LT, %c_3, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %c_6 = stablehlo.constant dense<2> : tensor<i32>
    %6 = stablehlo.add %c_5, %c_6 : tensor<i32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.select %5, %6, %c_7 : tensor<i1>, tensor<i32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.compare LT, %c_8, %c_9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %c_11 = stablehlo.constant dense<2> : tensor<i32>
    %9 = stablehlo.add %c_10, %c_11 : tensor<i32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %10 = stablehlo.select %8, %9, %c_12 : tensor<i1>, tensor<i32>
    %11 = stablehlo.dynamic_slice %arg1, %4, %7, %10, sizes = [1, 2, 2] : (tensor<2x2x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x2xf32>
    %12 = stablehlo.reshape %11 : (tensor<1x2x2xf32>) -> tensor<2x2xf32>
    %13 = call @_where(%0, %12, %arg4) : (tensor<i1>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %14 = stablehlo.dot_general %13, %arg2, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %15 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<2x2xf32>
    %17 = stablehlo.add %14, %16 : tensor<2x2xf32>
    %18 = stablehlo.tanh %17 : tensor<2x2xf32>
    %c_13 = stablehlo.constant dense<1> : tensor<i32>
    %19 = stablehlo.subtract %arg6, %c_13 : tensor<i32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %20 = stablehlo.maximum %19, %c_14 : tensor<i32>
    %c_15 = stablehlo.constant dense<1> : tensor<i32>
    %21 = stablehlo.compare EQ, %arg0, %c_15, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_16 = stablehlo.constant dense<1> : tensor<i32>
    %22 = stablehlo.compare GE, %arg6, %c_16, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %23 = stablehlo.and %21, %22 : tensor<i1>
    %24 = call @dynamic_update_index_in_dim(%arg5, %18, %20) : (tensor<2x2x2xf32>, tensor<2x2xf32>, tensor<i32>) -> tensor<2x2x2xf32>
    %25 = call @_where_0(%23, %24, %arg5) : (tensor<i1>, tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
    %26 = "stablehlo.collective_permute"(%18) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
    return %26, %25 : tensor<2x2xf32>, tensor<2x2x2xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<2x2xf32>, %arg2: tensor<2x2xf32>) -> tensor<2x2xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<2x2xf32>
    return %0 : tensor<2x2xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<2x2x2xf32>, %arg1: tensor<2x2xf32>, %arg2: tensor<i32>) -> tensor<2x2x2xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<2x2xf32>) -> tensor<1x2x2xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare LT, %arg2, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %2 = stablehlo.add %arg2, %c_0 : tensor<i32>
    %3 = stablehlo.select %1, %2, %arg2 : tensor<i1>, tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.dynamic_update_slice %arg0, %0, %3, %c_1, %c_2 : (tensor<2x2x2xf32>, tensor<1x2x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x2xf32>
    return %4 : tensor<2x2x2xf32>
  }
  func.func private @_where_0(%arg0: tensor<i1>, %arg1: tensor<2x2x2xf32>, %arg2: tensor<2x2x2xf32>) -> tensor<2x2x2xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<2x2x2xf32>
    return %0 : tensor<2x2x2xf32>
  }
  func.func private @_where_1(%arg0: tensor<i1>, %arg1: tensor<2x2x2xf32>, %arg2: tensor<i32>) -> tensor<2x2x2xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x2x2xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<2x2x2xf32>
    return %2 : tensor<2x2x2xf32>
  }
}
