// Padding that cuts off more than a dimension has leaves no window, as in XLA: an empty result, or nothing to scatter.
// RUN: tessera run %s --function=sum --input=random --engine=reference | FileCheck %s --check-prefix=EMPTY
// RUN: tessera run %s --function=sum --input=random | FileCheck %s --check-prefix=EMPTY
// RUN: tessera run %s --function=sum --input=random --spmd --mesh=x=2 --arg=0:x | FileCheck %s --check-prefix=EMPTY
// RUN: tessera run %s --function=dilated --input=random --engine=reference | FileCheck %s --check-prefix=EMPTY
// RUN: tessera run %s --function=dilated --input=random | FileCheck %s --check-prefix=EMPTY
// RUN: tessera run %s --function=body --input=random | FileCheck %s --check-prefix=EMPTY
// EMPTY: tensor<0x4xf32> {
// EMPTY-NEXT: []
// Padding on the other side makes up for it: windows of padding alone.
// RUN: tessera run %s --function=shifted --input=random --engine=reference | FileCheck %s --check-prefix=PADDING
// RUN: tessera run %s --function=shifted --input=random | FileCheck %s --check-prefix=PADDING
// RUN: tessera run %s --function=shifted --input=random --spmd --mesh=x=2 --arg=0:x | FileCheck %s --check-prefix=PADDING
// PADDING: [2.000000e+00, 2.000000e+00]
// PADDING-NEXT: [2.000000e+00, 2.000000e+00]
// RUN: tessera run %s --function=scatter --input=random --input=random --input=f32=7 --engine=reference | FileCheck %s --check-prefix=SCATTER
// RUN: tessera run %s --function=scatter --input=random --input=random --input=f32=7 | FileCheck %s --check-prefix=SCATTER
// SCATTER-COUNT-3: [7.000000e+00, 7.000000e+00]
func.func @sum(%x: tensor<3x4xf32>) -> tensor<0x4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2, 1>, padding = dense<[[-2, -2], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3x4xf32>, tensor<f32>) -> tensor<0x4xf32>
  return %r : tensor<0x4xf32>
}
func.func @dilated(%x: tensor<3x4xf32>) -> tensor<0x4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 1>, base_dilations = array<i64: 2, 1>, padding = dense<[[-3, -3], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3x4xf32>, tensor<f32>) -> tensor<0x4xf32>
  return %r : tensor<0x4xf32>
}
func.func @body(%x: tensor<3x4xf32>) -> tensor<0x4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 1>, padding = dense<[[-9, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.subtract %a, %b : tensor<f32>
    %t = stablehlo.tanh %s : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) : (tensor<3x4xf32>, tensor<f32>) -> tensor<0x4xf32>
  return %r : tensor<0x4xf32>
}
func.func @shifted(%x: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %z = stablehlo.constant dense<2.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 1>, padding = dense<[[-5, 4], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
func.func @scatter(%x: tensor<3x2xf32>, %s: tensor<0x2xf32>, %z: tensor<f32>) -> tensor<3x2xf32> {
  %r = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 1, 1>, padding = dense<[[-2, -2], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3x2xf32>, tensor<0x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}
