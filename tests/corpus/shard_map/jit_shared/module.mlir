module @jit_f attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["d"=2, "e"=2]> {stablehlo.mesh = {axes = [{name = "d", size = 2 : i64}, {name = "e", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {"e"}]>}) -> (tensor<8x8xf32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"d", ?}, {?}]>] out_shardings=[<@mesh, [{"d", ?}, {?}]>] manual_axes={"d"} (%arg1: tensor<4x8xf32>) {
      %6 = func.call @inner(%arg1) : (tensor<4x8xf32>) -> tensor<4x8xf32>
      sdy.return %6 : tensor<4x8xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{?}, {"e", ?}]>] out_shardings=[<@mesh, [{?}, {"e", ?}]>] manual_axes={"e"} (%arg1: tensor<8x4xf32>) {
      %6 = func.call @inner_3(%arg1) : (tensor<8x4xf32>) -> tensor<8x4xf32>
      sdy.return %6 : tensor<8x4xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = call @soft_10(%1) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %3 = sdy.manual_computation(%2) in_shardings=[<@mesh, [{"d"}, {"e"}]>] out_shardings=[<@mesh, [{"d"}, {"e"}]>] manual_axes={"d", "e"} (%arg1: tensor<4x4xf32>) {
      %6 = func.call @inner_13(%arg1) : (tensor<4x4xf32>) -> tensor<4x4xf32>
      sdy.return %6 : tensor<4x4xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %4 = call @soft_20(%arg0) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %5 = stablehlo.add %3, %4 : tensor<8x8xf32>
    return %5 : tensor<8x8xf32>
  }
  func.func private @inner(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = call @soft(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %1 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %5 = stablehlo.add %arg1, %arg2 : tensor<f32>
      %6 = sdy.sharding_constraint %5 <@mesh, []> : tensor<f32>
      stablehlo.return %6 : tensor<f32>
    }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %2 = call @soft_0(%1) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %3 = stablehlo.add %2, %arg0 : tensor<4x8xf32>
    %4 = sdy.sharding_constraint %3 <@mesh, [{?}, {?}]> : tensor<4x8xf32>
    return %4 : tensor<4x8xf32>
  }
  func.func private @soft(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %c = stablehlo.constant dense<-2> : tensor<i32>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %0 = call @clip(%arg0, %c, %c_0) : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
    %2 = sdy.sharding_constraint %1 <@mesh, [{?}]> : tensor<4xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %4 = sdy.sharding_constraint %3 <@mesh, [{?}]> : tensor<4xf32>
    %5 = stablehlo.maximum %4, %2 : tensor<4xf32>
    %6 = sdy.sharding_constraint %5 <@mesh, [{?}]> : tensor<4xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %8 = sdy.sharding_constraint %7 <@mesh, [{?}, {?}]> : tensor<4x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x8xf32>
    %10 = sdy.sharding_constraint %9 <@mesh, [{?}, {?}]> : tensor<4x8xf32>
    %11 = stablehlo.subtract %0, %10 : tensor<4x8xf32>
    %12 = sdy.sharding_constraint %11 <@mesh, [{?}, {?}]> : tensor<4x8xf32>
    %13 = stablehlo.exponential %12 : tensor<4x8xf32>
    %14 = sdy.sharding_constraint %13 <@mesh, [{?}, {?}]> : tensor<4x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
    %16 = sdy.sharding_constraint %15 <@mesh, [{?}]> : tensor<4xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %18 = sdy.sharding_constraint %17 <@mesh, [{?}, {?}]> : tensor<4x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x8xf32>
    %20 = sdy.sharding_constraint %19 <@mesh, [{?}, {?}]> : tensor<4x8xf32>
    %21 = stablehlo.divide %14, %20 : tensor<4x8xf32>
    %22 = sdy.sharding_constraint %21 <@mesh, [{?}, {?}]> : tensor<4x8xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %24 = sdy.sharding_constraint %23 <@mesh, [{?}, {?}]> : tensor<4x8xf32>
    %25 = stablehlo.compare GT, %arg0, %24, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %26 = call @_where(%25, %arg0, %c_4) : (tensor<4x8xi1>, tensor<4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
    %27 = stablehlo.add %22, %26 : tensor<4x8xf32>
    %28 = sdy.sharding_constraint %27 <@mesh, [{?}, {?}]> : tensor<4x8xf32>
    return %28 : tensor<4x8xf32>
  }
  func.func private @clip(%arg0: tensor<4x8xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<4x8xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = sdy.sharding_constraint %0 <@mesh, []> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %3 = sdy.sharding_constraint %2 <@mesh, [{?}, {?}]> : tensor<4x8xf32>
    %4 = stablehlo.maximum %3, %arg0 : tensor<4x8xf32>
    %5 = sdy.sharding_constraint %4 <@mesh, [{?}, {?}]> : tensor<4x8xf32>
    %6 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %7 = sdy.sharding_constraint %6 <@mesh, []> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %9 = sdy.sharding_constraint %8 <@mesh, [{?}, {?}]> : tensor<4x8xf32>
    %10 = stablehlo.minimum %9, %5 : tensor<4x8xf32>
    %11 = sdy.sharding_constraint %10 <@mesh, [{?}, {?}]> : tensor<4x8xf32>
    return %11 : tensor<4x8xf32>
  }
  func.func private @_where(%arg0: tensor<4x8xi1>, %arg1: tensor<4x8xf32>, %arg2: tensor<i32>) -> tensor<4x8xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = sdy.sharding_constraint %0 <@mesh, []> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %3 = sdy.sharding_constraint %2 <@mesh, [{?}, {?}]> : tensor<4x8xf32>
    %4 = stablehlo.select %arg0, %arg1, %3 : tensor<4x8xi1>, tensor<4x8xf32>
    %5 = sdy.sharding_constraint %4 <@mesh, [{?}, {?}]> : tensor<4x8xf32>
    return %5 : tensor<4x8xf32>
  }
  func.func private @soft_0(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %c = stablehlo.constant dense<-2> : tensor<i32>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %0 = call @clip_1(%arg0, %c, %c_0) : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
    %2 = sdy.sharding_constraint %1 <@mesh, [{?}]> : tensor<4xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %4 = sdy.sharding_constraint %3 <@mesh, [{?}]> : tensor<4xf32>
    %5 = stablehlo.maximum %4, %2 : tensor<4xf32>
    %6 = sdy.sharding_constraint %5 <@mesh, [{?}]> : tensor<4xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %8 = sdy.sharding_constraint %7 <@mesh, [{?}, {?}]> : tensor<4x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x8xf32>
    %10 = sdy.sharding_constraint %9 <@mesh, [{?}, {?}]> : tensor<4x8xf32>
    %11 = stablehlo.subtract %0, %10 : tensor<4x8xf32>
    %12 = sdy.sharding_constraint %11 <@mesh, [{?}, {?}]> : tensor<4x8xf32>
    %13 = stablehlo.exponential %12 : tensor<4x8xf32>
    %14 = sdy.sharding_constraint %13 <@mesh, [{?}, {?}]> : tensor<4x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
    %16 = sdy.sharding_constraint %15 <@mesh, [{?}]> : tensor<4xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %18 = sdy.sharding_constraint %17 <@mesh, [{?}, {?}]> : tensor<4x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x8xf32>
    %20 = sdy.sharding_constraint %19 <@mesh, [{?}, {?}]> : tensor<4x8xf32>
    %21 = stablehlo.divide %14, %20 : tensor<4x8xf32>
    %22 = sdy.sharding_constraint %21 <@mesh, [{?}, {?}]> : tensor<4x8xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %24 = sdy.sharding_constraint %23 <@mesh, [{?}, {?}]> : tensor<4x8xf32>
    %25 = stablehlo.compare GT, %arg0, %24, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %26 = call @_where_2(%25, %arg0, %c_4) : (tensor<4x8xi1>, tensor<4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
    %27 = stablehlo.add %22, %26 : tensor<4x8xf32>
    %28 = sdy.sharding_constraint %27 <@mesh, [{?}, {?}]> : tensor<4x8xf32>
    return %28 : tensor<4x8xf32>
  }
  func.func private @clip_1(%arg0: tensor<4x8xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<4x8xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = sdy.sharding_constraint %0 <@mesh, []> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %3 = sdy.sharding_constraint %2 <@mesh, [{?}, {?}]> : tensor<4x8xf32>
    %4 = stablehlo.maximum %3, %arg0 : tensor<4x8xf32>
    %5 = sdy.sharding_constraint %4 <@mesh, [{?}, {?}]> : tensor<4x8xf32>
    %6 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %7 = sdy.sharding_constraint %6 <@mesh, []> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %9 = sdy.sharding_constraint %8 <@mesh, [{?}, {?}]> : tensor<4x8xf32>
    %10 = stablehlo.minimum %9, %5 : tensor<4x8xf32>
    %11 = sdy.sharding_constraint %10 <@mesh, [{?}, {?}]> : tensor<4x8xf32>
    return %11 : tensor<4x8xf32>
  }
  func.func private @_where_2(%arg0: tensor<4x8xi1>, %arg1: tensor<4x8xf32>, %arg2: tensor<i32>) -> tensor<4x8xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = sdy.sharding_constraint %0 <@mesh, []> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %3 = sdy.sharding_constraint %2 <@mesh, [{?}, {?}]> : tensor<4x8xf32>
    %4 = stablehlo.select %arg0, %arg1, %3 : tensor<4x8xi1>, tensor<4x8xf32>
    %5 = sdy.sharding_constraint %4 <@mesh, [{?}, {?}]> : tensor<4x8xf32>
    return %5 : tensor<4x8xf32>
  }
  func.func private @inner_3(%arg0: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %0 = call @soft_4(%arg0) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %1 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %5 = stablehlo.add %arg1, %arg2 : tensor<f32>
      %6 = sdy.sharding_constraint %5 <@mesh, []> : tensor<f32>
      stablehlo.return %6 : tensor<f32>
    }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %2 = call @soft_7(%1) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %3 = stablehlo.add %2, %arg0 : tensor<8x4xf32>
    %4 = sdy.sharding_constraint %3 <@mesh, [{?}, {?}]> : tensor<8x4xf32>
    return %4 : tensor<8x4xf32>
  }
  func.func private @soft_4(%arg0: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %c = stablehlo.constant dense<-2> : tensor<i32>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %0 = call @clip_5(%arg0, %c, %c_0) : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
    %2 = sdy.sharding_constraint %1 <@mesh, [{?}]> : tensor<8xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %4 = sdy.sharding_constraint %3 <@mesh, [{?}]> : tensor<8xf32>
    %5 = stablehlo.maximum %4, %2 : tensor<8xf32>
    %6 = sdy.sharding_constraint %5 <@mesh, [{?}]> : tensor<8xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %8 = sdy.sharding_constraint %7 <@mesh, [{?}, {?}]> : tensor<8x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x4xf32>
    %10 = sdy.sharding_constraint %9 <@mesh, [{?}, {?}]> : tensor<8x4xf32>
    %11 = stablehlo.subtract %0, %10 : tensor<8x4xf32>
    %12 = sdy.sharding_constraint %11 <@mesh, [{?}, {?}]> : tensor<8x4xf32>
    %13 = stablehlo.exponential %12 : tensor<8x4xf32>
    %14 = sdy.sharding_constraint %13 <@mesh, [{?}, {?}]> : tensor<8x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
    %16 = sdy.sharding_constraint %15 <@mesh, [{?}]> : tensor<8xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %18 = sdy.sharding_constraint %17 <@mesh, [{?}, {?}]> : tensor<8x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x4xf32>
    %20 = sdy.sharding_constraint %19 <@mesh, [{?}, {?}]> : tensor<8x4xf32>
    %21 = stablehlo.divide %14, %20 : tensor<8x4xf32>
    %22 = sdy.sharding_constraint %21 <@mesh, [{?}, {?}]> : tensor<8x4xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %24 = sdy.sharding_constraint %23 <@mesh, [{?}, {?}]> : tensor<8x4xf32>
    %25 = stablehlo.compare GT, %arg0, %24, FLOAT : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xi1>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %26 = call @_where_6(%25, %arg0, %c_4) : (tensor<8x4xi1>, tensor<8x4xf32>, tensor<i32>) -> tensor<8x4xf32>
    %27 = stablehlo.add %22, %26 : tensor<8x4xf32>
    %28 = sdy.sharding_constraint %27 <@mesh, [{?}, {?}]> : tensor<8x4xf32>
    return %28 : tensor<8x4xf32>
  }
  func.func private @clip_5(%arg0: tensor<8x4xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<8x4xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = sdy.sharding_constraint %0 <@mesh, []> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %3 = sdy.sharding_constraint %2 <@mesh, [{?}, {?}]> : tensor<8x4xf32>
    %4 = stablehlo.maximum %3, %arg0 : tensor<8x4xf32>
    %5 = sdy.sharding_constraint %4 <@mesh, [{?}, {?}]> : tensor<8x4xf32>
    %6 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %7 = sdy.sharding_constraint %6 <@mesh, []> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %9 = sdy.sharding_constraint %8 <@mesh, [{?}, {?}]> : tensor<8x4xf32>
    %10 = stablehlo.minimum %9, %5 : tensor<8x4xf32>
    %11 = sdy.sharding_constraint %10 <@mesh, [{?}, {?}]> : tensor<8x4xf32>
    return %11 : tensor<8x4xf32>
  }
  func.func private @_where_6(%arg0: tensor<8x4xi1>, %arg1: tensor<8x4xf32>, %arg2: tensor<i32>) -> tensor<8x4xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = sdy.sharding_constraint %0 <@mesh, []> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %3 = sdy.sharding_constraint %2 <@mesh, [{?}, {?}]> : tensor<8x4xf32>
    %4 = stablehlo.select %arg0, %arg1, %3 : tensor<8x4xi1>, tensor<8x4xf32>
    %5 = sdy.sharding_constraint %4 <@mesh, [{?}, {?}]> : tensor<8x4xf32>
    return %5 : tensor<8x4xf32>
  }
  func.func private @soft_7(%arg0: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %c = stablehlo.constant dense<-2> : tensor<i32>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %0 = call @clip_8(%arg0, %c, %c_0) : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
    %2 = sdy.sharding_constraint %1 <@mesh, [{?}]> : tensor<8xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %4 = sdy.sharding_constraint %3 <@mesh, [{?}]> : tensor<8xf32>
    %5 = stablehlo.maximum %4, %2 : tensor<8xf32>
    %6 = sdy.sharding_constraint %5 <@mesh, [{?}]> : tensor<8xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %8 = sdy.sharding_constraint %7 <@mesh, [{?}, {?}]> : tensor<8x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x4xf32>
    %10 = sdy.sharding_constraint %9 <@mesh, [{?}, {?}]> : tensor<8x4xf32>
    %11 = stablehlo.subtract %0, %10 : tensor<8x4xf32>
    %12 = sdy.sharding_constraint %11 <@mesh, [{?}, {?}]> : tensor<8x4xf32>
    %13 = stablehlo.exponential %12 : tensor<8x4xf32>
    %14 = sdy.sharding_constraint %13 <@mesh, [{?}, {?}]> : tensor<8x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
    %16 = sdy.sharding_constraint %15 <@mesh, [{?}]> : tensor<8xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %18 = sdy.sharding_constraint %17 <@mesh, [{?}, {?}]> : tensor<8x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x4xf32>
    %20 = sdy.sharding_constraint %19 <@mesh, [{?}, {?}]> : tensor<8x4xf32>
    %21 = stablehlo.divide %14, %20 : tensor<8x4xf32>
    %22 = sdy.sharding_constraint %21 <@mesh, [{?}, {?}]> : tensor<8x4xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %24 = sdy.sharding_constraint %23 <@mesh, [{?}, {?}]> : tensor<8x4xf32>
    %25 = stablehlo.compare GT, %arg0, %24, FLOAT : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xi1>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %26 = call @_where_9(%25, %arg0, %c_4) : (tensor<8x4xi1>, tensor<8x4xf32>, tensor<i32>) -> tensor<8x4xf32>
    %27 = stablehlo.add %22, %26 : tensor<8x4xf32>
    %28 = sdy.sharding_constraint %27 <@mesh, [{?}, {?}]> : tensor<8x4xf32>
    return %28 : tensor<8x4xf32>
  }
  func.func private @clip_8(%arg0: tensor<8x4xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<8x4xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = sdy.sharding_constraint %0 <@mesh, []> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %3 = sdy.sharding_constraint %2 <@mesh, [{?}, {?}]> : tensor<8x4xf32>
    %4 = stablehlo.maximum %3, %arg0 : tensor<8x4xf32>
    %5 = sdy.sharding_constraint %4 <@mesh, [{?}, {?}]> : tensor<8x4xf32>
    %6 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %7 = sdy.sharding_constraint %6 <@mesh, []> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %9 = sdy.sharding_constraint %8 <@mesh, [{?}, {?}]> : tensor<8x4xf32>
    %10 = stablehlo.minimum %9, %5 : tensor<8x4xf32>
    %11 = sdy.sharding_constraint %10 <@mesh, [{?}, {?}]> : tensor<8x4xf32>
    return %11 : tensor<8x4xf32>
  }
  func.func private @_where_9(%arg0: tensor<8x4xi1>, %arg1: tensor<8x4xf32>, %arg2: tensor<i32>) -> tensor<8x4xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = sdy.sharding_constraint %0 <@mesh, []> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %3 = sdy.sharding_constraint %2 <@mesh, [{?}, {?}]> : tensor<8x4xf32>
    %4 = stablehlo.select %arg0, %arg1, %3 : tensor<8x4xi1>, tensor<8x4xf32>
    %5 = sdy.sharding_constraint %4 <@mesh, [{?}, {?}]> : tensor<8x4xf32>
    return %5 : tensor<8x4xf32>
  }
  func.func private @soft_10(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %c = stablehlo.constant dense<-2> : tensor<i32>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %0 = call @clip_11(%arg0, %c, %c_0) : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<8x8xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %3 = stablehlo.maximum %2, %1 : tensor<8xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x8xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<8x8xf32>
    %7 = stablehlo.exponential %6 : tensor<8x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x8xf32>
    %11 = stablehlo.divide %7, %10 : tensor<8x8xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %13 = stablehlo.compare GT, %arg0, %12, FLOAT : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xi1>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %14 = call @_where_12(%13, %arg0, %c_4) : (tensor<8x8xi1>, tensor<8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
    %15 = stablehlo.add %11, %14 : tensor<8x8xf32>
    return %15 : tensor<8x8xf32>
  }
  func.func private @clip_11(%arg0: tensor<8x8xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<8x8xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<8x8xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<8x8xf32>
    return %5 : tensor<8x8xf32>
  }
  func.func private @_where_12(%arg0: tensor<8x8xi1>, %arg1: tensor<8x8xf32>, %arg2: tensor<i32>) -> tensor<8x8xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<8x8xi1>, tensor<8x8xf32>
    return %2 : tensor<8x8xf32>
  }
  func.func private @inner_13(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = call @soft_14(%arg0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %4 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = call @soft_17(%1) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %3 = stablehlo.add %2, %arg0 : tensor<4x4xf32>
    return %3 : tensor<4x4xf32>
  }
  func.func private @soft_14(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %c = stablehlo.constant dense<-2> : tensor<i32>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %0 = call @clip_15(%arg0, %c, %c_0) : (tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<4x4xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %3 = stablehlo.maximum %2, %1 : tensor<4xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x4xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<4x4xf32>
    %7 = stablehlo.exponential %6 : tensor<4x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x4xf32>
    %11 = stablehlo.divide %7, %10 : tensor<4x4xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %13 = stablehlo.compare GT, %arg0, %12, FLOAT : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xi1>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %14 = call @_where_16(%13, %arg0, %c_4) : (tensor<4x4xi1>, tensor<4x4xf32>, tensor<i32>) -> tensor<4x4xf32>
    %15 = stablehlo.add %11, %14 : tensor<4x4xf32>
    return %15 : tensor<4x4xf32>
  }
  func.func private @clip_15(%arg0: tensor<4x4xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<4x4xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<4x4xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<4x4xf32>
    return %5 : tensor<4x4xf32>
  }
  func.func private @_where_16(%arg0: tensor<4x4xi1>, %arg1: tensor<4x4xf32>, %arg2: tensor<i32>) -> tensor<4x4xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<4x4xi1>, tensor<4x4xf32>
    return %2 : tensor<4x4xf32>
  }
  func.func private @soft_17(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %c = stablehlo.constant dense<-2> : tensor<i32>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %0 = call @clip_18(%arg0, %c, %c_0) : (tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<4x4xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %3 = stablehlo.maximum %2, %1 : tensor<4xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x4xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<4x4xf32>
    %7 = stablehlo.exponential %6 : tensor<4x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x4xf32>
    %11 = stablehlo.divide %7, %10 : tensor<4x4xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %13 = stablehlo.compare GT, %arg0, %12, FLOAT : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xi1>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %14 = call @_where_19(%13, %arg0, %c_4) : (tensor<4x4xi1>, tensor<4x4xf32>, tensor<i32>) -> tensor<4x4xf32>
    %15 = stablehlo.add %11, %14 : tensor<4x4xf32>
    return %15 : tensor<4x4xf32>
  }
  func.func private @clip_18(%arg0: tensor<4x4xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<4x4xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<4x4xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<4x4xf32>
    return %5 : tensor<4x4xf32>
  }
  func.func private @_where_19(%arg0: tensor<4x4xi1>, %arg1: tensor<4x4xf32>, %arg2: tensor<i32>) -> tensor<4x4xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<4x4xi1>, tensor<4x4xf32>
    return %2 : tensor<4x4xf32>
  }
  func.func private @soft_20(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %c = stablehlo.constant dense<-2> : tensor<i32>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %0 = call @clip_21(%arg0, %c, %c_0) : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<8x8xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %3 = stablehlo.maximum %2, %1 : tensor<8xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x8xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<8x8xf32>
    %7 = stablehlo.exponential %6 : tensor<8x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x8xf32>
    %11 = stablehlo.divide %7, %10 : tensor<8x8xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %13 = stablehlo.compare GT, %arg0, %12, FLOAT : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xi1>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %14 = call @_where_22(%13, %arg0, %c_4) : (tensor<8x8xi1>, tensor<8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
    %15 = stablehlo.add %11, %14 : tensor<8x8xf32>
    return %15 : tensor<8x8xf32>
  }
  func.func private @clip_21(%arg0: tensor<8x8xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<8x8xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<8x8xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<8x8xf32>
    return %5 : tensor<8x8xf32>
  }
  func.func private @_where_22(%arg0: tensor<8x8xi1>, %arg1: tensor<8x8xf32>, %arg2: tensor<i32>) -> tensor<8x8xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<8x8xi1>, tensor<8x8xf32>
    return %2 : tensor<8x8xf32>
  }
}
