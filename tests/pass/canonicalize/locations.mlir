// A constant that was moved, or stands for several, is at no place any more; others keep theirs.
// RUN: tessera opt %s --canonicalize --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

func.func private @use(i32)

// CHECK-LABEL: func.func @f(
// CHECK-NEXT:    arith.constant 3 : i32 loc(unknown)
// CHECK-NEXT:    arith.constant 1 : i32 loc("one")
// CHECK-NEXT:    arith.constant 2 : i32 loc(unknown)
// CHECK-NEXT:    call @use({{.*}} loc("use")
func.func @f() {
  %c1 = arith.constant 1 : i32 loc("one")
  %c2 = arith.constant 2 : i32 loc("two")
  %c2b = arith.constant 2 : i32 loc("again")
  func.call @use(%c1) : (i32) -> () loc("use")
  func.call @use(%c2) : (i32) -> ()
  func.call @use(%c2b) : (i32) -> ()
  %c3 = arith.constant 3 : i32 loc("three")
  func.call @use(%c3) : (i32) -> ()
  return
}
