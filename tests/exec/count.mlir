// iota of narrow floats and of complex numbers: integers that are converted once, with the evaluator's bits, also where a type rounds or overflows. None runs by the evaluator's kernels.
// RUN: tessera run %s --check --rtol=0 --atol=0
// RUN: tessera run %s --dump-program 2>&1 >/dev/null | FileCheck %s
// RUN: tessera run %s --strict-rounding --output=%t.npz
// RUN: tessera run %s --engine=reference --expect=%t.npz --rtol=0 --atol=0
// CHECK: 0 by the evaluator's kernels
func.func @main() -> (tensor<2x80000xf16>, tensor<700x3xbf16>, tensor<500xf8E4M3FN>, tensor<300xf8E5M2>, tensor<3x2xcomplex<f32>>, tensor<4xcomplex<f64>>, tensor<3x700xbf16>) {
  %0 = stablehlo.iota dim = 1 : tensor<2x80000xf16>
  %1 = stablehlo.iota dim = 0 : tensor<700x3xbf16>
  %2 = stablehlo.iota dim = 0 : tensor<500xf8E4M3FN>
  %3 = stablehlo.iota dim = 0 : tensor<300xf8E5M2>
  %4 = stablehlo.iota dim = 0 : tensor<3x2xcomplex<f32>>
  %5 = stablehlo.iota dim = 0 : tensor<4xcomplex<f64>>
  %6 = stablehlo.iota dim = 1 : tensor<3x700xbf16>
  %7 = stablehlo.add %6, %6 : tensor<3x700xbf16>
  return %0, %1, %2, %3, %4, %5, %7 : tensor<2x80000xf16>, tensor<700x3xbf16>, tensor<500xf8E4M3FN>, tensor<300xf8E5M2>, tensor<3x2xcomplex<f32>>, tensor<4xcomplex<f64>>, tensor<3x700xbf16>
}
