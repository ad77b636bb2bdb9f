// Hurwitz' zeta where all terms are too small for any number: the sum ends at once, not after as many terms as the exponent.
// RUN: tessera run %s --input=3xf64=35255,1e30,1e18 --input=3xf64=35255,1e29,2 --max-seconds=20 | FileCheck %s

// CHECK: [0.000000e+00, 0.000000e+00, 0.000000e+00]
func.func @main(%s: tensor<3xf64>, %q: tensor<3xf64>) -> tensor<3xf64> {
  %0 = chlo.zeta %s, %q : tensor<3xf64>, tensor<3xf64> -> tensor<3xf64>
  return %0 : tensor<3xf64>
}
