module @jit_train attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["dp"=2, "sp"=2]> {stablehlo.mesh = {axes = [{name = "dp", size = 2 : i64}, {name = "sp", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<4x2x1x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"dp"}, {"sp"}, {}, {}]>}, %arg1: tensor<4x2x1x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"dp"}, {"sp"}, {}, {}]>}, %arg2: tensor<4x2x1x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"dp"}, {"sp"}, {}, {}]>}) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<4x2x1x2xf32> {jax.result_info = "result[1][0]"}, tensor<4x2x1x2xf32> {jax.result_info = "result[1][1]"}, tensor<4x2x1x2xf32> {jax.result_info = "result[1][2]"}) {
    %0:19 = sdy.manual_computation(%arg0, %arg1, %arg2) in_shardings=[<@mesh, [{"dp"}, {"sp"}, {}, {}]>, <@mesh, [{"dp"}, {"sp"}, {}, {}]>, <@mesh, [{"dp"}, {"sp"}, {}, {}]>] out_shardings=[<@mesh, [{"dp", "sp"}]>, <@mesh, [{"dp", "sp"}]>, <@mesh, [{"dp", "sp"}, {}, {}, {}]>, <@mesh, [{"dp", "sp"}, {}, {}, {}, {}]>, <@mesh, [{"dp", "sp"}, {}, {}, {}, {}]>, <@mesh, [{"dp", "sp"}, {}, {}, {}, {}]>, <@mesh, [{"dp", "sp"}, {}, {}, {}]>, <@mesh, [{"dp", "sp"}, {}, {}, {}]>, <@mesh, [{"dp", "sp"}, {}, {}, {}]>, <@mesh, [{"dp", "sp"}, {}, {}, {}, {}]>, <@mesh, [{"dp", "sp"}, {}, {}, {}]>, <@mesh, [{"dp", "sp"}, {}, {}, {}]>, <@mesh, [{"dp", "sp"}, {}, {}, {}, {}]>, <@mesh, [{"dp", "sp"}, {}, {}, {}, {}]>, <@mesh, [{"dp", "sp"}, {}, {}, {}, {}]>, <@mesh, [{"dp", "sp"}, {}, {}, {}]>, <@mesh, [{"dp", "sp"}, {}, {}, {}]>, <@mesh, [{"dp", "sp"}, {}, {}, {}]>, <@mesh, [{"dp"}, {"sp"}, {}, {}]>] manual_axes={"dp", "sp"} (%arg3: tensor<2x1x1x2xf32>, %arg4: tensor<2x1x1x2xf32>, %arg5: tensor<2x1x1x2xf32>) {
      %c = stablehlo.constant dense<1> : tensor<ui32>
      %c_2 = stablehlo.constant dense<2> : tensor<ui32>
      %8 = stablehlo.partition_id : tensor<ui32>
      %9 = stablehlo.divide %8, %c : tensor<ui32>
      %10 = stablehlo.remainder %9, %c_2 : tensor<ui32>
      %11 = stablehlo.convert %10 : (tensor<ui32>) -> tensor<i32>
      %cst_3 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
      %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x1x1xf32>
      %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %13 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x1x1x2xf32>
      %14 = stablehlo.multiply %arg3, %13 : tensor<2x1x1x2xf32>
      %15 = stablehlo.slice %arg3 [0:2, 0:1, 0:1, 0:1] : (tensor<2x1x1x2xf32>) -> tensor<2x1x1x1xf32>
      %16 = stablehlo.reshape %15 : (tensor<2x1x1x1xf32>) -> tensor<2x1x1xf32>
      %17 = stablehlo.transpose %16, dims = [0, 2, 1] : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
      %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %18 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x1x1xf32>
      %19 = stablehlo.multiply %18, %17 : tensor<2x1x1xf32>
      %20 = stablehlo.convert %12 : tensor<2x1x1xf32>
      %21 = stablehlo.add %20, %19 : tensor<2x1x1xf32>
      %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %22 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x1x1xf32>
      %23 = stablehlo.multiply %22, %12 : tensor<2x1x1xf32>
      %24 = stablehlo.iota dim = 0 : tensor<2xi32>
      %c_7 = stablehlo.constant dense<2> : tensor<i32>
      %25:2 = func.call @remainder(%c_7) : (tensor<i32>) -> (tensor<i32>, tensor<i1>)
      %c_8 = stablehlo.constant dense<1> : tensor<i32>
      %26 = stablehlo.multiply %11, %c_8 : tensor<i32>
      %27 = stablehlo.iota dim = 0 : tensor<1xi32>
      %28 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<i32>) -> tensor<1xi32>
      %29 = stablehlo.add %28, %27 : tensor<1xi32>
      %30 = stablehlo.iota dim = 0 : tensor<1xi32>
      %31 = stablehlo.broadcast_in_dim %29, dims = [0] : (tensor<1xi32>) -> tensor<1x1xi32>
      %cst_9 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
      %32:2 = func.call @_where_0(%cst_9) : (tensor<f32>) -> (tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>)
      %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %33 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x1x1xf32>
      %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %34 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x1x1xf32>
      %cst_12 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %35 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x1x1xf32>
      %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %36 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x1x1xf32>
      %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %37 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x1x1xf32>
      %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %38 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x1x1xf32>
      %cst_16 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %39 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x1x1xf32>
      %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %40 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<2x1x1xf32>
      %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %41 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x2x1x1x2xf32>
      %c_19 = stablehlo.constant dense<false> : tensor<i1>
      %42 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i1>) -> tensor<2x2x1x1x1xi1>
      %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %43 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<2x2x1x1x1xf32>
      %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %44 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<2x2x1x1xf32>
      %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %45 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<2x2x1x1xf32>
      %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %46 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<2x2x1x1xf32>
      %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %47 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<2x2x1x1x1xf32>
      %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %48 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<2x2x1x1xf32>
      %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %49 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<2x2x1x1xf32>
      %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %50 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<2x2x1x1x1xf32>
      %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %51 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<2x2x1x1x2xf32>
      %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %52 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<2x2x1x1x2xf32>
      %c_30 = stablehlo.constant dense<0> : tensor<i32>
      %53:34 = stablehlo.while(%iterArg = %24, %iterArg_34 = %31, %iterArg_35 = %11, %iterArg_36 = %25#0, %iterArg_37 = %25#1, %iterArg_38 = %30, %iterArg_39 = %arg3, %iterArg_40 = %32#1, %iterArg_41 = %34, %iterArg_42 = %33, %iterArg_43 = %36, %iterArg_44 = %35, %iterArg_45 = %38, %iterArg_46 = %37, %iterArg_47 = %40, %iterArg_48 = %39, %iterArg_49 = %c_30, %iterArg_50 = %14, %iterArg_51 = %21, %iterArg_52 = %23, %iterArg_53 = %arg4, %iterArg_54 = %arg5, %iterArg_55 = %41, %iterArg_56 = %42, %iterArg_57 = %43, %iterArg_58 = %44, %iterArg_59 = %45, %iterArg_60 = %46, %iterArg_61 = %47, %iterArg_62 = %48, %iterArg_63 = %49, %iterArg_64 = %50, %iterArg_65 = %51, %iterArg_66 = %52) : tensor<2xi32>, tensor<1x1xi32>, tensor<i32>, tensor<i32>, tensor<i1>, tensor<1xi32>, tensor<2x1x1x2xf32>, tensor<2x1x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<i32>, tensor<2x1x1x2xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>, tensor<2x2x1x1x2xf32>, tensor<2x2x1x1x1xi1>, tensor<2x2x1x1x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2x1x1x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2x1x1x1xf32>, tensor<2x2x1x1x2xf32>, tensor<2x2x1x1x2xf32>
      cond {
        %c_67 = stablehlo.constant dense<2> : tensor<i32>
        %63 = stablehlo.compare LT, %iterArg_49, %c_67, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %63 : tensor<i1>
      } do {
        %63 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_49) : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
        %64:17 = func.call @closed_call(%iterArg_34, %iterArg_35, %iterArg_36, %iterArg_37, %iterArg_38, %iterArg_39, %iterArg_40, %iterArg_41, %iterArg_42, %iterArg_43, %iterArg_44, %iterArg_45, %iterArg_46, %iterArg_47, %iterArg_48, %iterArg_50, %iterArg_51, %iterArg_52, %iterArg_53, %iterArg_54, %63) : (tensor<1x1xi32>, tensor<i32>, tensor<i32>, tensor<i1>, tensor<1xi32>, tensor<2x1x1x2xf32>, tensor<2x1x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>, tensor<i32>) -> (tensor<2x1x1x2xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1x1xi1>, tensor<2x1x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>)
        %65 = func.call @dynamic_update_index_in_dim(%iterArg_55, %64#5, %iterArg_49) : (tensor<2x2x1x1x2xf32>, tensor<2x1x1x2xf32>, tensor<i32>) -> tensor<2x2x1x1x2xf32>
        %66 = func.call @dynamic_update_index_in_dim_3(%iterArg_56, %64#6, %iterArg_49) : (tensor<2x2x1x1x1xi1>, tensor<2x1x1x1xi1>, tensor<i32>) -> tensor<2x2x1x1x1xi1>
        %67 = func.call @dynamic_update_index_in_dim_4(%iterArg_57, %64#7, %iterArg_49) : (tensor<2x2x1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<i32>) -> tensor<2x2x1x1x1xf32>
        %68 = func.call @dynamic_update_index_in_dim_5(%iterArg_58, %64#8, %iterArg_49) : (tensor<2x2x1x1xf32>, tensor<2x1x1xf32>, tensor<i32>) -> tensor<2x2x1x1xf32>
        %69 = func.call @dynamic_update_index_in_dim_5(%iterArg_59, %64#9, %iterArg_49) : (tensor<2x2x1x1xf32>, tensor<2x1x1xf32>, tensor<i32>) -> tensor<2x2x1x1xf32>
        %70 = func.call @dynamic_update_index_in_dim_5(%iterArg_60, %64#10, %iterArg_49) : (tensor<2x2x1x1xf32>, tensor<2x1x1xf32>, tensor<i32>) -> tensor<2x2x1x1xf32>
        %71 = func.call @dynamic_update_index_in_dim_4(%iterArg_61, %64#11, %iterArg_49) : (tensor<2x2x1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<i32>) -> tensor<2x2x1x1x1xf32>
        %72 = func.call @dynamic_update_index_in_dim_5(%iterArg_62, %64#12, %iterArg_49) : (tensor<2x2x1x1xf32>, tensor<2x1x1xf32>, tensor<i32>) -> tensor<2x2x1x1xf32>
        %73 = func.call @dynamic_update_index_in_dim_5(%iterArg_63, %64#13, %iterArg_49) : (tensor<2x2x1x1xf32>, tensor<2x1x1xf32>, tensor<i32>) -> tensor<2x2x1x1xf32>
        %74 = func.call @dynamic_update_index_in_dim_4(%iterArg_64, %64#14, %iterArg_49) : (tensor<2x2x1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<i32>) -> tensor<2x2x1x1x1xf32>
        %75 = func.call @dynamic_update_index_in_dim(%iterArg_65, %64#15, %iterArg_49) : (tensor<2x2x1x1x2xf32>, tensor<2x1x1x2xf32>, tensor<i32>) -> tensor<2x2x1x1x2xf32>
        %76 = func.call @dynamic_update_index_in_dim(%iterArg_66, %64#16, %iterArg_49) : (tensor<2x2x1x1x2xf32>, tensor<2x1x1x2xf32>, tensor<i32>) -> tensor<2x2x1x1x2xf32>
        %c_67 = stablehlo.constant dense<1> : tensor<i32>
        %77 = stablehlo.add %iterArg_49, %c_67 : tensor<i32>
        stablehlo.return %iterArg, %iterArg_34, %iterArg_35, %iterArg_36, %iterArg_37, %iterArg_38, %iterArg_39, %iterArg_40, %iterArg_41, %iterArg_42, %iterArg_43, %iterArg_44, %iterArg_45, %iterArg_46, %iterArg_47, %iterArg_48, %77, %64#0, %64#1, %64#2, %64#3, %64#4, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76 : tensor<2xi32>, tensor<1x1xi32>, tensor<i32>, tensor<i32>, tensor<i1>, tensor<1xi32>, tensor<2x1x1x2xf32>, tensor<2x1x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<i32>, tensor<2x1x1x2xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>, tensor<2x2x1x1x2xf32>, tensor<2x2x1x1x1xi1>, tensor<2x2x1x1x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2x1x1x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2x1x1x1xf32>, tensor<2x2x1x1x2xf32>, tensor<2x2x1x1x2xf32>
      }
      %54 = stablehlo.transpose %53#19, dims = [0, 2, 1] : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
      %55 = stablehlo.broadcast_in_dim %54, dims = [0, 1, 2] : (tensor<2x1x1xf32>) -> tensor<2x1x1x1xf32>
      %56 = stablehlo.broadcast_in_dim %55, dims = [0, 1, 2, 3] : (tensor<2x1x1x1xf32>) -> tensor<2x1x1x2xf32>
      %57 = stablehlo.divide %53#17, %56 : tensor<2x1x1x2xf32>
      %58 = stablehlo.multiply %55, %55 : tensor<2x1x1x1xf32>
      %cst_31 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %59 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<2x1x1x1xf32>
      %60 = stablehlo.divide %59, %58 : tensor<2x1x1x1xf32>
      %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %61 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<1xf32>
      %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %62 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<1xf32>
      sdy.return %61, %62, %32#0, %53#22, %53#23, %53#24, %53#25, %53#26, %53#27, %53#28, %53#29, %53#30, %53#31, %53#32, %53#33, %55, %53#17, %60, %57 : tensor<1xf32>, tensor<1xf32>, tensor<2x1x1x1xf32>, tensor<2x2x1x1x2xf32>, tensor<2x2x1x1x1xi1>, tensor<2x2x1x1x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2x1x1x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2x1x1x1xf32>, tensor<2x2x1x1x2xf32>, tensor<2x2x1x1x2xf32>, tensor<2x1x1x1xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1x1xf32>, tensor<2x1x1x2xf32>
    } : (tensor<4x2x1x2xf32>, tensor<4x2x1x2xf32>, tensor<4x2x1x2xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<8x1x1x1xf32>, tensor<8x2x1x1x2xf32>, tensor<8x2x1x1x1xi1>, tensor<8x2x1x1x1xf32>, tensor<8x2x1x1xf32>, tensor<8x2x1x1xf32>, tensor<8x2x1x1xf32>, tensor<8x2x1x1x1xf32>, tensor<8x2x1x1xf32>, tensor<8x2x1x1xf32>, tensor<8x2x1x1x1xf32>, tensor<8x2x1x1x2xf32>, tensor<8x2x1x1x2xf32>, tensor<8x1x1x1xf32>, tensor<8x1x1x2xf32>, tensor<8x1x1x1xf32>, tensor<4x2x1x2xf32>)
    %1 = stablehlo.multiply %0#18, %0#18 : tensor<4x2x1x2xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x2x1x2xf32>
    %3 = stablehlo.multiply %2, %0#18 : tensor<4x2x1x2xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%1 init: %cst_0) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<4x2x1x2xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x2x1x2xf32>
    %6 = stablehlo.multiply %5, %3 : tensor<4x2x1x2xf32>
    %7:3 = sdy.manual_computation(%6, %0#0, %0#1, %arg0, %0#2, %0#3, %0#4, %0#5, %0#6, %0#7, %0#8, %0#9, %0#10, %0#11, %0#12, %0#13, %0#14, %0#15, %0#16, %0#17) in_shardings=[<@mesh, [{"dp"}, {"sp"}, {}, {}]>, <@mesh, [{"dp", "sp"}]>, <@mesh, [{"dp", "sp"}]>, <@mesh, [{"dp"}, {"sp"}, {}, {}]>, <@mesh, [{"dp", "sp"}, {}, {}, {}]>, <@mesh, [{"dp", "sp"}, {}, {}, {}, {}]>, <@mesh, [{"dp", "sp"}, {}, {}, {}, {}]>, <@mesh, [{"dp", "sp"}, {}, {}, {}, {}]>, <@mesh, [{"dp", "sp"}, {}, {}, {}]>, <@mesh, [{"dp", "sp"}, {}, {}, {}]>, <@mesh, [{"dp", "sp"}, {}, {}, {}]>, <@mesh, [{"dp", "sp"}, {}, {}, {}, {}]>, <@mesh, [{"dp", "sp"}, {}, {}, {}]>, <@mesh, [{"dp", "sp"}, {}, {}, {}]>, <@mesh, [{"dp", "sp"}, {}, {}, {}, {}]>, <@mesh, [{"dp", "sp"}, {}, {}, {}, {}]>, <@mesh, [{"dp", "sp"}, {}, {}, {}, {}]>, <@mesh, [{"dp", "sp"}, {}, {}, {}]>, <@mesh, [{"dp", "sp"}, {}, {}, {}]>, <@mesh, [{"dp", "sp"}, {}, {}, {}]>] out_shardings=[<@mesh, [{"dp"}, {"sp"}, {}, {}]>, <@mesh, [{"dp"}, {"sp"}, {}, {}]>, <@mesh, [{"dp"}, {"sp"}, {}, {}]>] manual_axes={"dp", "sp"} (%arg3: tensor<2x1x1x2xf32>, %arg4: tensor<1xf32>, %arg5: tensor<1xf32>, %arg6: tensor<2x1x1x2xf32>, %arg7: tensor<2x1x1x1xf32>, %arg8: tensor<2x2x1x1x2xf32>, %arg9: tensor<2x2x1x1x1xi1>, %arg10: tensor<2x2x1x1x1xf32>, %arg11: tensor<2x2x1x1xf32>, %arg12: tensor<2x2x1x1xf32>, %arg13: tensor<2x2x1x1xf32>, %arg14: tensor<2x2x1x1x1xf32>, %arg15: tensor<2x2x1x1xf32>, %arg16: tensor<2x2x1x1xf32>, %arg17: tensor<2x2x1x1x1xf32>, %arg18: tensor<2x2x1x1x2xf32>, %arg19: tensor<2x2x1x1x2xf32>, %arg20: tensor<2x1x1x1xf32>, %arg21: tensor<2x1x1x2xf32>, %arg22: tensor<2x1x1x1xf32>) {
      %8 = stablehlo.reshape %arg4 : (tensor<1xf32>) -> tensor<f32>
      %9 = stablehlo.reshape %arg5 : (tensor<1xf32>) -> tensor<f32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x1x1xf32>
      %11 = stablehlo.broadcast_in_dim %arg22, dims = [0, 1, 2, 3] : (tensor<2x1x1x1xf32>) -> tensor<2x1x1x2xf32>
      %12 = stablehlo.multiply %arg3, %11 : tensor<2x1x1x2xf32>
      %13 = stablehlo.multiply %12, %arg21 : tensor<2x1x1x2xf32>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %14 = stablehlo.reduce(%13 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x1x1x2xf32>, tensor<f32>) -> tensor<2x1x1xf32>
      %15 = stablehlo.reshape %14 : (tensor<2x1x1xf32>) -> tensor<2x1x1x1xf32>
      %16 = stablehlo.negate %15 : tensor<2x1x1x1xf32>
      %17 = stablehlo.broadcast_in_dim %arg20, dims = [0, 1, 2, 3] : (tensor<2x1x1x1xf32>) -> tensor<2x1x1x2xf32>
      %18 = stablehlo.divide %arg3, %17 : tensor<2x1x1x2xf32>
      %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %19 = stablehlo.reduce(%16 init: %cst_4) applies stablehlo.add across dimensions = [1, 2, 3] : (tensor<2x1x1x1xf32>, tensor<f32>) -> tensor<2xf32>
      %20 = stablehlo.broadcast_in_dim %19, dims = [0] : (tensor<2xf32>) -> tensor<2x1x1xf32>
      %21 = stablehlo.transpose %20, dims = [0, 2, 1] : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
      %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %22 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x1x1xf32>
      %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %23 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x1x1x2xf32>
      %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %24 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x1x1x2xf32>
      %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %25 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x1x1x2xf32>
      %c = stablehlo.constant dense<0> : tensor<i32>
      %26:21 = stablehlo.while(%iterArg = %arg8, %iterArg_10 = %arg9, %iterArg_11 = %arg10, %iterArg_12 = %arg11, %iterArg_13 = %arg12, %iterArg_14 = %arg13, %iterArg_15 = %arg14, %iterArg_16 = %arg15, %iterArg_17 = %arg16, %iterArg_18 = %arg17, %iterArg_19 = %arg18, %iterArg_20 = %arg19, %iterArg_21 = %arg6, %iterArg_22 = %arg7, %iterArg_23 = %c, %iterArg_24 = %25, %iterArg_25 = %18, %iterArg_26 = %22, %iterArg_27 = %21, %iterArg_28 = %23, %iterArg_29 = %24) : tensor<2x2x1x1x2xf32>, tensor<2x2x1x1x1xi1>, tensor<2x2x1x1x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2x1x1x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2x1x1x1xf32>, tensor<2x2x1x1x2xf32>, tensor<2x2x1x1x2xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1x1xf32>, tensor<i32>, tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>
      cond {
        %c_30 = stablehlo.constant dense<2> : tensor<i32>
        %36 = stablehlo.compare LT, %iterArg_23, %c_30, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %36 : tensor<i1>
      } do {
        %c_30 = stablehlo.constant dense<2> : tensor<i32>
        %36 = stablehlo.subtract %c_30, %iterArg_23 : tensor<i32>
        %c_31 = stablehlo.constant dense<1> : tensor<i32>
        %37 = stablehlo.subtract %36, %c_31 : tensor<i32>
        %38 = func.call @dynamic_index_in_dim_6(%iterArg, %37) : (tensor<2x2x1x1x2xf32>, tensor<i32>) -> tensor<2x1x1x2xf32>
        %39 = func.call @dynamic_index_in_dim_7(%iterArg_10, %37) : (tensor<2x2x1x1x1xi1>, tensor<i32>) -> tensor<2x1x1x1xi1>
        %40 = func.call @dynamic_index_in_dim_8(%iterArg_11, %37) : (tensor<2x2x1x1x1xf32>, tensor<i32>) -> tensor<2x1x1x1xf32>
        %41 = func.call @dynamic_index_in_dim_9(%iterArg_12, %37) : (tensor<2x2x1x1xf32>, tensor<i32>) -> tensor<2x1x1xf32>
        %42 = func.call @dynamic_index_in_dim_9(%iterArg_13, %37) : (tensor<2x2x1x1xf32>, tensor<i32>) -> tensor<2x1x1xf32>
        %43 = func.call @dynamic_index_in_dim_9(%iterArg_14, %37) : (tensor<2x2x1x1xf32>, tensor<i32>) -> tensor<2x1x1xf32>
        %44 = func.call @dynamic_index_in_dim_8(%iterArg_15, %37) : (tensor<2x2x1x1x1xf32>, tensor<i32>) -> tensor<2x1x1x1xf32>
        %45 = func.call @dynamic_index_in_dim_9(%iterArg_16, %37) : (tensor<2x2x1x1xf32>, tensor<i32>) -> tensor<2x1x1xf32>
        %46 = func.call @dynamic_index_in_dim_9(%iterArg_17, %37) : (tensor<2x2x1x1xf32>, tensor<i32>) -> tensor<2x1x1xf32>
        %47 = func.call @dynamic_index_in_dim_8(%iterArg_18, %37) : (tensor<2x2x1x1x1xf32>, tensor<i32>) -> tensor<2x1x1x1xf32>
        %48 = func.call @dynamic_index_in_dim_6(%iterArg_19, %37) : (tensor<2x2x1x1x2xf32>, tensor<i32>) -> tensor<2x1x1x2xf32>
        %49 = func.call @dynamic_index_in_dim_6(%iterArg_20, %37) : (tensor<2x2x1x1x2xf32>, tensor<i32>) -> tensor<2x1x1x2xf32>
        %50:6 = func.call @closed_call_10(%iterArg_21, %iterArg_22, %iterArg_24, %iterArg_25, %iterArg_26, %iterArg_27, %iterArg_28, %iterArg_29, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49) : (tensor<2x1x1x2xf32>, tensor<2x1x1x1xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1x1xi1>, tensor<2x1x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>) -> (tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>)
        %c_32 = stablehlo.constant dense<1> : tensor<i32>
        %51 = stablehlo.add %iterArg_23, %c_32 : tensor<i32>
        stablehlo.return %iterArg, %iterArg_10, %iterArg_11, %iterArg_12, %iterArg_13, %iterArg_14, %iterArg_15, %iterArg_16, %iterArg_17, %iterArg_18, %iterArg_19, %iterArg_20, %iterArg_21, %iterArg_22, %51, %50#0, %50#1, %50#2, %50#3, %50#4, %50#5 : tensor<2x2x1x1x2xf32>, tensor<2x2x1x1x1xi1>, tensor<2x2x1x1x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2x1x1x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2x1x1x1xf32>, tensor<2x2x1x1x2xf32>, tensor<2x2x1x1x2xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1x1xf32>, tensor<i32>, tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>
      }
      %27 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<f32>) -> tensor<2x1x1xf32>
      %28 = stablehlo.multiply %27, %26#17 : tensor<2x1x1xf32>
      %29 = stablehlo.transpose %28, dims = [0, 2, 1] : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
      %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2] : (tensor<2x1x1xf32>) -> tensor<2x1x1x1xf32>
      %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %31 = stablehlo.pad %30, %cst_9, low = [0, 0, 0, 0], high = [0, 0, 0, 1], interior = [0, 0, 0, 0] : (tensor<2x1x1x1xf32>, tensor<f32>) -> tensor<2x1x1x2xf32>
      %32 = stablehlo.add %26#15, %31 : tensor<2x1x1x2xf32>
      %33 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<2x1x1x2xf32>
      %34 = stablehlo.multiply %26#16, %33 : tensor<2x1x1x2xf32>
      %35 = stablehlo.add %32, %34 : tensor<2x1x1x2xf32>
      sdy.return %35, %26#19, %26#20 : tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>
    } : (tensor<4x2x1x2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x2x1x2xf32>, tensor<8x1x1x1xf32>, tensor<8x2x1x1x2xf32>, tensor<8x2x1x1x1xi1>, tensor<8x2x1x1x1xf32>, tensor<8x2x1x1xf32>, tensor<8x2x1x1xf32>, tensor<8x2x1x1xf32>, tensor<8x2x1x1x1xf32>, tensor<8x2x1x1xf32>, tensor<8x2x1x1xf32>, tensor<8x2x1x1x1xf32>, tensor<8x2x1x1x2xf32>, tensor<8x2x1x1x2xf32>, tensor<8x1x1x1xf32>, tensor<8x1x1x2xf32>, tensor<8x1x1x1xf32>) -> (tensor<4x2x1x2xf32>, tensor<4x2x1x2xf32>, tensor<4x2x1x2xf32>)
    return %4, %7#0, %7#1, %7#2 : tensor<f32>, tensor<4x2x1x2xf32>, tensor<4x2x1x2xf32>, tensor<4x2x1x2xf32>
  }
  func.func private @remainder(%arg0: tensor<i32>) -> (tensor<i32>, tensor<i1>) {
    %0 = stablehlo.convert %arg0 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.compare LT, %2, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    return %2, %3 : tensor<i32>, tensor<i1>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @_where_0(%arg0: tensor<f32>) -> (tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>) {
    %0 = stablehlo.convert %arg0 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x1x1x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x1x1x1xf32>
    return %2, %1 : tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<2xi32>, %arg1: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<2xi32>, tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.reshape %0 : (tensor<1xi32>) -> tensor<i32>
    return %1 : tensor<i32>
  }
  func.func private @closed_call(%arg0: tensor<1x1xi32>, %arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<i1>, %arg4: tensor<1xi32>, %arg5: tensor<2x1x1x2xf32>, %arg6: tensor<2x1x1x1xf32>, %arg7: tensor<2x1x1xf32>, %arg8: tensor<2x1x1xf32>, %arg9: tensor<2x1x1xf32>, %arg10: tensor<2x1x1xf32>, %arg11: tensor<2x1x1xf32>, %arg12: tensor<2x1x1xf32>, %arg13: tensor<2x1x1xf32>, %arg14: tensor<2x1x1xf32>, %arg15: tensor<2x1x1x2xf32>, %arg16: tensor<2x1x1xf32>, %arg17: tensor<2x1x1xf32>, %arg18: tensor<2x1x1x2xf32>, %arg19: tensor<2x1x1x2xf32>, %arg20: tensor<i32>) -> (tensor<2x1x1x2xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1x1xi1>, tensor<2x1x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>) {
    %0 = stablehlo.dot_general %arg5, %arg18, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [HIGHEST, HIGHEST] : (tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>) -> tensor<2x1x1x1xf32>
    %cst = stablehlo.constant dense<1.41421354> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x1x1x1xf32>
    %2 = stablehlo.divide %0, %1 : tensor<2x1x1x1xf32>
    %3 = stablehlo.subtract %arg1, %arg20 : tensor<i32>
    %4 = call @remainder_1(%3, %arg2, %arg3) : (tensor<i32>, tensor<i32>, tensor<i1>) -> tensor<i32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %5 = stablehlo.multiply %4, %c : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %7 = stablehlo.add %6, %arg4 : tensor<1xi32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
    %9 = stablehlo.compare GE, %arg0, %8, SIGNED : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi1>
    %10:2 = call @_where_2(%9, %2, %arg6) : (tensor<1x1xi1>, tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>) -> (tensor<2x1x1x1xf32>, tensor<2x1x1x1xi1>)
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10#0 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x1x1x1xf32>, tensor<f32>) -> tensor<2x1x1xf32>
    %12 = stablehlo.reshape %11 : (tensor<2x1x1xf32>) -> tensor<2x1x1x1xf32>
    %13 = stablehlo.compare EQ, %10#0, %12, FLOAT : (tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1x1xi1>
    %14 = stablehlo.convert %13 : (tensor<2x1x1x1xi1>) -> tensor<2x1x1x1xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x1x1x1xf32>, tensor<f32>) -> tensor<2x1x1xf32>
    %16 = stablehlo.maximum %arg16, %11 : tensor<2x1x1xf32>
    %17 = stablehlo.compare EQ, %arg16, %16, FLOAT : (tensor<2x1x1xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xi1>
    %18 = stablehlo.select %17, %arg8, %arg7 : tensor<2x1x1xi1>, tensor<2x1x1xf32>
    %19 = stablehlo.compare EQ, %11, %16, FLOAT : (tensor<2x1x1xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xi1>
    %20 = stablehlo.select %19, %arg10, %arg9 : tensor<2x1x1xi1>, tensor<2x1x1xf32>
    %21 = stablehlo.divide %18, %20 : tensor<2x1x1xf32>
    %22 = stablehlo.compare EQ, %11, %16, FLOAT : (tensor<2x1x1xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xi1>
    %23 = stablehlo.select %22, %arg12, %arg11 : tensor<2x1x1xi1>, tensor<2x1x1xf32>
    %24 = stablehlo.compare EQ, %arg16, %16, FLOAT : (tensor<2x1x1xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xi1>
    %25 = stablehlo.select %24, %arg14, %arg13 : tensor<2x1x1xi1>, tensor<2x1x1xf32>
    %26 = stablehlo.divide %23, %25 : tensor<2x1x1xf32>
    %27 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x1x1xf32>) -> tensor<2x1x1x1xf32>
    %28 = stablehlo.subtract %10#0, %27 : tensor<2x1x1x1xf32>
    %29 = stablehlo.exponential %28 : tensor<2x1x1x1xf32>
    %30 = stablehlo.subtract %arg16, %16 : tensor<2x1x1xf32>
    %31 = stablehlo.exponential %30 : tensor<2x1x1xf32>
    %32 = stablehlo.convert %arg17 : tensor<2x1x1xf32>
    %33 = stablehlo.multiply %32, %31 : tensor<2x1x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.reduce(%29 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x1x1x1xf32>, tensor<f32>) -> tensor<2x1x1xf32>
    %35 = stablehlo.add %33, %34 : tensor<2x1x1xf32>
    %36 = stablehlo.transpose %31, dims = [0, 2, 1] : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2] : (tensor<2x1x1xf32>) -> tensor<2x1x1x1xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2, 3] : (tensor<2x1x1x1xf32>) -> tensor<2x1x1x2xf32>
    %39 = stablehlo.multiply %arg15, %38 : tensor<2x1x1x2xf32>
    %40 = stablehlo.dot_general %arg19, %29, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [HIGHEST, HIGHEST] : (tensor<2x1x1x2xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x2x1xf32>
    %41 = stablehlo.transpose %40, dims = [0, 3, 1, 2] : (tensor<2x1x2x1xf32>) -> tensor<2x1x1x2xf32>
    %42 = stablehlo.add %39, %41 : tensor<2x1x1x2xf32>
    %43 = "stablehlo.collective_permute"(%arg18) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0], [2, 3], [3, 2]]> : tensor<4x2xi64>}> : (tensor<2x1x1x2xf32>) -> tensor<2x1x1x2xf32>
    %44 = "stablehlo.collective_permute"(%arg19) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0], [2, 3], [3, 2]]> : tensor<4x2xi64>}> : (tensor<2x1x1x2xf32>) -> tensor<2x1x1x2xf32>
    return %42, %16, %35, %43, %44, %arg18, %10#1, %14, %15, %21, %26, %29, %31, %32, %37, %arg15, %arg19 : tensor<2x1x1x2xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1x1xi1>, tensor<2x1x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>
  }
  func.func private @remainder_1(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<i1>) -> tensor<i32> {
    %0 = stablehlo.remainder %arg0, %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare NE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.compare LT, %0, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.compare NE, %2, %arg2, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %4 = stablehlo.and %3, %1 : tensor<i1>
    %5 = stablehlo.add %0, %arg1 : tensor<i32>
    %6 = stablehlo.select %4, %5, %0 : tensor<i1>, tensor<i32>
    return %6 : tensor<i32>
  }
  func.func private @_where_2(%arg0: tensor<1x1xi1>, %arg1: tensor<2x1x1x1xf32>, %arg2: tensor<2x1x1x1xf32>) -> (tensor<2x1x1x1xf32>, tensor<2x1x1x1xi1>) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<1x1xi1>) -> tensor<2x1x1x1xi1>
    %1 = stablehlo.select %0, %arg1, %arg2 : tensor<2x1x1x1xi1>, tensor<2x1x1x1xf32>
    return %1, %0 : tensor<2x1x1x1xf32>, tensor<2x1x1x1xi1>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<2x2x1x1x2xf32>, %arg1: tensor<2x1x1x2xf32>, %arg2: tensor<i32>) -> tensor<2x2x1x1x2xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<2x1x1x2xf32>) -> tensor<1x2x1x1x2xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<2x2x1x1x2xf32>, tensor<1x2x1x1x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x1x1x2xf32>
    return %1 : tensor<2x2x1x1x2xf32>
  }
  func.func private @dynamic_update_index_in_dim_3(%arg0: tensor<2x2x1x1x1xi1>, %arg1: tensor<2x1x1x1xi1>, %arg2: tensor<i32>) -> tensor<2x2x1x1x1xi1> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<2x1x1x1xi1>) -> tensor<1x2x1x1x1xi1>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<2x2x1x1x1xi1>, tensor<1x2x1x1x1xi1>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x1x1x1xi1>
    return %1 : tensor<2x2x1x1x1xi1>
  }
  func.func private @dynamic_update_index_in_dim_4(%arg0: tensor<2x2x1x1x1xf32>, %arg1: tensor<2x1x1x1xf32>, %arg2: tensor<i32>) -> tensor<2x2x1x1x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<2x1x1x1xf32>) -> tensor<1x2x1x1x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<2x2x1x1x1xf32>, tensor<1x2x1x1x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x1x1x1xf32>
    return %1 : tensor<2x2x1x1x1xf32>
  }
  func.func private @dynamic_update_index_in_dim_5(%arg0: tensor<2x2x1x1xf32>, %arg1: tensor<2x1x1xf32>, %arg2: tensor<i32>) -> tensor<2x2x1x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<2x1x1xf32>) -> tensor<1x2x1x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<2x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x1x1xf32>
    return %1 : tensor<2x2x1x1xf32>
  }
  func.func private @dynamic_index_in_dim_6(%arg0: tensor<2x2x1x1x2xf32>, %arg1: tensor<i32>) -> tensor<2x1x1x2xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 2, 1, 1, 2] : (tensor<2x2x1x1x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x1x1x2xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x1x1x2xf32>) -> tensor<2x1x1x2xf32>
    return %1 : tensor<2x1x1x2xf32>
  }
  func.func private @dynamic_index_in_dim_7(%arg0: tensor<2x2x1x1x1xi1>, %arg1: tensor<i32>) -> tensor<2x1x1x1xi1> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 2, 1, 1, 1] : (tensor<2x2x1x1x1xi1>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x1x1x1xi1>
    %1 = stablehlo.reshape %0 : (tensor<1x2x1x1x1xi1>) -> tensor<2x1x1x1xi1>
    return %1 : tensor<2x1x1x1xi1>
  }
  func.func private @dynamic_index_in_dim_8(%arg0: tensor<2x2x1x1x1xf32>, %arg1: tensor<i32>) -> tensor<2x1x1x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 2, 1, 1, 1] : (tensor<2x2x1x1x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x1x1x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x1x1x1xf32>) -> tensor<2x1x1x1xf32>
    return %1 : tensor<2x1x1x1xf32>
  }
  func.func private @dynamic_index_in_dim_9(%arg0: tensor<2x2x1x1xf32>, %arg1: tensor<i32>) -> tensor<2x1x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 2, 1, 1] : (tensor<2x2x1x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x1x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x1x1xf32>) -> tensor<2x1x1xf32>
    return %1 : tensor<2x1x1xf32>
  }
  func.func private @closed_call_10(%arg0: tensor<2x1x1x2xf32>, %arg1: tensor<2x1x1x1xf32>, %arg2: tensor<2x1x1x2xf32>, %arg3: tensor<2x1x1x2xf32>, %arg4: tensor<2x1x1xf32>, %arg5: tensor<2x1x1xf32>, %arg6: tensor<2x1x1x2xf32>, %arg7: tensor<2x1x1x2xf32>, %arg8: tensor<2x1x1x2xf32>, %arg9: tensor<2x1x1x1xi1>, %arg10: tensor<2x1x1x1xf32>, %arg11: tensor<2x1x1xf32>, %arg12: tensor<2x1x1xf32>, %arg13: tensor<2x1x1xf32>, %arg14: tensor<2x1x1x1xf32>, %arg15: tensor<2x1x1xf32>, %arg16: tensor<2x1x1xf32>, %arg17: tensor<2x1x1x1xf32>, %arg18: tensor<2x1x1x2xf32>, %arg19: tensor<2x1x1x2xf32>) -> (tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>) {
    %0 = "stablehlo.collective_permute"(%arg7) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[1, 0], [0, 1], [3, 2], [2, 3]]> : tensor<4x2xi64>}> : (tensor<2x1x1x2xf32>) -> tensor<2x1x1x2xf32>
    %1 = "stablehlo.collective_permute"(%arg6) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[1, 0], [0, 1], [3, 2], [2, 3]]> : tensor<4x2xi64>}> : (tensor<2x1x1x2xf32>) -> tensor<2x1x1x2xf32>
    %2 = stablehlo.transpose %arg3, dims = [0, 2, 3, 1] : (tensor<2x1x1x2xf32>) -> tensor<2x1x2x1xf32>
    %3 = stablehlo.dot_general %2, %arg19, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [HIGHEST, HIGHEST] : (tensor<2x1x2x1xf32>, tensor<2x1x1x2xf32>) -> tensor<2x1x1x1xf32>
    %4 = stablehlo.dot_general %2, %arg14, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [HIGHEST, HIGHEST] : (tensor<2x1x2x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x2x1xf32>
    %5 = stablehlo.transpose %4, dims = [0, 3, 1, 2] : (tensor<2x1x2x1xf32>) -> tensor<2x1x1x2xf32>
    %6 = stablehlo.add %0, %5 : tensor<2x1x1x2xf32>
    %7 = stablehlo.multiply %arg18, %arg3 : tensor<2x1x1x2xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<2x1x1x2xf32>, tensor<f32>) -> tensor<2x1x1xf32>
    %9 = stablehlo.reshape %8 : (tensor<2x1x1xf32>) -> tensor<2x1x1x1xf32>
    %10 = stablehlo.broadcast_in_dim %arg17, dims = [0, 1, 2, 3] : (tensor<2x1x1x1xf32>) -> tensor<2x1x1x2xf32>
    %11 = stablehlo.multiply %arg3, %10 : tensor<2x1x1x2xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%9 init: %cst_0) applies stablehlo.add across dimensions = [1, 2, 3] : (tensor<2x1x1x1xf32>, tensor<f32>) -> tensor<2xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<2xf32>) -> tensor<2x1x1xf32>
    %14 = stablehlo.transpose %13, dims = [0, 2, 1] : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
    %15 = stablehlo.broadcast_in_dim %arg5, dims = [0, 1, 2] : (tensor<2x1x1xf32>) -> tensor<2x1x1x1xf32>
    %16 = stablehlo.add %3, %15 : tensor<2x1x1x1xf32>
    %17 = stablehlo.multiply %arg16, %arg5 : tensor<2x1x1xf32>
    %18 = stablehlo.add %14, %17 : tensor<2x1x1xf32>
    %19 = stablehlo.multiply %arg5, %arg15 : tensor<2x1x1xf32>
    %20 = stablehlo.multiply %18, %arg15 : tensor<2x1x1xf32>
    %21 = stablehlo.negate %20 : tensor<2x1x1xf32>
    %22 = stablehlo.add %arg4, %21 : tensor<2x1x1xf32>
    %23 = stablehlo.multiply %16, %arg14 : tensor<2x1x1x1xf32>
    %24 = stablehlo.negate %23 : tensor<2x1x1x1xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_1) applies stablehlo.add across dimensions = [1, 2, 3] : (tensor<2x1x1x1xf32>, tensor<f32>) -> tensor<2xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0] : (tensor<2xf32>) -> tensor<2x1x1xf32>
    %27 = stablehlo.add %22, %26 : tensor<2x1x1xf32>
    %28 = stablehlo.multiply %27, %arg13 : tensor<2x1x1xf32>
    %29 = stablehlo.multiply %27, %arg12 : tensor<2x1x1xf32>
    %30 = stablehlo.add %20, %29 : tensor<2x1x1xf32>
    %31 = stablehlo.divide %28, %arg11 : tensor<2x1x1xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2] : (tensor<2x1x1xf32>) -> tensor<2x1x1x1xf32>
    %33 = stablehlo.multiply %32, %arg10 : tensor<2x1x1x1xf32>
    %34 = stablehlo.add %23, %33 : tensor<2x1x1x1xf32>
    %35 = call @_where_11(%arg9, %arg1, %34) : (tensor<2x1x1x1xi1>, tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1x1xf32>
    %cst_2 = stablehlo.constant dense<1.41421354> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x1x1x1xf32>
    %37 = stablehlo.divide %35, %36 : tensor<2x1x1x1xf32>
    %38 = stablehlo.dot_general %37, %arg0, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<2x1x1x1xf32>, tensor<2x1x1x2xf32>) -> tensor<2x1x1x2xf32>
    %39 = stablehlo.transpose %38, dims = [0, 2, 1, 3] : (tensor<2x1x1x2xf32>) -> tensor<2x1x1x2xf32>
    %40 = stablehlo.add %1, %39 : tensor<2x1x1x2xf32>
    %41 = stablehlo.dot_general %37, %arg8, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [HIGHEST, HIGHEST] : (tensor<2x1x1x1xf32>, tensor<2x1x1x2xf32>) -> tensor<2x1x1x2xf32>
    %42 = stablehlo.transpose %41, dims = [0, 2, 1, 3] : (tensor<2x1x1x2xf32>) -> tensor<2x1x1x2xf32>
    %43 = stablehlo.add %arg2, %42 : tensor<2x1x1x2xf32>
    return %43, %11, %30, %19, %40, %6 : tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>
  }
  func.func private @_where_11(%arg0: tensor<2x1x1x1xi1>, %arg1: tensor<2x1x1x1xf32>, %arg2: tensor<2x1x1x1xf32>) -> tensor<2x1x1x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x1x1x1xf32>
    %1 = stablehlo.select %arg0, %arg2, %0 : tensor<2x1x1x1xi1>, tensor<2x1x1x1xf32>
    return %1 : tensor<2x1x1x1xf32>
  }
}
