// select_and_scatter: windows that overlap or not, padding, both layouts, other comparisons, types, NaNs.
// RUN: tessera run %s --input=random --check --dump-program >%t.out 2>%t.dump && FileCheck %s < %t.dump
// CHECK: 0 by the evaluator's kernels
// CHECK: move select_and_scatter
// RUN: tessera run %s --input=random --threads=1 >%t.one && tessera run %s --input=random --threads=5 | cmp - %t.one
// RUN: tessera run %s --input=random --engine=reference | cmp - %t.one
// RUN: tessera run %s --input=random --function=others --check >%t.out
// RUN: tessera run %s --input=random --function=narrow --check >%t.out
// RUN: tessera run %s --input=random --function=narrow --strict-rounding >%t.strict && tessera run %s --input=random --function=narrow --engine=reference | cmp - %t.strict
module {
  func.func @main(%x: tensor<2x9x7x3xf32>, %s: tensor<2x5x4x3xf32>, %y: tensor<2x3x8x6xf64>, %t: tensor<2x3x4x3xf64>) -> (tensor<2x9x7x3xf32>, tensor<2x3x8x6xf64>, tensor<2x9x7x3xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %half = stablehlo.constant dense<0.5> : tensor<f64>
    %0 = "stablehlo.select_and_scatter"(%x, %s, %zero) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) {window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>, padding = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi64>} : (tensor<2x9x7x3xf32>, tensor<2x5x4x3xf32>, tensor<f32>) -> tensor<2x9x7x3xf32>
    %1 = "stablehlo.select_and_scatter"(%y, %t, %half) ({
    ^bb0(%a: tensor<f64>, %b: tensor<f64>):
      %c = stablehlo.compare LT, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }, {
    ^bb0(%a: tensor<f64>, %b: tensor<f64>):
      %c = stablehlo.add %a, %b : tensor<f64>
      stablehlo.return %c : tensor<f64>
    }) {window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>} : (tensor<2x3x8x6xf64>, tensor<2x3x4x3xf64>, tensor<f64>) -> tensor<2x3x8x6xf64>
    %r = stablehlo.sqrt %x : tensor<2x9x7x3xf32>
    %2 = "stablehlo.select_and_scatter"(%r, %s, %zero) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) {window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>, padding = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi64>} : (tensor<2x9x7x3xf32>, tensor<2x5x4x3xf32>, tensor<f32>) -> tensor<2x9x7x3xf32>
    return %0, %1, %2 : tensor<2x9x7x3xf32>, tensor<2x3x8x6xf64>, tensor<2x9x7x3xf32>
  }
  // What has no kernel of its own: other bodies, integers, the arguments the other way round.
  func.func @others(%x: tensor<6xf32>, %s: tensor<3xf32>, %y: tensor<6xi32>, %t: tensor<3xi32>) -> (tensor<6xf32>, tensor<6xi32>, tensor<6xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %none = stablehlo.constant dense<0> : tensor<i32>
    %0 = "stablehlo.select_and_scatter"(%x, %s, %zero) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.compare GE, %b, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<6xf32>, tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
    %1 = "stablehlo.select_and_scatter"(%y, %t, %none) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %c = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }, {
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %c = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %c : tensor<i32>
    }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<6xi32>, tensor<3xi32>, tensor<i32>) -> tensor<6xi32>
    %2 = "stablehlo.select_and_scatter"(%x, %s, %zero) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<6xf32>, tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
    return %0, %1, %2 : tensor<6xf32>, tensor<6xi32>, tensor<6xf32>
  }
  func.func @narrow(%x: tensor<9x200xbf16>, %s: tensor<4x200xbf16>) -> tensor<9x200xbf16> {
    %zero = stablehlo.constant dense<0.0> : tensor<bf16>
    %0 = "stablehlo.select_and_scatter"(%x, %s, %zero) ({
    ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
      %c = stablehlo.compare LE, %a, %b : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }, {
    ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
      %c = stablehlo.add %a, %b : tensor<bf16>
      stablehlo.return %c : tensor<bf16>
    }) {window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>} : (tensor<9x200xbf16>, tensor<4x200xbf16>, tensor<bf16>) -> tensor<9x200xbf16>
    return %0 : tensor<9x200xbf16>
  }
}
