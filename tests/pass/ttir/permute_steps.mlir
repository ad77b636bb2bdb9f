// Permutes in steps.
// RUN: tessera opt %s --ttir-decompose-complex-permute | FileCheck %s
// VALUES: --ttir-decompose-complex-permute

// CHECK-LABEL: func.func @tt_permute_steps
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 0, 2, 1, 3>}> {decomposed} : (tensor<2x3x4x5xf32>) -> tensor<2x4x3x5xf32>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 0, 1, 3, 2>}> {decomposed} : (tensor<2x4x3x5xf32>) -> tensor<2x4x5x3xf32>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 2, 0, 1, 3>}> {decomposed} : (tensor<2x4x5x3xf32>) -> tensor<5x2x4x3xf32>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 1, 0, 2, 3>}> {decomposed} : (tensor<2x3x4x5xf32>) -> tensor<3x2x4x5xf32>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 0, 1, 3, 2>}> {decomposed} : (tensor<3x2x4x5xf32>) -> tensor<3x2x5x4xf32>
// CHECK-NEXT: return {{.*}} : tensor<5x2x4x3xf32>, tensor<3x2x5x4xf32>
func.func @tt_permute_steps(%a: tensor<2x3x4x5xf32>) -> (tensor<5x2x4x3xf32>, tensor<3x2x5x4xf32>) {
  %0 = "ttir.permute"(%a) <{permutation = array<i64: 3, 0, 2, 1>}> : (tensor<2x3x4x5xf32>) -> tensor<5x2x4x3xf32>
  %1 = "ttir.permute"(%a) <{permutation = array<i64: 1, 0, 3, 2>}> : (tensor<2x3x4x5xf32>) -> tensor<3x2x5x4xf32>
  return %0, %1 : tensor<5x2x4x3xf32>, tensor<3x2x5x4xf32>
}
