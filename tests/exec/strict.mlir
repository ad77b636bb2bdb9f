// With --strict-rounding chains of narrow floats have the evaluator's bits: each op rounds. Without it a value that one op alone reads stays in f32 (rounding.mlir).
// RUN: tessera run %s --input=random --engine=reference --output=%t.npz
// RUN: tessera run %s --input=random --engine=compiled --strict-rounding --expect=%t.npz --rtol=0 --atol=0 | FileCheck %s
// CHECK: 0 {{.*}}PASS (exact)
// CHECK: 1 {{.*}}PASS (exact)
// CHECK: 2 {{.*}}PASS (exact)
// RUN: not tessera run %s --input=random --engine=compiled --expect=%t.npz --rtol=0 --atol=0
// RUN: tessera run %s --input=random --engine=compiled --check | FileCheck %s --check-prefix=WITHIN
// WITHIN: 0 {{.*}}PASS
func.func @main(%a: tensor<300xbf16>, %b: tensor<300xf16>, %c: tensor<300xf8E4M3FN>)
    -> (tensor<300xbf16>, tensor<300xf16>, tensor<300xf8E4M3FN>) {
  %0 = stablehlo.multiply %a, %a : tensor<300xbf16>
  %1 = stablehlo.add %0, %a : tensor<300xbf16>
  %2 = stablehlo.multiply %1, %0 : tensor<300xbf16>
  %3 = stablehlo.subtract %2, %a : tensor<300xbf16>
  %4 = stablehlo.multiply %b, %b : tensor<300xf16>
  %5 = stablehlo.add %4, %b : tensor<300xf16>
  %6 = stablehlo.multiply %5, %4 : tensor<300xf16>
  %7 = stablehlo.multiply %c, %c : tensor<300xf8E4M3FN>
  %8 = stablehlo.add %7, %c : tensor<300xf8E4M3FN>
  return %3, %6, %8 : tensor<300xbf16>, tensor<300xf16>, tensor<300xf8E4M3FN>
}
