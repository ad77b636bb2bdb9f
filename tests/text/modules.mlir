// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file | FileCheck %s
// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file -o %t && tessera opt %t --allow-unregistered-dialect --split-input-file -o %t.again && cmp %t %t.again
// Modules: named, nested, with attributes, in generic form, made for what stands alone; comments and white space.

module {}

// CHECK: module {
// CHECK-NEXT: }

// GENERIC: "builtin.module"() ({
// GENERIC-NEXT: ^bb0:
// GENERIC-NEXT: }) : () -> ()


// -----

// nothing

// CHECK: module {
// CHECK-NEXT: }

// GENERIC: "builtin.module"() ({
// GENERIC-NEXT: ^bb0:
// GENERIC-NEXT: }) : () -> ()


// -----

module @foo {}

// CHECK: module @foo {
// CHECK-NEXT: }

// GENERIC: "builtin.module"() <{sym_name = "foo"}> ({
// GENERIC-NEXT: ^bb0:
// GENERIC-NEXT: }) : () -> ()


// -----

module @"a b" attributes {x.y = 1 : i32} {}

// CHECK: module @"a b" attributes {x.y = 1 : i32} {
// CHECK-NEXT: }

// GENERIC: "builtin.module"() <{sym_name = "a b"}> ({
// GENERIC-NEXT: ^bb0:
// GENERIC-NEXT: }) {x.y = 1 : i32} : () -> ()


// -----

module attributes {a.b} {
  module @inner {
    module {}
  }
}

// CHECK: module attributes {a.b} {
// CHECK-NEXT: module @inner {
// CHECK-NEXT: module {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

// GENERIC: "builtin.module"() ({
// GENERIC-NEXT: "builtin.module"() <{sym_name = "inner"}> ({
// GENERIC-NEXT: "builtin.module"() ({
// GENERIC-NEXT: ^bb0:
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: }) {a.b} : () -> ()


// -----

"t.op"() : () -> ()
"t"() : () -> ()
"t.a.b"() : () -> ()
"x y.z\0A"() : () -> ()

// CHECK: module {
// CHECK-NEXT: "t.op"() : () -> ()
// CHECK-NEXT: "t"() : () -> ()
// CHECK-NEXT: "t.a.b"() : () -> ()
// CHECK-NEXT: "x y.z\0A"() : () -> ()
// CHECK-NEXT: }

// GENERIC: "builtin.module"() ({
// GENERIC-NEXT: "t.op"() : () -> ()
// GENERIC-NEXT: "t"() : () -> ()
// GENERIC-NEXT: "t.a.b"() : () -> ()
// GENERIC-NEXT: "x y.z\0A"() : () -> ()
// GENERIC-NEXT: }) : () -> ()


// -----

"builtin.module"() ({
  "func.func"() <{function_type = (i32) -> i32, sym_name = "f"}> ({
  ^bb0(%arg0: i32):
    "func.return"(%arg0) : (i32) -> ()
  }) : () -> ()
}) {sym_name = "m", x.y} : () -> ()

// CHECK: module @m attributes {x.y} {
// CHECK-NEXT: func.func @f(%arg0: i32) -> i32 {
// CHECK-NEXT: return %arg0 : i32
// CHECK-NEXT: }
// CHECK-NEXT: }

// GENERIC: "builtin.module"() <{sym_name = "m"}> ({
// GENERIC-NEXT: "func.func"() <{function_type = (i32) -> i32, sym_name = "f"}> ({
// GENERIC-NEXT: ^bb0(%arg0: i32):
// GENERIC-NEXT: "func.return"(%arg0) : (i32) -> ()
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: }) {x.y} : () -> ()


// -----

module {
  // a comment
  "t.op"() // behind
    : () -> () // and here
		"t.tab"
(
)
:
(
)
->
(
)
}

// CHECK: module {
// CHECK-NEXT: "t.op"() : () -> ()
// CHECK-NEXT: "t.tab"() : () -> ()
// CHECK-NEXT: }

// GENERIC: "builtin.module"() ({
// GENERIC-NEXT: "t.op"() : () -> ()
// GENERIC-NEXT: "t.tab"() : () -> ()
// GENERIC-NEXT: }) : () -> ()
