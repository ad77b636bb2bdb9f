module @jit_body attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["fsdp"=8]> {stablehlo.mesh = {axes = [{name = "fsdp", size = 8 : i64}]}}
  func.func public @main(%arg0: tensor<3x8x8xf32>, %arg1: tensor<16x8xf32>, %arg2: tensor<16x8xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<3x8x8xf32> {jax.result_info = "result[1]"}) {
    %0:2 = sdy.manual_computation(%arg0, %arg1, %arg2) in_shardings=[<@mesh, [{}, {"fsdp"}, {}]>, <@mesh, [{"fsdp"}, {}]>, <@mesh, [{"fsdp"}, {}]>] out_shardings=[<@mesh, []>, <@mesh, [{}, {"fsdp"}, {}]>] manual_axes={"fsdp"} (%arg3: tensor<3x1x8xf32>, %arg4: tensor<2x8xf32>, %arg5: tensor<2x8xf32>) {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x2x8xf32>
      %c = stablehlo.constant dense<0> : tensor<i32>
      %2:4 = stablehlo.while(%iterArg = %arg3, %iterArg_7 = %c, %iterArg_8 = %arg4, %iterArg_9 = %1) : tensor<3x1x8xf32>, tensor<i32>, tensor<2x8xf32>, tensor<3x2x8xf32>
      cond {
        %c_10 = stablehlo.constant dense<3> : tensor<i32>
        %17 = stablehlo.compare LT, %iterArg_7, %c_10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %17 : tensor<i1>
      } do {
        %17 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_7) : (tensor<3x1x8xf32>, tensor<i32>) -> tensor<1x8xf32>
        %18:2 = func.call @closed_call(%iterArg_8, %17) : (tensor<2x8xf32>, tensor<1x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>)
        %19 = func.call @dynamic_update_index_in_dim(%iterArg_9, %18#1, %iterArg_7) : (tensor<3x2x8xf32>, tensor<2x8xf32>, tensor<i32>) -> tensor<3x2x8xf32>
        %c_10 = stablehlo.constant dense<1> : tensor<i32>
        %20 = stablehlo.add %iterArg_7, %c_10 : tensor<i32>
        stablehlo.return %iterArg, %20, %18#0, %19 : tensor<3x1x8xf32>, tensor<i32>, tensor<2x8xf32>, tensor<3x2x8xf32>
      }
      %3 = stablehlo.subtract %2#2, %arg5 : tensor<2x8xf32>
      %4 = stablehlo.multiply %3, %3 : tensor<2x8xf32>
      %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
      %6 = stablehlo.multiply %5, %3 : tensor<2x8xf32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %7 = stablehlo.reduce(%4 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x8xf32>, tensor<f32>) -> tensor<f32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
      %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %9 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
      %10 = stablehlo.multiply %9, %6 : tensor<2x8xf32>
      %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %11 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<3x1x8xf32>
      %c_5 = stablehlo.constant dense<0> : tensor<i32>
      %12:5 = stablehlo.while(%iterArg = %2#3, %iterArg_7 = %arg3, %iterArg_8 = %c_5, %iterArg_9 = %10, %iterArg_10 = %11) : tensor<3x2x8xf32>, tensor<3x1x8xf32>, tensor<i32>, tensor<2x8xf32>, tensor<3x1x8xf32>
      cond {
        %c_11 = stablehlo.constant dense<3> : tensor<i32>
        %17 = stablehlo.compare LT, %iterArg_8, %c_11, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %17 : tensor<i1>
      } do {
        %c_11 = stablehlo.constant dense<3> : tensor<i32>
        %17 = stablehlo.subtract %c_11, %iterArg_8 : tensor<i32>
        %c_12 = stablehlo.constant dense<1> : tensor<i32>
        %18 = stablehlo.subtract %17, %c_12 : tensor<i32>
        %19 = func.call @dynamic_index_in_dim_0(%iterArg, %18) : (tensor<3x2x8xf32>, tensor<i32>) -> tensor<2x8xf32>
        %20 = func.call @dynamic_index_in_dim(%iterArg_7, %18) : (tensor<3x1x8xf32>, tensor<i32>) -> tensor<1x8xf32>
        %21:2 = func.call @closed_call_1(%iterArg_9, %19, %20) : (tensor<2x8xf32>, tensor<2x8xf32>, tensor<1x8xf32>) -> (tensor<2x8xf32>, tensor<1x8xf32>)
        %22 = func.call @dynamic_update_index_in_dim_2(%iterArg_10, %21#1, %18) : (tensor<3x1x8xf32>, tensor<1x8xf32>, tensor<i32>) -> tensor<3x1x8xf32>
        %c_13 = stablehlo.constant dense<1> : tensor<i32>
        %23 = stablehlo.add %iterArg_8, %c_13 : tensor<i32>
        stablehlo.return %iterArg, %iterArg_7, %23, %21#0, %22 : tensor<3x2x8xf32>, tensor<3x1x8xf32>, tensor<i32>, tensor<2x8xf32>, tensor<3x1x8xf32>
      }
      %13 = "stablehlo.all_reduce"(%7) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
        %17 = stablehlo.add %arg6, %arg7 : tensor<f32>
        stablehlo.return %17 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %cst_6 = stablehlo.constant dense<0.00999999977> : tensor<f32>
      %14 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<3x1x8xf32>
      %15 = stablehlo.multiply %14, %12#4 : tensor<3x1x8xf32>
      %16 = stablehlo.subtract %arg3, %15 : tensor<3x1x8xf32>
      sdy.return %13, %16 : tensor<f32>, tensor<3x1x8xf32>
    } : (tensor<3x8x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>) -> (tensor<f32>, tensor<3x8x8xf32>)
    return %0#0, %0#1 : tensor<f32>, tensor<3x8x8xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<3x1x8xf32>, %arg1: tensor<i32>) -> tensor<1x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 1, 8] : (tensor<3x1x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x1x8xf32>) -> tensor<1x8xf32>
    return %1 : tensor<1x8xf32>
  }
  func.func private @closed_call(%arg0: tensor<2x8xf32>, %arg1: tensor<1x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>) {
    %0 = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<1x8xf32>) -> tensor<8x8xf32>
    %1 = stablehlo.dot_general %arg0, %0, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
    %2 = stablehlo.tanh %1 : tensor<2x8xf32>
    return %2, %arg0 : tensor<2x8xf32>, tensor<2x8xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<3x2x8xf32>, %arg1: tensor<2x8xf32>, %arg2: tensor<i32>) -> tensor<3x2x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<2x8xf32>) -> tensor<1x2x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<3x2x8xf32>, tensor<1x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x8xf32>
    return %1 : tensor<3x2x8xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<3x2x8xf32>, %arg1: tensor<i32>) -> tensor<2x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 2, 8] : (tensor<3x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x8xf32>) -> tensor<2x8xf32>
    return %1 : tensor<2x8xf32>
  }
  func.func private @closed_call_1(%arg0: tensor<2x8xf32>, %arg1: tensor<2x8xf32>, %arg2: tensor<1x8xf32>) -> (tensor<2x8xf32>, tensor<1x8xf32>) {
    %0:3 = stablehlo.optimization_barrier %arg1, %arg2, %arg0 : tensor<2x8xf32>, tensor<1x8xf32>, tensor<2x8xf32>
    %1 = "stablehlo.all_gather"(%0#1) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<1x8xf32>) -> tensor<8x8xf32>
    %2 = stablehlo.dot_general %0#0, %1, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
    %3 = stablehlo.tanh %2 : tensor<2x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %5 = stablehlo.subtract %4, %3 : tensor<2x8xf32>
    %6 = stablehlo.multiply %0#2, %5 : tensor<2x8xf32>
    %7 = stablehlo.multiply %6, %3 : tensor<2x8xf32>
    %8 = stablehlo.add %6, %7 : tensor<2x8xf32>
    %9 = stablehlo.dot_general %8, %0#0, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<8x8xf32>
    %10 = stablehlo.transpose %9, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %11 = stablehlo.dot_general %8, %1, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
    %12 = "stablehlo.reduce_scatter"(%10) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %13 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %13 : tensor<f32>
    }) : (tensor<8x8xf32>) -> tensor<1x8xf32>
    return %11, %12 : tensor<2x8xf32>, tensor<1x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_2(%arg0: tensor<3x1x8xf32>, %arg1: tensor<1x8xf32>, %arg2: tensor<i32>) -> tensor<3x1x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<1x8xf32>) -> tensor<1x1x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<3x1x8xf32>, tensor<1x1x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x1x8xf32>
    return %1 : tensor<3x1x8xf32>
  }
}
