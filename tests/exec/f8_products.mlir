// Products of floats of up to eight bits, also of two types, are multiplied as bf16, which has all their numbers. No kernel of the evaluator's runs.
// RUN: tessera run %s --input=random --dump-program --check 2>&1 >%t.table | FileCheck %s
// RUN: FileCheck %s --check-prefix=TABLE <%t.table
// RUN: tessera run %s --input=random --strict-rounding --check
// RUN: env TESSERA_ISA=baseline tessera run %s --input=random --check
// RUN: tessera run %s --function=small --input=1xf8E8M0FNU=5.8774717541114375e-39 --input=1xf8E8M0FNU=1.7014118346046923e+38 | FileCheck %s --check-prefix=SMALL
// CHECK: 0 by the evaluator's kernels
// CHECK-COUNT-5: contract dot_general
// TABLE-COUNT-5: PASS
func.func @main(%a: tensor<33x70xf8E4M3FN>, %b: tensor<70x40xf8E4M3FN>, %c: tensor<70x40xf8E5M2>, %d: tensor<33x70xf8E3M4>, %e: tensor<70x40xf8E4M3B11FNUZ>,
                %f: tensor<33x70xf4E2M1FN>, %g: tensor<70x40xf6E3M2FN>)
    -> (tensor<33x40xf32>, tensor<33x40xf32>, tensor<33x40xf8E5M2>, tensor<33x40xbf16>, tensor<33x40xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<33x70xf8E4M3FN>, tensor<70x40xf8E4M3FN>) -> tensor<33x40xf32>
  %1 = stablehlo.dot_general %a, %c, contracting_dims = [1] x [0] : (tensor<33x70xf8E4M3FN>, tensor<70x40xf8E5M2>) -> tensor<33x40xf32>
  %2 = stablehlo.dot_general %d, %c, contracting_dims = [1] x [0] : (tensor<33x70xf8E3M4>, tensor<70x40xf8E5M2>) -> tensor<33x40xf8E5M2>
  %3 = stablehlo.dot_general %d, %e, contracting_dims = [1] x [0] : (tensor<33x70xf8E3M4>, tensor<70x40xf8E4M3B11FNUZ>) -> tensor<33x40xbf16>
  %4 = stablehlo.dot_general %f, %g, contracting_dims = [1] x [0] : (tensor<33x70xf4E2M1FN>, tensor<70x40xf6E3M2FN>) -> tensor<33x40xf32>
  return %0, %1, %2, %3, %4 : tensor<33x40xf32>, tensor<33x40xf32>, tensor<33x40xf8E5M2>, tensor<33x40xbf16>, tensor<33x40xf32>
}
// The least and the greatest power of two: their product is 1.
// SMALL: 1.000000e+00
func.func @small(%a: tensor<1xf8E8M0FNU>, %b: tensor<1xf8E8M0FNU>) -> tensor<f32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<1xf8E8M0FNU>, tensor<1xf8E8M0FNU>) -> tensor<f32>
  return %0 : tensor<f32>
}
