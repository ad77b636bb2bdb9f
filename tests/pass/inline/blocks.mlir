// A body of several blocks: the caller's block is cut at the call.
// RUN: tessera opt %s --inline --allow-unregistered-dialect | FileCheck %s

func.func private @choose(%a: i32, %c: i1) -> i32 {
  cf.cond_br %c, ^bb1(%a : i32), ^bb2(%a : i32)
^bb1(%x: i32):
  %0 = arith.addi %x, %x : i32
  return %0 : i32
^bb2(%y: i32):
  %1 = arith.muli %y, %y : i32
  return %1 : i32
}

// CHECK-NOT: @choose
// CHECK-LABEL: func.func @caller(
// CHECK-NEXT:    cf.cond_br %arg1, ^bb1(%arg0 : i32), ^bb2(%arg0 : i32)
// CHECK-NEXT:  ^bb1(%[[X:.*]]: i32):
// CHECK-NEXT:    %[[A:.*]] = arith.addi %[[X]], %[[X]]
// CHECK-NEXT:    cf.br ^bb3(%[[A]] : i32)
// CHECK-NEXT:  ^bb2(%[[Y:.*]]: i32):
// CHECK-NEXT:    %[[M:.*]] = arith.muli %[[Y]], %[[Y]]
// CHECK-NEXT:    cf.br ^bb3(%[[M]] : i32)
// CHECK-NEXT:  ^bb3(%[[R:.*]]: i32):
// CHECK-NEXT:    %[[S:.*]] = arith.subi %[[R]], %arg0
// CHECK-NEXT:    return %[[S]]
func.func @caller(%a: i32, %c: i1) -> i32 {
  %0 = call @choose(%a, %c) : (i32, i1) -> i32
  %1 = arith.subi %0, %a : i32
  return %1 : i32
}
