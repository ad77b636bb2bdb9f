module @jit_body attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<6x6xf32>) -> (tensor<6x6xf32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x", "y"} (%arg1: tensor<3x3xf32>) {
      %c = stablehlo.constant dense<0> : tensor<i32>
      %c_0 = stablehlo.constant dense<0> : tensor<i32>
      %1:3 = stablehlo.while(%iterArg = %c_0, %iterArg_1 = %c, %iterArg_2 = %arg1) : tensor<i32>, tensor<i32>, tensor<3x3xf32>
      cond {
        %c_3 = stablehlo.constant dense<3> : tensor<i32>
        %2 = stablehlo.compare LT, %iterArg, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %2 : tensor<i1>
      } do {
        %2:2 = func.call @closed_call(%iterArg_1, %iterArg_2) : (tensor<i32>, tensor<3x3xf32>) -> (tensor<i32>, tensor<3x3xf32>)
        %c_3 = stablehlo.constant dense<1> : tensor<i32>
        %3 = stablehlo.add %iterArg, %c_3 : tensor<i32>
        stablehlo.return %3, %2#0, %2#1 : tensor<i32>, tensor<i32>, tensor<3x3xf32>
      }
      sdy.return %1#2 : tensor<3x3xf32>
    } : (tensor<6x6xf32>) -> tensor<6x6xf32>
    return %0 : tensor<6x6xf32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<3x3xf32>) -> (tensor<i32>, tensor<3x3xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg0, %c : tensor<i32>
    %1 = stablehlo.slice %arg1 [0:1, 0:3] : (tensor<3x3xf32>) -> tensor<1x3xf32>
    %2 = stablehlo.slice %arg1 [2:3, 0:3] : (tensor<3x3xf32>) -> tensor<1x3xf32>
    %3 = "stablehlo.collective_permute"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<1x3xf32>) -> tensor<1x3xf32>
    %4 = "stablehlo.collective_permute"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[2, 0], [3, 1]]> : tensor<2x2xi64>}> : (tensor<1x3xf32>) -> tensor<1x3xf32>
    %5 = stablehlo.concatenate %3, %arg1, %4, dim = 0 : (tensor<1x3xf32>, tensor<3x3xf32>, tensor<1x3xf32>) -> tensor<5x3xf32>
    %6 = stablehlo.slice %5 [0:3, 0:3] : (tensor<5x3xf32>) -> tensor<3x3xf32>
    %7 = stablehlo.slice %5 [2:5, 0:3] : (tensor<5x3xf32>) -> tensor<3x3xf32>
    %8 = stablehlo.add %6, %7 : tensor<3x3xf32>
    %9 = stablehlo.slice %arg1 [0:3, 0:1] : (tensor<3x3xf32>) -> tensor<3x1xf32>
    %10 = stablehlo.slice %arg1 [0:3, 2:3] : (tensor<3x3xf32>) -> tensor<3x1xf32>
    %11 = "stablehlo.collective_permute"(%10) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<3x1xf32>) -> tensor<3x1xf32>
    %12 = "stablehlo.collective_permute"(%9) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[1, 0], [3, 2]]> : tensor<2x2xi64>}> : (tensor<3x1xf32>) -> tensor<3x1xf32>
    %13 = stablehlo.concatenate %11, %arg1, %12, dim = 1 : (tensor<3x1xf32>, tensor<3x3xf32>, tensor<3x1xf32>) -> tensor<3x5xf32>
    %14 = stablehlo.slice %13 [0:3, 0:3] : (tensor<3x5xf32>) -> tensor<3x3xf32>
    %15 = stablehlo.add %8, %14 : tensor<3x3xf32>
    %16 = stablehlo.slice %13 [0:3, 2:5] : (tensor<3x5xf32>) -> tensor<3x3xf32>
    %17 = stablehlo.add %15, %16 : tensor<3x3xf32>
    %cst = stablehlo.constant dense<2.000000e-01> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x3xf32>
    %19 = stablehlo.multiply %18, %17 : tensor<3x3xf32>
    %cst_0 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x3xf32>
    %21 = stablehlo.multiply %20, %arg1 : tensor<3x3xf32>
    %22 = stablehlo.add %19, %21 : tensor<3x3xf32>
    return %0, %22 : tensor<i32>, tensor<3x3xf32>
  }
}
