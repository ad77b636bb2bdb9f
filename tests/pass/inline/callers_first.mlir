// Callers first: the same ops, each copied once; what calls of a chain bring along shares the call sites of its caller.
// RUN: tessera opt %s --inline='default-pipeline= callers-first=true' --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: tessera opt %s --inline='default-pipeline=' > %t.callees && tessera opt %s --inline='default-pipeline= callers-first=true' > %t.callers && cmp %t.callees %t.callers
// RUN: tessera opt %S/blocks.mlir --allow-unregistered-dialect --inline='default-pipeline=' > %t.callees && tessera opt %S/blocks.mlir --allow-unregistered-dialect --inline='default-pipeline= callers-first=true' > %t.callers && cmp %t.callees %t.callers
// RUN: tessera opt %S/simple.mlir --allow-unregistered-dialect --inline='default-pipeline=' > %t.callees && tessera opt %S/simple.mlir --allow-unregistered-dialect --inline='default-pipeline= callers-first=true' > %t.callers && cmp %t.callees %t.callers
// 2,000 calls in a row make 2,000 ops, not two million.
// RUN: awk 'BEGIN { n = 2000; for (i = 0; i < n; i++) { print "func.func " (i ? "private @f" i : "@main") "(%%a: i32) -> i32 {\n%%0 = arith.muli %%a, %%a : i32"; if (i + 1 < n) print "%%1 = call @f" (i + 1) "(%%0) : (i32) -> i32"; print "return %%" (i + 1 < n ? 1 : 0) " : i32\n}" } }' > %t.chain.mlir
// RUN: tessera opt %t.chain.mlir --inline='default-pipeline= callers-first=true' --max-ops=30000 -o %t.flat && grep -c muli %t.flat | FileCheck %s --check-prefix=OPS
// OPS: 2000

// CHECK-NOT: @c
func.func private @c(%arg0: i32) -> i32 {
  %0 = arith.muli %arg0, %arg0 : i32 loc("in c")
  return %0 : i32
}
// CHECK-LABEL: func.func @b(
// CHECK: arith.muli %arg0, %arg0 : i32 loc(callsite("in c" at "call c"))
// CHECK: arith.addi {{.*}} loc("in b")
func.func @b(%arg0: i32) -> i32 {
  %0 = call @c(%arg0) : (i32) -> i32 loc("call c")
  %1 = arith.addi %0, %0 : i32 loc("in b")
  return %1 : i32
}
// CHECK-LABEL: func.func @a(
// CHECK: arith.muli %arg0, %arg0 : i32 loc(callsite("in c" at callsite("call c" at "call b")))
// CHECK: arith.addi {{.*}} loc(callsite("in b" at "call b"))
// CHECK: call @stays
// CHECK: arith.muli {{.*}} loc(callsite("in c" at "call c again"))
func.func @a(%arg0: i32) -> i32 {
  %0 = call @b(%arg0) : (i32) -> i32 loc("call b")
  call @stays() : () -> ()
  %1 = call @c(%0) : (i32) -> i32 loc("call c again")
  return %1 : i32
}
// CHECK: func.func private @stays
// CHECK: arith.muli
func.func private @stays() attributes {no_inline} {
  %0 = arith.constant 3 : i32
  %1 = call @c(%0) : (i32) -> i32
  return
}
