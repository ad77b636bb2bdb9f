// Long rows are folded two pieces at a time: an odd number of them, rows that end within a piece, and rows that are folded after an op.
// RUN: tessera run %s --input=random --check
// RUN: tessera run %s --input=random --threads=1 --output=%t.npz
// RUN: tessera run %s --input=random --threads=3 --expect=%t.npz --rtol=0 --atol=0
// RUN: tessera run %s --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// CHECK-COUNT-4: long row
func.func @main(%x: tensor<3x49152xf32>, %y: tensor<81925xf64>, %z: tensor<2x32768xi32>) -> (tensor<3xf32>, tensor<f64>, tensor<2xi32>, tensor<3xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %wide = stablehlo.constant dense<0.0> : tensor<f64>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %a = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<3x49152xf32>, tensor<f32>) -> tensor<3xf32>
  %b = stablehlo.reduce(%y init: %wide) applies stablehlo.add across dimensions = [0] : (tensor<81925xf64>, tensor<f64>) -> tensor<f64>
  %c = stablehlo.reduce(%z init: %none) applies stablehlo.add across dimensions = [1] : (tensor<2x32768xi32>, tensor<i32>) -> tensor<2xi32>
  %s = stablehlo.multiply %x, %x : tensor<3x49152xf32>
  %t = stablehlo.optimization_barrier %s : tensor<3x49152xf32>
  %d = stablehlo.reduce(%t init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<3x49152xf32>, tensor<f32>) -> tensor<3xf32>
  return %a, %b, %c, %d : tensor<3xf32>, tensor<f64>, tensor<2xi32>, tensor<3xf32>
}
