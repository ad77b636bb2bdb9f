// RUN: tessera opt %s --print-op-stats -o /dev/null 2>&1 | FileCheck %s
// RUN: tessera opt %s --print-op-stats=json=true -o /dev/null 2>&1 | FileCheck %s --check-prefix=JSON

// CHECK: Operations encountered:
// CHECK-NEXT: -----------------------
// CHECK-NEXT:     arith.addi   , 2
// CHECK-NEXT:   builtin.module , 1
// CHECK-NEXT:      func.func   , 1
// CHECK-NEXT:      func.return , 1

// JSON: {
// JSON-NEXT: "arith.addi" : 2,
// JSON-NEXT: "builtin.module" : 1,
// JSON-NEXT: "func.func" : 1,
// JSON-NEXT: "func.return" : 1
// JSON-NEXT: }
func.func @f(%arg0: i32) -> i32 {
  %0 = arith.addi %arg0, %arg0 : i32
  %1 = arith.addi %0, %arg0 : i32
  return %1 : i32
}
