// A sum that begins with 0 is 0 when all its elements are -0, and one that begins with -0 is -0: in rows, columns, products, windows and scans.
// RUN: tessera run %s --input=3xf32=-0,-0,-0 --input=2x4xf32=-0,-0,-0,-0,-0,-0,0,-0 --engine=reference | FileCheck %s
// RUN: tessera run %s --input=3xf32=-0,-0,-0 --input=2x4xf32=-0,-0,-0,-0,-0,-0,0,-0 | FileCheck %s
// RUN: tessera run %s --input=3xf32=-0,-0,-0 --input=2x4xf32=-0,-0,-0,-0,-0,-0,0,-0 --spmd --mesh=x=2 --arg=1:?,x | FileCheck %s
func.func @main(%x: tensor<3xf32>, %m: tensor<2x4xf32>) -> (tensor<f32>, tensor<f32>, tensor<2xf32>, tensor<2xf32>, tensor<4xf32>, tensor<1xf32>, tensor<f32>, tensor<3xf32>, tensor<3xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %minus = stablehlo.constant dense<-0.0> : tensor<f32>
  %ones = stablehlo.constant dense<1.0> : tensor<3xf32>
  // CHECK: tensor<f32> {0.000000e+00}
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  // CHECK-NEXT: tensor<f32> {-0.000000e+00}
  %1 = stablehlo.reduce(%x init: %minus) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  // CHECK-NEXT: tensor<2xf32>
  // CHECK-NEXT: [0.000000e+00, 0.000000e+00]
  %2 = stablehlo.reduce(%m init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>
  // CHECK: tensor<2xf32>
  // CHECK-NEXT: [-0.000000e+00, 0.000000e+00]
  %3 = stablehlo.reduce(%m init: %minus) applies stablehlo.add across dimensions = [1] : (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>
  // CHECK: tensor<4xf32>
  // CHECK-NEXT: [0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00]
  %4 = stablehlo.reduce(%m init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
  // A sum of one element.
  // CHECK: tensor<1xf32>
  // CHECK-NEXT: [0.000000e+00]
  %5 = stablehlo.slice %x [0:1] : (tensor<3xf32>) -> tensor<1xf32>
  %6 = stablehlo.reshape %5 : (tensor<1xf32>) -> tensor<1x1xf32>
  %7 = stablehlo.reduce(%6 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1x1xf32>, tensor<f32>) -> tensor<1xf32>
  // CHECK: tensor<f32> {0.000000e+00}
  %8 = stablehlo.dot_general %x, %ones, contracting_dims = [0] x [0] : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  // CHECK-NEXT: tensor<3xf32>
  // CHECK-NEXT: [0.000000e+00, 0.000000e+00, 0.000000e+00]
  %9 = "stablehlo.reduce_window"(%x, %zero) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %r = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %r : tensor<f32>
  }) {window_dimensions = array<i64: 3>, padding = dense<[[2, 0]]> : tensor<1x2xi64>} : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  // CHECK: tensor<3xf32>
  // CHECK-NEXT: [-0.000000e+00, -0.000000e+00, -0.000000e+00]
  %10 = "stablehlo.reduce_window"(%x, %minus) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %r = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %r : tensor<f32>
  }) {window_dimensions = array<i64: 3>, padding = dense<[[2, 0]]> : tensor<1x2xi64>} : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0, %1, %2, %3, %4, %7, %8, %9, %10 : tensor<f32>, tensor<f32>, tensor<2xf32>, tensor<2xf32>, tensor<4xf32>, tensor<1xf32>, tensor<f32>, tensor<3xf32>, tensor<3xf32>
}
