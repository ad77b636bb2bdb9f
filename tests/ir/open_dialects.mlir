// RUN: tessera opt %s --allow-unregistered-dialect | FileCheck %s
// RUN: tessera opt %s --allow-unregistered-dialect -o %t && tessera opt %t --allow-unregistered-dialect -o %t.again && cmp %t %t.again
// Ops of dialects that pass through may stand in a plain form; they are written in generic form.

func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = tessera.matmul %a, %b : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  %1 = tessera.relu %0 {kind = "fast"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = ttnn.empty : tensor<4x4xf32>
  %3:2 = tessera.split %1 : tensor<4x4xf32> -> (tensor<2x4xf32>, tensor<2x4xf32>)
  tessera.barrier
  tessera.use %3#0, %3#1 : tensor<2x4xf32>, tensor<2x4xf32>
  return %1 : tensor<4x4xf32>
}

// CHECK: module {
// CHECK-NEXT: func.func @f(%arg0: tensor<4x4xf32>, %arg1: tensor<4x4xf32>) -> tensor<4x4xf32> {
// CHECK-NEXT: %0 = "tessera.matmul"(%arg0, %arg1) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: %1 = "tessera.relu"(%0) {kind = "fast"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: %2 = "ttnn.empty"() : () -> tensor<4x4xf32>
// CHECK-NEXT: %3:2 = "tessera.split"(%1) : (tensor<4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
// CHECK-NEXT: "tessera.barrier"() : () -> ()
// CHECK-NEXT: "tessera.use"(%3#0, %3#1) : (tensor<2x4xf32>, tensor<2x4xf32>) -> ()
// CHECK-NEXT: return %1 : tensor<4x4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
