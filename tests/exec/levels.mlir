// Rows that are one element each are read as one number, and nothing is copied, if they are long; all types and odd sizes.
// RUN: tessera run %s --function=outer --input=random --check --dump-program 2>&1 | FileCheck %s
// CHECK-DAG: PASS
// CHECK-DAG: arena 0 bytes
// RUN: tessera run %s --function=rows --input=random --check
// RUN: tessera run %s --function=types --input=random --check
// RUN: tessera run %s --function=short --input=random --check
// RUN: tessera run %s --function=rows --input=random --threads=1 >%t.one && tessera run %s --function=rows --input=random --threads=3 | cmp - %t.one
// RUN: env TESSERA_ISA=avx2 tessera run %s --function=rows --input=random --threads=1 | cmp - %t.one
// A copy of a view that repeats has each of its elements once.
// RUN: tessera run %s --function=repeats --input=random --check --rtol=0 --atol=0 --dump-program 2>&1 | FileCheck %s --check-prefix=REPEATS
// REPEATS-DAG: PASS
// REPEATS-DAG: move {{.*}} writes {{.*}}60x1x70xf32
func.func @repeats(%x: tensor<70x60xf32>, %y: tensor<60x30x70xf32>) -> tensor<60x30x70xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<70x60xf32>) -> tensor<60x70xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 2] : (tensor<60x70xf32>) -> tensor<60x30x70xf32>
  %2 = stablehlo.add %1, %y : tensor<60x30x70xf32>
  return %2 : tensor<60x30x70xf32>
}
func.func @outer(%x: tensor<70xf32>, %y: tensor<513xf32>) -> tensor<70x513xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [] x [] : (tensor<70xf32>, tensor<513xf32>) -> tensor<70x513xf32>
  return %0 : tensor<70x513xf32>
}
// A number that is also read as a whole, one that is converted, a slice with a negative step, and rows of several lengths of repetition.
func.func @rows(%x: tensor<6x30xf32>, %y: tensor<6x1500xf32>, %z: tensor<30xbf16>, %w: tensor<12x30xf32>) -> (tensor<6x30x1500xf32>, tensor<6x30x1500xf32>, tensor<6x30x1500xf32>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<6x30xf32>) -> tensor<6x30x1500xf32>
  %1 = stablehlo.broadcast_in_dim %y, dims = [0, 2] : (tensor<6x1500xf32>) -> tensor<6x30x1500xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<6x30x1500xf32>
  %3 = stablehlo.tanh %0 : tensor<6x30x1500xf32>
  %4 = stablehlo.add %2, %3 : tensor<6x30x1500xf32>
  %5 = stablehlo.convert %z : (tensor<30xbf16>) -> tensor<30xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [1] : (tensor<30xf32>) -> tensor<6x30x1500xf32>
  %7 = stablehlo.subtract %1, %6 : tensor<6x30x1500xf32>
  %8 = stablehlo.slice %w [0:12:2, 0:30] : (tensor<12x30xf32>) -> tensor<6x30xf32>
  %9 = stablehlo.reverse %8, dims = [0, 1] : tensor<6x30xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<6x30xf32>) -> tensor<6x30x1500xf32>
  %11 = stablehlo.divide %1, %10 : tensor<6x30x1500xf32>
  %12 = stablehlo.maximum %10, %0 : tensor<6x30x1500xf32>
  %13 = stablehlo.add %11, %12 : tensor<6x30x1500xf32>
  return %4, %7, %13 : tensor<6x30x1500xf32>, tensor<6x30x1500xf32>, tensor<6x30x1500xf32>
}
func.func @types(%x: tensor<9xf64>, %y: tensor<256xf64>, %a: tensor<9xi32>, %b: tensor<300xi32>, %c: tensor<9xi8>, %d: tensor<300xi8>, %p: tensor<9xi1>, %e: tensor<9xbf16>, %f: tensor<300xbf16>)
    -> (tensor<9x256xf64>, tensor<9x300xi32>, tensor<9x300xi8>, tensor<9x300xi32>, tensor<9x300xbf16>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<9xf64>) -> tensor<9x256xf64>
  %1 = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<256xf64>) -> tensor<9x256xf64>
  %2 = stablehlo.subtract %0, %1 : tensor<9x256xf64>
  %3 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<9xi32>) -> tensor<9x300xi32>
  %4 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<300xi32>) -> tensor<9x300xi32>
  %5 = stablehlo.multiply %3, %4 : tensor<9x300xi32>
  %6 = stablehlo.broadcast_in_dim %c, dims = [0] : (tensor<9xi8>) -> tensor<9x300xi8>
  %7 = stablehlo.broadcast_in_dim %d, dims = [1] : (tensor<300xi8>) -> tensor<9x300xi8>
  %8 = stablehlo.maximum %6, %7 : tensor<9x300xi8>
  %9 = stablehlo.broadcast_in_dim %p, dims = [0] : (tensor<9xi1>) -> tensor<9x300xi1>
  %10 = stablehlo.select %9, %3, %4 : tensor<9x300xi1>, tensor<9x300xi32>
  %11 = stablehlo.broadcast_in_dim %e, dims = [0] : (tensor<9xbf16>) -> tensor<9x300xbf16>
  %12 = stablehlo.broadcast_in_dim %f, dims = [1] : (tensor<300xbf16>) -> tensor<9x300xbf16>
  %13 = stablehlo.multiply %11, %12 : tensor<9x300xbf16>
  return %2, %5, %8, %10, %13 : tensor<9x256xf64>, tensor<9x300xi32>, tensor<9x300xi8>, tensor<9x300xi32>, tensor<9x300xbf16>
}
// Short rows that repeat: blocks end where others begin.
func.func @short(%x: tensor<50x7xf32>, %y: tensor<50x9xf32>, %z: tensor<50x3xi16>) -> (tensor<50x7x9xf32>, tensor<50x3x5xi16>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<50x7xf32>) -> tensor<50x7x9xf32>
  %1 = stablehlo.broadcast_in_dim %y, dims = [0, 2] : (tensor<50x9xf32>) -> tensor<50x7x9xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<50x7x9xf32>
  %3 = stablehlo.broadcast_in_dim %z, dims = [0, 1] : (tensor<50x3xi16>) -> tensor<50x3x5xi16>
  %4 = stablehlo.negate %3 : tensor<50x3x5xi16>
  return %2, %4 : tensor<50x7x9xf32>, tensor<50x3x5xi16>
}
