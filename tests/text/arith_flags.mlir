// RUN: tessera opt %s | FileCheck %s
// RUN: tessera opt %s -o %t && tessera opt %t -o %t.again && cmp %t %t.again
// Flags that newer texts have.

func.func @f(%a: i32, %b: i32, %x: f32, %y: f32) {
  %0 = arith.shrsi %a, %b exact : i32
  %1 = arith.divui %a, %b exact : i32
  %2 = arith.extui %a nneg : i32 to i64
  %3 = arith.uitofp %a nneg : i32 to f32
  %5 = arith.index_castui %a nneg : i32 to index
  %6 = arith.truncf %x upward fastmath<fast> : f32 to f16
  %7 = arith.trunci %a overflow<nsw> : i32 to i8
  return
}

// CHECK: module {
// CHECK-NEXT: func.func @f(%arg0: i32, %arg1: i32, %arg2: f32, %arg3: f32) {
// CHECK-NEXT: %0 = arith.shrsi %arg0, %arg1 exact : i32
// CHECK-NEXT: %1 = arith.divui %arg0, %arg1 exact : i32
// CHECK-NEXT: %2 = arith.extui %arg0 nneg : i32 to i64
// CHECK-NEXT: %3 = arith.uitofp %arg0 nneg : i32 to f32
// CHECK-NEXT: %4 = arith.index_castui %arg0 nneg : i32 to index
// CHECK-NEXT: %5 = arith.truncf %arg2 upward fastmath<fast> : f32 to f16
// CHECK-NEXT: %6 = arith.trunci %arg0 overflow<nsw> : i32 to i8
// CHECK-NEXT: return
// CHECK-NEXT: }
// CHECK-NEXT: }
