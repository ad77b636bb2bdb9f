// Quantized values are their stored integers: conversions are loops, ops that compute run on floats, ops that move run on
// integers; results have the bits of the reference.
// RUN: tessera run %s --input=random --dump-program --output=%t.npz 2>&1 | FileCheck %s --check-prefix=MAIN
// MAIN: program of @main: {{.*}} 0 by the evaluator's kernels
// RUN: tessera run %s --input=random --engine=reference --expect=%t.npz --atol=0 --rtol=0
// RUN: tessera run %s --input=random --strict-rounding --threads=3 --expect=%t.npz --atol=0 --rtol=0
// RUN: tessera run %s --input=random --check=ops --expect=%t.npz --atol=0 --rtol=0
// RUN: tessera compile %s -o %t.tsrx && tessera run %t.tsrx --input=random --expect=%t.npz --atol=0 --rtol=0
// Weights with a scale for each column are dequantized where they are multiplied; all sums are exact here.
// RUN: tessera run %s --function=products --input=random --dump-program --output=%t.npz 2>&1 | FileCheck %s --check-prefix=PRODUCTS
// PRODUCTS: program of @products: {{.*}} 0 by the evaluator's kernels
// RUN: tessera run %s --function=products --input=random --engine=reference --expect=%t.npz --atol=0 --rtol=0
// Loops and branches carry integers.
// RUN: tessera run %s --function=flow --input=random --dump-program --output=%t.npz 2>&1 | FileCheck %s --check-prefix=FLOW
// FLOW: program of @flow: {{.*}} 0 by the evaluator's kernels
// RUN: tessera run %s --function=flow --input=random --engine=reference --expect=%t.npz --atol=0 --rtol=0
// NaN, infinities and numbers out of range; ranges that are not all of the storage; integers that f32 cannot represent.
// RUN: tessera run %s --function=edges --input=8xf32=nan,inf,-inf,1.0e30,-1.0e30,0.25,0.75,-0.25 --dump-program --output=%t.npz 2>&1 | FileCheck %s --check-prefix=EDGES
// EDGES: program of @edges: {{.*}} 0 by the evaluator's kernels
// RUN: tessera run %s --function=edges --input=8xf32=nan,inf,-inf,1.0e30,-1.0e30,0.25,0.75,-0.25 --engine=reference --expect=%t.npz --atol=0 --rtol=0
// Reductions and iotas of integers that mean something else are the evaluator's.
// RUN: tessera run %s --function=left --input=random --dump-program --output=%t.npz 2>&1 | FileCheck %s --check-prefix=LEFT
// LEFT: program of @left: {{.*}} by the evaluator's kernels: {{.*}}stablehlo.reduce
// RUN: tessera run %s --function=left --input=random --engine=reference --expect=%t.npz --atol=0 --rtol=0
// On devices.
// RUN: tessera run %s --function=products --input=random --spmd --mesh=x=2 --arg=0:x --output=%t.spmd.npz
// RUN: tessera run %s --function=products --input=random --engine=reference --expect=%t.spmd.npz --atol=0 --rtol=0
// C has the same loops.
// RUN: tessera compile %s --emit=c -o %t.c && FileCheck %s --check-prefix=CODE --input-file=%t.c
// CODE: int model_main

!q = !quant.uniform<i8:f32, 0.5:-10>
!a = !quant.uniform<u8<1:200>:f32:1, {0.25:3, 0.1:100, 0.03:9}>
!s = !quant.uniform<i16:bf16, 0.1:5>
!w = !quant.uniform<i8<-127:127>:f32:1, {0.5, 0.25, 2.0, 1.0}>
!l = !quant.uniform<i32:f32, 0.125:1000000001>
func.func @main(%x: tensor<4x3xf32>, %y: tensor<4x3x!q>, %z: tensor<4x3x!a>, %n: tensor<6x!s>, %i: tensor<2xi32>) -> (tensor<4x3x!q>, tensor<4x3x!a>, tensor<3x4x!q>, tensor<6x!s>, tensor<2x3x!q>, tensor<4x3x!q>, tensor<4x3xf32>) {
  %0 = stablehlo.uniform_quantize %x : (tensor<4x3xf32>) -> tensor<4x3x!q>
  %1 = stablehlo.add %0, %y : tensor<4x3x!q>
  %2 = stablehlo.uniform_quantize %1 : (tensor<4x3x!q>) -> tensor<4x3x!a>
  %3 = stablehlo.add %2, %z : tensor<4x3x!a>
  %4 = stablehlo.transpose %y, dims = [1, 0] : (tensor<4x3x!q>) -> tensor<3x4x!q>
  %5 = stablehlo.negate %4 : tensor<3x4x!q>
  %6 = stablehlo.multiply %n, %n : tensor<6x!s>
  %7 = "stablehlo.gather"(%y, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>} : (tensor<4x3x!q>, tensor<2xi32>) -> tensor<2x3x!q>
  %8 = stablehlo.compare LT, %0, %y : (tensor<4x3x!q>, tensor<4x3x!q>) -> tensor<4x3xi1>
  %9 = stablehlo.select %8, %0, %y : tensor<4x3xi1>, tensor<4x3x!q>
  %10 = stablehlo.uniform_dequantize %9 : (tensor<4x3x!q>) -> tensor<4x3xf32>
  return %1, %3, %5, %6, %7, %9, %10 : tensor<4x3x!q>, tensor<4x3x!a>, tensor<3x4x!q>, tensor<6x!s>, tensor<2x3x!q>, tensor<4x3x!q>, tensor<4x3xf32>
}
func.func @products(%x: tensor<6x8x!q>, %w: tensor<8x4x!w>, %p: tensor<2x5x5x3x!q>, %k: tensor<3x3x3x4x!quant.uniform<i8:f32, 0.5>>) -> (tensor<6x4x!q>, tensor<6x4xf32>, tensor<2x3x3x4x!l>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<6x8x!q>, tensor<8x4x!w>) -> tensor<6x4x!q>
  %1 = stablehlo.uniform_dequantize %x : (tensor<6x8x!q>) -> tensor<6x8xf32>
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0] : (tensor<6x8xf32>, tensor<8x4x!w>) -> tensor<6x4xf32>
  %3 = stablehlo.convolution(%p, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x5x3x!q>, tensor<3x3x3x4x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x3x3x4x!l>
  return %0, %2, %3 : tensor<6x4x!q>, tensor<6x4xf32>, tensor<2x3x3x4x!l>
}
func.func @flow(%x: tensor<5x!q>, %c: tensor<i32>) -> (tensor<5x!q>, tensor<5x!q>) {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %k = stablehlo.constant() <{value = dense<7> : tensor<5xi8>}> : () -> tensor<5x!q>
  %0:2 = stablehlo.while(%a = %i, %v = %x) : tensor<i32>, tensor<5x!q> cond {
    %p = stablehlo.compare LT, %a, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %b = stablehlo.add %a, %one : tensor<i32>
    %s = stablehlo.add %v, %k : tensor<5x!q>
    stablehlo.return %b, %s : tensor<i32>, tensor<5x!q>
  }
  %1 = "stablehlo.case"(%c) ({
    %r = stablehlo.reverse %x, dims = [0] : tensor<5x!q>
    stablehlo.return %r : tensor<5x!q>
  }, {
    stablehlo.return %0#1 : tensor<5x!q>
  }) : (tensor<i32>) -> tensor<5x!q>
  return %0#1, %1 : tensor<5x!q>, tensor<5x!q>
}
func.func @edges(%x: tensor<8xf32>) -> (tensor<8x!quant.uniform<i8:f32, 0.5:-10>>, tensor<8x!quant.uniform<u4<2:9>:f32, 0.5:3>>, tensor<8x!l>, tensor<8x!quant.uniform<u32:f32, 0.5:4000000000>>, tensor<8x!s>, tensor<8xf32>) {
  %0 = stablehlo.uniform_quantize %x : (tensor<8xf32>) -> tensor<8x!quant.uniform<i8:f32, 0.5:-10>>
  %1 = stablehlo.uniform_quantize %x : (tensor<8xf32>) -> tensor<8x!quant.uniform<u4<2:9>:f32, 0.5:3>>
  %2 = stablehlo.uniform_quantize %x : (tensor<8xf32>) -> tensor<8x!l>
  %3 = stablehlo.uniform_quantize %x : (tensor<8xf32>) -> tensor<8x!quant.uniform<u32:f32, 0.5:4000000000>>
  %n = stablehlo.convert %x : (tensor<8xf32>) -> tensor<8xbf16>
  %4 = stablehlo.uniform_quantize %n : (tensor<8xbf16>) -> tensor<8x!s>
  %5 = stablehlo.uniform_dequantize %2 : (tensor<8x!l>) -> tensor<8xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<8x!quant.uniform<i8:f32, 0.5:-10>>, tensor<8x!quant.uniform<u4<2:9>:f32, 0.5:3>>, tensor<8x!l>, tensor<8x!quant.uniform<u32:f32, 0.5:4000000000>>, tensor<8x!s>, tensor<8xf32>
}
func.func @left(%x: tensor<4x3x!q>, %z: tensor<!q>) -> (tensor<4x!q>, tensor<5x!quant.uniform<i8:f32, 0.5:-10>>) {
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x3x!q>, tensor<!q>) -> tensor<4x!q>
  %1 = stablehlo.iota dim = 0 : tensor<5x!quant.uniform<i8:f32, 0.5:-10>>
  return %0, %1 : tensor<4x!q>, tensor<5x!quant.uniform<i8:f32, 0.5:-10>>
}
