// Sums of products are one step of a loop over rows, short or long; an argmin keeps no truth values in memory.
// RUN: tessera run %s --input=random --check
// RUN: tessera run %s --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// CHECK: arena 65536 bytes
// CHECK: row subtract+multiply+reduce n=524288 inner=32
// CHECK-NOT: xi1
// CHECK: row reduce n=16384 inner=64
// RUN: tessera run %s --input=random --check --function=squares
// RUN: tessera run %s --input=random --strict-rounding --check --function=squares
// RUN: tessera run %s --input=random --check --function=dots
// NaN is picked first, and equal numbers by index.
// RUN: tessera run %s --function=first --check | FileCheck %s --check-prefix=FIRST
// FIRST: PASS
func.func @main(%x: tensor<256x32xf32>, %c: tensor<64x32xf32>) -> tensor<256xi32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<256x32xf32>) -> tensor<256x64x32xf32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [1, 2] : (tensor<64x32xf32>) -> tensor<256x64x32xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<256x64x32xf32>
  %3 = stablehlo.multiply %2, %2 : tensor<256x64x32xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<256x64x32xf32>, tensor<f32>) -> tensor<256x64xf32>
  %5 = call @argmin(%4) : (tensor<256x64xf32>) -> tensor<256xi32>
  return %5 : tensor<256xi32>
}
func.func private @argmin(%x: tensor<256x64xf32>) -> tensor<256xi32> {
  %at = stablehlo.iota dim = 1 : tensor<256x64xi32>
  %inf = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%x init: %inf), (%at init: %none) across dimensions = [1] : (tensor<256x64xf32>, tensor<256x64xi32>, tensor<f32>, tensor<i32>) -> (tensor<256xf32>, tensor<256xi32>)
   reducer(%a: tensor<f32>, %c: tensor<f32>) (%b: tensor<i32>, %d: tensor<i32>) {
    %2 = stablehlo.compare LT, %a, %c, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.or %2, %3 : tensor<i1>
    %5 = stablehlo.compare EQ, %a, %c, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.compare LT, %b, %d, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.and %5, %6 : tensor<i1>
    %8 = stablehlo.or %4, %7 : tensor<i1>
    %9 = stablehlo.select %4, %a, %c : tensor<i1>, tensor<f32>
    %10 = stablehlo.select %8, %b, %d : tensor<i1>, tensor<i32>
    stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
  }
  return %0#1 : tensor<256xi32>
}
func.func @first() -> tensor<256xi32> {
  %i = stablehlo.iota dim = 1 : tensor<256x64xi32>
  %r = stablehlo.iota dim = 0 : tensor<256x64xi32>
  %three = stablehlo.constant dense<3> : tensor<256x64xi32>
  %seven = stablehlo.constant dense<7> : tensor<256x64xi32>
  %sum = stablehlo.add %i, %r : tensor<256x64xi32>
  %rest = stablehlo.remainder %sum, %seven : tensor<256x64xi32>
  %x = stablehlo.convert %rest : (tensor<256x64xi32>) -> tensor<256x64xf32>
  %odd = stablehlo.and %r, %three : tensor<256x64xi32>
  %is = stablehlo.compare EQ, %rest, %odd, SIGNED : (tensor<256x64xi32>, tensor<256x64xi32>) -> tensor<256x64xi1>
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<256x64xf32>
  %y = stablehlo.select %is, %nan, %x : tensor<256x64xi1>, tensor<256x64xf32>
  %half = stablehlo.constant dense<128> : tensor<256x64xi32>
  %upper = stablehlo.compare GE, %r, %half, SIGNED : (tensor<256x64xi32>, tensor<256x64xi32>) -> tensor<256x64xi1>
  %z = stablehlo.select %upper, %y, %x : tensor<256x64xi1>, tensor<256x64xf32>
  %0 = call @argmin(%z) : (tensor<256x64xf32>) -> tensor<256xi32>
  return %0 : tensor<256xi32>
}
func.func @squares(%x: tensor<100x7xf32>, %y: tensor<60x16xf64>, %z: tensor<30x200xf32>) -> (tensor<100xf32>, tensor<60xf64>, tensor<30xf32>) {
  %a = stablehlo.constant dense<0.0> : tensor<f32>
  %b = stablehlo.constant dense<0.0> : tensor<f64>
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.multiply %x, %x : tensor<100x7xf32>
  %1 = stablehlo.multiply %y, %y : tensor<60x16xf64>
  %2 = stablehlo.multiply %z, %z : tensor<30x200xf32>
  %3 = stablehlo.reduce(%0 init: %a) applies stablehlo.add across dimensions = [1] : (tensor<100x7xf32>, tensor<f32>) -> tensor<100xf32>
  %4 = stablehlo.reduce(%1 init: %b) applies stablehlo.add across dimensions = [1] : (tensor<60x16xf64>, tensor<f64>) -> tensor<60xf64>
  %5 = stablehlo.reduce(%2 init: %c) applies stablehlo.add across dimensions = [1] : (tensor<30x200xf32>, tensor<f32>) -> tensor<30xf32>
  return %3, %4, %5 : tensor<100xf32>, tensor<60xf64>, tensor<30xf32>
}
func.func @dots(%x: tensor<33x256xf32>, %y: tensor<33x256xf32>, %s: tensor<33xf32>) -> (tensor<33xf32>, tensor<33xf32>) {
  %a = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<33x256xf32>, tensor<33x256xf32>) -> tensor<33xf32>
  %1 = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<33xf32>) -> tensor<33x256xf32>
  %2 = stablehlo.multiply %x, %1 : tensor<33x256xf32>
  %3 = stablehlo.reduce(%2 init: %a) applies stablehlo.add across dimensions = [1] : (tensor<33x256xf32>, tensor<f32>) -> tensor<33xf32>
  return %0, %3 : tensor<33xf32>, tensor<33xf32>
}
