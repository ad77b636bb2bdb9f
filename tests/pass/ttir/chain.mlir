// Splat constants through reshapes and broadcasts.
// RUN: tessera opt %s --ttir-fold-constant-reshape-broadcast | FileCheck %s
// VALUES: --ttir-fold-constant-reshape-broadcast

// CHECK-LABEL: func.func @tt_fold_chain
// CHECK-NEXT: "ttir.constant"() <{value = dense<2.000000e+00> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
// CHECK-NEXT: "ttir.add"({{.*}}) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x3xf32>
func.func @tt_fold_chain(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = "ttir.constant"() <{value = dense<2.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "ttir.reshape"(%c) <{shape = [1 : i32, 1 : i32]}> : (tensor<f32>) -> tensor<1x1xf32>
  %1 = "ttir.broadcast"(%0) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<1x1xf32>) -> tensor<2x3xf32>
  %2 = "ttir.add"(%a, %1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}
