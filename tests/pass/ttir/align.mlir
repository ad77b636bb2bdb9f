// Truth in the elements of what it stands beside.
// RUN: tessera opt %s --ttir-predicate-type-alignment | FileCheck %s
// VALUES: --ttir-predicate-type-alignment

// CHECK-LABEL: func.func @compare
// CHECK-NEXT: "ttir.gt"({{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: "ttir.typecast"({{.*}}) <{conservative_folding = false}> : (tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: return {{.*}} : tensor<4xi1>
func.func @compare(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xi1> {
  %0 = "ttir.gt"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}
// CHECK-LABEL: func.func @choose
// CHECK-NEXT: "ttir.gt"({{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: "ttir.logical_not"({{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: "ttir.where"({{.*}}) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return {{.*}} : tensor<4xf32>
func.func @choose(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "ttir.gt"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = "ttir.logical_not"(%0) : (tensor<4xi1>) -> tensor<4xi1>
  %2 = "ttir.where"(%1, %a, %b) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
