module @IrToHlo.102 attributes {mhlo.cross_program_prefetches = [], mhlo.input_output_alias = [], mhlo.is_dynamic = false, mhlo.use_auto_spmd_partitioning = false} {
  func.func @main(%arg0: tensor<8x16x8xf32> {mhlo.sharding = "{devices=[8,1,1]0,1,2,3,4,5,6,7}"}, %arg1: tensor<8x8x16xf32> {mhlo.sharding = "{devices=[8,1,1]0,1,2,3,4,5,6,7}"}, %arg2: tensor<16x8xf32> {mhlo.sharding = "{replicated}"}, %arg3: tensor<8x8xf32> {mhlo.sharding = "{replicated}"}) -> tensor<16x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<8x16x16xf32>
    %c = stablehlo.constant dense<1> : tensor<16x2x1xi64>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c_2 = stablehlo.constant dense<0> : tensor<16x2x8xi64>
    %0 = stablehlo.iota dim = 0 : tensor<16xi64>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<16xi64>) -> tensor<16x2x1x1xi64>
    %2 = stablehlo.iota dim = 0 : tensor<2xi64>
    %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<2xi64>) -> tensor<16x2x1x1xi64>
    %4 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %5 = stablehlo.reduce(%4 init: %cst_1) applies stablehlo.maximum across dimensions = [1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<16xf32>) -> tensor<16x8xf32>
    %7 = stablehlo.subtract %4, %6 : tensor<16x8xf32>
    %8 = stablehlo.exponential %7 : tensor<16x8xf32>
    %9 = stablehlo.reduce(%8 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<16xf32>) -> tensor<16x8xf32>
    %11 = stablehlo.divide %8, %10 : tensor<16x8xf32>
    %12 = stablehlo.iota dim = 0 : tensor<8xi32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [1] : (tensor<8xi32>) -> tensor<16x8xi32>
    %14:2 = "stablehlo.sort"(%11, %13) <{dimension = 1 : i64, is_stable = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>, %arg6: tensor<i32>, %arg7: tensor<i32>):
      %35 = stablehlo.compare  GT, %arg4, %arg5,  TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %35 : tensor<i1>
    }) : (tensor<16x8xf32>, tensor<16x8xi32>) -> (tensor<16x8xf32>, tensor<16x8xi32>)
    %15 = stablehlo.slice %14#1 [0:16, 0:2] : (tensor<16x8xi32>) -> tensor<16x2xi32>
    %16 = stablehlo.convert %15 : (tensor<16x2xi32>) -> tensor<16x2xi64>
    %17 = stablehlo.reshape %16 : (tensor<16x2xi64>) -> tensor<16x2x1x1xi64>
    %18 = stablehlo.concatenate %1, %3, %17, dim = 3 : (tensor<16x2x1x1xi64>, tensor<16x2x1x1xi64>, tensor<16x2x1x1xi64>) -> tensor<16x2x1x3xi64>
    %19 = "stablehlo.scatter"(%c_2, %18, %c) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1, 2], scatter_dims_to_operand_dims = [0, 1, 2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<i64>, %arg5: tensor<i64>):
      stablehlo.return %arg5 : tensor<i64>
    }) : (tensor<16x2x8xi64>, tensor<16x2x1x3xi64>, tensor<16x2x1xi64>) -> tensor<16x2x8xi64>
    %20 = stablehlo.convert %19 : (tensor<16x2x8xi64>) -> tensor<16x2x8xf32>
    %21 = stablehlo.slice %14#0 [0:16, 0:2] : (tensor<16x8xf32>) -> tensor<16x2xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1] : (tensor<16x2xf32>) -> tensor<16x2x8xf32>
    %23 = stablehlo.multiply %20, %22 : tensor<16x2x8xf32>
    %24 = stablehlo.reduce(%23 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<16x2x8xf32>, tensor<f32>) -> tensor<16x8xf32>
    %25 = stablehlo.reshape %24 : (tensor<16x8xf32>) -> tensor<16x1x8xf32>
    %26 = stablehlo.dot_general %arg2, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] {mhlo.frontend_attributes = {grad_x = "false", grad_y = "false"}} : (tensor<16x8xf32>, tensor<8x8x16xf32>) -> tensor<16x8x16xf32>
    %27 = stablehlo.transpose %26, dims = [1, 0, 2] {result_layout = dense<[2, 0, 1]> : tensor<3xindex>, xla_shape = "f32[8,16,16]{2,0,1}"} : (tensor<16x8x16xf32>) -> tensor<8x16x16xf32>
    %28 = stablehlo.maximum %27, %cst : tensor<8x16x16xf32>
    %29 = stablehlo.dot_general %28, %arg0, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x16xf32>, tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %30 = stablehlo.reshape %29 : (tensor<8x16x8xf32>) -> tensor<8x16x1x8xf32>
    %31 = stablehlo.transpose %30, dims = [1, 0, 3, 2] : (tensor<8x16x1x8xf32>) -> tensor<16x8x8x1xf32>
    %32 = stablehlo.reshape %31 : (tensor<16x8x8x1xf32>) -> tensor<16x8x8xf32>
    %33 = stablehlo.dot_general %25, %32, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x1x8xf32>, tensor<16x8x8xf32>) -> tensor<16x1x8xf32>
    %34 = stablehlo.reshape %33 : (tensor<16x1x8xf32>) -> tensor<16x8xf32>
    return %34 : tensor<16x8xf32>
  }
}
