// Products and sums of complex numbers are products and sums of their parts: any dimensions, a sum that begins with a number.
// RUN: tessera run %s --input=random --check
// RUN: tessera run %s --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// RUN: tessera run %s --input=random --threads=1 --output=%t.npz
// RUN: tessera run %s --input=random --threads=3 --expect=%t.npz --rtol=0 --atol=0
// CHECK: 0 by the evaluator's kernels
func.func @main(%a: tensor<2x7x5xcomplex<f32>>, %b: tensor<2x5x9xcomplex<f32>>, %c: tensor<4x6xcomplex<f64>>, %s: tensor<complex<f64>>)
    -> (tensor<2x7x9xcomplex<f32>>, tensor<4x4xcomplex<f64>>, tensor<7xcomplex<f32>>, tensor<complex<f64>>, tensor<complex<f64>>, tensor<4x3xcomplex<f64>>) {
  %zero = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x7x5xcomplex<f32>>, tensor<2x5x9xcomplex<f32>>) -> tensor<2x7x9xcomplex<f32>>
  %1 = stablehlo.dot_general %c, %c, contracting_dims = [1] x [1] : (tensor<4x6xcomplex<f64>>, tensor<4x6xcomplex<f64>>) -> tensor<4x4xcomplex<f64>>
  %2 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0, 2] : (tensor<2x7x5xcomplex<f32>>, tensor<complex<f32>>) -> tensor<7xcomplex<f32>>
  %3 = stablehlo.reduce(%c init: %s) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6xcomplex<f64>>, tensor<complex<f64>>) -> tensor<complex<f64>>
  %4 = stablehlo.dot_general %c, %c, contracting_dims = [0, 1] x [0, 1] : (tensor<4x6xcomplex<f64>>, tensor<4x6xcomplex<f64>>) -> tensor<complex<f64>>
  // The number that windows begin with is in the padding, too.
  %5 = "stablehlo.reduce_window"(%c, %s) <{window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>, padding = dense<[[0, 0], [1, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<complex<f64>>, %y: tensor<complex<f64>>):
    %6 = stablehlo.add %x, %y : tensor<complex<f64>>
    stablehlo.return %6 : tensor<complex<f64>>
  }) : (tensor<4x6xcomplex<f64>>, tensor<complex<f64>>) -> tensor<4x3xcomplex<f64>>
  return %0, %1, %2, %3, %4, %5 : tensor<2x7x9xcomplex<f32>>, tensor<4x4xcomplex<f64>>, tensor<7xcomplex<f32>>, tensor<complex<f64>>, tensor<complex<f64>>, tensor<4x3xcomplex<f64>>
}
