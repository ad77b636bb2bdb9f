// RUN: tessera opt %s --allow-unregistered-dialect | FileCheck %s
// RUN: tessera opt %s --allow-unregistered-dialect -o %t && tessera opt %t --allow-unregistered-dialect -o %t.again && cmp %t %t.again
// Ops of dialects that pass through may stand in a plain form; they are written in generic form.

func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = llvm.matmul %a, %b : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  %1 = llvm.relu %0 {kind = "fast"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = llvm.empty : tensor<4x4xf32>
  %3:2 = llvm.split %1 : tensor<4x4xf32> -> (tensor<2x4xf32>, tensor<2x4xf32>)
  llvm.barrier
  llvm.use %3#0, %3#1 : tensor<2x4xf32>, tensor<2x4xf32>
  return %1 : tensor<4x4xf32>
}

// CHECK: module {
// CHECK-NEXT: func.func @f(%arg0: tensor<4x4xf32>, %arg1: tensor<4x4xf32>) -> tensor<4x4xf32> {
// CHECK-NEXT: %0 = "llvm.matmul"(%arg0, %arg1) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: %1 = "llvm.relu"(%0) {kind = "fast"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: %2 = "llvm.empty"() : () -> tensor<4x4xf32>
// CHECK-NEXT: %3:2 = "llvm.split"(%1) : (tensor<4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
// CHECK-NEXT: "llvm.barrier"() : () -> ()
// CHECK-NEXT: "llvm.use"(%3#0, %3#1) : (tensor<2x4xf32>, tensor<2x4xf32>) -> ()
// CHECK-NEXT: return %1 : tensor<4x4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
