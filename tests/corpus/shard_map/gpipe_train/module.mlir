module @jit_train attributes {mhlo.num_partitions = 6 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "stage"=3]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "stage", size = 3 : i64}]}}
  func.func public @main(%arg0: tensor<3x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"stage"}, {}, {}]>}, %arg1: tensor<3x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"stage"}, {}]>}, %arg2: tensor<6x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {}]>}) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<3x4x4xf32> {jax.result_info = "result[1]"}, tensor<3x4xf32> {jax.result_info = "result[2]"}) {
    %0:13 = sdy.manual_computation(%arg0, %arg1, %arg2) in_shardings=[<@mesh, [{"stage"}, {}, {}]>, <@mesh, [{"stage"}, {}]>, <@mesh, [{}, {"data"}, {}]>] out_shardings=[<@mesh, [{"data", "stage"}]>, <@mesh, [{"data", "stage"}]>, <@mesh, [{"data", "stage"}]>, <@mesh, [{"data", "stage"}, {}]>, <@mesh, [{"data", "stage"}, {}]>, <@mesh, [{"data", "stage"}, {}, {}]>, <@mesh, [{"data", "stage"}, {}, {}]>, <@mesh, [{"data", "stage"}, {}, {}]>, <@mesh, [{"data", "stage"}]>, <@mesh, [{"data", "stage"}]>, <@mesh, [{"data", "stage"}]>, <@mesh, [{"data", "stage"}, {}, {}]>, <@mesh, [{}, {"data"}, {}]>] manual_axes={"data", "stage"} (%arg3: tensor<1x4x4xf32>, %arg4: tensor<1x4xf32>, %arg5: tensor<6x2x4xf32>) {
      %20 = stablehlo.reshape %arg3 : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
      %21 = stablehlo.reshape %arg4 : (tensor<1x4xf32>) -> tensor<4xf32>
      %c = stablehlo.constant dense<1> : tensor<ui32>
      %c_8 = stablehlo.constant dense<3> : tensor<ui32>
      %22 = stablehlo.partition_id : tensor<ui32>
      %23 = stablehlo.divide %22, %c : tensor<ui32>
      %24 = stablehlo.remainder %23, %c_8 : tensor<ui32>
      %25 = stablehlo.convert %24 : (tensor<ui32>) -> tensor<i32>
      %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %26 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
      %27 = stablehlo.slice %20 [0:1, 0:1] : (tensor<4x4xf32>) -> tensor<1x1xf32>
      %28 = stablehlo.reshape %27 : (tensor<1x1xf32>) -> tensor<f32>
      %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %29 = stablehlo.multiply %cst_10, %28 : tensor<f32>
      %30 = stablehlo.broadcast_in_dim %29, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
      %31 = stablehlo.add %26, %30 : tensor<2x4xf32>
      %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %32 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<6x2x4xf32>
      %33 = stablehlo.slice %20 [0:1, 0:1] : (tensor<4x4xf32>) -> tensor<1x1xf32>
      %34 = stablehlo.reshape %33 : (tensor<1x1xf32>) -> tensor<f32>
      %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %35 = stablehlo.multiply %cst_12, %34 : tensor<f32>
      %36 = stablehlo.broadcast_in_dim %35, dims = [] : (tensor<f32>) -> tensor<6x2x4xf32>
      %37 = stablehlo.add %32, %36 : tensor<6x2x4xf32>
      %38 = stablehlo.iota dim = 0 : tensor<8xi32>
      %c_13 = stablehlo.constant dense<0> : tensor<i32>
      %39 = stablehlo.compare EQ, %25, %c_13, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_14 = stablehlo.constant dense<0> : tensor<i32>
      %c_15 = stablehlo.constant dense<0> : tensor<i32>
      %40 = stablehlo.compare LT, %c_14, %c_15, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_16 = stablehlo.constant dense<0> : tensor<i32>
      %c_17 = stablehlo.constant dense<2> : tensor<i32>
      %41 = stablehlo.add %c_16, %c_17 : tensor<i32>
      %c_18 = stablehlo.constant dense<0> : tensor<i32>
      %42 = stablehlo.select %40, %41, %c_18 : tensor<i1>, tensor<i32>
      %c_19 = stablehlo.constant dense<0> : tensor<i32>
      %c_20 = stablehlo.constant dense<0> : tensor<i32>
      %43 = stablehlo.compare LT, %c_19, %c_20, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_21 = stablehlo.constant dense<0> : tensor<i32>
      %c_22 = stablehlo.constant dense<4> : tensor<i32>
      %44 = stablehlo.add %c_21, %c_22 : tensor<i32>
      %c_23 = stablehlo.constant dense<0> : tensor<i32>
      %45 = stablehlo.select %43, %44, %c_23 : tensor<i1>, tensor<i32>
      %46 = func.call @_where(%39) : (tensor<i1>) -> tensor<2x4xf32>
      %47 = stablehlo.broadcast_in_dim %21, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
      %c_24 = stablehlo.constant dense<2> : tensor<i32>
      %48 = stablehlo.compare EQ, %25, %c_24, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      func.call @dynamic_update_index_in_dim() : () -> ()
      func.call @_where_0() : () -> ()
      %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %49 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
      %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %50 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
      %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %51 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
      %c_28 = stablehlo.constant dense<0> : tensor<i32>
      %52 = stablehlo.broadcast_in_dim %c_28, dims = [] : (tensor<i32>) -> tensor<8xi32>
      %c_29 = stablehlo.constant dense<false> : tensor<i1>
      %53 = stablehlo.broadcast_in_dim %c_29, dims = [] : (tensor<i1>) -> tensor<8xi1>
      %c_30 = stablehlo.constant dense<0> : tensor<i32>
      %54:16 = stablehlo.while(%iterArg = %38, %iterArg_35 = %arg5, %iterArg_36 = %42, %iterArg_37 = %45, %iterArg_38 = %39, %iterArg_39 = %20, %iterArg_40 = %47, %iterArg_41 = %48, %iterArg_42 = %c_30, %iterArg_43 = %31, %iterArg_44 = %37, %iterArg_45 = %49, %iterArg_46 = %50, %iterArg_47 = %51, %iterArg_48 = %52, %iterArg_49 = %53) : tensor<8xi32>, tensor<6x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i1>, tensor<4x4xf32>, tensor<1x4xf32>, tensor<i1>, tensor<i32>, tensor<2x4xf32>, tensor<6x2x4xf32>, tensor<8x2x4xf32>, tensor<8x2x4xf32>, tensor<8x2x4xf32>, tensor<8xi32>, tensor<8xi1>
      cond {
        %c_50 = stablehlo.constant dense<8> : tensor<i32>
        %62 = stablehlo.compare LT, %iterArg_42, %c_50, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %62 : tensor<i1>
      } do {
        %62 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_42) : (tensor<8xi32>, tensor<i32>) -> tensor<i32>
        %63:7 = func.call @closed_call(%iterArg_35, %iterArg_36, %iterArg_37, %iterArg_38, %iterArg_39, %iterArg_40, %iterArg_41, %iterArg_43, %iterArg_44, %62) : (tensor<6x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i1>, tensor<4x4xf32>, tensor<1x4xf32>, tensor<i1>, tensor<2x4xf32>, tensor<6x2x4xf32>, tensor<i32>) -> (tensor<2x4xf32>, tensor<6x2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<i32>, tensor<i1>)
        %64 = func.call @dynamic_update_index_in_dim_4(%iterArg_45, %63#2, %iterArg_42) : (tensor<8x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<8x2x4xf32>
        %65 = func.call @dynamic_update_index_in_dim_4(%iterArg_46, %63#3, %iterArg_42) : (tensor<8x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<8x2x4xf32>
        %66 = func.call @dynamic_update_index_in_dim_4(%iterArg_47, %63#4, %iterArg_42) : (tensor<8x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<8x2x4xf32>
        %67 = func.call @dynamic_update_index_in_dim_5(%iterArg_48, %63#5, %iterArg_42) : (tensor<8xi32>, tensor<i32>, tensor<i32>) -> tensor<8xi32>
        %68 = func.call @dynamic_update_index_in_dim_6(%iterArg_49, %63#6, %iterArg_42) : (tensor<8xi1>, tensor<i1>, tensor<i32>) -> tensor<8xi1>
        %c_50 = stablehlo.constant dense<1> : tensor<i32>
        %69 = stablehlo.add %iterArg_42, %c_50 : tensor<i32>
        stablehlo.return %iterArg, %iterArg_35, %iterArg_36, %iterArg_37, %iterArg_38, %iterArg_39, %iterArg_40, %iterArg_41, %69, %63#0, %63#1, %64, %65, %66, %67, %68 : tensor<8xi32>, tensor<6x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i1>, tensor<4x4xf32>, tensor<1x4xf32>, tensor<i1>, tensor<i32>, tensor<2x4xf32>, tensor<6x2x4xf32>, tensor<8x2x4xf32>, tensor<8x2x4xf32>, tensor<8x2x4xf32>, tensor<8xi32>, tensor<8xi1>
      }
      %c_31 = stablehlo.constant dense<2> : tensor<i32>
      %55 = stablehlo.compare EQ, %25, %c_31, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_32 = stablehlo.constant dense<0> : tensor<i32>
      %56:2 = func.call @_where_7(%55, %54#10, %c_32) : (tensor<i1>, tensor<6x2x4xf32>, tensor<i32>) -> (tensor<6x2x4xf32>, tensor<6x2x4xf32>)
      %57 = "stablehlo.all_reduce"(%56#0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi64>, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
        %62 = stablehlo.add %arg6, %arg7 : tensor<f32>
        stablehlo.return %62 : tensor<f32>
      }) : (tensor<6x2x4xf32>) -> tensor<6x2x4xf32>
      %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %58 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<1xf32>
      %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %59 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<1xf32>
      %60 = stablehlo.broadcast_in_dim %39, dims = [] : (tensor<i1>) -> tensor<1xi1>
      %61 = stablehlo.broadcast_in_dim %55, dims = [] : (tensor<i1>) -> tensor<1xi1>
      sdy.return %58, %59, %60, %46, %20, %54#11, %54#12, %54#13, %54#14, %54#15, %61, %56#1, %57 : tensor<1xf32>, tensor<1xf32>, tensor<1xi1>, tensor<2x4xf32>, tensor<4x4xf32>, tensor<8x2x4xf32>, tensor<8x2x4xf32>, tensor<8x2x4xf32>, tensor<8xi32>, tensor<8xi1>, tensor<1xi1>, tensor<6x2x4xf32>, tensor<6x2x4xf32>
    } : (tensor<3x4x4xf32>, tensor<3x4xf32>, tensor<6x4x4xf32>) -> (tensor<6xf32>, tensor<6xf32>, tensor<6xi1>, tensor<12x4xf32>, tensor<24x4xf32>, tensor<48x2x4xf32>, tensor<48x2x4xf32>, tensor<48x2x4xf32>, tensor<48xi32>, tensor<48xi1>, tensor<6xi1>, tensor<36x2x4xf32>, tensor<6x4x4xf32>)
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x4x4xf32>
    %2 = stablehlo.subtract %0#12, %1 : tensor<6x4x4xf32>
    %3 = stablehlo.multiply %2, %2 : tensor<6x4x4xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6x4x4xf32>
    %5 = stablehlo.multiply %4, %2 : tensor<6x4x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%3 init: %cst_1) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<6x4x4xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %7 = stablehlo.divide %6, %cst_2 : tensor<f32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_4 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %8 = stablehlo.divide %cst_3, %cst_4 : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<6x4x4xf32>
    %10 = stablehlo.multiply %9, %5 : tensor<6x4x4xf32>
    %cst_5 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<6x4x4xf32>
    %12 = stablehlo.divide %10, %11 : tensor<6x4x4xf32>
    %13:2 = sdy.manual_computation(%12, %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %0#7, %0#8, %0#9, %0#10, %0#11) in_shardings=[<@mesh, [{}, {"data"}, {}]>, <@mesh, [{"data", "stage"}]>, <@mesh, [{"data", "stage"}]>, <@mesh, [{"data", "stage"}]>, <@mesh, [{"data", "stage"}, {}]>, <@mesh, [{"data", "stage"}, {}]>, <@mesh, [{"data", "stage"}, {}, {}]>, <@mesh, [{"data", "stage"}, {}, {}]>, <@mesh, [{"data", "stage"}, {}, {}]>, <@mesh, [{"data", "stage"}]>, <@mesh, [{"data", "stage"}]>, <@mesh, [{"data", "stage"}]>, <@mesh, [{"data", "stage"}, {}, {}]>] out_shardings=[<@mesh, [{"stage"}, {}, {}]>, <@mesh, [{"stage"}, {}]>] manual_axes={"data", "stage"} (%arg3: tensor<6x2x4xf32>, %arg4: tensor<1xf32>, %arg5: tensor<1xf32>, %arg6: tensor<1xi1>, %arg7: tensor<2x4xf32>, %arg8: tensor<4x4xf32>, %arg9: tensor<8x2x4xf32>, %arg10: tensor<8x2x4xf32>, %arg11: tensor<8x2x4xf32>, %arg12: tensor<8xi32>, %arg13: tensor<8xi1>, %arg14: tensor<1xi1>, %arg15: tensor<6x2x4xf32>) {
      %20 = stablehlo.reshape %arg4 : (tensor<1xf32>) -> tensor<f32>
      %21 = stablehlo.reshape %arg5 : (tensor<1xf32>) -> tensor<f32>
      %22 = stablehlo.reshape %arg6 : (tensor<1xi1>) -> tensor<i1>
      %23 = stablehlo.reshape %arg14 : (tensor<1xi1>) -> tensor<i1>
      %24 = "stablehlo.all_reduce"(%arg3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi64>, use_global_device_ids}> ({
      ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
        %44 = stablehlo.add %arg16, %arg17 : tensor<f32>
        stablehlo.return %44 : tensor<f32>
      }) : (tensor<6x2x4xf32>) -> tensor<6x2x4xf32>
      %25 = func.call @_where_8(%23, %arg15, %24) : (tensor<i1>, tensor<6x2x4xf32>, tensor<6x2x4xf32>) -> tensor<6x2x4xf32>
      %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %26 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
      %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %27 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
      %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %28 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %c = stablehlo.constant dense<0> : tensor<i32>
      %29:13 = stablehlo.while(%iterArg = %arg9, %iterArg_15 = %arg10, %iterArg_16 = %arg11, %iterArg_17 = %arg12, %iterArg_18 = %arg13, %iterArg_19 = %22, %iterArg_20 = %arg7, %iterArg_21 = %arg8, %iterArg_22 = %c, %iterArg_23 = %27, %iterArg_24 = %28, %iterArg_25 = %26, %iterArg_26 = %25) : tensor<8x2x4xf32>, tensor<8x2x4xf32>, tensor<8x2x4xf32>, tensor<8xi32>, tensor<8xi1>, tensor<i1>, tensor<2x4xf32>, tensor<4x4xf32>, tensor<i32>, tensor<4x4xf32>, tensor<4xf32>, tensor<2x4xf32>, tensor<6x2x4xf32>
      cond {
        %c_27 = stablehlo.constant dense<8> : tensor<i32>
        %44 = stablehlo.compare LT, %iterArg_22, %c_27, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %44 : tensor<i1>
      } do {
        %c_27 = stablehlo.constant dense<8> : tensor<i32>
        %44 = stablehlo.subtract %c_27, %iterArg_22 : tensor<i32>
        %c_28 = stablehlo.constant dense<1> : tensor<i32>
        %45 = stablehlo.subtract %44, %c_28 : tensor<i32>
        %46 = func.call @dynamic_index_in_dim_9(%iterArg, %45) : (tensor<8x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
        %47 = func.call @dynamic_index_in_dim_9(%iterArg_15, %45) : (tensor<8x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
        %48 = func.call @dynamic_index_in_dim_9(%iterArg_16, %45) : (tensor<8x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
        %49 = func.call @dynamic_index_in_dim(%iterArg_17, %45) : (tensor<8xi32>, tensor<i32>) -> tensor<i32>
        %50 = func.call @dynamic_index_in_dim_10(%iterArg_18, %45) : (tensor<8xi1>, tensor<i32>) -> tensor<i1>
        %51:4 = func.call @closed_call_11(%iterArg_19, %iterArg_20, %iterArg_21, %iterArg_23, %iterArg_24, %iterArg_25, %iterArg_26, %46, %47, %48, %49, %50) : (tensor<i1>, tensor<2x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<2x4xf32>, tensor<6x2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<i32>, tensor<i1>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<2x4xf32>, tensor<6x2x4xf32>)
        %c_29 = stablehlo.constant dense<1> : tensor<i32>
        %52 = stablehlo.add %iterArg_22, %c_29 : tensor<i32>
        stablehlo.return %iterArg, %iterArg_15, %iterArg_16, %iterArg_17, %iterArg_18, %iterArg_19, %iterArg_20, %iterArg_21, %52, %51#0, %51#1, %51#2, %51#3 : tensor<8x2x4xf32>, tensor<8x2x4xf32>, tensor<8x2x4xf32>, tensor<8xi32>, tensor<8xi1>, tensor<i1>, tensor<2x4xf32>, tensor<4x4xf32>, tensor<i32>, tensor<4x4xf32>, tensor<4xf32>, tensor<2x4xf32>, tensor<6x2x4xf32>
      }
      %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %30 = stablehlo.reduce(%29#12 init: %cst_11) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<6x2x4xf32>, tensor<f32>) -> tensor<f32>
      %31 = stablehlo.multiply %21, %30 : tensor<f32>
      %32 = stablehlo.broadcast_in_dim %31, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
      %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %33 = stablehlo.pad %32, %cst_12, low = [0, 0], high = [3, 3], interior = [0, 0] : (tensor<1x1xf32>, tensor<f32>) -> tensor<4x4xf32>
      %34 = stablehlo.add %29#9, %33 : tensor<4x4xf32>
      %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %35 = stablehlo.reduce(%29#11 init: %cst_13) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x4xf32>, tensor<f32>) -> tensor<f32>
      %36 = stablehlo.multiply %20, %35 : tensor<f32>
      %37 = stablehlo.broadcast_in_dim %36, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
      %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %38 = stablehlo.pad %37, %cst_14, low = [0, 0], high = [3, 3], interior = [0, 0] : (tensor<1x1xf32>, tensor<f32>) -> tensor<4x4xf32>
      %39 = stablehlo.add %34, %38 : tensor<4x4xf32>
      %40 = stablehlo.broadcast_in_dim %29#10, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
      %41 = stablehlo.broadcast_in_dim %39, dims = [1, 2] : (tensor<4x4xf32>) -> tensor<1x4x4xf32>
      %42 = "stablehlo.all_reduce"(%41) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 3], [1, 4], [2, 5]]> : tensor<3x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
        %44 = stablehlo.add %arg16, %arg17 : tensor<f32>
        stablehlo.return %44 : tensor<f32>
      }) : (tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
      %43 = "stablehlo.all_reduce"(%40) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 3], [1, 4], [2, 5]]> : tensor<3x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
        %44 = stablehlo.add %arg16, %arg17 : tensor<f32>
        stablehlo.return %44 : tensor<f32>
      }) : (tensor<1x4xf32>) -> tensor<1x4xf32>
      sdy.return %42, %43 : tensor<1x4x4xf32>, tensor<1x4xf32>
    } : (tensor<6x4x4xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xi1>, tensor<12x4xf32>, tensor<24x4xf32>, tensor<48x2x4xf32>, tensor<48x2x4xf32>, tensor<48x2x4xf32>, tensor<48xi32>, tensor<48xi1>, tensor<6xi1>, tensor<36x2x4xf32>) -> (tensor<3x4x4xf32>, tensor<3x4xf32>)
    %cst_6 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<3x4x4xf32>
    %15 = stablehlo.multiply %14, %13#0 : tensor<3x4x4xf32>
    %16 = stablehlo.subtract %arg0, %15 : tensor<3x4x4xf32>
    %cst_7 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %18 = stablehlo.multiply %17, %13#1 : tensor<3x4xf32>
    %19 = stablehlo.subtract %arg1, %18 : tensor<3x4xf32>
    return %7, %16, %19 : tensor<f32>, tensor<3x4x4xf32>, tensor<3x4xf32>
  }
  func.func private @_where(%arg0: tensor<i1>) -> tensor<2x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    return %0 : tensor<2x4xf32>
  }
  func.func private @dynamic_update_index_in_dim() {
    return
  }
  func.func private @_where_0() {
    return
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<8xi32>, %arg1: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<8xi32>, tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.reshape %0 : (tensor<1xi32>) -> tensor<i32>
    return %1 : tensor<i32>
  }
  func.func private @closed_call(%arg0: tensor<6x2x4xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<i1>, %arg4: tensor<4x4xf32>, %arg5: tensor<1x4xf32>, %arg6: tensor<i1>, %arg7: tensor<2x4xf32>, %arg8: tensor<6x2x4xf32>, %arg9: tensor<i32>) -> (tensor<2x4xf32>, tensor<6x2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<i32>, tensor<i1>) {
    %c = stablehlo.constant dense<5> : tensor<i32>
    %0 = stablehlo.minimum %arg9, %c : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare LT, %0, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_1 = stablehlo.constant dense<6> : tensor<i32>
    %2 = stablehlo.add %0, %c_1 : tensor<i32>
    %3 = stablehlo.select %1, %2, %0 : tensor<i1>, tensor<i32>
    %4 = stablehlo.dynamic_slice %arg0, %3, %arg1, %arg2, sizes = [1, 2, 4] : (tensor<6x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4xf32>
    %5 = stablehlo.reshape %4 : (tensor<1x2x4xf32>) -> tensor<2x4xf32>
    %6 = call @_where_1(%5, %arg7, %arg3) : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<i1>) -> tensor<2x4xf32>
    %7 = stablehlo.dot_general %6, %arg4, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %8 = stablehlo.broadcast_in_dim %arg5, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<2x4xf32>
    %9 = stablehlo.add %7, %8 : tensor<2x4xf32>
    %10 = stablehlo.tanh %9 : tensor<2x4xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %12 = stablehlo.subtract %11, %10 : tensor<2x4xf32>
    %c_2 = stablehlo.constant dense<2> : tensor<i32>
    %13 = stablehlo.subtract %arg9, %c_2 : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %14 = stablehlo.maximum %13, %c_3 : tensor<i32>
    %c_4 = stablehlo.constant dense<2> : tensor<i32>
    %15 = stablehlo.compare GE, %arg9, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %16 = stablehlo.and %arg6, %15 : tensor<i1>
    %17:2 = call @dynamic_update_index_in_dim_2(%arg8, %10, %14) : (tensor<6x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> (tensor<6x2x4xf32>, tensor<i32>)
    %18 = call @_where_3(%16, %17#0, %arg8) : (tensor<i1>, tensor<6x2x4xf32>, tensor<6x2x4xf32>) -> tensor<6x2x4xf32>
    %19 = "stablehlo.collective_permute"(%10) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 0], [3, 4], [4, 5], [5, 3]]> : tensor<6x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    return %19, %18, %6, %10, %12, %17#1, %16 : tensor<2x4xf32>, tensor<6x2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<i32>, tensor<i1>
  }
  func.func private @_where_1(%arg0: tensor<2x4xf32>, %arg1: tensor<2x4xf32>, %arg2: tensor<i1>) -> tensor<2x4xf32> {
    %0 = stablehlo.select %arg2, %arg0, %arg1 : tensor<i1>, tensor<2x4xf32>
    return %0 : tensor<2x4xf32>
  }
  func.func private @dynamic_update_index_in_dim_2(%arg0: tensor<6x2x4xf32>, %arg1: tensor<2x4xf32>, %arg2: tensor<i32>) -> (tensor<6x2x4xf32>, tensor<i32>) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<2x4xf32>) -> tensor<1x2x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare LT, %arg2, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<6> : tensor<i32>
    %2 = stablehlo.add %arg2, %c_0 : tensor<i32>
    %3 = stablehlo.select %1, %2, %arg2 : tensor<i1>, tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.dynamic_update_slice %arg0, %0, %3, %c_1, %c_2 : (tensor<6x2x4xf32>, tensor<1x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x2x4xf32>
    return %4, %3 : tensor<6x2x4xf32>, tensor<i32>
  }
  func.func private @_where_3(%arg0: tensor<i1>, %arg1: tensor<6x2x4xf32>, %arg2: tensor<6x2x4xf32>) -> tensor<6x2x4xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<6x2x4xf32>
    return %0 : tensor<6x2x4xf32>
  }
  func.func private @dynamic_update_index_in_dim_4(%arg0: tensor<8x2x4xf32>, %arg1: tensor<2x4xf32>, %arg2: tensor<i32>) -> tensor<8x2x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<2x4xf32>) -> tensor<1x2x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<8x2x4xf32>, tensor<1x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x2x4xf32>
    return %1 : tensor<8x2x4xf32>
  }
  func.func private @dynamic_update_index_in_dim_5(%arg0: tensor<8xi32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<8xi32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<8xi32>, tensor<1xi32>, tensor<i32>) -> tensor<8xi32>
    return %1 : tensor<8xi32>
  }
  func.func private @dynamic_update_index_in_dim_6(%arg0: tensor<8xi1>, %arg1: tensor<i1>, %arg2: tensor<i32>) -> tensor<8xi1> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<8xi1>, tensor<1xi1>, tensor<i32>) -> tensor<8xi1>
    return %1 : tensor<8xi1>
  }
  func.func private @_where_7(%arg0: tensor<i1>, %arg1: tensor<6x2x4xf32>, %arg2: tensor<i32>) -> (tensor<6x2x4xf32>, tensor<6x2x4xf32>) {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<6x2x4xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<6x2x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x2x4xf32>
    return %2, %3 : tensor<6x2x4xf32>, tensor<6x2x4xf32>
  }
  func.func private @_where_8(%arg0: tensor<i1>, %arg1: tensor<6x2x4xf32>, %arg2: tensor<6x2x4xf32>) -> tensor<6x2x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x2x4xf32>
    %1 = stablehlo.select %arg0, %arg2, %0 : tensor<i1>, tensor<6x2x4xf32>
    return %1 : tensor<6x2x4xf32>
  }
  func.func private @dynamic_index_in_dim_9(%arg0: tensor<8x2x4xf32>, %arg1: tensor<i32>) -> tensor<2x4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 2, 4] : (tensor<8x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x4xf32>) -> tensor<2x4xf32>
    return %1 : tensor<2x4xf32>
  }
  func.func private @dynamic_index_in_dim_10(%arg0: tensor<8xi1>, %arg1: tensor<i32>) -> tensor<i1> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<8xi1>, tensor<i32>) -> tensor<1xi1>
    %1 = stablehlo.reshape %0 : (tensor<1xi1>) -> tensor<i1>
    return %1 : tensor<i1>
  }
  func.func private @closed_call_11(%arg0: tensor<i1>, %arg1: tensor<2x4xf32>, %arg2: tensor<4x4xf32>, %arg3: tensor<4x4xf32>, %arg4: tensor<4xf32>, %arg5: tensor<2x4xf32>, %arg6: tensor<6x2x4xf32>, %arg7: tensor<2x4xf32>, %arg8: tensor<2x4xf32>, %arg9: tensor<2x4xf32>, %arg10: tensor<i32>, %arg11: tensor<i1>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<2x4xf32>, tensor<6x2x4xf32>) {
    %0 = "stablehlo.collective_permute"(%arg5) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[1, 0], [2, 1], [0, 2], [4, 3], [5, 4], [3, 5]]> : tensor<6x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %1:2 = call @_where_12(%arg11, %arg6) : (tensor<i1>, tensor<6x2x4xf32>) -> (tensor<6x2x4xf32>, tensor<6x2x4xf32>)
    %2:2 = call @dynamic_update_index_in_dim_13(%arg10, %1#0) : (tensor<i32>, tensor<6x2x4xf32>) -> (tensor<6x2x4xf32>, tensor<2x4xf32>)
    %3 = stablehlo.add %1#1, %2#0 : tensor<6x2x4xf32>
    %4 = stablehlo.add %0, %2#1 : tensor<2x4xf32>
    %5 = stablehlo.multiply %4, %arg9 : tensor<2x4xf32>
    %6 = stablehlo.multiply %5, %arg8 : tensor<2x4xf32>
    %7 = stablehlo.add %5, %6 : tensor<2x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
    %9 = stablehlo.reshape %8 : (tensor<4xf32>) -> tensor<1x4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<1x4xf32>, tensor<f32>) -> tensor<4xf32>
    %11 = stablehlo.add %arg4, %10 : tensor<4xf32>
    %12 = stablehlo.dot_general %7, %arg7, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
    %13 = stablehlo.transpose %12, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %14 = stablehlo.add %arg3, %13 : tensor<4x4xf32>
    %15 = stablehlo.dot_general %7, %arg2, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %16 = call @_where_14(%arg0, %arg1, %15) : (tensor<i1>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    return %14, %11, %16, %3 : tensor<4x4xf32>, tensor<4xf32>, tensor<2x4xf32>, tensor<6x2x4xf32>
  }
  func.func private @_where_12(%arg0: tensor<i1>, %arg1: tensor<6x2x4xf32>) -> (tensor<6x2x4xf32>, tensor<6x2x4xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x2x4xf32>
    %1 = stablehlo.select %arg0, %0, %arg1 : tensor<i1>, tensor<6x2x4xf32>
    %2 = stablehlo.select %arg0, %arg1, %0 : tensor<i1>, tensor<6x2x4xf32>
    return %2, %1 : tensor<6x2x4xf32>, tensor<6x2x4xf32>
  }
  func.func private @dynamic_update_index_in_dim_13(%arg0: tensor<i32>, %arg1: tensor<6x2x4xf32>) -> (tensor<6x2x4xf32>, tensor<2x4xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg1, %0, %arg0, %c, %c_0 : (tensor<6x2x4xf32>, tensor<1x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x2x4xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.dynamic_slice %arg1, %arg0, %c_1, %c_2, sizes = [1, 2, 4] : (tensor<6x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<1x2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    return %1, %3 : tensor<6x2x4xf32>, tensor<2x4xf32>
  }
  func.func private @_where_14(%arg0: tensor<i1>, %arg1: tensor<2x4xf32>, %arg2: tensor<2x4xf32>) -> tensor<2x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %1 = stablehlo.select %arg0, %0, %arg2 : tensor<i1>, tensor<2x4xf32>
    return %1 : tensor<2x4xf32>
  }
}
