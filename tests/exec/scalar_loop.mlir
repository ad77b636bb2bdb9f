// A loop on single numbers of all types runs as one list: results are the evaluator's, and steps are counted.
// RUN: tessera run %s --input=random --engine=compiled --check
// RUN: tessera run %s --input=random --engine=compiled --check --function=mixed
// RUN: not tessera run %s --input=random --engine=compiled --function=endless --max-steps=5000 2>&1 | FileCheck %s
// CHECK: scalar_loop.mlir:[[@LINE+48]]:{{[0-9]+}}: error: stopped after as many ops were evaluated as are allowed (--max-steps=5000)
func.func @main(%x: tensor<f32>, %y: tensor<f64>, %k: tensor<i64>) -> (tensor<i32>, tensor<f32>, tensor<f64>, tensor<i64>, tensor<i1>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<200> : tensor<i32>
  %no = stablehlo.constant dense<false> : tensor<i1>
  %0:5 = stablehlo.while(%i = %zero, %a = %x, %b = %y, %c = %k, %p = %no) : tensor<i32>, tensor<f32>, tensor<f64>, tensor<i64>, tensor<i1>
  cond {
    %1 = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %half = stablehlo.constant dense<0.5> : tensor<f32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %3 = stablehlo.multiply %a, %half : tensor<f32>
    %4 = stablehlo.add %3, %2 : tensor<f32>
    %5 = stablehlo.maximum %4, %half : tensor<f32>
    %6 = stablehlo.convert %5 : (tensor<f32>) -> tensor<f64>
    %7 = stablehlo.sqrt %6 : tensor<f64>
    %8 = stablehlo.subtract %7, %b : tensor<f64>
    %9 = stablehlo.compare GT, %8, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %10 = stablehlo.xor %9, %p : tensor<i1>
    %11 = stablehlo.select %10, %8, %b : tensor<i1>, tensor<f64>
    %12 = stablehlo.multiply %c, %c : tensor<i64>
    %13 = stablehlo.convert %1 : (tensor<i32>) -> tensor<i64>
    %14 = stablehlo.xor %12, %13 : tensor<i64>
    stablehlo.return %1, %5, %11, %14, %10 : tensor<i32>, tensor<f32>, tensor<f64>, tensor<i64>, tensor<i1>
  }
  return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<i32>, tensor<f32>, tensor<f64>, tensor<i64>, tensor<i1>
}
// Beside a product, and with numbers that change places from turn to turn.
func.func @mixed(%m: tensor<4x4xf32>, %u: tensor<f32>, %v: tensor<f32>) -> (tensor<4x4xf32>, tensor<f32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<5> : tensor<i32>
  %0:4 = stablehlo.while(%i = %zero, %a = %m, %b = %u, %c = %v) : tensor<i32>, tensor<4x4xf32>, tensor<f32>, tensor<f32>
  cond {
    %1 = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.dot_general %a, %m, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %3 = stablehlo.subtract %b, %c : tensor<f32>
    stablehlo.return %1, %2, %c, %3 : tensor<i32>, tensor<4x4xf32>, tensor<f32>, tensor<f32>
  }
  return %0#1, %0#2, %0#3 : tensor<4x4xf32>, tensor<f32>, tensor<f32>
}
func.func @endless(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.while(%a = %x) : tensor<f32>
  cond {
    %1 = stablehlo.compare EQ, %a, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.sine %a : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}
