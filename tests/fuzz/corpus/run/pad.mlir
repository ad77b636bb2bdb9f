// x=3 0:x,_
func.func @main(%a: tensor<4x5xi32>, %i: tensor<2x1xi32>) -> (tensor<2x5xi32>, tensor<5xi32>, tensor<7x5xi32>) {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}> : (tensor<4x5xi32>, tensor<2x1xi32>) -> tensor<2x5xi32>
  %1 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4x5xi32>, tensor<i32>) -> tensor<5xi32>
  %2 = stablehlo.pad %a, %z, low = [1, 0], high = [2, 0], interior = [0, 0] : (tensor<4x5xi32>, tensor<i32>) -> tensor<7x5xi32>
  return %0, %1, %2 : tensor<2x5xi32>, tensor<5xi32>, tensor<7x5xi32>
}
