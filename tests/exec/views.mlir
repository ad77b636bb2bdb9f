// Views cost nothing: a slice, a reversal and a broadcast are read where they are; a transposed value is copied in blocks.
// Columns of more than one block, rows of a prime number of elements, long rows, branches.
// RUN: tessera run %s --input=random --engine=compiled --dump-program --output=%t.npz 2>&1 | FileCheck %s
// RUN: tessera run %s --input=random --expect=%t.npz --rtol=1e-5 --atol=1e-4

// CHECK: 0 by the evaluator's kernels
// CHECK-DAG: move transpose
// CHECK-DAG: column {{.*}}reduce n=9009 inner=1001
// CHECK-DAG: row {{.*}}reduce n=9009 inner=1001
// CHECK-DAG: long row {{.*}}reduce n=40000 inner=20000
// CHECK-DAG: case case
func.func @main(%x: tensor<9x1001xf32>, %y: tensor<1001x9xf32>, %z: tensor<2x20000xf32>, %i: tensor<i32>) -> (tensor<9x1001xf32>, tensor<1001xf32>, tensor<9xf32>, tensor<2xf32>, tensor<4x500xf32>, tensor<9xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.transpose %y, dims = [1, 0] : (tensor<1001x9xf32>) -> tensor<9x1001xf32>
  %1 = stablehlo.add %x, %0 : tensor<9x1001xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<9x1001xf32>, tensor<f32>) -> tensor<1001xf32>
  %3 = stablehlo.reduce(%x init: %zero) applies stablehlo.maximum across dimensions = [1] : (tensor<9x1001xf32>, tensor<f32>) -> tensor<9xf32>
  %4 = stablehlo.reduce(%z init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2x20000xf32>, tensor<f32>) -> tensor<2xf32>
  %5 = stablehlo.slice %x [1:9:2, 1:1001:2] : (tensor<9x1001xf32>) -> tensor<4x500xf32>
  %6 = stablehlo.reverse %5, dims = [0] : tensor<4x500xf32>
  %7 = stablehlo.iota dim = 1 : tensor<4x500xf32>
  %8 = stablehlo.multiply %6, %7 : tensor<4x500xf32>
  %9 = "stablehlo.case"(%i) ({
    %10 = stablehlo.negate %3 : tensor<9xf32>
    stablehlo.return %10 : tensor<9xf32>
  }, {
    stablehlo.return %3 : tensor<9xf32>
  }) : (tensor<i32>) -> tensor<9xf32>
  return %1, %2, %3, %4, %8, %9 : tensor<9x1001xf32>, tensor<1001xf32>, tensor<9xf32>, tensor<2xf32>, tensor<4x500xf32>, tensor<9xf32>
}
