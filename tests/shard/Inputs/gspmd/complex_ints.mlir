module @jit_f attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,4]<=[8]}"}, %arg1: tensor<8x8xi32> {mhlo.sharding = "{devices=[4,2]<=[2,4]T(1,0)}"}) -> (tensor<8x8xf32> {jax.result_info = "result[0]"}, tensor<8x8xi32> {jax.result_info = "result[1]"}, tensor<8xi32> {jax.result_info = "result[2]"}) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<8x8xf32>
    %2 = stablehlo.complex %arg0, %1 : tensor<8x8xcomplex<f32>>
    %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<8x8xcomplex<f32>>) -> tensor<8x8xcomplex<f32>>
    %4 = stablehlo.dot_general %2, %3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xcomplex<f32>>, tensor<8x8xcomplex<f32>>) -> tensor<8x8xcomplex<f32>>
    %5 = stablehlo.real %4 : (tensor<8x8xcomplex<f32>>) -> tensor<8x8xf32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x8xi32>
    %7 = stablehlo.add %arg1, %6 : tensor<8x8xi32>
    %8 = stablehlo.xor %arg1, %7 : tensor<8x8xi32>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8x8xi32>
    %10 = stablehlo.compare GT, %arg1, %9, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %11 = stablehlo.convert %10 : (tensor<8x8xi1>) -> tensor<8x8xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %12 = stablehlo.reduce(%11 init: %c_1) applies stablehlo.add across dimensions = [0] : (tensor<8x8xi32>, tensor<i32>) -> tensor<8xi32>
    return %5, %8, %12 : tensor<8x8xf32>, tensor<8x8xi32>, tensor<8xi32>
  }
}
