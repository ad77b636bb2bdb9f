module @jit_body attributes {mhlo.num_partitions = 3 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["m"=3]> {stablehlo.mesh = {axes = [{name = "m", size = 3 : i64}]}}
  func.func public @main(%arg0: tensor<6x3xf32>, %arg1: tensor<3x3xf32>) -> (tensor<6x3xf32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"m"}, {}]>, <@mesh, [{}, {"m"}]>] out_shardings=[<@mesh, [{}, {"m"}]>] manual_axes={"m"} (%arg2: tensor<2x3xf32>, %arg3: tensor<3x1xf32>) {
      %c = stablehlo.constant dense<1> : tensor<ui32>
      %c_0 = stablehlo.constant dense<3> : tensor<ui32>
      %1 = stablehlo.partition_id : tensor<ui32>
      %2 = stablehlo.divide %1, %c : tensor<ui32>
      %3 = stablehlo.remainder %2, %c_0 : tensor<ui32>
      %4 = stablehlo.convert %3 : (tensor<ui32>) -> tensor<i32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x1xf32>
      %6 = stablehlo.slice %arg2 [0:1, 0:1] : (tensor<2x3xf32>) -> tensor<1x1xf32>
      %7 = stablehlo.reshape %6 : (tensor<1x1xf32>) -> tensor<f32>
      %8 = stablehlo.slice %arg3 [0:1, 0:1] : (tensor<3x1xf32>) -> tensor<1x1xf32>
      %9 = stablehlo.reshape %8 : (tensor<1x1xf32>) -> tensor<f32>
      %10 = stablehlo.add %7, %9 : tensor<f32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %11 = stablehlo.multiply %cst_1, %10 : tensor<f32>
      %12 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<f32>) -> tensor<6x1xf32>
      %13 = stablehlo.add %5, %12 : tensor<6x1xf32>
      %c_2 = stablehlo.constant dense<0> : tensor<i32>
      %c_3 = stablehlo.constant dense<0> : tensor<i32>
      %14:6 = stablehlo.while(%iterArg = %arg3, %iterArg_4 = %4, %iterArg_5 = %c_3, %iterArg_6 = %c_2, %iterArg_7 = %13, %iterArg_8 = %arg2) : tensor<3x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<6x1xf32>, tensor<2x3xf32>
      cond {
        %c_9 = stablehlo.constant dense<3> : tensor<i32>
        %15 = stablehlo.compare LT, %iterArg_5, %c_9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %15 : tensor<i1>
      } do {
        %15:3 = func.call @closed_call(%iterArg, %iterArg_4, %iterArg_6, %iterArg_7, %iterArg_8) : (tensor<3x1xf32>, tensor<i32>, tensor<i32>, tensor<6x1xf32>, tensor<2x3xf32>) -> (tensor<i32>, tensor<6x1xf32>, tensor<2x3xf32>)
        %c_9 = stablehlo.constant dense<1> : tensor<i32>
        %16 = stablehlo.add %iterArg_5, %c_9 : tensor<i32>
        stablehlo.return %iterArg, %iterArg_4, %16, %15#0, %15#1, %15#2 : tensor<3x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<6x1xf32>, tensor<2x3xf32>
      }
      sdy.return %14#4 : tensor<6x1xf32>
    } : (tensor<6x3xf32>, tensor<3x3xf32>) -> tensor<6x3xf32>
    return %0 : tensor<6x3xf32>
  }
  func.func private @closed_call(%arg0: tensor<3x1xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<6x1xf32>, %arg4: tensor<2x3xf32>) -> (tensor<i32>, tensor<6x1xf32>, tensor<2x3xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg2, %c : tensor<i32>
    %1 = stablehlo.dot_general %arg4, %arg0, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x3xf32>, tensor<3x1xf32>) -> tensor<2x1xf32>
    %2 = stablehlo.convert %arg2 : tensor<i32>
    %3 = stablehlo.add %arg1, %2 : tensor<i32>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %4 = call @remainder(%3, %c_0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %c_1 = stablehlo.constant dense<2> : tensor<i32>
    %5 = stablehlo.multiply %4, %c_1 : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.compare LT, %5, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_3 = stablehlo.constant dense<6> : tensor<i32>
    %7 = stablehlo.add %5, %c_3 : tensor<i32>
    %8 = stablehlo.select %6, %7, %5 : tensor<i1>, tensor<i32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.dynamic_update_slice %arg3, %1, %8, %c_4 : (tensor<6x1xf32>, tensor<2x1xf32>, tensor<i32>, tensor<i32>) -> tensor<6x1xf32>
    %10 = "stablehlo.collective_permute"(%arg4) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 2], [1, 0], [2, 1]]> : tensor<3x2xi64>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0, %9, %10 : tensor<i32>, tensor<6x1xf32>, tensor<2x3xf32>
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
}
