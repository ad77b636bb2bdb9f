// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file | FileCheck %s
// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file -o %t && tessera opt %t --allow-unregistered-dialect --split-input-file -o %t.again && cmp %t %t.again
// Names without a dialect, as old files have them; and the short names inside of a module and a function.

func @f(%a: i32) -> i32 {
  %0 = call @f(%a) : (i32) -> i32
  return %0 : i32
}
func private @g()

// CHECK: module {
// CHECK-NEXT: func.func @f(%arg0: i32) -> i32 {
// CHECK-NEXT: %0 = call @f(%arg0) : (i32) -> i32
// CHECK-NEXT: return %0 : i32
// CHECK-NEXT: }
// CHECK-NEXT: func.func private @g()
// CHECK-NEXT: }

// GENERIC: "builtin.module"() ({
// GENERIC-NEXT: "func.func"() <{function_type = (i32) -> i32, sym_name = "f"}> ({
// GENERIC-NEXT: ^bb0(%arg0: i32):
// GENERIC-NEXT: %0 = "func.call"(%arg0) <{callee = @f}> : (i32) -> i32
// GENERIC-NEXT: "func.return"(%0) : (i32) -> ()
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: "func.func"() <{function_type = () -> (), sym_name = "g", sym_visibility = "private"}> ({
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: }) : () -> ()


// -----

builtin.module {
  func.func @f(%a: i32) -> i32 {
    %0 = func.call @f(%a) : (i32) -> i32
    "t.inner"() ({
      builtin.module {
        func.func @g() {
          func.return
        }
        module {
        }
      }
      %1 = call @f(%0) : (i32) -> i32
    }) : () -> ()
    func.return %0 : i32
  }
}

// CHECK: module {
// CHECK-NEXT: func.func @f(%arg0: i32) -> i32 {
// CHECK-NEXT: %0 = call @f(%arg0) : (i32) -> i32
// CHECK-NEXT: "t.inner"() ({
// CHECK-NEXT: builtin.module {
// CHECK-NEXT: func.func @g() {
// CHECK-NEXT: return
// CHECK-NEXT: }
// CHECK-NEXT: module {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: %1 = func.call @f(%0) : (i32) -> i32
// CHECK-NEXT: }) : () -> ()
// CHECK-NEXT: return %0 : i32
// CHECK-NEXT: }
// CHECK-NEXT: }

// GENERIC: "builtin.module"() ({
// GENERIC-NEXT: "func.func"() <{function_type = (i32) -> i32, sym_name = "f"}> ({
// GENERIC-NEXT: ^bb0(%arg0: i32):
// GENERIC-NEXT: %0 = "func.call"(%arg0) <{callee = @f}> : (i32) -> i32
// GENERIC-NEXT: "t.inner"() ({
// GENERIC-NEXT: "builtin.module"() ({
// GENERIC-NEXT: "func.func"() <{function_type = () -> (), sym_name = "g"}> ({
// GENERIC-NEXT: "func.return"() : () -> ()
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: "builtin.module"() ({
// GENERIC-NEXT: ^bb0:
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: %1 = "func.call"(%0) <{callee = @f}> : (i32) -> i32
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: "func.return"(%0) : (i32) -> ()
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: }) : () -> ()
