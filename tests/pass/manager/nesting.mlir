// Pipelines: nesting, options, what runs where and in which order.
// RUN: tessera opt %s --pass-pipeline='builtin.module(func.func(cse,canonicalize{max-iterations=3 top-down=false}),symbol-dce)' --print-ir-before-all 2>&1 >/dev/null | FileCheck %s
// RUN: tessera opt %s --pass-pipeline=' builtin.module( any(cse) , cse ) ' --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=ANY
// RUN: tessera opt %s --cse --canonicalize='max-iterations=2 region-simplify=disabled' --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=FLAGS
// RUN: tessera opt %s --pass-pipeline='builtin.module(func.func(cse),func.func(canonicalize))' --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=JOIN
// RUN: tessera opt %s --cse --print-ir-after=cse --mlir-print-ir-module-scope -o /dev/null 2>&1 | FileCheck %s --check-prefix=SCOPE
// RUN: tessera opt %s --cse --canonicalize --mlir-print-ir-after-all --mlir-print-ir-after-change -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHANGE
// RUN: tessera opt %s --pass-pipeline='builtin.module(func.func(cse),cse)' --timing -o /dev/null 2>&1 | FileCheck %s --check-prefix=TIME

// CHECK: // -----// IR Dump Before Cse (cse) //----- //
// CHECK-NEXT: func.func @f(
// CHECK: // -----// IR Dump Before Canonicalize (canonicalize) //----- //
// CHECK-NEXT: func.func @f(
// CHECK: // -----// IR Dump Before Cse (cse) //----- //
// CHECK-NEXT: func.func @g(
// CHECK: // -----// IR Dump Before SymbolDce (symbol-dce) //----- //
// CHECK-NEXT: module {

// ANY: builtin.module(any(cse),cse)
// FLAGS: builtin.module(cse,canonicalize{max-iterations=2 region-simplify=disabled})
// JOIN: builtin.module(func.func(cse,canonicalize))
// SCOPE: // -----// IR Dump After Cse (cse) ('builtin.module' operation) //----- //
// CHANGE: IR Dump After Cse (cse)
// CHANGE-NOT: IR Dump

// TIME: parse
// TIME: verify
// TIME: 'func.func' pipeline
// TIME-NEXT: cse
// TIME-NEXT: cse
// TIME: print
// TIME-NEXT: total
func.func @f(%arg0: i32) -> (i32, i32) {
  %0 = arith.addi %arg0, %arg0 : i32
  %1 = arith.addi %arg0, %arg0 : i32
  return %0, %1 : i32, i32
}
func.func @g() {
  return
}
