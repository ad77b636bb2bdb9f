// RUN: tessera opt %s --tessera-autodiff='mode=forward wrt=0' | FileCheck %s

// Results, then their tangents; only the argument of interest has one. A tangent that no result needs is not computed.
// CHECK-LABEL: func.func @f_jvp(
// CHECK-SAME: [[X:%.+]]: tensor<3xf32>, [[Y:%.+]]: tensor<3xf32>, [[T:%.+]]: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xi1>, tensor<3xf32>, tensor<3xi1>) {
// CHECK: [[P:%.+]] = stablehlo.multiply [[X]], [[Y]]
// CHECK: [[D:%.+]] = stablehlo.multiply [[T]], [[Y]]
// CHECK: [[S:%.+]] = stablehlo.sine [[X]]
// CHECK-NOT: stablehlo.cosine
// CHECK: [[M:%.+]] = stablehlo.compare GT, [[S]], [[Y]]
// CHECK: [[Z:%.+]] = stablehlo.constant dense<false>
// CHECK: return [[P]], [[M]], [[D]], [[Z]]
func.func @f(%x: tensor<3xf32>, %y: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xi1>) attributes {tessera.autodiff} {
  %0 = stablehlo.multiply %x, %y : tensor<3xf32>
  %1 = stablehlo.sine %x : tensor<3xf32>
  %2 = stablehlo.compare GT, %1, %y : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  return %0, %2 : tensor<3xf32>, tensor<3xi1>
}
