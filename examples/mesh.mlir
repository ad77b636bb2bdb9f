// Four devices, two rows of the argument on each: the sum over all devices, and the rows handed on in a ring.
module @mesh {
  sdy.mesh @devices = <["x"=4]>
  func.func public @main(%arg0: tensor<8x2xi32>) -> (tensor<2x2xi32>, tensor<8x2xi32>) {
    %0:2 = sdy.manual_computation(%arg0) in_shardings=[<@devices, [{"x"}, {}]>] out_shardings=[<@devices, [{}, {}]>, <@devices, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<2x2xi32>) {
      %1 = "stablehlo.all_reduce"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
        %3 = stablehlo.add %arg2, %arg3 : tensor<i32>
        stablehlo.return %3 : tensor<i32>
      }) : (tensor<2x2xi32>) -> tensor<2x2xi32>
      %2 = "stablehlo.collective_permute"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<2x2xi32>) -> tensor<2x2xi32>
      sdy.return %1, %2 : tensor<2x2xi32>, tensor<2x2xi32>
    } : (tensor<8x2xi32>) -> (tensor<2x2xi32>, tensor<8x2xi32>)
    return %0#0, %0#1 : tensor<2x2xi32>, tensor<8x2xi32>
  }
}
