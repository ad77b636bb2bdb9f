// A scan that keeps what its turns begin with, for a second scan that reads it backwards, and the same with its turns written
// out. The scan takes more: it copies its first input to what it keeps.
// RUN: tessera shard %s --json --function=scan 2>/dev/null | FileCheck %s --check-prefix=SCAN
// RUN: tessera shard %s --json --function=unrolled 2>/dev/null | FileCheck %s --check-prefix=UNROLLED
// RUN: tessera run %s --function=scan --input=random --check | FileCheck %s --check-prefix=PASS
// RUN: tessera run %s --function=unrolled --input=random --check | FileCheck %s --check-prefix=PASS
// PASS: PASS
// Seven values of 16,384 bytes, and a counter on a line of its own; and six.
// SCAN: "peak_bytes": 114752,
// UNROLLED: "peak_bytes": 98304,
func.func @scan(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<4x64x64xf32>
  %0:3 = stablehlo.while(%i = %zero, %h = %x, %kept = %empty) : tensor<i32>, tensor<64x64xf32>, tensor<4x64x64xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.reshape %h : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
    %2 = stablehlo.dynamic_update_slice %kept, %1, %i, %zero, %zero : (tensor<4x64x64xf32>, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x64x64xf32>
    %3 = stablehlo.tanh %h : tensor<64x64xf32>
    %4 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %4, %3, %2 : tensor<i32>, tensor<64x64xf32>, tensor<4x64x64xf32>
  }
  %5:2 = stablehlo.while(%i = %zero, %g = %0#1) : tensor<i32>, tensor<64x64xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %three = stablehlo.constant dense<3> : tensor<i32>
    %1 = stablehlo.subtract %three, %i : tensor<i32>
    %2 = stablehlo.dynamic_slice %0#2, %1, %zero, %zero, sizes = [1, 64, 64] : (tensor<4x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %3 = stablehlo.reshape %2 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %4 = stablehlo.dot_general %3, %g, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %5 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %5, %4 : tensor<i32>, tensor<64x64xf32>
  }
  return %5#1 : tensor<64x64xf32>
}
func.func @unrolled(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %1 = stablehlo.tanh %x : tensor<64x64xf32>
  %2 = stablehlo.tanh %1 : tensor<64x64xf32>
  %3 = stablehlo.tanh %2 : tensor<64x64xf32>
  %4 = stablehlo.tanh %3 : tensor<64x64xf32>
  %5 = stablehlo.dot_general %3, %4, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %6 = stablehlo.dot_general %2, %5, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %7 = stablehlo.dot_general %1, %6, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %8 = stablehlo.dot_general %x, %7, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %8 : tensor<64x64xf32>
}
