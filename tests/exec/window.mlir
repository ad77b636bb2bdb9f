// Reductions of windows read their operand where it lies, without a padded copy; or they are scans along a dimension. No kernel of the evaluator's runs.
// RUN: tessera run %s --input=random --check --function=padded
// RUN: tessera run %s --input=random --check --function=padded --strict-rounding --rtol=0 --atol=0
// RUN: tessera run %s --input=random --dump-program --function=padded 2>&1 >/dev/null | FileCheck %s --check-prefix=PADDED
// RUN: tessera run %s --input=random --threads=1 --function=padded --output=%t.npz
// RUN: tessera run %s --input=random --threads=3 --function=padded --expect=%t.npz --rtol=0 --atol=0
// RUN: tessera run %s --input=random --check --function=pool
// RUN: tessera run %s --input=random --dump-program --function=pool 2>&1 >/dev/null | FileCheck %s
// RUN: tessera run %s --input=random --check --function=box
// RUN: tessera run %s --input=random --dump-program --function=box 2>&1 >/dev/null | FileCheck %s
// RUN: tessera run %s --input=random --check --function=whole
// RUN: tessera run %s --input=random --dump-program --function=whole 2>&1 >/dev/null | FileCheck %s
// RUN: tessera run %s --input=random --check --function=scans
// RUN: tessera run %s --input=random --dump-program --function=scans 2>&1 >/dev/null | FileCheck %s
// RUN: tessera run %s --input=random --check --function=init
// RUN: tessera run %s --input=random --dump-program --function=init 2>&1 >/dev/null | FileCheck %s
// RUN: tessera run %s --input=random --check --function=narrow --rtol=0.02 --atol=0.02
// RUN: tessera run %s --input=random --check --function=narrow --strict-rounding --rtol=0 --atol=0
// RUN: tessera run %s --input=random --threads=1 --function=scans --output=%t.npz
// RUN: tessera run %s --input=random --threads=3 --function=scans --expect=%t.npz --rtol=0 --atol=0
// CHECK: 0 by the evaluator's kernels
func.func @pool(%x: tensor<2x9x11x5xf32>) -> tensor<2x4x5x5xf32> {
  %z = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<2x9x11x5xf32>, tensor<f32>) -> tensor<2x4x5x5xf32>
  return %0 : tensor<2x4x5x5xf32>
}
// Too many elements for one loop: one dimension after the other, through dilations and padding.
func.func @box(%x: tensor<20x21xf32>) -> tensor<13x18xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 7, 9>, window_strides = array<i64: 2, 2>, base_dilations = array<i64: 1, 2>,
      window_dilations = array<i64: 1, 1>, padding = dense<[[5, 6], [1, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<20x21xf32>, tensor<f32>) -> tensor<13x18xf32>
  return %0 : tensor<13x18xf32>
}
func.func @whole(%x: tensor<4x70x80xf32>) -> tensor<4x1x1xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 70, 80>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4x70x80xf32>, tensor<f32>) -> tensor<4x1x1xf32>
  return %0 : tensor<4x1x1xf32>
}
// Forwards along rows, backwards along columns, along one long row.
func.func @scans(%x: tensor<70x600xf32>, %i: tensor<70x600xi32>, %l: tensor<3000xf32>) -> (tensor<70x600xf32>, tensor<70x600xi32>, tensor<70x600xi32>, tensor<3000xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 600>, padding = dense<[[0, 0], [599, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<70x600xf32>, tensor<f32>) -> tensor<70x600xf32>
  %2 = "stablehlo.reduce_window"(%i, %n) <{window_dimensions = array<i64: 70, 1>, padding = dense<[[0, 69], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<70x600xi32>, tensor<i32>) -> tensor<70x600xi32>
  %3 = "stablehlo.reduce_window"(%i, %n) <{window_dimensions = array<i64: 1, 700>, padding = dense<[[0, 0], [0, 699]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.or %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<70x600xi32>, tensor<i32>) -> tensor<70x600xi32>
  %4 = "stablehlo.reduce_window"(%l, %z) <{window_dimensions = array<i64: 3000>, padding = dense<[[2999, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<3000xf32>, tensor<f32>) -> tensor<3000xf32>
  return %0, %2, %3, %4 : tensor<70x600xf32>, tensor<70x600xi32>, tensor<70x600xi32>, tensor<3000xf32>
}
// What a window begins with, and its padding, are any number. A window of one element may end in the padding.
func.func @init(%x: tensor<9xf32>, %z: tensor<f32>) -> (tensor<11xf32>, tensor<9xf32>, tensor<5xf32>) {
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 3>, padding = dense<[[2, 2]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<9xf32>, tensor<f32>) -> tensor<11xf32>
  %2 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 9>, padding = dense<[[8, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<9xf32>, tensor<f32>) -> tensor<9xf32>
  %3 = stablehlo.slice %x [0:5] : (tensor<9xf32>) -> tensor<5xf32>
  %4 = "stablehlo.reduce_window"(%3, %z) <{window_dimensions = array<i64: 1>, window_strides = array<i64: 2>, padding = dense<[[0, 4]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  return %0, %2, %4 : tensor<11xf32>, tensor<9xf32>, tensor<5xf32>
}
func.func @narrow(%x: tensor<20x40xbf16>) -> (tensor<20x40xbf16>, tensor<19x39xbf16>) {
  %z = stablehlo.constant dense<0.0> : tensor<bf16>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 40>, padding = dense<[[0, 0], [39, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %1 = stablehlo.maximum %a, %b : tensor<bf16>
    stablehlo.return %1 : tensor<bf16>
  }) : (tensor<20x40xbf16>, tensor<bf16>) -> tensor<20x40xbf16>
  %2 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %1 = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %1 : tensor<bf16>
  }) : (tensor<20x40xbf16>, tensor<bf16>) -> tensor<19x39xbf16>
  return %0, %2 : tensor<20x40xbf16>, tensor<19x39xbf16>
}
// Channels last and first, more of them than a block has, strides, dilations, edges cut off, windows in the padding alone. One step each.
// PADDED: 7 steps, arena 0 bytes (at least 0), 0 by the evaluator
func.func @padded(%x: tensor<2x9x11x5xf32>, %y: tensor<2x3x9x10xbf16>, %w: tensor<3x4x600xi32>, %v: tensor<6x7xf64>, %u: tensor<8x3xi1>) -> (tensor<2x5x6x5xf32>, tensor<2x3x4x6xbf16>, tensor<4x4x600xi32>, tensor<5x11xf64>, tensor<9x2xi1>) {
  %i = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %z = stablehlo.constant dense<0.0> : tensor<bf16>
  %n = stablehlo.constant dense<0> : tensor<i32>
  %o = stablehlo.constant dense<1.0> : tensor<f64>
  %f = stablehlo.constant dense<false> : tensor<i1>
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>, padding = dense<[[0, 0], [1, 1], [0, 2], [0, 0]]> : tensor<4x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<2x9x11x5xf32>, tensor<f32>) -> tensor<2x5x6x5xf32>
  %1 = "stablehlo.reduce_window"(%y, %z) <{window_dimensions = array<i64: 1, 1, 3, 2>, window_strides = array<i64: 1, 1, 3, 2>, window_dilations = array<i64: 1, 1, 2, 3>, padding = dense<[[0, 0], [0, 0], [2, 3], [3, 1]]> : tensor<4x2xi64>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %r = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %r : tensor<bf16>
  }) : (tensor<2x3x9x10xbf16>, tensor<bf16>) -> tensor<2x3x4x6xbf16>
  %2 = "stablehlo.reduce_window"(%w, %n) <{window_dimensions = array<i64: 2, 3, 1>, padding = dense<[[1, 1], [1, 1], [0, 0]]> : tensor<3x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<3x4x600xi32>, tensor<i32>) -> tensor<4x4x600xi32>
  %3 = "stablehlo.reduce_window"(%v, %o) <{window_dimensions = array<i64: 1, 2>, padding = dense<[[-1, 0], [4, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %r = stablehlo.multiply %a, %b : tensor<f64>
    stablehlo.return %r : tensor<f64>
  }) : (tensor<6x7xf64>, tensor<f64>) -> tensor<5x11xf64>
  %4 = "stablehlo.reduce_window"(%u, %f) <{window_dimensions = array<i64: 2, 2>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %r = stablehlo.or %a, %b : tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<8x3xi1>, tensor<i1>) -> tensor<9x2xi1>
  return %0, %1, %2, %3, %4 : tensor<2x5x6x5xf32>, tensor<2x3x4x6xbf16>, tensor<4x4x600xi32>, tensor<5x11xf64>, tensor<9x2xi1>
}
