module @jit_f attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["d"=2, "m"=2]> {stablehlo.mesh = {axes = [{name = "d", size = 2 : i64}, {name = "m", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {"m"}]>}) -> (tensor<4x2xf32> {jax.result_info = "result[0]"}, tensor<2xf32> {jax.result_info = "result[1]"}) {
    %0:2 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"d", ?}, {?}]>] out_shardings=[<@mesh, [{"d", ?}, {?}]>, <@mesh, [{?}]>] manual_axes={"d"} (%arg1: tensor<2x2xf32>) {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2xf32>
      %2 = sdy.sharding_constraint %1 <@mesh, [{?}]> : tensor<2xf32>
      %c = stablehlo.constant dense<0> : tensor<i32>
      %3:3 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg1, %iterArg_1 = %2) : tensor<i32>, tensor<2x2xf32>, tensor<2xf32>
      cond {
        %c_2 = stablehlo.constant dense<2> : tensor<i32>
        %7 = sdy.sharding_constraint %iterArg <@mesh, []> : tensor<i32>
        %8 = sdy.sharding_constraint %c_2 <@mesh, []> : tensor<i32>
        %9 = stablehlo.compare LT, %7, %8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %9 : tensor<i1>
      } do {
        %7:2 = func.call @closed_call(%iterArg_0) : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<f32>)
        %8 = func.call @dynamic_update_index_in_dim(%iterArg_1, %7#1, %iterArg) : (tensor<2xf32>, tensor<f32>, tensor<i32>) -> tensor<2xf32>
        %c_2 = stablehlo.constant dense<1> : tensor<i32>
        %9 = sdy.sharding_constraint %iterArg <@mesh, []> : tensor<i32>
        %10 = sdy.sharding_constraint %c_2 <@mesh, []> : tensor<i32>
        %11 = stablehlo.add %9, %10 : tensor<i32>
        %12 = sdy.sharding_constraint %11 <@mesh, []> : tensor<i32>
        stablehlo.return %12, %7#0, %8 : tensor<i32>, tensor<2x2xf32>, tensor<2xf32>
      }
      %4 = sdy.sharding_constraint %3#0 <@mesh, []> : tensor<i32>
      %5 = sdy.sharding_constraint %3#1 <@mesh, [{?}, {?}]> : tensor<2x2xf32>
      %6 = sdy.sharding_constraint %3#2 <@mesh, [{?}]> : tensor<2xf32>
      sdy.return %5, %6 : tensor<2x2xf32>, tensor<2xf32>
    } : (tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<2xf32>)
    return %0#0, %0#1 : tensor<4x2xf32>, tensor<2xf32>
  }
  func.func private @closed_call(%arg0: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<f32>) {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{?}, {"m", ?}]>] out_shardings=[<@mesh, [{?}, {"m", ?}]>] manual_axes={"m"} (%arg1: tensor<2x1xf32>) {
      %5 = func.call @inner(%arg1) : (tensor<2x1xf32>) -> tensor<2x1xf32>
      sdy.return %5 : tensor<2x1xf32>
    } : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %1 = "stablehlo.collective_permute"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 2], [2, 0], [1, 3], [3, 1]]> : tensor<4x2xi64>}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<f32>
    %3 = sdy.sharding_constraint %2 <@mesh, []> : tensor<f32>
    %4 = "stablehlo.all_reduce"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %5 = stablehlo.add %arg1, %arg2 : tensor<f32>
      %6 = sdy.sharding_constraint %5 <@mesh, []> : tensor<f32>
      stablehlo.return %6 : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    return %1, %4 : tensor<2x2xf32>, tensor<f32>
  }
  func.func private @inner(%arg0: tensor<2x1xf32>) -> tensor<2x1xf32> {
    %0 = stablehlo.sine %arg0 : tensor<2x1xf32>
    %1 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %3 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %2 = stablehlo.add %1, %arg0 : tensor<2x1xf32>
    return %2 : tensor<2x1xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<2xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>) -> tensor<2xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{?}]> : tensor<1xf32>
    %2 = stablehlo.dynamic_update_slice %arg0, %1, %arg2 : (tensor<2xf32>, tensor<1xf32>, tensor<i32>) -> tensor<2xf32>
    %3 = sdy.sharding_constraint %2 <@mesh, [{?}]> : tensor<2xf32>
    return %3 : tensor<2xf32>
  }
}
