// Reductions of pairs that pick one (argmax, argmin), rows of tables, reductions of dimensions apart, and divisions by values are
// compiled.
// RUN: tessera run %s --function=argmax --input=random --dump-program --output=%t.npz 2>&1 | FileCheck %s --check-prefix=ARGMAX
// ARGMAX: program of @argmax: {{.*}} 0 by the evaluator's kernels
// ARGMAX: row reduce
// RUN: tessera run %s --function=argmax --input=random --engine=reference --expect=%t.npz
// The first of equal ones; NaN before all.
// RUN: tessera run %s --function=argmax --input=2x3xf32=7,nan,9,4,4,1 --expect=2xf32=nan,4 --expect=2xi32=1,0
// RUN: tessera run %s --function=argmax --input=2x3xf32=-inf,-inf,-inf,0,-0,-1 --expect=2xf32=-inf,0 --expect=2xi32=0,0
// RUN: tessera run %s --function=argmin --input=3x2xi32=5,1,2,1,2,0 --expect=2xi32=2,0 --expect=2xi32=1,2
// RUN: tessera run %s --function=argmin --input=random --dump-program 2>&1 | FileCheck %s --check-prefix=ARGMIN
// ARGMIN: program of @argmin: {{.*}} 0 by the evaluator's kernels
// A body that picks the last of equal ones, or that takes no care of NaN, runs in a loop over the elements.
// RUN: tessera run %s --function=last --input=random --dump-program 2>&1 | FileCheck %s --check-prefix=LAST
// LAST: program of @last: {{.*}} 0 by the evaluator's kernels
// LAST: while reduce
// RUN: tessera run %s --function=last --input=4xf32=1,3,3,2 --expect=f32=3 --expect=i32=2 --expect=f32=3 --expect=i32=1
// Rows of a table, those outside of it the nearest; and along another dimension.
// RUN: tessera run %s --function=rows --input=random --input=4xi32=2,-1,9,0 --dump-program --output=%t.npz 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: program of @rows: {{.*}} 0 by the evaluator's kernels
// ROWS: move gather
// RUN: tessera run %s --function=rows --input=random --input=4xi32=2,-1,9,0 --engine=reference --expect=%t.npz
// RUN: tessera run %s --function=apart --input=random --dump-program --output=%t.npz 2>&1 | FileCheck %s --check-prefix=APART
// APART: program of @apart: {{.*}} 0 by the evaluator's kernels
// RUN: tessera run %s --function=apart --input=random --engine=reference --expect=%t.npz
// Divisors that are 0 are counted, and stop a run that says so, where the op is.
// RUN: tessera run %s --function=divide --input=3xi32=7,8,9 --input=3xi32=2,0,3 --division-by-zero=ignore --dump-program --expect=3xi32=3,-1,3 2>&1 | FileCheck %s --check-prefix=DIVIDE
// DIVIDE: program of @divide: {{.*}} 0 by the evaluator's kernels
// RUN: not tessera run %s --function=divide --input=3xi32=7,8,9 --input=3xi32=2,0,3 --division-by-zero=error 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not tessera run %s --function=divide --input=3xi32=7,8,9 --input=3xi32=2,0,3 --division-by-zero=error --engine=reference 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: pairs.mlir:[[@LINE+66]]:8: error: 'stablehlo.divide' op divides integers by zero (1 of 3 divisors)

func.func @argmax(%x: tensor<2x3xf32>) -> (tensor<2xf32>, tensor<2xi32>) {
  %i = stablehlo.iota dim = 1 : tensor<2x3xi32>
  %lo = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.reduce(%x init: %lo), (%i init: %z) across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
   reducer(%a: tensor<f32>, %c: tensor<f32>) (%p: tensor<i32>, %q: tensor<i32>) {
    %0 = stablehlo.compare GT, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %1 = stablehlo.compare NE, %a, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.or %0, %1 : tensor<i1>
    %3 = stablehlo.compare EQ, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.compare LT, %p, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %5 = stablehlo.and %3, %4 : tensor<i1>
    %6 = stablehlo.or %2, %5 : tensor<i1>
    %7 = stablehlo.select %2, %a, %c : tensor<i1>, tensor<f32>
    %8 = stablehlo.select %6, %p, %q : tensor<i1>, tensor<i32>
    stablehlo.return %7, %8 : tensor<f32>, tensor<i32>
  }
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xi32>
}
func.func @argmin(%x: tensor<3x2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %i = stablehlo.iota dim = 0 : tensor<3x2xi32>
  %hi = stablehlo.constant dense<2147483647> : tensor<i32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.reduce(%x init: %hi), (%i init: %z) across dimensions = [0] : (tensor<3x2xi32>, tensor<3x2xi32>, tensor<i32>, tensor<i32>) -> (tensor<2xi32>, tensor<2xi32>)
   reducer(%a: tensor<i32>, %c: tensor<i32>) (%p: tensor<i32>, %q: tensor<i32>) {
    %0 = stablehlo.compare LE, %a, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = stablehlo.minimum %a, %c : tensor<i32>
    %2 = stablehlo.select %0, %p, %q : tensor<i1>, tensor<i32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<i32>
  }
  return %r#0, %r#1 : tensor<2xi32>, tensor<2xi32>
}
func.func @last(%x: tensor<4xf32>) -> (tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) {
  %i = stablehlo.iota dim = 0 : tensor<4xi32>
  %lo = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.reduce(%x init: %lo), (%i init: %z) across dimensions = [0] : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
   reducer(%a: tensor<f32>, %c: tensor<f32>) (%p: tensor<i32>, %q: tensor<i32>) {
    %0 = stablehlo.compare GT, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %1 = stablehlo.maximum %a, %c : tensor<f32>
    %2 = stablehlo.select %0, %p, %q : tensor<i1>, tensor<i32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<i32>
  }
  %s:2 = stablehlo.reduce(%x init: %lo), (%i init: %z) across dimensions = [0] : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
   reducer(%a: tensor<f32>, %c: tensor<f32>) (%p: tensor<i32>, %q: tensor<i32>) {
    %0 = stablehlo.compare GE, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %1 = stablehlo.select %0, %a, %c : tensor<i1>, tensor<f32>
    %2 = stablehlo.select %0, %p, %q : tensor<i1>, tensor<i32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<i32>
  }
  return %r#0, %r#1, %s#0, %s#1 : tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>
}
func.func @rows(%t: tensor<4x3x2xf32>, %i: tensor<4xi32>) -> (tensor<4x3x2xf32>, tensor<4x4x2xf32>) {
  %0 = stablehlo.reshape %i : (tensor<4xi32>) -> tensor<4x1xi32>
  %1 = "stablehlo.gather"(%t, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3, 2>}> : (tensor<4x3x2xf32>, tensor<4x1xi32>) -> tensor<4x3x2xf32>
  %2 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 4, 1, 2>}> : (tensor<4x3x2xf32>, tensor<4xi32>) -> tensor<4x4x2xf32>
  return %1, %2 : tensor<4x3x2xf32>, tensor<4x4x2xf32>
}
func.func @apart(%x: tensor<4x6x5x8xbf16>) -> tensor<6x8xbf16> {
  %z = stablehlo.constant dense<0.0> : tensor<bf16>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0, 2] : (tensor<4x6x5x8xbf16>, tensor<bf16>) -> tensor<6x8xbf16>
  return %0 : tensor<6x8xbf16>
}
func.func @divide(%x: tensor<3xi32>, %y: tensor<3xi32>) -> tensor<3xi32> {
  %0 = stablehlo.divide %x, %y : tensor<3xi32>
  return %0 : tensor<3xi32>
}
