// Explicit broadcasts become implicit.
// RUN: tessera opt %s --ttir-implicit-broadcast-fold | FileCheck %s
// VALUES: --ttir-implicit-broadcast-fold

// CHECK-LABEL: func.func @tt_implicit_broadcast
// CHECK-NEXT: "ttir.add"({{.*}}) : (tensor<1x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: "ttir.exp"({{.*}}) : (tensor<1x3xf32>) -> tensor<1x3xf32>
// CHECK-NEXT: "ttir.broadcast"({{.*}}) <{broadcast_dimensions = array<i64: 2, 1>}> : (tensor<1x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x3xf32>, tensor<2x3xf32>
func.func @tt_implicit_broadcast(%a: tensor<1x3xf32>, %b: tensor<2x1xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = "ttir.broadcast"(%a) <{broadcast_dimensions = array<i64: 2, 1>}> : (tensor<1x3xf32>) -> tensor<2x3xf32>
  %1 = "ttir.add"(%0, %b) : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %2 = "ttir.exp"(%0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1, %2 : tensor<2x3xf32>, tensor<2x3xf32>
}
