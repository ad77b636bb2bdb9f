module @jit_f attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["b"=2, "t"=2]> {stablehlo.mesh = {axes = [{name = "b", size = 2 : i64}, {name = "t", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<4x2x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {"t"}, {}]>}, %arg1: tensor<4x2x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {"t"}, {}]>}) -> (tensor<4x2x2xf32> {jax.result_info = "result[0]"}, tensor<2xf32> {jax.result_info = "result[1]"}) {
    %0:2 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"b", ?}, {?}, {?}]>, <@mesh, [{"b", ?}, {?}, {?}]>] out_shardings=[<@mesh, [{"b", ?}, {?}, {?}]>, <@mesh, [{?}]>] manual_axes={"b"} (%arg2: tensor<2x2x2xf32>, %arg3: tensor<2x2x2xf32>) {
      %1 = sdy.sharding_constraint %arg2 <@mesh, [{}, {"t"}, {}]> : tensor<2x2x2xf32>
      %2 = stablehlo.slice %1 [0:2, 0:1:2, 0:2] : (tensor<2x2x2xf32>) -> tensor<2x1x2xf32>
      %3 = sdy.sharding_constraint %2 <@mesh, [{?}, {?}, {?}]> : tensor<2x1x2xf32>
      %4 = stablehlo.slice %arg3 [0:2, 0:1:2, 0:2] : (tensor<2x2x2xf32>) -> tensor<2x1x2xf32>
      %5 = sdy.sharding_constraint %4 <@mesh, [{?}, {?}, {?}]> : tensor<2x1x2xf32>
      %6 = stablehlo.slice %1 [0:2, 1:2:2, 0:2] : (tensor<2x2x2xf32>) -> tensor<2x1x2xf32>
      %7 = sdy.sharding_constraint %6 <@mesh, [{?}, {?}, {?}]> : tensor<2x1x2xf32>
      %8 = stablehlo.slice %arg3 [0:2, 1:2:2, 0:2] : (tensor<2x2x2xf32>) -> tensor<2x1x2xf32>
      %9 = sdy.sharding_constraint %8 <@mesh, [{?}, {?}, {?}]> : tensor<2x1x2xf32>
      %10 = stablehlo.multiply %3, %7 : tensor<2x1x2xf32>
      %11 = sdy.sharding_constraint %10 <@mesh, [{?}, {?}, {?}]> : tensor<2x1x2xf32>
      %12 = stablehlo.multiply %7, %5 : tensor<2x1x2xf32>
      %13 = sdy.sharding_constraint %12 <@mesh, [{?}, {?}, {?}]> : tensor<2x1x2xf32>
      %14 = stablehlo.add %13, %9 : tensor<2x1x2xf32>
      %15 = sdy.sharding_constraint %14 <@mesh, [{?}, {?}, {?}]> : tensor<2x1x2xf32>
      %16 = stablehlo.slice %11 [0:2, 0:0, 0:2] : (tensor<2x1x2xf32>) -> tensor<2x0x2xf32>
      %17 = sdy.sharding_constraint %16 <@mesh, [{?}, {?}, {?}]> : tensor<2x0x2xf32>
      %18 = stablehlo.slice %15 [0:2, 0:0, 0:2] : (tensor<2x1x2xf32>) -> tensor<2x0x2xf32>
      %19 = sdy.sharding_constraint %18 <@mesh, [{?}, {?}, {?}]> : tensor<2x0x2xf32>
      %20 = stablehlo.slice %1 [0:2, 2:2:2, 0:2] : (tensor<2x2x2xf32>) -> tensor<2x0x2xf32>
      %21 = sdy.sharding_constraint %20 <@mesh, [{?}, {?}, {?}]> : tensor<2x0x2xf32>
      %22 = stablehlo.slice %arg3 [0:2, 2:2:2, 0:2] : (tensor<2x2x2xf32>) -> tensor<2x0x2xf32>
      %23 = sdy.sharding_constraint %22 <@mesh, [{?}, {?}, {?}]> : tensor<2x0x2xf32>
      %24 = stablehlo.multiply %17, %21 : tensor<2x0x2xf32>
      %25 = sdy.sharding_constraint %24 <@mesh, [{?}, {?}, {?}]> : tensor<2x0x2xf32>
      %26 = stablehlo.multiply %21, %19 : tensor<2x0x2xf32>
      %27 = sdy.sharding_constraint %26 <@mesh, [{?}, {?}, {?}]> : tensor<2x0x2xf32>
      %28 = stablehlo.add %27, %23 : tensor<2x0x2xf32>
      %29 = sdy.sharding_constraint %28 <@mesh, [{?}, {?}, {?}]> : tensor<2x0x2xf32>
      %30 = stablehlo.slice %1 [0:2, 0:1, 0:2] : (tensor<2x2x2xf32>) -> tensor<2x1x2xf32>
      %31 = sdy.sharding_constraint %30 <@mesh, [{?}, {?}, {?}]> : tensor<2x1x2xf32>
      %32 = stablehlo.concatenate %31, %25, dim = 1 : (tensor<2x1x2xf32>, tensor<2x0x2xf32>) -> tensor<2x1x2xf32>
      %33 = sdy.sharding_constraint %32 <@mesh, [{?}, {?}, {?}]> : tensor<2x1x2xf32>
      %34 = stablehlo.slice %arg3 [0:2, 0:1, 0:2] : (tensor<2x2x2xf32>) -> tensor<2x1x2xf32>
      %35 = sdy.sharding_constraint %34 <@mesh, [{?}, {?}, {?}]> : tensor<2x1x2xf32>
      %36 = stablehlo.concatenate %35, %29, dim = 1 : (tensor<2x1x2xf32>, tensor<2x0x2xf32>) -> tensor<2x1x2xf32>
      %37 = sdy.sharding_constraint %36 <@mesh, [{?}, {?}, {?}]> : tensor<2x1x2xf32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %38 = stablehlo.pad %33, %cst, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<2x1x2xf32>, tensor<f32>) -> tensor<2x2x2xf32>
      %39 = sdy.sharding_constraint %38 <@mesh, [{?}, {?}, {?}]> : tensor<2x2x2xf32>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %40 = stablehlo.pad %11, %cst_0, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<2x1x2xf32>, tensor<f32>) -> tensor<2x2x2xf32>
      %41 = sdy.sharding_constraint %40 <@mesh, [{?}, {?}, {?}]> : tensor<2x2x2xf32>
      %42 = stablehlo.add %39, %41 : tensor<2x2x2xf32>
      %43 = sdy.sharding_constraint %42 <@mesh, [{?}, {?}, {?}]> : tensor<2x2x2xf32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %44 = stablehlo.pad %37, %cst_1, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<2x1x2xf32>, tensor<f32>) -> tensor<2x2x2xf32>
      %45 = sdy.sharding_constraint %44 <@mesh, [{?}, {?}, {?}]> : tensor<2x2x2xf32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %46 = stablehlo.pad %15, %cst_2, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<2x1x2xf32>, tensor<f32>) -> tensor<2x2x2xf32>
      %47 = sdy.sharding_constraint %46 <@mesh, [{?}, {?}, {?}]> : tensor<2x2x2xf32>
      %48 = stablehlo.add %45, %47 : tensor<2x2x2xf32>
      %49 = sdy.sharding_constraint %48 <@mesh, [{?}, {?}, {?}]> : tensor<2x2x2xf32>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %50 = stablehlo.reduce(%49 init: %cst_3) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x2x2xf32>, tensor<f32>) -> tensor<2xf32>
      %51 = sdy.sharding_constraint %50 <@mesh, [{?}]> : tensor<2xf32>
      %52 = "stablehlo.all_reduce"(%51) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
        %53 = stablehlo.add %arg4, %arg5 : tensor<f32>
        %54 = sdy.sharding_constraint %53 <@mesh, []> : tensor<f32>
        stablehlo.return %54 : tensor<f32>
      }) : (tensor<2xf32>) -> tensor<2xf32>
      sdy.return %49, %52 : tensor<2x2x2xf32>, tensor<2xf32>
    } : (tensor<4x2x2xf32>, tensor<4x2x2xf32>) -> (tensor<4x2x2xf32>, tensor<2xf32>)
    return %0#0, %0#1 : tensor<4x2x2xf32>, tensor<2xf32>
  }
}
