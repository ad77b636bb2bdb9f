// The bits of a value as another type of the same size are read in place, inside loops; other sizes are one copy.
// RUN: tessera run %s --function=inside --input=random --check --rtol=0 --atol=0 --dump-program 2>&1 | FileCheck %s
// CHECK-DAG: PASS
// CHECK-DAG: map shift_right_logical+or+bitcast_convert+subtract n=1000
// RUN: tessera run %s --function=sizes --input=random --check --rtol=0 --atol=0
// RUN: tessera run %s --function=sizes --input=random --dump-program 2>&1 >/dev/null | FileCheck %s --check-prefix=SIZES
// SIZES: 0 by the evaluator's kernels
// RUN: tessera run %s --function=types --input=random --check --rtol=0 --atol=0
// RUN: tessera run %s --function=types --input=random --strict-rounding --check --rtol=0 --atol=0
// In place of a donated argument, in a loop of single numbers, and of both what is cast and what it is cast to.
// RUN: tessera run %s --function=loop --input=random --check --rtol=0 --atol=0
// RUN: tessera run %s --function=both --input=random --check --rtol=0 --atol=0
func.func @inside(%x: tensor<1000xui32>) -> tensor<1000xf32> {
  %nine = stablehlo.constant dense<9> : tensor<1000xui32>
  %one = stablehlo.constant dense<1065353216> : tensor<1000xui32>
  %0 = stablehlo.shift_right_logical %x, %nine : tensor<1000xui32>
  %1 = stablehlo.or %0, %one : tensor<1000xui32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<1000xui32>) -> tensor<1000xf32>
  %c = stablehlo.constant dense<1065353216> : tensor<1000xi32>
  %3 = stablehlo.bitcast_convert %c : (tensor<1000xi32>) -> tensor<1000xf32>
  %4 = stablehlo.subtract %2, %3 : tensor<1000xf32>
  return %4 : tensor<1000xf32>
}
func.func @sizes(%x: tensor<5x6x2xui32>, %y: tensor<7x3xf64>, %z: tensor<4x8xi8>) -> (tensor<5x6xui64>, tensor<7x3x4xbf16>, tensor<7x3x8xui8>, tensor<4xf64>, tensor<3x7x2xi32>, tensor<6x5xf64>) {
  %0 = stablehlo.bitcast_convert %x : (tensor<5x6x2xui32>) -> tensor<5x6xui64>
  %1 = stablehlo.bitcast_convert %y : (tensor<7x3xf64>) -> tensor<7x3x4xbf16>
  %2 = stablehlo.bitcast_convert %y : (tensor<7x3xf64>) -> tensor<7x3x8xui8>
  %3 = stablehlo.bitcast_convert %z : (tensor<4x8xi8>) -> tensor<4xf64>
  %t = stablehlo.transpose %y, dims = [1, 0] : (tensor<7x3xf64>) -> tensor<3x7xf64>
  %4 = stablehlo.bitcast_convert %t : (tensor<3x7xf64>) -> tensor<3x7x2xi32>
  %u = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<5x6x2xui32>) -> tensor<6x5x2xui32>
  %5 = stablehlo.bitcast_convert %u : (tensor<6x5x2xui32>) -> tensor<6x5xf64>
  return %0, %1, %2, %3, %4, %5 : tensor<5x6xui64>, tensor<7x3x4xbf16>, tensor<7x3x8xui8>, tensor<4xf64>, tensor<3x7x2xi32>, tensor<6x5xf64>
}
func.func @types(%x: tensor<30x20xf32>, %y: tensor<30x20xi64>, %z: tensor<600xbf16>, %w: tensor<600xi16>, %v: tensor<600xi8>) -> (tensor<20x30xi32>, tensor<30x20xf64>, tensor<600xui16>, tensor<600xf16>, tensor<600xui8>, tensor<30xui32>) {
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<30x20xf32>) -> tensor<20x30xf32>
  %0 = stablehlo.bitcast_convert %t : (tensor<20x30xf32>) -> tensor<20x30xi32>
  %1 = stablehlo.bitcast_convert %y : (tensor<30x20xi64>) -> tensor<30x20xf64>
  %2 = stablehlo.bitcast_convert %z : (tensor<600xbf16>) -> tensor<600xui16>
  %3 = stablehlo.bitcast_convert %w : (tensor<600xi16>) -> tensor<600xf16>
  %n = stablehlo.negate %v : tensor<600xi8>
  %4 = stablehlo.bitcast_convert %n : (tensor<600xi8>) -> tensor<600xui8>
  %m = stablehlo.negate %x : tensor<30x20xf32>
  %5 = stablehlo.bitcast_convert %m : (tensor<30x20xf32>) -> tensor<30x20xui32>
  %zero = stablehlo.constant dense<0> : tensor<ui32>
  %6 = stablehlo.reduce(%5 init: %zero) applies stablehlo.maximum across dimensions = [1] : (tensor<30x20xui32>, tensor<ui32>) -> tensor<30xui32>
  return %0, %1, %2, %3, %4, %6 : tensor<20x30xi32>, tensor<30x20xf64>, tensor<600xui16>, tensor<600xf16>, tensor<600xui8>, tensor<30xui32>
}
func.func @loop(%x: tensor<f32>, %y: tensor<64xf32>) -> (tensor<f32>, tensor<64xf32>) {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.while(%k = %i, %v = %x, %w = %y) : tensor<i32>, tensor<f32>, tensor<64xf32>
  cond {
    %n = stablehlo.constant dense<20> : tensor<i32>
    %c = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %half = stablehlo.constant dense<0.5> : tensor<f32>
    %next = stablehlo.add %k, %one : tensor<i32>
    %a = stablehlo.multiply %v, %half : tensor<f32>
    %b = stablehlo.bitcast_convert %a : (tensor<f32>) -> tensor<i32>
    %c = stablehlo.add %b, %one : tensor<i32>
    %d = stablehlo.bitcast_convert %c : (tensor<i32>) -> tensor<f32>
    %ones = stablehlo.constant dense<1> : tensor<64xi32>
    %e = stablehlo.bitcast_convert %w : (tensor<64xf32>) -> tensor<64xi32>
    %f = stablehlo.xor %e, %ones : tensor<64xi32>
    %g = stablehlo.bitcast_convert %f : (tensor<64xi32>) -> tensor<64xf32>
    stablehlo.return %next, %d, %g : tensor<i32>, tensor<f32>, tensor<64xf32>
  }
  return %0#1, %0#2 : tensor<f32>, tensor<64xf32>
}
func.func @both(%x: tensor<700xf32>) -> (tensor<700xf32>, tensor<700xi32>, tensor<700xf32>, tensor<700xi32>) {
  %0 = stablehlo.abs %x : tensor<700xf32>
  %1 = stablehlo.bitcast_convert %0 : (tensor<700xf32>) -> tensor<700xi32>
  %2 = stablehlo.add %0, %x : tensor<700xf32>
  %3 = stablehlo.bitcast_convert %x : (tensor<700xf32>) -> tensor<700xi32>
  return %0, %1, %2, %3 : tensor<700xf32>, tensor<700xi32>, tensor<700xf32>, tensor<700xi32>
}
