// What was inlined remembers both places.
// RUN: tessera opt %s --inline --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: not tessera opt %s --pass-pipeline='builtin.module(func.func(inline))' 2>&1 | FileCheck %s --check-prefix=ERR

// ERR: error: 'func.func' op  was scheduled to run under the inliner, but does not define a symbol table
func.func private @f(%arg0: i32) -> i32 {
  %0 = arith.muli %arg0, %arg0 : i32 loc("inside")
  return %0 : i32
}
// CHECK-LABEL: func.func @g(
// CHECK: arith.muli %arg0, %arg0 : i32 loc(callsite("inside" at "call"))
func.func @g(%arg0: i32) -> i32 {
  %0 = call @f(%arg0) : (i32) -> i32 loc("call")
  return %0 : i32
}
