// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file | FileCheck %s
// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file -o %t && tessera opt %t --allow-unregistered-dialect --split-input-file -o %t.again && cmp %t %t.again
// Names of values: numbers, arguments, groups of results, forward references; siblings start alike, but not in generic form.

func.func @f(%a: i32, %b: i32) -> (i32, i32) {
  %0:2 = "t.two"(%a, %b) : (i32, i32) -> (i32, i32)
  %x = "t.one"(%0#1) : (i32) -> i32
  return %0#0, %x : i32, i32
}

// CHECK: module {
// CHECK-NEXT: func.func @f(%arg0: i32, %arg1: i32) -> (i32, i32) {
// CHECK-NEXT: %0:2 = "t.two"(%arg0, %arg1) : (i32, i32) -> (i32, i32)
// CHECK-NEXT: %1 = "t.one"(%0#1) : (i32) -> i32
// CHECK-NEXT: return %0#0, %1 : i32, i32
// CHECK-NEXT: }
// CHECK-NEXT: }

// GENERIC: "builtin.module"() ({
// GENERIC-NEXT: "func.func"() <{function_type = (i32, i32) -> (i32, i32), sym_name = "f"}> ({
// GENERIC-NEXT: ^bb0(%arg0: i32, %arg1: i32):
// GENERIC-NEXT: %0:2 = "t.two"(%arg0, %arg1) : (i32, i32) -> (i32, i32)
// GENERIC-NEXT: %1 = "t.one"(%0#1) : (i32) -> i32
// GENERIC-NEXT: "func.return"(%0#0, %1) : (i32, i32) -> ()
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: }) : () -> ()


// -----

%a, %b:2, %c = "t.x"() : () -> (i32, i32, i32, i32)
"t.y"(%a, %b#0, %b#1, %c) : (i32, i32, i32, i32) -> ()

// CHECK: module {
// CHECK-NEXT: %0:4 = "t.x"() : () -> (i32, i32, i32, i32)
// CHECK-NEXT: "t.y"(%0#0, %0#1, %0#2, %0#3) : (i32, i32, i32, i32) -> ()
// CHECK-NEXT: }

// GENERIC: "builtin.module"() ({
// GENERIC-NEXT: %0:4 = "t.x"() : () -> (i32, i32, i32, i32)
// GENERIC-NEXT: "t.y"(%0#0, %0#1, %0#2, %0#3) : (i32, i32, i32, i32) -> ()
// GENERIC-NEXT: }) : () -> ()


// -----

"t.graph"() ({
  "t.use"(%x#1, %later) : (i32, f32) -> ()
  %x:2 = "t.def"() : () -> (f32, i32)
  %later = "t.def"() : () -> f32
}) : () -> ()

// CHECK: module {
// CHECK-NEXT: "t.graph"() ({
// CHECK-NEXT: "t.use"(%0#1, %1) : (i32, f32) -> ()
// CHECK-NEXT: %0:2 = "t.def"() : () -> (f32, i32)
// CHECK-NEXT: %1 = "t.def"() : () -> f32
// CHECK-NEXT: }) : () -> ()
// CHECK-NEXT: }

// GENERIC: "builtin.module"() ({
// GENERIC-NEXT: "t.graph"() ({
// GENERIC-NEXT: "t.use"(%0#1, %1) : (i32, f32) -> ()
// GENERIC-NEXT: %0:2 = "t.def"() : () -> (f32, i32)
// GENERIC-NEXT: %1 = "t.def"() : () -> f32
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: }) : () -> ()


// -----

func.func @f() {
  %0 = "t.op"() ({
    %1 = "t.inner"() : () -> i32
    %2 = "t.inner"() ({
      %3 = "t.inner"() : () -> i32
    }) : () -> i32
  }) : () -> i32
  %4 = "t.op"() ({
    %1 = "t.inner"() : () -> i32
    %5 = "t.inner"() ({
      %3 = "t.inner"() : () -> i32
    }, {
      %3 = "t.inner"() : () -> i32
    }) : () -> i32
  }) : () -> i32
  return
}
func.func @g() {
  %0 = "t.op"() : () -> i32
  return
}

// CHECK: module {
// CHECK-NEXT: func.func @f() {
// CHECK-NEXT: %0 = "t.op"() ({
// CHECK-NEXT: %2 = "t.inner"() : () -> i32
// CHECK-NEXT: %3 = "t.inner"() ({
// CHECK-NEXT: %4 = "t.inner"() : () -> i32
// CHECK-NEXT: }) : () -> i32
// CHECK-NEXT: }) : () -> i32
// CHECK-NEXT: %1 = "t.op"() ({
// CHECK-NEXT: %2 = "t.inner"() : () -> i32
// CHECK-NEXT: %3 = "t.inner"() ({
// CHECK-NEXT: %4 = "t.inner"() : () -> i32
// CHECK-NEXT: }, {
// CHECK-NEXT: %4 = "t.inner"() : () -> i32
// CHECK-NEXT: }) : () -> i32
// CHECK-NEXT: }) : () -> i32
// CHECK-NEXT: return
// CHECK-NEXT: }
// CHECK-NEXT: func.func @g() {
// CHECK-NEXT: %0 = "t.op"() : () -> i32
// CHECK-NEXT: return
// CHECK-NEXT: }
// CHECK-NEXT: }

// GENERIC: "builtin.module"() ({
// GENERIC-NEXT: "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
// GENERIC-NEXT: %1 = "t.op"() ({
// GENERIC-NEXT: %7 = "t.inner"() : () -> i32
// GENERIC-NEXT: %8 = "t.inner"() ({
// GENERIC-NEXT: %9 = "t.inner"() : () -> i32
// GENERIC-NEXT: }) : () -> i32
// GENERIC-NEXT: }) : () -> i32
// GENERIC-NEXT: %2 = "t.op"() ({
// GENERIC-NEXT: %3 = "t.inner"() : () -> i32
// GENERIC-NEXT: %4 = "t.inner"() ({
// GENERIC-NEXT: %6 = "t.inner"() : () -> i32
// GENERIC-NEXT: }, {
// GENERIC-NEXT: %5 = "t.inner"() : () -> i32
// GENERIC-NEXT: }) : () -> i32
// GENERIC-NEXT: }) : () -> i32
// GENERIC-NEXT: "func.return"() : () -> ()
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: "func.func"() <{function_type = () -> (), sym_name = "g"}> ({
// GENERIC-NEXT: %0 = "t.op"() : () -> i32
// GENERIC-NEXT: "func.return"() : () -> ()
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: }) : () -> ()


// -----

func.func @f(%arg0: i32) {
  "t.op"() ({
  ^bb0(%arg1: i32, %x: i32):
    "t.op"() ({
    ^bb0(%arg2: i32):
      "t.use"(%arg0, %arg1, %x, %arg2) : (i32, i32, i32, i32) -> ()
    }, {
    ^bb0(%arg2: i32):
      "t.use"(%arg2) : (i32) -> ()
    }) : () -> ()
  }) : () -> ()
  return
}

// CHECK: module {
// CHECK-NEXT: func.func @f(%arg0: i32) {
// CHECK-NEXT: "t.op"() ({
// CHECK-NEXT: ^bb0(%arg1: i32, %arg2: i32):
// CHECK-NEXT: "t.op"() ({
// CHECK-NEXT: ^bb0(%arg3: i32):
// CHECK-NEXT: "t.use"(%arg0, %arg1, %arg2, %arg3) : (i32, i32, i32, i32) -> ()
// CHECK-NEXT: }, {
// CHECK-NEXT: ^bb0(%arg3: i32):
// CHECK-NEXT: "t.use"(%arg3) : (i32) -> ()
// CHECK-NEXT: }) : () -> ()
// CHECK-NEXT: }) : () -> ()
// CHECK-NEXT: return
// CHECK-NEXT: }
// CHECK-NEXT: }

// GENERIC: "builtin.module"() ({
// GENERIC-NEXT: "func.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
// GENERIC-NEXT: ^bb0(%arg0: i32):
// GENERIC-NEXT: "t.op"() ({
// GENERIC-NEXT: ^bb0(%arg1: i32, %arg2: i32):
// GENERIC-NEXT: "t.op"() ({
// GENERIC-NEXT: ^bb0(%arg4: i32):
// GENERIC-NEXT: "t.use"(%arg0, %arg1, %arg2, %arg4) : (i32, i32, i32, i32) -> ()
// GENERIC-NEXT: }, {
// GENERIC-NEXT: ^bb0(%arg3: i32):
// GENERIC-NEXT: "t.use"(%arg3) : (i32) -> ()
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: "func.return"() : () -> ()
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: }) : () -> ()


// -----

func.func @constants() {
  %0 = arith.constant 1 : i32
  %1 = arith.constant 1 : i32
  %2 = arith.constant true
  %3 = arith.constant 1.5 : f32
  %4 = arith.constant 3 : index
  %5 = arith.constant dense<1> : tensor<4xi32>
  "t.x"() ({
    %c2 = arith.constant 1 : index
    %c3 = arith.constant 1 : index
  }, {
    %c2 = arith.constant 1 : index
  }) : () -> ()
  %c2 = arith.constant 1 : index
  return
}

// CHECK: module {
// CHECK-NEXT: func.func @constants() {
// CHECK-NEXT: %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT: %c1_i32_0 = arith.constant 1 : i32
// CHECK-NEXT: %true = arith.constant true
// CHECK-NEXT: %cst = arith.constant 1.500000e+00 : f32
// CHECK-NEXT: %c3 = arith.constant 3 : index
// CHECK-NEXT: %cst_1 = arith.constant dense<1> : tensor<4xi32>
// CHECK-NEXT: "t.x"() ({
// CHECK-NEXT: %c1_2 = arith.constant 1 : index
// CHECK-NEXT: %c1_3 = arith.constant 1 : index
// CHECK-NEXT: }, {
// CHECK-NEXT: %c1_2 = arith.constant 1 : index
// CHECK-NEXT: }) : () -> ()
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: return
// CHECK-NEXT: }
// CHECK-NEXT: }

// GENERIC: "builtin.module"() ({
// GENERIC-NEXT: "func.func"() <{function_type = () -> (), sym_name = "constants"}> ({
// GENERIC-NEXT: %0 = "arith.constant"() <{value = 1 : i32}> : () -> i32
// GENERIC-NEXT: %1 = "arith.constant"() <{value = 1 : i32}> : () -> i32
// GENERIC-NEXT: %2 = "arith.constant"() <{value = true}> : () -> i1
// GENERIC-NEXT: %3 = "arith.constant"() <{value = 1.500000e+00 : f32}> : () -> f32
// GENERIC-NEXT: %4 = "arith.constant"() <{value = 3 : index}> : () -> index
// GENERIC-NEXT: %5 = "arith.constant"() <{value = dense<1> : tensor<4xi32>}> : () -> tensor<4xi32>
// GENERIC-NEXT: "t.x"() ({
// GENERIC-NEXT: %8 = "arith.constant"() <{value = 1 : index}> : () -> index
// GENERIC-NEXT: %9 = "arith.constant"() <{value = 1 : index}> : () -> index
// GENERIC-NEXT: }, {
// GENERIC-NEXT: %7 = "arith.constant"() <{value = 1 : index}> : () -> index
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: %6 = "arith.constant"() <{value = 1 : index}> : () -> index
// GENERIC-NEXT: "func.return"() : () -> ()
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: }) : () -> ()


// -----

func.func @spellings(%arg1: i32, %arg0: f32) {
  %a-b = "t.x"() : () -> i32
  %a.b = "t.x"() : () -> i32
  %a$b = "t.x"() : () -> i32
  %_ = "t.x"() : () -> i32
  %-x = "t.x"() : () -> i32
  %42 = "t.x"() : () -> i32
  "t.y"(%a-b, %a.b, %a$b, %_, %-x, %42) : (i32, i32, i32, i32, i32, i32) -> ()
  return
}

// CHECK: module {
// CHECK-NEXT: func.func @spellings(%arg0: i32, %arg1: f32) {
// CHECK-NEXT: %0 = "t.x"() : () -> i32
// CHECK-NEXT: %1 = "t.x"() : () -> i32
// CHECK-NEXT: %2 = "t.x"() : () -> i32
// CHECK-NEXT: %3 = "t.x"() : () -> i32
// CHECK-NEXT: %4 = "t.x"() : () -> i32
// CHECK-NEXT: %5 = "t.x"() : () -> i32
// CHECK-NEXT: "t.y"(%0, %1, %2, %3, %4, %5) : (i32, i32, i32, i32, i32, i32) -> ()
// CHECK-NEXT: return
// CHECK-NEXT: }
// CHECK-NEXT: }

// GENERIC: "builtin.module"() ({
// GENERIC-NEXT: "func.func"() <{function_type = (i32, f32) -> (), sym_name = "spellings"}> ({
// GENERIC-NEXT: ^bb0(%arg0: i32, %arg1: f32):
// GENERIC-NEXT: %0 = "t.x"() : () -> i32
// GENERIC-NEXT: %1 = "t.x"() : () -> i32
// GENERIC-NEXT: %2 = "t.x"() : () -> i32
// GENERIC-NEXT: %3 = "t.x"() : () -> i32
// GENERIC-NEXT: %4 = "t.x"() : () -> i32
// GENERIC-NEXT: %5 = "t.x"() : () -> i32
// GENERIC-NEXT: "t.y"(%0, %1, %2, %3, %4, %5) : (i32, i32, i32, i32, i32, i32) -> ()
// GENERIC-NEXT: "func.return"() : () -> ()
// GENERIC-NEXT: }) : () -> ()
// GENERIC-NEXT: }) : () -> ()
