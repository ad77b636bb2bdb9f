// RUN: tessera opt %s --stablehlo-wrap-in-composite='op-names=stablehlo.add,stablehlo.reduce version=2' | FileCheck %s
// RUN: not tessera opt %s --stablehlo-wrap-in-composite=op-names=stablehlo.while 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: tessera opt %s --stablehlo-wrap-in-composite=op-names=stablehlo.nothing 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// Last first; names that are taken get a number.
// CHECK-LABEL: func.func @f
// CHECK-NEXT:    stablehlo.composite "stablehlo.add" %arg0, %arg0 {decomposition = @stablehlo.add.impl_2, version = 2 : i32}
// CHECK-NEXT:    stablehlo.composite "stablehlo.add" {{.*}} {composite_attributes = {mine = 1 : i32}, decomposition = @stablehlo.add.impl_1, version = 2 : i32}
// UNKNOWN: warning: Unknown op name in opNamesOption: 'stablehlo.nothing' is not a registered operation.
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %x, %x : tensor<f32>
  %1 = stablehlo.add %0, %x {mine = 1 : i32} : tensor<f32>
  return %1 : tensor<f32>
}
func.func private @stablehlo.add.impl_0()

// What is wrapped is not looked into; other regions are.
// CHECK-LABEL: func.func @regions
// CHECK:         stablehlo.composite "stablehlo.reduce" %arg0, %arg1 {composite_attributes = {dimensions = array<i64: 0>}
// CHECK:         stablehlo.while
// CHECK:           stablehlo.composite "stablehlo.add"
func.func @regions(%x: tensor<4xf32>, %c: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  // OPEN: error: 'stablehlo.while' op uses values from outside in its regions, so it cannot become a composite
  %1 = stablehlo.while(%i = %0) : tensor<f32> cond {
    %2 = stablehlo.compare LT, %i, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    %2 = stablehlo.add %i, %i : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func private @stablehlo.reduce.impl
// CHECK-NEXT:    stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add
