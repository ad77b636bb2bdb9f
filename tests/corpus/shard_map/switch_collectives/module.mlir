module @jit_f attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @empty_mesh = <[]> {stablehlo.mesh = {axes = []}}
  sdy.mesh @mesh = <["d"=4]> {stablehlo.mesh = {axes = [{name = "d", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<4x4xf32>, %arg1: tensor<i32> {sdy.sharding = #sdy.sharding<@empty_mesh, []>}) -> (tensor<4x4xf32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"d"}, {}]>, <@mesh, []>] out_shardings=[<@mesh, [{"d"}, {}]>] manual_axes={"d"} (%arg2: tensor<1x4xf32>, %arg3: tensor<i32>) {
      %c = stablehlo.constant dense<0> : tensor<i32>
      %c_0 = stablehlo.constant dense<3> : tensor<i32>
      %1 = stablehlo.clamp %c, %arg3, %c_0 : tensor<i32>
      %2 = "stablehlo.case"(%1) ({
        %3 = "stablehlo.all_reduce"(%arg2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
        ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
          %7 = stablehlo.add %arg4, %arg5 : tensor<f32>
          stablehlo.return %7 : tensor<f32>
        }) : (tensor<1x4xf32>) -> tensor<1x4xf32>
        %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
        %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x4xf32>
        %5 = stablehlo.multiply %4, %arg2 : tensor<1x4xf32>
        %6 = stablehlo.add %3, %5 : tensor<1x4xf32>
        stablehlo.return %6 : tensor<1x4xf32>
      }, {
        %3 = "stablehlo.collective_permute"(%arg2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<1x4xf32>) -> tensor<1x4xf32>
        stablehlo.return %3 : tensor<1x4xf32>
      }, {
        %c_1 = stablehlo.constant dense<1> : tensor<ui32>
        %c_2 = stablehlo.constant dense<4> : tensor<ui32>
        %3 = stablehlo.partition_id : tensor<ui32>
        %4 = stablehlo.divide %3, %c_1 : tensor<ui32>
        %5 = stablehlo.remainder %4, %c_2 : tensor<ui32>
        %6 = stablehlo.convert %5 : (tensor<ui32>) -> tensor<i32>
        %7 = stablehlo.convert %6 : (tensor<i32>) -> tensor<f32>
        %8 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<f32>) -> tensor<1x4xf32>
        %9 = stablehlo.multiply %arg2, %8 : tensor<1x4xf32>
        stablehlo.return %9 : tensor<1x4xf32>
      }, {
        %3 = "stablehlo.all_reduce"(%arg2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
        ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
          %6 = stablehlo.minimum %arg4, %arg5 : tensor<f32>
          stablehlo.return %6 : tensor<f32>
        }) : (tensor<1x4xf32>) -> tensor<1x4xf32>
        %4 = stablehlo.negate %3 : tensor<1x4xf32>
        %5 = stablehlo.add %4, %arg2 : tensor<1x4xf32>
        stablehlo.return %5 : tensor<1x4xf32>
      }) : (tensor<i32>) -> tensor<1x4xf32>
      sdy.return %2 : tensor<1x4xf32>
    } : (tensor<4x4xf32>, tensor<i32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}
