// Fourier transforms are groups of the engine: of one dimension to three, in place behind the first, rows or columns, few rows, lengths with large primes.
// RUN: tessera run %s --input=random --check
// RUN: tessera run %s --input=random --dump-program 2>&1 | FileCheck %s
// RUN: tessera run %s --input=random --threads=1 --output %t.npz
// RUN: tessera run %s --input=random --threads=3 --rtol=0 --atol=0 --expect %t.npz
// RUN: env TESSERA_ISA=baseline tessera run %s --input=random --check
// CHECK: 0 by the evaluator's kernels
// CHECK: move fft
func.func @main(%a: tensor<20x48xcomplex<f32>>, %b: tensor<3x7x10xf32>, %c: tensor<2x5x6x5xcomplex<f64>>, %d: tensor<254x3xcomplex<f32>>, %e: tensor<900xf64>,
    %f: tensor<2x6x9xcomplex<f32>>) -> (tensor<20x48xcomplex<f32>>, tensor<3x7x6xcomplex<f32>>, tensor<2x5x6x8xf64>, tensor<254x3xcomplex<f32>>,
    tensor<451xcomplex<f64>>, tensor<9x6x2xcomplex<f32>>, tensor<20x48xcomplex<f32>>) {
  %0 = stablehlo.fft %a, type = FFT, length = [48] : (tensor<20x48xcomplex<f32>>) -> tensor<20x48xcomplex<f32>>
  %1 = stablehlo.fft %b, type = RFFT, length = [7, 10] : (tensor<3x7x10xf32>) -> tensor<3x7x6xcomplex<f32>>
  %2 = stablehlo.fft %c, type = IRFFT, length = [5, 6, 8] : (tensor<2x5x6x5xcomplex<f64>>) -> tensor<2x5x6x8xf64>
  %3 = stablehlo.fft %d, type = IFFT, length = [254, 3] : (tensor<254x3xcomplex<f32>>) -> tensor<254x3xcomplex<f32>>
  %4 = stablehlo.fft %e, type = RFFT, length = [900] : (tensor<900xf64>) -> tensor<451xcomplex<f64>>
  %5 = stablehlo.transpose %f, dims = [2, 1, 0] : (tensor<2x6x9xcomplex<f32>>) -> tensor<9x6x2xcomplex<f32>>
  %6 = stablehlo.fft %5, type = FFT, length = [9, 6, 2] : (tensor<9x6x2xcomplex<f32>>) -> tensor<9x6x2xcomplex<f32>>
  // The operand dies: the second works in its place.
  %7 = stablehlo.multiply %0, %a : tensor<20x48xcomplex<f32>>
  %8 = stablehlo.fft %7, type = IFFT, length = [20, 48] : (tensor<20x48xcomplex<f32>>) -> tensor<20x48xcomplex<f32>>
  return %0, %1, %2, %3, %4, %6, %8 : tensor<20x48xcomplex<f32>>, tensor<3x7x6xcomplex<f32>>, tensor<2x5x6x8xf64>, tensor<254x3xcomplex<f32>>,
    tensor<451xcomplex<f64>>, tensor<9x6x2xcomplex<f32>>, tensor<20x48xcomplex<f32>>
}
