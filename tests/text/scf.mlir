// RUN: tessera opt %s --allow-unregistered-dialect | FileCheck %s
// RUN: tessera opt %s --allow-unregistered-dialect -o %t && tessera opt %t --allow-unregistered-dialect -o %t.again && cmp %t %t.again
// Structured control flow; yields of nothing are not printed.

func.func @f(%p: i1, %lo: index, %hi: index, %st: index, %x: f32, %i: i32, %y: f32) -> f32 {
  scf.if %p {
    "test.a"() : () -> () %zz = arith.constant 1 : i32
  }
  scf.if %p {
    "test.a"() : () -> () %zz = arith.constant 1 : i32
    scf.yield
  } else {
    "test.a"() : () -> () %zz = arith.constant 1 : i32
  } {foo}
  %r:2 = scf.if %p -> (f32, i32) {
    scf.yield %x, %i : f32, i32
  } else {
    scf.yield %y, %i : f32, i32
  }
  scf.for %k = %lo to %hi step %st {
    "test.a"() : () -> () %zz = arith.constant 1 : i32
  }
  %q = scf.for %k = %lo to %hi step %st iter_args(%acc = %x) -> (f32) {
    scf.yield %acc : f32
  } {foo = 1}
  %q2:2 = scf.for %k = %i to %i step %i iter_args(%acc = %x, %b = %y) -> (f32, f32) : i32 {
    scf.yield %acc, %b : f32, f32
  }
  %w:2 = scf.while (%a = %x, %b = %i) : (f32, i32) -> (f32, i32) {
    scf.condition(%p) %a, %b : f32, i32
  } do {
  ^bb0(%c: f32, %d: i32):
    scf.yield %c, %d : f32, i32
  }
  scf.while : () -> () {
    scf.condition(%p)
  } do {
    scf.yield
  } 
  %w2 = scf.while (%a = %x) : (f32) -> i32 {
    scf.condition(%p) %i : i32
  } do {
  ^bb0(%c: i32):
    scf.yield %x : f32
  } attributes {foo}
  %pp = ub.poison : f32
  %pq = ub.poison : tensor<2xi32>
  return %x : f32
}

// CHECK: module {
// CHECK-NEXT: func.func @f(%arg0: i1, %arg1: index, %arg2: index, %arg3: index, %arg4: f32, %arg5: i32, %arg6: f32) -> f32 {
// CHECK-NEXT: scf.if %arg0 {
// CHECK-NEXT: "test.a"() : () -> ()
// CHECK-NEXT: %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT: }
// CHECK-NEXT: scf.if %arg0 {
// CHECK-NEXT: "test.a"() : () -> ()
// CHECK-NEXT: %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT: } else {
// CHECK-NEXT: "test.a"() : () -> ()
// CHECK-NEXT: %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT: } {foo}
// CHECK-NEXT: %0:2 = scf.if %arg0 -> (f32, i32) {
// CHECK-NEXT: scf.yield %arg4, %arg5 : f32, i32
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %arg6, %arg5 : f32, i32
// CHECK-NEXT: }
// CHECK-NEXT: scf.for %arg7 = %arg1 to %arg2 step %arg3 {
// CHECK-NEXT: "test.a"() : () -> ()
// CHECK-NEXT: %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT: }
// CHECK-NEXT: %1 = scf.for %arg7 = %arg1 to %arg2 step %arg3 iter_args(%arg8 = %arg4) -> (f32) {
// CHECK-NEXT: scf.yield %arg8 : f32
// CHECK-NEXT: } {foo = 1 : i64}
// CHECK-NEXT: %2:2 = scf.for %arg7 = %arg5 to %arg5 step %arg5 iter_args(%arg8 = %arg4, %arg9 = %arg6) -> (f32, f32)  : i32 {
// CHECK-NEXT: scf.yield %arg8, %arg9 : f32, f32
// CHECK-NEXT: }
// CHECK-NEXT: %3:2 = scf.while (%arg7 = %arg4, %arg8 = %arg5) : (f32, i32) -> (f32, i32) {
// CHECK-NEXT: scf.condition(%arg0) %arg7, %arg8 : f32, i32
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%arg7: f32, %arg8: i32):
// CHECK-NEXT: scf.yield %arg7, %arg8 : f32, i32
// CHECK-NEXT: }
// CHECK-NEXT: scf.while : () -> () {
// CHECK-NEXT: scf.condition(%arg0)
// CHECK-NEXT: } do {
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: %4 = scf.while (%arg7 = %arg4) : (f32) -> i32 {
// CHECK-NEXT: scf.condition(%arg0) %arg5 : i32
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%arg7: i32):
// CHECK-NEXT: scf.yield %arg4 : f32
// CHECK-NEXT: } attributes {foo}
// CHECK-NEXT: %5 = ub.poison : f32
// CHECK-NEXT: %6 = ub.poison : tensor<2xi32>
// CHECK-NEXT: return %arg4 : f32
// CHECK-NEXT: }
// CHECK-NEXT: }
