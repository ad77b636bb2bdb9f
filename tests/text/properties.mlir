// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file | FileCheck %s
// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file -o %t && tessera opt %t --allow-unregistered-dialect --split-input-file -o %t.again && cmp %t %t.again
// Properties as <{...}> and in the trailing dictionary. Unregistered ops keep both apart.

"t.op"() <{a = 1 : i32, b}> {c = 2 : i32} : () -> ()
"t.op"() <"text"> : () -> ()
"t.op"() <{}> : () -> ()
"t.op"() {a = 1 : i32} : () -> ()
"t.op"() {} : () -> ()

// CHECK: module {
// CHECK-NEXT: "t.op"() <{a = 1 : i32, b}> {c = 2 : i32} : () -> ()
// CHECK-NEXT: "t.op"() <"text"> : () -> ()
// CHECK-NEXT: "t.op"() <{}> : () -> ()
// CHECK-NEXT: "t.op"() {a = 1 : i32} : () -> ()
// CHECK-NEXT: "t.op"() : () -> ()
// CHECK-NEXT: }

// GENERIC: "builtin.module"() ({
// GENERIC-NEXT: "t.op"() <{a = 1 : i32, b}> {c = 2 : i32} : () -> ()
// GENERIC-NEXT: "t.op"() <"text"> : () -> ()
// GENERIC-NEXT: "t.op"() <{}> : () -> ()
// GENERIC-NEXT: "t.op"() {a = 1 : i32} : () -> ()
// GENERIC-NEXT: "t.op"() : () -> ()
// GENERIC-NEXT: }) : () -> ()


// -----

"func.func"() ({
^bb0(%arg0: i32):
  "func.return"(%arg0) : (i32) -> ()
}) {function_type = (i32) -> i32, sym_name = "f", sym_visibility = "private", x.y = 1 : i32} : () -> ()
"func.func"() <{function_type = (i32) -> i32, sym_name = "g", sym_visibility = "private"}> ({}) {x.y} : () -> ()
%0 = "arith.constant"() {value = 1 : i32, x.y} : () -> i32
%1 = "arith.constant"() <{value = 1 : i32}> {x.y} : () -> i32

// CHECK: module {
// CHECK-NEXT: func.func private @f(%arg0: i32) -> i32 attributes {x.y = 1 : i32} {
// CHECK-NEXT: return %arg0 : i32
// CHECK-NEXT: }
// CHECK-NEXT: func.func private @g(i32) -> i32 attributes {x.y}
// CHECK-NEXT: %c1_i32 = arith.constant {x.y} 1 : i32
// CHECK-NEXT: %c1_i32_0 = arith.constant {x.y} 1 : i32
// CHECK-NEXT: }

// GENERIC: "builtin.module"() ({
// GENERIC-NEXT: "func.func"() <{function_type = (i32) -> i32, sym_name = "f", sym_visibility = "private"}> ({
// GENERIC-NEXT: ^bb0(%arg0: i32):
// GENERIC-NEXT: "func.return"(%arg0) : (i32) -> ()
// GENERIC-NEXT: }) {x.y = 1 : i32} : () -> ()
// GENERIC-NEXT: "func.func"() <{function_type = (i32) -> i32, sym_name = "g", sym_visibility = "private"}> ({
// GENERIC-NEXT: }) {x.y} : () -> ()
// GENERIC-NEXT: %0 = "arith.constant"() <{value = 1 : i32}> {x.y} : () -> i32
// GENERIC-NEXT: %1 = "arith.constant"() <{value = 1 : i32}> {x.y} : () -> i32
// GENERIC-NEXT: }) : () -> ()
