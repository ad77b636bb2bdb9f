module @jit_f attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["d"=4, "m"=2]> {stablehlo.mesh = {axes = [{name = "d", size = 4 : i64}, {name = "m", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, %arg1: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"m"}]>}) -> (tensor<8x4xf32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"d", ?}, {?}]>, <@mesh, [{?}, {?}]>] out_shardings=[<@mesh, [{"d", ?}, {?}]>] manual_axes={"d"} (%arg2: tensor<2x4xf32>, %arg3: tensor<4x4xf32>) {
      %c = stablehlo.constant dense<0> : tensor<i32>
      %c_0 = stablehlo.constant dense<0> : tensor<i32>
      %3:4 = stablehlo.while(%iterArg = %arg3, %iterArg_1 = %c_0, %iterArg_2 = %c, %iterArg_3 = %arg2) : tensor<4x4xf32>, tensor<i32>, tensor<i32>, tensor<2x4xf32>
      cond {
        %c_4 = stablehlo.constant dense<2> : tensor<i32>
        %7 = sdy.sharding_constraint %iterArg_1 <@mesh, []> : tensor<i32>
        %8 = sdy.sharding_constraint %c_4 <@mesh, []> : tensor<i32>
        %9 = stablehlo.compare LT, %7, %8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %9 : tensor<i1>
      } do {
        %7:2 = func.call @closed_call(%iterArg, %iterArg_2, %iterArg_3) : (tensor<4x4xf32>, tensor<i32>, tensor<2x4xf32>) -> (tensor<i32>, tensor<2x4xf32>)
        %c_4 = stablehlo.constant dense<1> : tensor<i32>
        %8 = sdy.sharding_constraint %iterArg_1 <@mesh, []> : tensor<i32>
        %9 = sdy.sharding_constraint %c_4 <@mesh, []> : tensor<i32>
        %10 = stablehlo.add %8, %9 : tensor<i32>
        %11 = sdy.sharding_constraint %10 <@mesh, []> : tensor<i32>
        stablehlo.return %iterArg, %11, %7#0, %7#1 : tensor<4x4xf32>, tensor<i32>, tensor<i32>, tensor<2x4xf32>
      }
      %4 = sdy.sharding_constraint %3#1 <@mesh, []> : tensor<i32>
      %5 = sdy.sharding_constraint %3#2 <@mesh, []> : tensor<i32>
      %6 = sdy.sharding_constraint %3#3 <@mesh, [{?}, {?}]> : tensor<2x4xf32>
      sdy.return %6 : tensor<2x4xf32>
    } : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<8x4xf32>
    return %2 : tensor<8x4xf32>
  }
  func.func private @closed_call(%arg0: tensor<4x4xf32>, %arg1: tensor<i32>, %arg2: tensor<2x4xf32>) -> (tensor<i32>, tensor<2x4xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = sdy.sharding_constraint %arg1 <@mesh, []> : tensor<i32>
    %1 = sdy.sharding_constraint %c <@mesh, []> : tensor<i32>
    %2 = stablehlo.add %0, %1 : tensor<i32>
    %3 = sdy.sharding_constraint %2 <@mesh, []> : tensor<i32>
    %4 = call @block(%arg2, %arg0) : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %5 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %6 = sdy.sharding_constraint %5 <@mesh, []> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %8 = sdy.sharding_constraint %7 <@mesh, [{?}, {?}]> : tensor<2x4xf32>
    %9 = stablehlo.add %4, %8 : tensor<2x4xf32>
    %10 = sdy.sharding_constraint %9 <@mesh, [{?}, {?}]> : tensor<2x4xf32>
    return %3, %10 : tensor<i32>, tensor<2x4xf32>
  }
  func.func private @block(%arg0: tensor<2x4xf32>, %arg1: tensor<4x4xf32>) -> tensor<2x4xf32> {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{?}, {?}]> : tensor<2x4xf32>
    %2 = sdy.sharding_constraint %1 <@mesh, [{}, {"m"}]> : tensor<2x4xf32>
    %3 = "stablehlo.all_reduce"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %15 = stablehlo.add %arg2, %arg3 : tensor<f32>
      %16 = sdy.sharding_constraint %15 <@mesh, []> : tensor<f32>
      stablehlo.return %16 : tensor<f32>
    }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %5 = sdy.sharding_constraint %4 <@mesh, [{?}, {?}]> : tensor<2x4xf32>
    %6 = stablehlo.multiply %3, %5 : tensor<2x4xf32>
    %7 = sdy.sharding_constraint %6 <@mesh, [{?}, {?}]> : tensor<2x4xf32>
    %8 = sdy.manual_computation() in_shardings=[] out_shardings=[<@mesh, []>] manual_axes={"m"} () {
      %c = stablehlo.constant dense<2> : tensor<ui32>
      %c_0 = stablehlo.constant dense<4> : tensor<ui32>
      %15 = stablehlo.partition_id : tensor<ui32>
      %16 = stablehlo.divide %15, %c : tensor<ui32>
      %17 = stablehlo.remainder %16, %c_0 : tensor<ui32>
      %18 = stablehlo.convert %17 : (tensor<ui32>) -> tensor<i32>
      sdy.return %18 : tensor<i32>
    } : () -> tensor<i32>
    %9 = stablehlo.convert %8 : (tensor<i32>) -> tensor<f32>
    %10 = sdy.sharding_constraint %9 <@mesh, []> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %12 = sdy.sharding_constraint %11 <@mesh, [{?}, {?}]> : tensor<2x4xf32>
    %13 = stablehlo.add %7, %12 : tensor<2x4xf32>
    %14 = sdy.sharding_constraint %13 <@mesh, [{?}, {?}]> : tensor<2x4xf32>
    return %14 : tensor<2x4xf32>
  }
}
