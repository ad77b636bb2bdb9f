// Reshapes go to constants.
// RUN: tessera opt %s --ttir-move-reshape-to-constant | FileCheck %s
// VALUES: --ttir-move-reshape-to-constant

// CHECK-LABEL: func.func @tt_reshape_to_constant
// CHECK-NEXT: "ttir.constant"() <{value = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00]> : tensor<6xf32>}> : () -> tensor<6xf32>
// CHECK-NEXT: "ttir.subtract"({{.*}}) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [2 : i32, 3 : i32]}> : (tensor<6xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x3xf32>
func.func @tt_reshape_to_constant(%a: tensor<6xf32>) -> tensor<2x3xf32> {
  %c = "ttir.constant"() <{value = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
  %0 = "ttir.reshape"(%a) <{shape = [2 : i32, 3 : i32]}> : (tensor<6xf32>) -> tensor<2x3xf32>
  %1 = "ttir.subtract"(%c, %0) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
