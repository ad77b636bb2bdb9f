// Reshapes in steps.
// RUN: tessera opt %s --ttir-decompose-complex-reshape | FileCheck %s
// VALUES: --ttir-decompose-complex-reshape

// CHECK-LABEL: func.func @tt_reshape_steps
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [2 : i32, 1 : i32, 3 : i32]}> : (tensor<2x3xf32>) -> tensor<2x1x3xf32>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x1x3xf32>) -> tensor<2x3x1xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [12 : i32, 1 : i32]}> : (tensor<6x2x1xf32>) -> tensor<12x1xf32>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 1, 0>}> : (tensor<12x1xf32>) -> tensor<1x12xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 4 : i32, 3 : i32]}> : (tensor<1x12xf32>) -> tensor<1x4x3xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x3x1xf32>, tensor<1x4x3xf32>
func.func @tt_reshape_steps(%a: tensor<2x3xf32>, %b: tensor<6x2x1xf32>) -> (tensor<2x3x1xf32>, tensor<1x4x3xf32>) {
  %0 = "ttir.reshape"(%a) <{shape = [2 : i32, 3 : i32, 1 : i32]}> : (tensor<2x3xf32>) -> tensor<2x3x1xf32>
  %1 = "ttir.reshape"(%b) <{shape = [1 : i32, 4 : i32, 3 : i32]}> : (tensor<6x2x1xf32>) -> tensor<1x4x3xf32>
  return %0, %1 : tensor<2x3x1xf32>, tensor<1x4x3xf32>
}

// Two dimensions change places only where one of them is 1.
// CHECK-LABEL: func.func @ones
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{{.*}}> : (tensor<2x4xf32>) -> tensor<2x1x4xf32>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{{.*}}> : (tensor<2x1x4xf32>) -> tensor<2x4x1xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{{.*}}> : (tensor<2x4x1xf32>) -> tensor<2x4x1x1xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{{.*}}> : (tensor<2x4x1x1xf32>) -> tensor<2x4x1xf32>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{{.*}}> : (tensor<2x4x1xf32>) -> tensor<2x1x4xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{{.*}}> : (tensor<2x1x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{{.*}}> : (tensor<3x1x1xf32>) -> tensor<3x1xf32>
// CHECK-NEXT: "ttir.permute"
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{{.*}}> : (tensor<1x3xf32>) -> tensor<3xf32>
// CHECK-NEXT: return
func.func @ones(%a: tensor<2x4xf32>, %b: tensor<2x4x1x1xf32>, %c: tensor<3x1x1xf32>) -> (tensor<2x4x1x1xf32>, tensor<2x4xf32>, tensor<3xf32>) {
  %0 = "ttir.reshape"(%a) <{shape = [2 : i32, 4 : i32, 1 : i32, 1 : i32]}> : (tensor<2x4xf32>) -> tensor<2x4x1x1xf32>
  %1 = "ttir.reshape"(%b) <{shape = [2 : i32, 4 : i32]}> : (tensor<2x4x1x1xf32>) -> tensor<2x4xf32>
  %2 = "ttir.reshape"(%c) <{shape = [3 : i32]}> : (tensor<3x1x1xf32>) -> tensor<3xf32>
  return %0, %1, %2 : tensor<2x4x1x1xf32>, tensor<2x4xf32>, tensor<3xf32>
}
