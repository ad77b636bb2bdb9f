// RUN: tessera opt %s --strip-debuginfo --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

// CHECK: func.func @f(%arg0: i32 loc(unknown)) -> i32 {
// CHECK-NEXT: %0 = arith.addi %arg0, %arg0 : i32 loc(unknown)
// CHECK-NEXT: return %0 : i32 loc(unknown)
// CHECK-NEXT: } loc(unknown)
func.func @f(%arg0: i32 loc("a")) -> i32 {
  %0 = arith.addi %arg0, %arg0 : i32 loc(fused["x", "y"])
  return %0 : i32 loc("foo":1:2)
}
