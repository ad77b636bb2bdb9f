// RUN: tessera run %s --input=3xi32=1,2,3 --input=3xi32=1,0,0 2>&1 | FileCheck %s
// RUN: tessera run %s --input=3xi32=1,2,3 --input=3xi32=1,2,3 2>&1 | FileCheck %s --check-prefix=QUIET
// Integers divided by zero are no failure, since a select may drop them, but they are told with their place.

func.func @main(%a: tensor<3xi32>, %b: tensor<3xi32>) -> tensor<3xi32> {
  %0 = stablehlo.divide %a, %b : tensor<3xi32>
  return %0 : tensor<3xi32>
}

// CHECK: division_by_zero.mlir:6:8: warning: 'stablehlo.divide' op divides integers by zero (2 elements in this run)
// CHECK: [1, -1, -1]
// QUIET-NOT: warning
// QUIET: [1, 1, 1]
