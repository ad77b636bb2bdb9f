// RUN: tessera run %s --input=4xf32=100,-100,100,0 --expect=4xf32=100,-100,100,0.0005 | FileCheck %s --check-prefix=SCALED
// RUN: not tessera run %s --input=4xf32=100,-100,100,0 --expect=4xf32=100,-100,100,0.004 | FileCheck %s --check-prefix=WRONG
// RUN: not tessera run %s --input=4xf32=1,-1,1,0 --expect=4xf32=1,-1,1,0.0005 | FileCheck %s --check-prefix=WRONG
// RUN: not tessera run %s --input=4xf32=100,-100,100,0 --expect=4xf32=100,-100,100,0.0005 --rtol=1e-4 | FileCheck %s --check-prefix=WRONG
// RUN: not tessera run %s --input=4xf32=100,-100,inf,0 --expect=4xf32=100,-100,100,0 | FileCheck %s --check-prefix=INF
// RUN: tessera run %s --input=4xf32=100,-100,inf,0 --expect=4xf32=100,-100,inf,0.0005 | FileCheck %s --check-prefix=SCALED
// A difference is small or large beside the size of the tensor, unless a tolerance was given.

// SCALED: PASS
// WRONG: FAIL: 1 of 4 beyond the tolerance; first at [3]
// INF: FAIL: 1 of 4 beyond the tolerance; first at [2]
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
