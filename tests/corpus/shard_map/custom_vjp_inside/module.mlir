module @jit_f attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["d"=4]> {stablehlo.mesh = {axes = [{name = "d", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<4x3xf32>, %arg1: tensor<3x8xf32>, %arg2: tensor<8x3xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<3x8xf32> {jax.result_info = "result[1]"}, tensor<8x3xf32> {jax.result_info = "result[2]"}, tensor<4x3xf32> {jax.result_info = "result[3]"}) {
    %0:4 = sdy.manual_computation(%arg0, %arg1, %arg2) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {"d"}]>, <@mesh, [{"d"}, {}]>] out_shardings=[<@mesh, []>, <@mesh, [{}, {"d"}]>, <@mesh, [{"d"}, {}]>, <@mesh, [{}, {}]>] manual_axes={"d"} (%arg3: tensor<4x3xf32>, %arg4: tensor<3x2xf32>, %arg5: tensor<2x3xf32>) {
      %1 = stablehlo.dot_general %arg3, %arg4, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
      %2 = stablehlo.multiply %1, %1 : tensor<4x2xf32>
      %3 = stablehlo.multiply %2, %1 : tensor<4x2xf32>
      %4 = stablehlo.multiply %1, %1 : tensor<4x2xf32>
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
      %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
      %6 = stablehlo.multiply %5, %4 : tensor<4x2xf32>
      %cst_0 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
      %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
      %8 = stablehlo.multiply %7, %3 : tensor<4x2xf32>
      %9 = stablehlo.add %1, %8 : tensor<4x2xf32>
      %cst_1 = stablehlo.constant dense<0.797884583> : tensor<f32>
      %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
      %11 = stablehlo.multiply %10, %9 : tensor<4x2xf32>
      %12 = stablehlo.tanh %11 : tensor<4x2xf32>
      %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
      %14 = stablehlo.subtract %13, %12 : tensor<4x2xf32>
      %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
      %16 = stablehlo.add %15, %12 : tensor<4x2xf32>
      %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
      %17 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
      %18 = stablehlo.multiply %17, %16 : tensor<4x2xf32>
      %19 = stablehlo.multiply %1, %18 : tensor<4x2xf32>
      %20 = stablehlo.dot_general %19, %arg5, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
      %21 = "stablehlo.all_reduce"(%20) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
        %51 = stablehlo.add %arg6, %arg7 : tensor<f32>
        stablehlo.return %51 : tensor<f32>
      }) : (tensor<4x3xf32>) -> tensor<4x3xf32>
      %22 = stablehlo.multiply %21, %21 : tensor<4x3xf32>
      %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
      %24 = stablehlo.multiply %23, %21 : tensor<4x3xf32>
      %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %25 = stablehlo.reduce(%22 init: %cst_6) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<f32>
      %cst_7 = stablehlo.constant dense<1.200000e+01> : tensor<f32>
      %26 = stablehlo.divide %25, %cst_7 : tensor<f32>
      %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %cst_9 = stablehlo.constant dense<1.200000e+01> : tensor<f32>
      %27 = stablehlo.divide %cst_8, %cst_9 : tensor<f32>
      %28 = stablehlo.broadcast_in_dim %27, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
      %29 = stablehlo.multiply %28, %24 : tensor<4x3xf32>
      %30 = stablehlo.dot_general %29, %19, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x3xf32>, tensor<4x2xf32>) -> tensor<3x2xf32>
      %31 = stablehlo.transpose %30, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
      %32 = stablehlo.dot_general %29, %arg5, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<4x3xf32>, tensor<2x3xf32>) -> tensor<4x2xf32>
      %33 = stablehlo.multiply %1, %32 : tensor<4x2xf32>
      %34 = stablehlo.multiply %32, %18 : tensor<4x2xf32>
      %cst_10 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
      %35 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
      %36 = stablehlo.multiply %35, %33 : tensor<4x2xf32>
      %37 = stablehlo.multiply %36, %14 : tensor<4x2xf32>
      %38 = stablehlo.multiply %37, %12 : tensor<4x2xf32>
      %39 = stablehlo.add %37, %38 : tensor<4x2xf32>
      %cst_11 = stablehlo.constant dense<0.797884583> : tensor<f32>
      %40 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
      %41 = stablehlo.multiply %40, %39 : tensor<4x2xf32>
      %42 = stablehlo.add %34, %41 : tensor<4x2xf32>
      %cst_12 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
      %43 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
      %44 = stablehlo.multiply %43, %41 : tensor<4x2xf32>
      %45 = stablehlo.multiply %44, %6 : tensor<4x2xf32>
      %46 = stablehlo.add %42, %45 : tensor<4x2xf32>
      %47 = stablehlo.dot_general %46, %arg3, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x2xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
      %48 = stablehlo.transpose %47, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
      %49 = stablehlo.dot_general %46, %arg4, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<4x2xf32>, tensor<3x2xf32>) -> tensor<4x3xf32>
      %50 = "stablehlo.all_reduce"(%49) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
        %51 = stablehlo.add %arg6, %arg7 : tensor<f32>
        stablehlo.return %51 : tensor<f32>
      }) : (tensor<4x3xf32>) -> tensor<4x3xf32>
      sdy.return %26, %48, %31, %50 : tensor<f32>, tensor<3x2xf32>, tensor<2x3xf32>, tensor<4x3xf32>
    } : (tensor<4x3xf32>, tensor<3x8xf32>, tensor<8x3xf32>) -> (tensor<f32>, tensor<3x8xf32>, tensor<8x3xf32>, tensor<4x3xf32>)
    return %0#0, %0#1, %0#2, %0#3 : tensor<f32>, tensor<3x8xf32>, tensor<8x3xf32>, tensor<4x3xf32>
  }
}
