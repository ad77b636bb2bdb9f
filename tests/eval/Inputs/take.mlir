func.func private @where(%c: tensor<64xi1>, %x: tensor<64xi32>, %y: tensor<64xi32>) -> tensor<64xi32> {
  %0 = stablehlo.select %c, %x, %y : tensor<64xi1>, tensor<64xi32>
  return %0 : tensor<64xi32>
}
func.func @main(%table: tensor<5x2xf32>, %index: tensor<64xi32>) -> (tensor<i32>, tensor<i32>, tensor<64x2xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<64xi32>
  %five = stablehlo.constant dense<5> : tensor<64xi32>
  %low = stablehlo.constant dense<2147483647> : tensor<i32>
  %high = stablehlo.constant dense<-2147483648> : tensor<i32>
  %negative = stablehlo.compare LT, %index, %zero : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
  %wrapped = stablehlo.add %index, %five : tensor<64xi32>
  %safe = func.call @where(%negative, %wrapped, %index) : (tensor<64xi1>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
  %column = stablehlo.reshape %safe : (tensor<64xi32>) -> tensor<64x1xi32>
  %rows = "stablehlo.gather"(%table, %column) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<5x2xf32>, tensor<64x1xi32>) -> tensor<64x2xf32>
  %least = stablehlo.reduce(%index init: %low) applies stablehlo.minimum across dimensions = [0] : (tensor<64xi32>, tensor<i32>) -> tensor<i32>
  %most = stablehlo.reduce(%index init: %high) applies stablehlo.maximum across dimensions = [0] : (tensor<64xi32>, tensor<i32>) -> tensor<i32>
  return %least, %most, %rows : tensor<i32>, tensor<i32>, tensor<64x2xf32>
}
