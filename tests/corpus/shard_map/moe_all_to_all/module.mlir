module @jit_moe attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["ep"=4]> {stablehlo.mesh = {axes = [{name = "ep", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<24x4xf32>, %arg1: tensor<4x4xf32>, %arg2: tensor<4x4x3xf32>, %arg3: tensor<4x3x4xf32>) -> (tensor<24x4xf32> {jax.result_info = "result[0]"}, tensor<4xf32> {jax.result_info = "result[1]"}) {
    %0:2 = sdy.manual_computation(%arg0, %arg1, %arg2, %arg3) in_shardings=[<@mesh, [{"ep"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>] out_shardings=[<@mesh, [{"ep"}, {}]>, <@mesh, [{}]>] manual_axes={"ep"} (%arg4: tensor<6x4xf32>, %arg5: tensor<4x4xf32>, %arg6: tensor<1x4x3xf32>, %arg7: tensor<1x3x4xf32>) {
      %1 = stablehlo.dot_general %arg4, %arg5, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<6x4xf32>, tensor<4x4xf32>) -> tensor<6x4xf32>
      %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<6x4xf32>, tensor<f32>) -> tensor<6xf32>
      %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6xf32>
      %4 = stablehlo.maximum %3, %2 : tensor<6xf32>
      %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<6xf32>) -> tensor<6x1xf32>
      %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x4xf32>
      %7 = stablehlo.subtract %1, %6 : tensor<6x4xf32>
      %8 = stablehlo.exponential %7 : tensor<6x4xf32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<6x4xf32>, tensor<f32>) -> tensor<6xf32>
      %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<6xf32>) -> tensor<6x1xf32>
      %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x4xf32>
      %12 = stablehlo.divide %8, %11 : tensor<6x4xf32>
      %13 = func.call @argmax(%12) : (tensor<6x4xf32>) -> tensor<6xi32>
      %14 = func.call @_one_hot(%13) : (tensor<6xi32>) -> tensor<6x4xi32>
      %15 = func.call @cumsum(%14) : (tensor<6x4xi32>) -> tensor<6x4xi32>
      %c = stablehlo.constant dense<1> : tensor<i32>
      %16 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6x4xi32>
      %17 = stablehlo.subtract %15, %16 : tensor<6x4xi32>
      %18 = stablehlo.multiply %17, %14 : tensor<6x4xi32>
      %c_2 = stablehlo.constant dense<3> : tensor<i32>
      %19 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<6x4xi32>
      %20 = stablehlo.compare LT, %18, %19, SIGNED : (tensor<6x4xi32>, tensor<6x4xi32>) -> tensor<6x4xi1>
      %c_3 = stablehlo.constant dense<0> : tensor<i32>
      %21 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<6x4xi32>
      %22 = stablehlo.compare GT, %14, %21, SIGNED : (tensor<6x4xi32>, tensor<6x4xi32>) -> tensor<6x4xi1>
      %23 = stablehlo.and %20, %22 : tensor<6x4xi1>
      %c_4 = stablehlo.constant dense<3> : tensor<i32>
      %24 = func.call @_where(%23, %18, %c_4) : (tensor<6x4xi1>, tensor<6x4xi32>, tensor<i32>) -> tensor<6x4xi32>
      %c_5 = stablehlo.constant dense<-2147483648> : tensor<i32>
      %25 = stablehlo.reduce(%24 init: %c_5) applies stablehlo.maximum across dimensions = [1] : (tensor<6x4xi32>, tensor<i32>) -> tensor<6xi32>
      %26 = func.call @_one_hot_1(%25) : (tensor<6xi32>) -> tensor<6x4xf32>
      %27 = stablehlo.slice %26 [0:6, 0:3] : (tensor<6x4xf32>) -> tensor<6x3xf32>
      %c_6 = stablehlo.constant dense<false> : tensor<i1>
      %28 = stablehlo.reduce(%23 init: %c_6) applies stablehlo.or across dimensions = [1] : (tensor<6x4xi1>, tensor<i1>) -> tensor<6xi1>
      %29 = stablehlo.broadcast_in_dim %28, dims = [0] : (tensor<6xi1>) -> tensor<6x1x1xi1>
      %30 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<6x4xi32>) -> tensor<6x4x1xi32>
      %31 = stablehlo.convert %29 : (tensor<6x1x1xi1>) -> tensor<6x1x1xi32>
      %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2] : (tensor<6x1x1xi32>) -> tensor<6x4x1xi32>
      %33 = stablehlo.multiply %32, %30 : tensor<6x4x1xi32>
      %34 = stablehlo.broadcast_in_dim %27, dims = [0, 2] : (tensor<6x3xf32>) -> tensor<6x1x3xf32>
      %35 = stablehlo.convert %33 : (tensor<6x4x1xi32>) -> tensor<6x4x1xf32>
      %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2] : (tensor<6x4x1xf32>) -> tensor<6x4x3xf32>
      %37 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2] : (tensor<6x1x3xf32>) -> tensor<6x4x3xf32>
      %38 = stablehlo.multiply %36, %37 : tensor<6x4x3xf32>
      %39 = stablehlo.dot_general %38, %arg4, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<6x4x3xf32>, tensor<6x4xf32>) -> tensor<4x3x4xf32>
      %40 = "stablehlo.all_to_all"(%39) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x3x4xf32>) -> tensor<1x12x4xf32>
      %41 = stablehlo.dot_general %40, %arg6, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<1x12x4xf32>, tensor<1x4x3xf32>) -> tensor<1x12x3xf32>
      %42 = func.call @relu(%41) : (tensor<1x12x3xf32>) -> tensor<1x12x3xf32>
      %43 = stablehlo.dot_general %42, %arg7, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<1x12x3xf32>, tensor<1x3x4xf32>) -> tensor<1x12x4xf32>
      %44 = "stablehlo.all_to_all"(%43) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<1x12x4xf32>) -> tensor<4x3x4xf32>
      %45 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<6x4xf32>) -> tensor<6x4x1xf32>
      %46 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2] : (tensor<6x4x1xf32>) -> tensor<6x4x3xf32>
      %47 = stablehlo.multiply %38, %46 : tensor<6x4x3xf32>
      %48 = stablehlo.dot_general %47, %44, contracting_dims = [2, 1] x [1, 0], precision = [HIGHEST, HIGHEST] : (tensor<6x4x3xf32>, tensor<4x3x4xf32>) -> tensor<6x4xf32>
      %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %49 = stablehlo.reduce(%12 init: %cst_7) applies stablehlo.add across dimensions = [0] : (tensor<6x4xf32>, tensor<f32>) -> tensor<4xf32>
      %cst_8 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
      %50 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %51 = stablehlo.divide %49, %50 : tensor<4xf32>
      %52 = "stablehlo.all_reduce"(%51) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
        %55 = stablehlo.add %arg8, %arg9 : tensor<f32>
        stablehlo.return %55 : tensor<f32>
      }) : (tensor<4xf32>) -> tensor<4xf32>
      %cst_9 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
      %53 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %54 = stablehlo.divide %52, %53 : tensor<4xf32>
      sdy.return %48, %54 : tensor<6x4xf32>, tensor<4xf32>
    } : (tensor<24x4xf32>, tensor<4x4xf32>, tensor<4x4x3xf32>, tensor<4x3x4xf32>) -> (tensor<24x4xf32>, tensor<4xf32>)
    return %0#0, %0#1 : tensor<24x4xf32>, tensor<4xf32>
  }
  func.func private @argmax(%arg0: tensor<6x4xf32>) -> tensor<6xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<6x4xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<6x4xf32>, tensor<6x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<6xf32>, tensor<6xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<6xi32>
  }
  func.func private @_one_hot(%arg0: tensor<6xi32>) -> tensor<6x4xi32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x4xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<6x1xi32>) -> tensor<6x4xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x4xi32>) -> tensor<6x4xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<6x4xi32>, tensor<6x4xi32>) -> tensor<6x4xi1>
    %5 = stablehlo.convert %4 : (tensor<6x4xi1>) -> tensor<6x4xi32>
    return %5 : tensor<6x4xi32>
  }
  func.func private @cumsum(%arg0: tensor<6x4xi32>) -> tensor<6x4xi32> {
    %0 = call @cumsum_0(%arg0) : (tensor<6x4xi32>) -> tensor<6x4xi32>
    return %0 : tensor<6x4xi32>
  }
  func.func private @cumsum_0(%arg0: tensor<6x4xi32>) -> tensor<6x4xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[5, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 6, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<6x4xi32>, tensor<i32>) -> tensor<6x4xi32>
    return %1 : tensor<6x4xi32>
  }
  func.func private @_where(%arg0: tensor<6x4xi1>, %arg1: tensor<6x4xi32>, %arg2: tensor<i32>) -> tensor<6x4xi32> {
    %0 = stablehlo.convert %arg2 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<6x4xi32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<6x4xi1>, tensor<6x4xi32>
    return %2 : tensor<6x4xi32>
  }
  func.func private @_one_hot_1(%arg0: tensor<6xi32>) -> tensor<6x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x4xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<6x1xi32>) -> tensor<6x4xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x4xi32>) -> tensor<6x4xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<6x4xi32>, tensor<6x4xi32>) -> tensor<6x4xi1>
    %5 = stablehlo.convert %4 : (tensor<6x4xi1>) -> tensor<6x4xf32>
    return %5 : tensor<6x4xf32>
  }
  func.func private @relu(%arg0: tensor<1x12x3xf32>) -> tensor<1x12x3xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x12x3xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x12x3xf32>
    return %1 : tensor<1x12x3xf32>
  }
}
