// Implicit broadcasts become explicit.
// RUN: tessera opt %s --ttir-explicate-tms | FileCheck %s
// VALUES: --ttir-explicate-tms

// CHECK-LABEL: func.func @tt_explicit_broadcast
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 3 : i32]}> : (tensor<3xf32>) -> tensor<1x3xf32>
// CHECK-NEXT: "ttir.broadcast"({{.*}}) <{broadcast_dimensions = array<i64: 2, 1>}> : (tensor<1x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: "ttir.broadcast"({{.*}}) <{broadcast_dimensions = array<i64: 1, 3>}> : (tensor<2x1xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: "ttir.add"({{.*}}) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x3xf32>
func.func @tt_explicit_broadcast(%a: tensor<3xf32>, %b: tensor<2x1xf32>) -> tensor<2x3xf32> {
  %0 = "ttir.add"(%a, %b) : (tensor<3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
