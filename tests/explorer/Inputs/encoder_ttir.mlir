module @IrToHlo.209 attributes {mhlo.cross_program_prefetches = [], mhlo.input_output_alias = [], mhlo.is_dynamic = false, mhlo.use_auto_spmd_partitioning = false} {
  func.func @main(%arg0: tensor<16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16x32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32x16xf32>, %arg5: tensor<16xf32>, %arg6: tensor<16xf32>, %arg7: tensor<16x16xf32>, %arg8: tensor<48xf32>, %arg9: tensor<48x16xf32>, %arg10: tensor<2x5x16xf32>, %arg11: tensor<16xf32>, %arg12: tensor<16xf32>) -> tensor<2x5x16xf32> {
    %0 = "ttir.constant"() <{value = dense<1.000000e+00> : tensor<2x5x32xf32>}> : () -> tensor<2x5x32xf32>
    %1 = "ttir.constant"() <{value = dense<0.707106769> : tensor<2x5x32xf32>}> : () -> tensor<2x5x32xf32>
    %2 = "ttir.constant"() <{value = dense<5.000000e-01> : tensor<2x5x32xf32>}> : () -> tensor<2x5x32xf32>
    %3 = "ttir.constant"() <{value = dense<0.000000e+00> : tensor<10xf32>}> : () -> tensor<10xf32>
    %4 = "ttir.constant"() <{value = dense<1.000000e+00> : tensor<10xf32>}> : () -> tensor<10xf32>
    %5 = "ttir.constant"() <{value = dense<0.594603539> : tensor<2x2x8x5xf32>}> : () -> tensor<2x2x8x5xf32>
    %6 = "ttir.constant"() <{value = dense<0.594603539> : tensor<2x2x5x8xf32>}> : () -> tensor<2x2x5x8xf32>
    %7 = "ttir.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %8 = "ttir.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %9 = "ttir.permute"(%arg10) <{permutation = array<i64: 1, 0, 2>}> : (tensor<2x5x16xf32>) -> tensor<5x2x16xf32>
    %10 = "ttir.permute"(%arg9) <{permutation = array<i64: 1, 0>}> : (tensor<48x16xf32>) -> tensor<16x48xf32>
    %11 = "ttir.reshape"(%10) <{shape = [1 : i32, 16 : i32, 48 : i32]}> : (tensor<16x48xf32>) -> tensor<1x16x48xf32>
    %12 = "ttir.broadcast"(%11) <{broadcast_dimensions = array<i64: 5, 1, 1>}> : (tensor<1x16x48xf32>) -> tensor<5x16x48xf32>
    %13 = "ttir.dot_general"(%9, %12) <{batch_dims_lhs = array<i64: 0>, batch_dims_rhs = array<i64: 0>, contract_dims_lhs = array<i64: 2>, contract_dims_rhs = array<i64: 1>}> : (tensor<5x2x16xf32>, tensor<5x16x48xf32>) -> tensor<5x2x48xf32>
    %14 = "ttir.reshape"(%arg8) <{shape = [1 : i32, 1 : i32, 48 : i32]}> : (tensor<48xf32>) -> tensor<1x1x48xf32>
    %15 = "ttir.broadcast"(%14) <{broadcast_dimensions = array<i64: 5, 2, 1>}> : (tensor<1x1x48xf32>) -> tensor<5x2x48xf32>
    %16 = "ttir.add"(%13, %15) : (tensor<5x2x48xf32>, tensor<5x2x48xf32>) -> tensor<5x2x48xf32>
    %17 = "ttir.reshape"(%16) <{shape = [1 : i32, 5 : i32, 2 : i32, 3 : i32, 16 : i32]}> : (tensor<5x2x48xf32>) -> tensor<1x5x2x3x16xf32>
    %18 = "ttir.permute"(%17) <{permutation = array<i64: 3, 1, 2, 0, 4>}> : (tensor<1x5x2x3x16xf32>) -> tensor<3x5x2x1x16xf32>
    %19 = "ttir.reshape"(%18) <{shape = [3 : i32, 5 : i32, 2 : i32, 16 : i32]}> : (tensor<3x5x2x1x16xf32>) -> tensor<3x5x2x16xf32>
    %20 = "ttir.slice_static"(%19) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 5 : i32, 2 : i32, 16 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<3x5x2x16xf32>) -> tensor<1x5x2x16xf32>
    %21 = "ttir.reshape"(%20) <{shape = [5 : i32, 4 : i32, 8 : i32]}> : (tensor<1x5x2x16xf32>) -> tensor<5x4x8xf32>
    %22 = "ttir.permute"(%21) <{permutation = array<i64: 1, 0, 2>}> : (tensor<5x4x8xf32>) -> tensor<4x5x8xf32>
    %23 = "ttir.reshape"(%22) <{shape = [2 : i32, 2 : i32, 5 : i32, 8 : i32]}> : (tensor<4x5x8xf32>) -> tensor<2x2x5x8xf32>
    %24 = "ttir.multiply"(%23, %6) : (tensor<2x2x5x8xf32>, tensor<2x2x5x8xf32>) -> tensor<2x2x5x8xf32>
    %25 = "ttir.reshape"(%24) <{shape = [4 : i32, 5 : i32, 8 : i32]}> : (tensor<2x2x5x8xf32>) -> tensor<4x5x8xf32>
    %26 = "ttir.slice_static"(%19) <{begins = [1 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [2 : i32, 5 : i32, 2 : i32, 16 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<3x5x2x16xf32>) -> tensor<1x5x2x16xf32>
    %27 = "ttir.reshape"(%26) <{shape = [5 : i32, 4 : i32, 8 : i32]}> : (tensor<1x5x2x16xf32>) -> tensor<5x4x8xf32>
    %28 = "ttir.permute"(%27) <{permutation = array<i64: 1, 0, 2>}> : (tensor<5x4x8xf32>) -> tensor<4x5x8xf32>
    %29 = "ttir.reshape"(%28) <{shape = [2 : i32, 2 : i32, 5 : i32, 8 : i32]}> : (tensor<4x5x8xf32>) -> tensor<2x2x5x8xf32>
    %30 = "ttir.permute"(%29) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<2x2x5x8xf32>) -> tensor<2x2x8x5xf32>
    %31 = "ttir.multiply"(%30, %5) : (tensor<2x2x8x5xf32>, tensor<2x2x8x5xf32>) -> tensor<2x2x8x5xf32>
    %32 = "ttir.reshape"(%31) <{shape = [4 : i32, 8 : i32, 5 : i32]}> : (tensor<2x2x8x5xf32>) -> tensor<4x8x5xf32>
    %33 = "ttir.dot_general"(%25, %32) <{batch_dims_lhs = array<i64: 0>, batch_dims_rhs = array<i64: 0>, contract_dims_lhs = array<i64: 2>, contract_dims_rhs = array<i64: 1>}> : (tensor<4x5x8xf32>, tensor<4x8x5xf32>) -> tensor<4x5x5xf32>
    %34 = "ttir.reshape"(%33) <{shape = [2 : i32, 2 : i32, 5 : i32, 5 : i32]}> : (tensor<4x5x5xf32>) -> tensor<2x2x5x5xf32>
    %35 = "ttir.max"(%34) <{dim_arg = [3 : i32], keep_dim = false}> : (tensor<2x2x5x5xf32>) -> tensor<2x2x5xf32>
    %36 = "ttir.reshape"(%35) <{shape = [2 : i32, 2 : i32, 5 : i32, 1 : i32]}> : (tensor<2x2x5xf32>) -> tensor<2x2x5x1xf32>
    %37 = "ttir.broadcast"(%36) <{broadcast_dimensions = array<i64: 1, 1, 1, 5>}> : (tensor<2x2x5x1xf32>) -> tensor<2x2x5x5xf32>
    %38 = "ttir.subtract"(%34, %37) : (tensor<2x2x5x5xf32>, tensor<2x2x5x5xf32>) -> tensor<2x2x5x5xf32>
    %39 = "ttir.exp"(%38) : (tensor<2x2x5x5xf32>) -> tensor<2x2x5x5xf32>
    %40 = "ttir.sum"(%39) <{dim_arg = [3 : i32], keep_dim = false}> : (tensor<2x2x5x5xf32>) -> tensor<2x2x5xf32>
    %41 = "ttir.reshape"(%40) <{shape = [2 : i32, 2 : i32, 5 : i32, 1 : i32]}> : (tensor<2x2x5xf32>) -> tensor<2x2x5x1xf32>
    %42 = "ttir.broadcast"(%41) <{broadcast_dimensions = array<i64: 1, 1, 1, 5>}> : (tensor<2x2x5x1xf32>) -> tensor<2x2x5x5xf32>
    %43 = "ttir.div"(%39, %42) : (tensor<2x2x5x5xf32>, tensor<2x2x5x5xf32>) -> tensor<2x2x5x5xf32>
    %44 = "ttir.reshape"(%43) <{shape = [4 : i32, 5 : i32, 5 : i32]}> : (tensor<2x2x5x5xf32>) -> tensor<4x5x5xf32>
    %45 = "ttir.slice_static"(%19) <{begins = [2 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [3 : i32, 5 : i32, 2 : i32, 16 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<3x5x2x16xf32>) -> tensor<1x5x2x16xf32>
    %46 = "ttir.reshape"(%45) <{shape = [5 : i32, 4 : i32, 8 : i32]}> : (tensor<1x5x2x16xf32>) -> tensor<5x4x8xf32>
    %47 = "ttir.permute"(%46) <{permutation = array<i64: 1, 0, 2>}> : (tensor<5x4x8xf32>) -> tensor<4x5x8xf32>
    %48 = "ttir.dot_general"(%44, %47) <{batch_dims_lhs = array<i64: 0>, batch_dims_rhs = array<i64: 0>, contract_dims_lhs = array<i64: 2>, contract_dims_rhs = array<i64: 1>}> : (tensor<4x5x5xf32>, tensor<4x5x8xf32>) -> tensor<4x5x8xf32>
    %49 = "ttir.reshape"(%48) <{shape = [2 : i32, 2 : i32, 5 : i32, 8 : i32]}> : (tensor<4x5x8xf32>) -> tensor<2x2x5x8xf32>
    %50 = "ttir.permute"(%49) <{permutation = array<i64: 2, 0, 1, 3>}> : (tensor<2x2x5x8xf32>) -> tensor<5x2x2x8xf32>
    %51 = "ttir.reshape"(%50) <{shape = [10 : i32, 16 : i32]}> : (tensor<5x2x2x8xf32>) -> tensor<10x16xf32>
    %52 = "ttir.permute"(%arg7) <{permutation = array<i64: 1, 0>}> : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %53 = "ttir.dot_general"(%51, %52) <{batch_dims_lhs = array<i64>, batch_dims_rhs = array<i64>, contract_dims_lhs = array<i64: 1>, contract_dims_rhs = array<i64: 0>}> : (tensor<10x16xf32>, tensor<16x16xf32>) -> tensor<10x16xf32>
    %54 = "ttir.reshape"(%arg6) <{shape = [1 : i32, 16 : i32]}> : (tensor<16xf32>) -> tensor<1x16xf32>
    %55 = "ttir.broadcast"(%54) <{broadcast_dimensions = array<i64: 10, 1>}> : (tensor<1x16xf32>) -> tensor<10x16xf32>
    %56 = "ttir.add"(%53, %55) : (tensor<10x16xf32>, tensor<10x16xf32>) -> tensor<10x16xf32>
    %57 = "ttir.reshape"(%56) <{shape = [5 : i32, 2 : i32, 16 : i32]}> : (tensor<10x16xf32>) -> tensor<5x2x16xf32>
    %58 = "ttir.permute"(%57) <{permutation = array<i64: 1, 0, 2>}> : (tensor<5x2x16xf32>) -> tensor<2x5x16xf32>
    %59 = "ttir.add"(%arg10, %58) : (tensor<2x5x16xf32>, tensor<2x5x16xf32>) -> tensor<2x5x16xf32>
    %60 = "ttir.reshape"(%59) <{shape = [1 : i32, 10 : i32, 16 : i32]}> : (tensor<2x5x16xf32>) -> tensor<1x10x16xf32>
    %61 = "ttir.zeros"() <{shape = array<i32: 10>}> : () -> tensor<10xf32>
    %62 = "ttir.ones"() <{shape = array<i32: 10>}> : () -> tensor<10xf32>
    %result, %batch_mean, %batch_variance = "ttir.batch_norm_training"(%60, %4, %3, %61, %62) <{dimension = 1 : i32, epsilon = 9.99999974E-6 : f32, momentum = 1.000000e+00 : f32}> : (tensor<1x10x16xf32>, tensor<10xf32>, tensor<10xf32>, tensor<10xf32>, tensor<10xf32>) -> (tensor<1x10x16xf32>, tensor<10xf32>, tensor<10xf32>)
    %63 = "ttir.reshape"(%arg11) <{shape = [1 : i32, 1 : i32, 16 : i32]}> : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %64 = "ttir.broadcast"(%63) <{broadcast_dimensions = array<i64: 2, 5, 1>}> : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %65 = "ttir.reshape"(%result) <{shape = [2 : i32, 5 : i32, 16 : i32]}> : (tensor<1x10x16xf32>) -> tensor<2x5x16xf32>
    %66 = "ttir.reshape"(%arg5) <{shape = [1 : i32, 1 : i32, 16 : i32]}> : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %67 = "ttir.broadcast"(%66) <{broadcast_dimensions = array<i64: 2, 5, 1>}> : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %68 = "ttir.multiply"(%65, %67) : (tensor<2x5x16xf32>, tensor<2x5x16xf32>) -> tensor<2x5x16xf32>
    %69 = "ttir.add"(%64, %68) : (tensor<2x5x16xf32>, tensor<2x5x16xf32>) -> tensor<2x5x16xf32>
    %70 = "ttir.reshape"(%69) <{shape = [10 : i32, 16 : i32]}> : (tensor<2x5x16xf32>) -> tensor<10x16xf32>
    %71 = "ttir.permute"(%arg4) <{permutation = array<i64: 1, 0>}> : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %72 = "ttir.dot_general"(%70, %71) <{batch_dims_lhs = array<i64>, batch_dims_rhs = array<i64>, contract_dims_lhs = array<i64: 1>, contract_dims_rhs = array<i64: 0>}> : (tensor<10x16xf32>, tensor<16x32xf32>) -> tensor<10x32xf32>
    %73 = "ttir.reshape"(%arg3) <{shape = [1 : i32, 32 : i32]}> : (tensor<32xf32>) -> tensor<1x32xf32>
    %74 = "ttir.broadcast"(%73) <{broadcast_dimensions = array<i64: 10, 1>}> : (tensor<1x32xf32>) -> tensor<10x32xf32>
    %75 = "ttir.add"(%72, %74) : (tensor<10x32xf32>, tensor<10x32xf32>) -> tensor<10x32xf32>
    %76 = "ttir.reshape"(%75) <{shape = [2 : i32, 5 : i32, 32 : i32]}> : (tensor<10x32xf32>) -> tensor<2x5x32xf32>
    %77 = "ttir.multiply"(%76, %2) : (tensor<2x5x32xf32>, tensor<2x5x32xf32>) -> tensor<2x5x32xf32>
    %78 = "ttir.multiply"(%76, %1) : (tensor<2x5x32xf32>, tensor<2x5x32xf32>) -> tensor<2x5x32xf32>
    %79 = "ttir.erf"(%78) : (tensor<2x5x32xf32>) -> tensor<2x5x32xf32>
    %80 = "ttir.add"(%79, %0) : (tensor<2x5x32xf32>, tensor<2x5x32xf32>) -> tensor<2x5x32xf32>
    %81 = "ttir.multiply"(%77, %80) : (tensor<2x5x32xf32>, tensor<2x5x32xf32>) -> tensor<2x5x32xf32>
    %82 = "ttir.reshape"(%81) <{shape = [10 : i32, 32 : i32]}> : (tensor<2x5x32xf32>) -> tensor<10x32xf32>
    %83 = "ttir.permute"(%arg2) <{permutation = array<i64: 1, 0>}> : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %84 = "ttir.dot_general"(%82, %83) <{batch_dims_lhs = array<i64>, batch_dims_rhs = array<i64>, contract_dims_lhs = array<i64: 1>, contract_dims_rhs = array<i64: 0>}> : (tensor<10x32xf32>, tensor<32x16xf32>) -> tensor<10x16xf32>
    %85 = "ttir.reshape"(%arg1) <{shape = [1 : i32, 16 : i32]}> : (tensor<16xf32>) -> tensor<1x16xf32>
    %86 = "ttir.broadcast"(%85) <{broadcast_dimensions = array<i64: 10, 1>}> : (tensor<1x16xf32>) -> tensor<10x16xf32>
    %87 = "ttir.add"(%84, %86) : (tensor<10x16xf32>, tensor<10x16xf32>) -> tensor<10x16xf32>
    %88 = "ttir.reshape"(%87) <{shape = [2 : i32, 5 : i32, 16 : i32]}> : (tensor<10x16xf32>) -> tensor<2x5x16xf32>
    %89 = "ttir.add"(%69, %88) : (tensor<2x5x16xf32>, tensor<2x5x16xf32>) -> tensor<2x5x16xf32>
    %90 = "ttir.reshape"(%89) <{shape = [1 : i32, 10 : i32, 16 : i32]}> : (tensor<2x5x16xf32>) -> tensor<1x10x16xf32>
    %91 = "ttir.zeros"() <{shape = array<i32: 10>}> : () -> tensor<10xf32>
    %92 = "ttir.ones"() <{shape = array<i32: 10>}> : () -> tensor<10xf32>
    %result_0, %batch_mean_1, %batch_variance_2 = "ttir.batch_norm_training"(%90, %4, %3, %91, %92) <{dimension = 1 : i32, epsilon = 9.99999974E-6 : f32, momentum = 1.000000e+00 : f32}> : (tensor<1x10x16xf32>, tensor<10xf32>, tensor<10xf32>, tensor<10xf32>, tensor<10xf32>) -> (tensor<1x10x16xf32>, tensor<10xf32>, tensor<10xf32>)
    %93 = "ttir.reshape"(%arg12) <{shape = [1 : i32, 1 : i32, 16 : i32]}> : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %94 = "ttir.broadcast"(%93) <{broadcast_dimensions = array<i64: 2, 5, 1>}> : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %95 = "ttir.reshape"(%result_0) <{shape = [2 : i32, 5 : i32, 16 : i32]}> : (tensor<1x10x16xf32>) -> tensor<2x5x16xf32>
    %96 = "ttir.reshape"(%arg0) <{shape = [1 : i32, 1 : i32, 16 : i32]}> : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %97 = "ttir.broadcast"(%96) <{broadcast_dimensions = array<i64: 2, 5, 1>}> : (tensor<1x1x16xf32>) -> tensor<2x5x16xf32>
    %98 = "ttir.multiply"(%95, %97) : (tensor<2x5x16xf32>, tensor<2x5x16xf32>) -> tensor<2x5x16xf32>
    %99 = "ttir.add"(%94, %98) : (tensor<2x5x16xf32>, tensor<2x5x16xf32>) -> tensor<2x5x16xf32>
    return %99 : tensor<2x5x16xf32>
  }
}

