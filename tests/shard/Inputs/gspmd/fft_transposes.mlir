module @jit_f attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x8xf32> {mhlo.sharding = "{devices=[8,1]<=[8]}"}) -> (tensor<8x2x5xf32> {jax.result_info = "result"}) {
    %0 = call @fft(%arg0) : (tensor<16x8xf32>) -> tensor<16x5xcomplex<f32>>
    %1 = stablehlo.abs %0 : (tensor<16x5xcomplex<f32>>) -> tensor<16x5xf32>
    %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<16x5xf32>) -> tensor<5x16xf32>
    %3 = stablehlo.custom_call @Sharding(%2) {backend_config = "", mhlo.sharding = "{devices=[1,8]<=[8]}"} : (tensor<5x16xf32>) -> tensor<5x16xf32>
    %4 = stablehlo.reshape %3 : (tensor<5x16xf32>) -> tensor<5x8x2xf32>
    %5 = stablehlo.transpose %4, dims = [1, 2, 0] : (tensor<5x8x2xf32>) -> tensor<8x2x5xf32>
    return %5 : tensor<8x2x5xf32>
  }
  func.func private @fft(%arg0: tensor<16x8xf32>) -> tensor<16x5xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [8] : (tensor<16x8xf32>) -> tensor<16x5xcomplex<f32>>
    return %0 : tensor<16x5xcomplex<f32>>
  }
}
