// What products become: heads of attention, which are calls of the library; f32 by its precision; a factor that the library
// does not read; integers and windows by kernels.
func.func @main(%q: tensor<2x64x4x16xbf16>, %k: tensor<2x64x4x16xbf16>, %a: tensor<64x128xf32>, %b: tensor<128x96xf32>, %s: tensor<192x512xf32>, %i: tensor<20x30xi32>, %j: tensor<30x24xi32>, %x: tensor<1x9x9x3xf32>, %w: tensor<3x3x3x8xf32>) ->
    (tensor<2x4x64x64xbf16>, tensor<64x96xf32>, tensor<64x96xf32>, tensor<192x192xf32>, tensor<20x24xi32>, tensor<1x9x9x8xf32>) {
  %0 = stablehlo.dot_general %q, %k, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x64x4x16xbf16>, tensor<2x64x4x16xbf16>) -> tensor<2x4x64x64xbf16>
  %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<64x128xf32>, tensor<128x96xf32>) -> tensor<64x96xf32>
  %2 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<64x128xf32>, tensor<128x96xf32>) -> tensor<64x96xf32>
  %3 = stablehlo.slice %s [0:192, 0:512:2] : (tensor<192x512xf32>) -> tensor<192x256xf32>
  %4 = stablehlo.dot_general %3, %3, contracting_dims = [1] x [1] : (tensor<192x256xf32>, tensor<192x256xf32>) -> tensor<192x192xf32>
  %5 = stablehlo.dot_general %i, %j, contracting_dims = [1] x [0] : (tensor<20x30xi32>, tensor<30x24xi32>) -> tensor<20x24xi32>
  %6 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x9x9x3xf32>, tensor<3x3x3x8xf32>) -> tensor<1x9x9x8xf32>
  return %0, %1, %2, %4, %5, %6 : tensor<2x4x64x64xbf16>, tensor<64x96xf32>, tensor<64x96xf32>, tensor<192x192xf32>, tensor<20x24xi32>, tensor<1x9x9x8xf32>
}
