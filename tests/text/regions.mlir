// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file | FileCheck %s
// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file -o %t && tessera opt %t --allow-unregistered-dialect --split-input-file -o %t.again && cmp %t %t.again
// Blocks with arguments and successors, comments about predecessors, nested and empty regions.

"t.region"() ({
^bb0(%a: i32, %b: f32):
  "t.br"(%a)[^bb1] : (i32) -> ()
^bb1:
  "t.sw"(%a, %b)[^bb2, ^bb1, ^bb3, ^bb2] {x = 1} : (i32, f32) -> ()
^bb2:
  "t.ret"() : () -> ()
^bb3:
  "t.br"()[^bb2] : () -> ()
}, {
}, {
^bb0:
}) : () -> ()

// CHECK: module {
// CHECK-NEXT: "t.region"() ({
// CHECK-NEXT: ^bb0(%arg0: i32, %arg1: f32):
// CHECK-NEXT: "t.br"(%arg0)[^bb1] : (i32) -> ()
// CHECK-NEXT: ^bb1:  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT: "t.sw"(%arg0, %arg1)[^bb2, ^bb1, ^bb3, ^bb2] {x = 1 : i64} : (i32, f32) -> ()
// CHECK-NEXT: ^bb2:  // 3 preds: ^bb1, ^bb1, ^bb3
// CHECK-NEXT: "t.ret"() : () -> ()
// CHECK-NEXT: ^bb3:  // pred: ^bb1
// CHECK-NEXT: "t.br"()[^bb2] : () -> ()
// CHECK-NEXT: }, {
// CHECK-NEXT: }, {
// CHECK-NEXT: ^bb0:
// CHECK-NEXT: }) : () -> ()
// CHECK-NEXT: }

// GENERIC: "builtin.module"() ({
// GENERIC-NEXT: "t.region"() ({
// GENERIC-NEXT: ^bb0(%arg0: i32, %arg1: f32):
// GENERIC-NEXT: "t.br"(%arg0)[^bb1] : (i32) -> ()
// GENERIC-NEXT: ^bb1:  // 2 preds: ^bb0, ^bb1
// GENERIC-NEXT: "t.sw"(%arg0, %arg1)[^bb2, ^bb1, ^bb3, ^bb2] {x = 1 : i64} : (i32, f32) -> ()
// GENERIC-NEXT: ^bb2:  // 3 preds: ^bb1, ^bb1, ^bb3
// GENERIC-NEXT: "t.ret"() : () -> ()
// GENERIC-NEXT: ^bb3:  // pred: ^bb1
// GENERIC-NEXT: "t.br"()[^bb2] : () -> ()
// GENERIC-NEXT: }, {
// GENERIC-NEXT: }, {
// GENERIC-NEXT: ^bb0:
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: }) : () -> ()


// -----

func.func @cfg(%c: i1, %x: i32) -> i32 {
  "t.cond"(%c)[^a, ^b] : (i1) -> ()
^a:
  %y = "t.x"() : () -> i32
  "t.br"()[^c] : () -> ()
^b:
  "t.br"()[^c] : () -> ()
^c:
  return %x : i32
^dead:
  return %x : i32
}

// CHECK: module {
// CHECK-NEXT: func.func @cfg(%arg0: i1, %arg1: i32) -> i32 {
// CHECK-NEXT: "t.cond"(%arg0)[^bb1, ^bb2] : (i1) -> ()
// CHECK-NEXT: ^bb1:  // pred: ^bb0
// CHECK-NEXT: %0 = "t.x"() : () -> i32
// CHECK-NEXT: "t.br"()[^bb3] : () -> ()
// CHECK-NEXT: ^bb2:  // pred: ^bb0
// CHECK-NEXT: "t.br"()[^bb3] : () -> ()
// CHECK-NEXT: ^bb3:  // 2 preds: ^bb1, ^bb2
// CHECK-NEXT: return %arg1 : i32
// CHECK-NEXT: ^bb4:  // no predecessors
// CHECK-NEXT: return %arg1 : i32
// CHECK-NEXT: }
// CHECK-NEXT: }

// GENERIC: "builtin.module"() ({
// GENERIC-NEXT: "func.func"() <{function_type = (i1, i32) -> i32, sym_name = "cfg"}> ({
// GENERIC-NEXT: ^bb0(%arg0: i1, %arg1: i32):
// GENERIC-NEXT: "t.cond"(%arg0)[^bb1, ^bb2] : (i1) -> ()
// GENERIC-NEXT: ^bb1:  // pred: ^bb0
// GENERIC-NEXT: %0 = "t.x"() : () -> i32
// GENERIC-NEXT: "t.br"()[^bb3] : () -> ()
// GENERIC-NEXT: ^bb2:  // pred: ^bb0
// GENERIC-NEXT: "t.br"()[^bb3] : () -> ()
// GENERIC-NEXT: ^bb3:  // 2 preds: ^bb1, ^bb2
// GENERIC-NEXT: "func.return"(%arg1) : (i32) -> ()
// GENERIC-NEXT: ^bb4:  // no predecessors
// GENERIC-NEXT: "func.return"(%arg1) : (i32) -> ()
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: }) : () -> ()


// -----

func.func @f() {
  "t.x"() ({
    "t.br"()[^a] : () -> ()
  ^a:
    "t.br"()[^b] : () -> ()
  ^b:
    "t.y"() ({
      "t.br"()[^a] : () -> ()
    ^a:
      "t.br"()[^a] : () -> ()
    }) : () -> ()
    "t.br"()[^a] : () -> ()
  }) : () -> ()
  return
}

// CHECK: module {
// CHECK-NEXT: func.func @f() {
// CHECK-NEXT: "t.x"() ({
// CHECK-NEXT: "t.br"()[^bb1] : () -> ()
// CHECK-NEXT: ^bb1:  // 2 preds: ^bb0, ^bb2
// CHECK-NEXT: "t.br"()[^bb2] : () -> ()
// CHECK-NEXT: ^bb2:  // pred: ^bb1
// CHECK-NEXT: "t.y"() ({
// CHECK-NEXT: "t.br"()[^bb1] : () -> ()
// CHECK-NEXT: ^bb1:  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT: "t.br"()[^bb1] : () -> ()
// CHECK-NEXT: }) : () -> ()
// CHECK-NEXT: "t.br"()[^bb1] : () -> ()
// CHECK-NEXT: }) : () -> ()
// CHECK-NEXT: return
// CHECK-NEXT: }
// CHECK-NEXT: }

// GENERIC: "builtin.module"() ({
// GENERIC-NEXT: "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
// GENERIC-NEXT: "t.x"() ({
// GENERIC-NEXT: "t.br"()[^bb1] : () -> ()
// GENERIC-NEXT: ^bb1:  // 2 preds: ^bb0, ^bb2
// GENERIC-NEXT: "t.br"()[^bb2] : () -> ()
// GENERIC-NEXT: ^bb2:  // pred: ^bb1
// GENERIC-NEXT: "t.y"() ({
// GENERIC-NEXT: "t.br"()[^bb1] : () -> ()
// GENERIC-NEXT: ^bb1:  // 2 preds: ^bb0, ^bb1
// GENERIC-NEXT: "t.br"()[^bb1] : () -> ()
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: "t.br"()[^bb1] : () -> ()
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: "func.return"() : () -> ()
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: }) : () -> ()


// -----

"t.op"() ({}) : () -> ()
"t.op"() ({^bb0:}) : () -> ()
"t.op"() ({^x(%a: i32): "t.y"(%a) : (i32) -> ()}) : () -> ()
"t.op"() ({ "t.z"() : () -> () }, {}) : () -> ()

// CHECK: module {
// CHECK-NEXT: "t.op"() ({
// CHECK-NEXT: }) : () -> ()
// CHECK-NEXT: "t.op"() ({
// CHECK-NEXT: ^bb0:
// CHECK-NEXT: }) : () -> ()
// CHECK-NEXT: "t.op"() ({
// CHECK-NEXT: ^bb0(%arg0: i32):
// CHECK-NEXT: "t.y"(%arg0) : (i32) -> ()
// CHECK-NEXT: }) : () -> ()
// CHECK-NEXT: "t.op"() ({
// CHECK-NEXT: "t.z"() : () -> ()
// CHECK-NEXT: }, {
// CHECK-NEXT: }) : () -> ()
// CHECK-NEXT: }

// GENERIC: "builtin.module"() ({
// GENERIC-NEXT: "t.op"() ({
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: "t.op"() ({
// GENERIC-NEXT: ^bb0:
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: "t.op"() ({
// GENERIC-NEXT: ^bb0(%arg0: i32):
// GENERIC-NEXT: "t.y"(%arg0) : (i32) -> ()
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: "t.op"() ({
// GENERIC-NEXT: "t.z"() : () -> ()
// GENERIC-NEXT: }, {
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: }) : () -> ()


// -----

"t.op"() ({
^-a(%a: i32):
  "t.y"()[^.b, ^$c, ^0] : () -> ()
^.b:
  "t.y"() : () -> ()
^$c:
  "t.y"() : () -> ()
^0:
  "t.y"() : () -> ()
}) : () -> ()

// CHECK: module {
// CHECK-NEXT: "t.op"() ({
// CHECK-NEXT: ^bb0(%arg0: i32):
// CHECK-NEXT: "t.y"()[^bb1, ^bb2, ^bb3] : () -> ()
// CHECK-NEXT: ^bb1:  // pred: ^bb0
// CHECK-NEXT: "t.y"() : () -> ()
// CHECK-NEXT: ^bb2:  // pred: ^bb0
// CHECK-NEXT: "t.y"() : () -> ()
// CHECK-NEXT: ^bb3:  // pred: ^bb0
// CHECK-NEXT: "t.y"() : () -> ()
// CHECK-NEXT: }) : () -> ()
// CHECK-NEXT: }

// GENERIC: "builtin.module"() ({
// GENERIC-NEXT: "t.op"() ({
// GENERIC-NEXT: ^bb0(%arg0: i32):
// GENERIC-NEXT: "t.y"()[^bb1, ^bb2, ^bb3] : () -> ()
// GENERIC-NEXT: ^bb1:  // pred: ^bb0
// GENERIC-NEXT: "t.y"() : () -> ()
// GENERIC-NEXT: ^bb2:  // pred: ^bb0
// GENERIC-NEXT: "t.y"() : () -> ()
// GENERIC-NEXT: ^bb3:  // pred: ^bb0
// GENERIC-NEXT: "t.y"() : () -> ()
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: }) : () -> ()
