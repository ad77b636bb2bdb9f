// Truth as i1.
// RUN: tessera opt %s --ttir-cpu-boolean-narrowing | FileCheck %s
// VALUES: --ttir-cpu-boolean-narrowing

// CHECK-LABEL: func.func @compare
// CHECK-NEXT: "ttir.gt"({{.*}}) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
// CHECK-NEXT: "ttir.logical_not"({{.*}}) : (tensor<2x3xi1>) -> tensor<2x3xi1>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xi1>) -> tensor<3x2xi1>
// CHECK-NEXT: "ttir.typecast"({{.*}}) <{conservative_folding = false}> : (tensor<3x2xi1>) -> tensor<3x2xf32>
// CHECK-NEXT: return {{.*}} : tensor<3x2xf32>
func.func @compare(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = "ttir.gt"(%a, %b) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = "ttir.logical_not"(%0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = "ttir.permute"(%1) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %2 : tensor<3x2xf32>
}
