// An op that computes what an earlier one has is left out: constants, loops and reductions; not what is behind an optimization_barrier, nor in another block.
// RUN: tessera run %s --function=twice --input=random --check --dump-program 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: tessera run %s --function=other --input=random --check --dump-program 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: tessera run %s --function=again --input=random --check --dump-program 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: tessera run %s --function=divide --input=6xi32=1,2,3,4,5,6 --input=6xi32=1,0,1,0,1,0 2>&1 | FileCheck %s --check-prefix=DIVIDE
// RUN: tessera run %s --function=slice --input=random --check --dump-program 2>&1 | FileCheck %s --check-prefix=SLICE
// TWICE: PASS
// TWICE: row exponential+reduce+add+add n=
// TWICE-NOT: row
func.func @twice(%a: tensor<64x64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.exponential %a : tensor<64x64xf32>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %y = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.exponential %a : tensor<64x64xf32>
  %3 = stablehlo.reduce(%2 init: %y) applies stablehlo.add across dimensions = [1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %4 = stablehlo.add %1, %3 : tensor<64xf32>
  %5 = stablehlo.add %3, %4 : tensor<64xf32>
  return %4, %5 : tensor<64xf32>, tensor<64xf32>
}
// Another body, another attribute, another type.
// OTHER: PASS
// OTHER-COUNT-2: row reduce
func.func @other(%a: tensor<64x64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %2 = stablehlo.reduce(%a init: %z) applies stablehlo.maximum across dimensions = [1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  return %1, %2 : tensor<64xf32>, tensor<64xf32>
}
// AGAIN: PASS
// AGAIN: tanh
// AGAIN: optimization_barrier
// AGAIN: tanh
func.func @again(%a: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = stablehlo.tanh %a : tensor<64x64xf32>
  %1:2 = stablehlo.optimization_barrier %a, %0 : tensor<64x64xf32>, tensor<64x64xf32>
  %2 = stablehlo.tanh %1#0 : tensor<64x64xf32>
  %3 = stablehlo.add %2, %1#1 : tensor<64x64xf32>
  return %0, %3 : tensor<64x64xf32>, tensor<64x64xf32>
}
// Each division that meets a zero is told.
// DIVIDE-COUNT-2: divides integers by zero
func.func @divide(%a: tensor<6xi32>, %b: tensor<6xi32>) -> (tensor<6xi32>, tensor<6xi32>) {
  %0 = stablehlo.divide %a, %b : tensor<6xi32>
  %1 = stablehlo.divide %a, %b : tensor<6xi32>
  return %0, %1 : tensor<6xi32>, tensor<6xi32>
}
// A part of one number everywhere is that number.
// SLICE: PASS
// SLICE-NOT: dynamic_slice
// SLICE: map add+add
// SLICE-NOT: gather
func.func @slice(%i: tensor<i32>, %a: tensor<1x8xf32>, %s: tensor<f32>, %at: tensor<8x1xi32>) -> tensor<1x8xf32> {
  %c = stablehlo.constant dense<2.0> : tensor<100x8xf32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %c, %i, %z, sizes = [1, 8] : (tensor<100x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
  %t = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<50xf32>
  %1 = "stablehlo.gather"(%t, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>, indices_are_sorted = false}> : (tensor<50xf32>, tensor<8x1xi32>) -> tensor<8xf32>
  %2 = stablehlo.add %a, %0 : tensor<1x8xf32>
  %3 = stablehlo.reshape %1 : (tensor<8xf32>) -> tensor<1x8xf32>
  %4 = stablehlo.add %2, %3 : tensor<1x8xf32>
  return %4 : tensor<1x8xf32>
}
