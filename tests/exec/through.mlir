// Concatenations, pads and rows of a table that one loop reads are done by the loop.
// RUN: tessera run %s --input=random --check
// RUN: tessera run %s --input=random --check --strict-rounding --threads=3
// RUN: tessera run %s --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// CHECK-LABEL: program of @main
// CHECK-NEXT: 1 map concatenate+multiply n=8192
// CHECK-NEXT: 2 row pad+reduce n=8800
// CHECK-NEXT: 3 map gather+add+convert n=8192
// CHECK-NEXT: 4 column concatenate+reduce n=12288
// Two loops read it, it is a result, or its pieces are short.
// CHECK-NEXT: 5 move concatenate
// CHECK: move concatenate
// CHECK: move concatenate
// CHECK: move transpose
func.func @main(%a: tensor<2x64x32xf32>, %b: tensor<2x64x32xf32>, %c: tensor<2x64x64xf32>, %d: tensor<100x50xf32>, %table: tensor<50x64xbf16>, %at: tensor<128x1xi32>, %s: tensor<128x64xbf16>, %t: tensor<4096x2xf32>)
    -> (tensor<2x64x64xf32>, tensor<110xf32>, tensor<128x64xf32>, tensor<2x96xf32>, tensor<64x64x2xf32>, tensor<64xf32>, tensor<2x128x32xf32>, tensor<4096x4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // Halves that change places, one of them reversed: as rotary embeddings do.
  %r = stablehlo.reverse %b, dims = [2] : tensor<2x64x32xf32>
  %0 = stablehlo.concatenate %r, %a, dim = 2 : (tensor<2x64x32xf32>, tensor<2x64x32xf32>) -> tensor<2x64x64xf32>
  %1 = stablehlo.multiply %0, %c : tensor<2x64x64xf32>
  %2 = stablehlo.constant dense<0.5> : tensor<f32>
  %p = stablehlo.pad %d, %2, low = [3, 20], high = [7, 10], interior = [0, 0] : (tensor<100x50xf32>, tensor<f32>) -> tensor<110x80xf32>
  %3 = stablehlo.reduce(%p init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<110x80xf32>, tensor<f32>) -> tensor<110xf32>
  %g = "stablehlo.gather"(%table, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 64>}> : (tensor<50x64xbf16>, tensor<128x1xi32>) -> tensor<128x64xbf16>
  %4 = stablehlo.add %g, %s : tensor<128x64xbf16>
  %5 = stablehlo.convert %4 : (tensor<128x64xbf16>) -> tensor<128x64xf32>
  %j = stablehlo.concatenate %c, %a, dim = 2 : (tensor<2x64x64xf32>, tensor<2x64x32xf32>) -> tensor<2x64x96xf32>
  %6 = stablehlo.reduce(%j init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2x64x96xf32>, tensor<f32>) -> tensor<2x96xf32>
  %k = stablehlo.concatenate %a, %b, dim = 2 : (tensor<2x64x32xf32>, tensor<2x64x32xf32>) -> tensor<2x64x64xf32>
  %7 = stablehlo.negate %k : tensor<2x64x64xf32>
  %8 = stablehlo.transpose %7, dims = [1, 2, 0] : (tensor<2x64x64xf32>) -> tensor<64x64x2xf32>
  %9 = stablehlo.reduce(%k init: %zero) applies stablehlo.add across dimensions = [0, 2] : (tensor<2x64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %10 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<2x64x32xf32>, tensor<2x64x32xf32>) -> tensor<2x128x32xf32>
  %l = stablehlo.concatenate %t, %t, dim = 1 : (tensor<4096x2xf32>, tensor<4096x2xf32>) -> tensor<4096x4xf32>
  %11 = stablehlo.negate %l : tensor<4096x4xf32>
  return %1, %3, %5, %6, %8, %9, %10, %11 : tensor<2x64x64xf32>, tensor<110xf32>, tensor<128x64xf32>, tensor<2x96xf32>, tensor<64x64x2xf32>, tensor<64xf32>, tensor<2x128x32xf32>, tensor<4096x4xf32>
}
