// What movements become: sh tests/gpu/goldens.sh --update writes moves.txt anew.
func.func @main(%a: tensor<300x128xbf16>, %b: tensor<4x6x16xf32>, %c: tensor<7x8xf32>, %d: tensor<2xui64>, %e: tensor<5x1xi32>, %f: tensor<f32>, %g: tensor<i32>, %h: tensor<7x8xf32>) ->
    (tensor<128x300xbf16>, tensor<6x4x16xf32>, tensor<7x8xf32>, tensor<14x8xf32>, tensor<9x16xf32>, tensor<3x8xf32>, tensor<5x8xf32>, tensor<2xui64>, tensor<10xui32>, tensor<7x8xcomplex<f32>>) {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<300x128xbf16>) -> tensor<128x300xbf16>
  %1 = stablehlo.transpose %b, dims = [1, 0, 2] : (tensor<4x6x16xf32>) -> tensor<6x4x16xf32>
  %2 = stablehlo.reverse %c, dims = [0] : tensor<7x8xf32>
  %3 = stablehlo.concatenate %c, %h, dim = 0 : (tensor<7x8xf32>, tensor<7x8xf32>) -> tensor<14x8xf32>
  %4 = stablehlo.pad %c, %f, low = [1, 4], high = [1, 4], interior = [0, 0] : (tensor<7x8xf32>, tensor<f32>) -> tensor<9x16xf32>
  %5 = stablehlo.dynamic_slice %c, %g, %g, sizes = [3, 8] : (tensor<7x8xf32>, tensor<i32>, tensor<i32>) -> tensor<3x8xf32>
  %6 = "stablehlo.gather"(%c, %e) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>} : (tensor<7x8xf32>, tensor<5x1xi32>) -> tensor<5x8xf32>
  %7, %8 = stablehlo.rng_bit_generator %d, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<10xui32>)
  %9 = stablehlo.complex %c, %h : tensor<7x8xcomplex<f32>>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<128x300xbf16>, tensor<6x4x16xf32>, tensor<7x8xf32>, tensor<14x8xf32>, tensor<9x16xf32>, tensor<3x8xf32>, tensor<5x8xf32>, tensor<2xui64>, tensor<10xui32>, tensor<7x8xcomplex<f32>>
}
