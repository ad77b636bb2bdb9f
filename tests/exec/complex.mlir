// Parts of complex numbers are views, and elementwise ops are loops over them; results are woven from two parts. The bits are the evaluator's.
// RUN: tessera run %s --input=random --check --rtol=0 --atol=0
// RUN: tessera run %s --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// RUN: tessera run %s --input=random --threads=1 --output=%t.npz
// RUN: tessera run %s --input=random --threads=3 --expect=%t.npz --rtol=0 --atol=0
// CHECK: 0 by the evaluator's kernels
// Ops of a chain are one loop: nothing is woven between them.
// CHECK: 1 map add+multiply+negate+subtract+select+select
func.func @main(%a: tensor<3x5xcomplex<f32>>, %b: tensor<3x5xcomplex<f32>>, %x: tensor<3x5xf32>, %p: tensor<3x5xi1>, %s: tensor<complex<f64>>, %q: tensor<i1>) -> (tensor<3x5xcomplex<f32>>, tensor<3x5xcomplex<f32>>, tensor<5x3xf32>, tensor<3x5xi1>, tensor<3x5xcomplex<f64>>, tensor<f64>, tensor<3x5xcomplex<f32>>, tensor<f64>, tensor<3x5xcomplex<f32>>, tensor<3x5xf32>) {
  %c = stablehlo.constant dense<(1.5, -2.5)> : tensor<3x5xcomplex<f32>>
  %0 = stablehlo.add %a, %b : tensor<3x5xcomplex<f32>>
  %1 = stablehlo.multiply %0, %c : tensor<3x5xcomplex<f32>>
  %2 = stablehlo.negate %1 : tensor<3x5xcomplex<f32>>
  %3 = stablehlo.subtract %2, %a : tensor<3x5xcomplex<f32>>
  %t = stablehlo.transpose %3, dims = [1, 0] : (tensor<3x5xcomplex<f32>>) -> tensor<5x3xcomplex<f32>>
  %4 = stablehlo.imag %t : (tensor<5x3xcomplex<f32>>) -> tensor<5x3xf32>
  %5 = stablehlo.compare EQ, %a, %b : (tensor<3x5xcomplex<f32>>, tensor<3x5xcomplex<f32>>) -> tensor<3x5xi1>
  %6 = stablehlo.convert %a : (tensor<3x5xcomplex<f32>>) -> tensor<3x5xcomplex<f64>>
  %7 = stablehlo.real %s : (tensor<complex<f64>>) -> tensor<f64>
  %8 = stablehlo.select %p, %a, %3 : tensor<3x5xi1>, tensor<3x5xcomplex<f32>>
  %9 = stablehlo.imag %s : (tensor<complex<f64>>) -> tensor<f64>
  %10 = stablehlo.complex %x, %x : tensor<3x5xcomplex<f32>>
  %11 = stablehlo.convert %c : (tensor<3x5xcomplex<f32>>) -> tensor<3x5xf32>
  %12 = stablehlo.select %q, %10, %8 : tensor<i1>, tensor<3x5xcomplex<f32>>
  return %1, %12, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<3x5xcomplex<f32>>, tensor<3x5xcomplex<f32>>, tensor<5x3xf32>, tensor<3x5xi1>, tensor<3x5xcomplex<f64>>, tensor<f64>, tensor<3x5xcomplex<f32>>, tensor<f64>, tensor<3x5xcomplex<f32>>, tensor<3x5xf32>
}
