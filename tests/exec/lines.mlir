// Loops over slices whose rows are no multiple of a block: blocks end where rows do, and rows are read in place. Long enough for prefetches
// and for several threads.
// RUN: tessera run %s --input=random --dump-program --output=%t.npz 2>&1 | FileCheck %s
// RUN: tessera run %s --input=random --engine=reference --expect=%t.npz
// RUN: env TESSERA_THREADS=1 tessera run %s --input=random --expect=%t.npz
// CHECK: program of @main: {{.*}} 0 by the evaluator's kernels
// CHECK: map multiply+subtract+subtract n=206025
// Rows in pieces, in chunks of whole rows, and a result that is written past the caches: what the loop reads and writes is more than they keep.
// RUN: tessera run %s --function=large --input=random --output=%t.large.npz
// RUN: env TESSERA_THREADS=1 TESSERA_ISA=baseline tessera run %s --function=large --input=random --expect=%t.large.npz
// RUN: tessera run %s --function=large --input=random --engine=reference --expect=%t.large.npz
func.func @large(%x: tensor<1902x2051xf32>) -> tensor<1900x2050xf32> {
  %0 = stablehlo.slice %x [0:1900, 1:2051] : (tensor<1902x2051xf32>) -> tensor<1900x2050xf32>
  %1 = stablehlo.slice %x [2:1902, 0:2050] : (tensor<1902x2051xf32>) -> tensor<1900x2050xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<1900x2050xf32>
  %3 = stablehlo.maximum %2, %1 : tensor<1900x2050xf32>
  return %3 : tensor<1900x2050xf32>
}
func.func @main(%x: tensor<203x1027xf32>, %y: tensor<7x613xf64>, %z: tensor<3x70001xi32>) -> (tensor<201x1025xf32>, tensor<6x611xf64>, tensor<2x70000xi32>) {
  %c = stablehlo.constant dense<4.0> : tensor<201x1025xf32>
  %0 = stablehlo.slice %x [1:202, 1:1026] : (tensor<203x1027xf32>) -> tensor<201x1025xf32>
  %1 = stablehlo.slice %x [2:203, 1:1026] : (tensor<203x1027xf32>) -> tensor<201x1025xf32>
  %2 = stablehlo.slice %x [0:201, 2:1027] : (tensor<203x1027xf32>) -> tensor<201x1025xf32>
  %3 = stablehlo.multiply %0, %c : tensor<201x1025xf32>
  %4 = stablehlo.subtract %3, %1 : tensor<201x1025xf32>
  %5 = stablehlo.subtract %4, %2 : tensor<201x1025xf32>
  %6 = stablehlo.slice %y [0:6, 1:612] : (tensor<7x613xf64>) -> tensor<6x611xf64>
  %7 = stablehlo.slice %y [1:7, 2:613] : (tensor<7x613xf64>) -> tensor<6x611xf64>
  %8 = stablehlo.subtract %6, %7 : tensor<6x611xf64>
  %9 = stablehlo.negate %8 : tensor<6x611xf64>
  %10 = stablehlo.slice %z [0:2, 1:70001] : (tensor<3x70001xi32>) -> tensor<2x70000xi32>
  %11 = stablehlo.slice %z [1:3, 0:70000] : (tensor<3x70001xi32>) -> tensor<2x70000xi32>
  %12 = stablehlo.multiply %10, %11 : tensor<2x70000xi32>
  %13 = stablehlo.add %12, %10 : tensor<2x70000xi32>
  return %5, %9, %13 : tensor<201x1025xf32>, tensor<6x611xf64>, tensor<2x70000xi32>
}
