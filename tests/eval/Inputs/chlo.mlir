// For chlo.test: each result is that of one op, on arguments in [-1, 1).
func.func @main(%x: tensor<64xf32>, %y: tensor<8x1xf32>, %z: tensor<1x8xf32>, %c: tensor<32xcomplex<f32>>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<32xcomplex<f32>>, tensor<32xcomplex<f32>>, tensor<5xf32>, tensor<5xi32>) {
  %0 = chlo.asin %x : tensor<64xf32> -> tensor<64xf32>
  %1 = chlo.acos %x : tensor<64xf32> -> tensor<64xf32>
  %2 = chlo.atan %x : tensor<64xf32> -> tensor<64xf32>
  %3 = chlo.sinh %x : tensor<64xf32> -> tensor<64xf32>
  %4 = chlo.cosh %x : tensor<64xf32> -> tensor<64xf32>
  %5 = chlo.asinh %x : tensor<64xf32> -> tensor<64xf32>
  %6 = chlo.atanh %x : tensor<64xf32> -> tensor<64xf32>
  %7 = chlo.erf %x : tensor<64xf32> -> tensor<64xf32>
  %8 = chlo.erfc %x : tensor<64xf32> -> tensor<64xf32>
  %9 = chlo.erf_inv %x : tensor<64xf32> -> tensor<64xf32>
  %10 = chlo.lgamma %x : tensor<64xf32> -> tensor<64xf32>
  %11 = chlo.bessel_i1e %x : tensor<64xf32> -> tensor<64xf32>
  %12 = chlo.broadcast_multiply %y, %z : (tensor<8x1xf32>, tensor<1x8xf32>) -> tensor<8x8xf32>
  %13 = chlo.broadcast_atan2 %y, %z : (tensor<8x1xf32>, tensor<1x8xf32>) -> tensor<8x8xf32>
  %14 = chlo.conj %c : tensor<32xcomplex<f32>> -> tensor<32xcomplex<f32>>
  %15 = chlo.tan %c : tensor<32xcomplex<f32>> -> tensor<32xcomplex<f32>>
  %v, %i = chlo.top_k(%x, k = 5) : tensor<64xf32> -> (tensor<5xf32>, tensor<5xi32>)
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %v, %i : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<32xcomplex<f32>>, tensor<32xcomplex<f32>>, tensor<5xf32>, tensor<5xi32>
}
