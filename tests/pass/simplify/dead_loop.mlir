// RUN: tessera opt %s --stablehlo-aggressive-folder=assume-no-undeclared-side-effects=true | FileCheck %s

func.func private @g(tensor<f32>) -> tensor<f32>

// CHECK-LABEL: func.func @while_dead(
// CHECK-NEXT:    return %arg0 : tensor<f32>
func.func @while_dead(%x: tensor<f32>) -> tensor<f32> {
  %p = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.while(%i = %x) : tensor<f32> cond {
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = func.call @g(%i) : (tensor<f32>) -> tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  return %x : tensor<f32>
}

// What says that it has effects keeps them.
// CHECK-LABEL: func.func @kept(
// CHECK-NEXT:    %c = stablehlo.constant dense<false> : tensor<i1>
// CHECK-NEXT:    %0 = stablehlo.while(%iterArg = %arg0) : tensor<f32>
// CHECK-NEXT:    cond {
// CHECK-NEXT:      stablehlo.return %c : tensor<i1>
// CHECK-NEXT:    } do {
// CHECK-NEXT:      %1 = stablehlo.custom_call @g(%iterArg) {has_side_effect = true} : (tensor<f32>) -> tensor<f32>
// CHECK-NEXT:      stablehlo.return %1 : tensor<f32>
// CHECK-NEXT:    }
// CHECK-NEXT:    return %arg0 : tensor<f32>
func.func @kept(%x: tensor<f32>) -> tensor<f32> {
  %p = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.while(%i = %x) : tensor<f32> cond {
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = stablehlo.custom_call @g(%i) {has_side_effect = true} : (tensor<f32>) -> tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  return %x : tensor<f32>
}
