// Long rows are folded two pieces at a time: an odd number of them, rows that end within a piece, and rows that are folded after an op.
// RUN: tessera run %s --input=random --check
// RUN: tessera run %s --input=random --threads=1 --output=%t.npz
// RUN: tessera run %s --input=random --threads=3 --expect=%t.npz --rtol=0 --atol=0
// RUN: tessera run %s --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// CHECK-COUNT-4: long row
// Sums of products that are in no memory have the bits of those that are.
// RUN: tessera run %s --function=products --input=random --check
// RUN: tessera run %s --function=products --input=random --expect=3xi1=true,true,true --expect=i1=true --expect=3xi1=true,true,true
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
func.func @products(%x: tensor<3x49157xf32>, %w: tensor<3x49157xf32>, %y: tensor<81925xf64>, %z: tensor<81925xf64>) -> (tensor<3xi1>, tensor<i1>, tensor<3xi1>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %wide = stablehlo.constant dense<0.0> : tensor<f64>
  %0 = stablehlo.multiply %x, %x : tensor<3x49157xf32>
  %1 = stablehlo.optimization_barrier %0 : tensor<3x49157xf32>
  %2 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<3x49157xf32>, tensor<f32>) -> tensor<3xf32>
  %3 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<3x49157xf32>, tensor<f32>) -> tensor<3xf32>
  %4 = stablehlo.compare EQ, %2, %3 : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  %5 = stablehlo.multiply %y, %z : tensor<81925xf64>
  %6 = stablehlo.optimization_barrier %5 : tensor<81925xf64>
  %7 = stablehlo.multiply %z, %y : tensor<81925xf64>
  %8 = stablehlo.reduce(%7 init: %wide) applies stablehlo.add across dimensions = [0] : (tensor<81925xf64>, tensor<f64>) -> tensor<f64>
  %9 = stablehlo.reduce(%6 init: %wide) applies stablehlo.add across dimensions = [0] : (tensor<81925xf64>, tensor<f64>) -> tensor<f64>
  %10 = stablehlo.compare EQ, %8, %9 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %11 = stablehlo.multiply %w, %w : tensor<3x49157xf32>
  %12 = stablehlo.reduce(%11 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<3x49157xf32>, tensor<f32>) -> tensor<3xf32>
  %13 = stablehlo.abs %w : tensor<3x49157xf32>
  %14 = stablehlo.multiply %13, %13 : tensor<3x49157xf32>
  %15 = stablehlo.reduce(%14 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<3x49157xf32>, tensor<f32>) -> tensor<3xf32>
  %16 = stablehlo.compare EQ, %12, %15 : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  return %4, %10, %16 : tensor<3xi1>, tensor<i1>, tensor<3xi1>
}
