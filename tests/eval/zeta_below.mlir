// Hurwitz' zeta far below 0, where the terms are too many to add.
// RUN: tessera run %s --input=4xf64=2,3,2,3 --input=4xf64=-40.25,-40.25,-31.75,-5000000.25 | FileCheck %s

// CHECK: 1.97146701561229{{[0-9]*}}e+01, -6.20122523031262{{[0-9]*}}e+01, 1.97082035338515{{[0-9]*}}e+01, -6.2012553360599{{[0-9]*}}e+01
func.func @main(%s: tensor<4xf64>, %q: tensor<4xf64>) -> tensor<4xf64> {
  %0 = chlo.zeta %s, %q : tensor<4xf64>, tensor<4xf64> -> tensor<4xf64>
  return %0 : tensor<4xf64>
}
