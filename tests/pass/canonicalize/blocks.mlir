// Regions with several blocks: what cannot be reached goes, unused arguments go; equal blocks become one when asked for.
// RUN: tessera opt %s --canonicalize --allow-unregistered-dialect | FileCheck %s --check-prefixes=CHECK,NORMAL
// RUN: tessera opt %s --canonicalize='region-simplify=aggressive' --allow-unregistered-dialect | FileCheck %s --check-prefixes=CHECK,MERGED
// RUN: tessera opt %s --canonicalize='region-simplify=disabled' --allow-unregistered-dialect | FileCheck %s --check-prefix=OFF

// CHECK-LABEL: func.func @f(
// NORMAL-NEXT:   "foo.cond"(%arg1, %arg0, %arg0)[^bb1, ^bb2]
// NORMAL-NEXT: ^bb1:  // pred: ^bb0
// NORMAL-NEXT:   "foo.br"()[^bb3]
// NORMAL-NEXT: ^bb2:  // pred: ^bb0
// NORMAL-NEXT:   "foo.br"()[^bb3]
// NORMAL-NEXT: ^bb3:  // 2 preds: ^bb1, ^bb2
// NORMAL-NEXT:   return %arg0
// MERGED-NEXT:   "foo.cond"(%arg1, %arg0, %arg0)[^bb1, ^bb1]
// MERGED-NEXT: ^bb1:  // 2 preds: ^bb0, ^bb0
// MERGED-NEXT:   "foo.br"()[^bb2]
// MERGED-NEXT: ^bb2:  // pred: ^bb1
// MERGED-NEXT:   return %arg0
// CHECK-NEXT:  }
// OFF-LABEL: func.func @f(
// OFF: ^bb1(%{{.*}}: i32):
// OFF: ^bb5(%{{.*}}: i32):
func.func @f(%a: i32, %c: i1) -> i32 {
  "foo.cond"(%c, %a, %a)[^bb1, ^bb2] : (i1, i32, i32) -> ()
^bb1(%x: i32):
  "foo.br"()[^bb3] : () -> ()
^bb2(%y: i32):
  "foo.br"()[^bb3] : () -> ()
^bb3:
  return %a : i32
^bb4:
  %0 = arith.addi %1, %a : i32
  "foo.br"(%0)[^bb5] : (i32) -> ()
^bb5(%z: i32):
  %1 = arith.addi %z, %z : i32
  "foo.br"()[^bb4] : () -> ()
}

// Arguments that are only handed on, round a loop and through ops, go with these ops.
// CHECK-LABEL: func.func @handed_on(
// CHECK-NEXT:   cf.br ^bb1(%arg1 : i32)
// CHECK-NEXT: ^bb1(%[[Y:.*]]: i32):  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT:   cf.cond_br %arg0, ^bb1(%[[Y]] : i32), ^bb2(%[[Y]] : i32)
// CHECK-NEXT: ^bb2(%[[R:.*]]: i32):  // pred: ^bb1
// CHECK-NEXT:   return %[[R]] : i32
// CHECK-NEXT: }
// OFF-LABEL: func.func @handed_on(
// OFF: arith.addi
func.func @handed_on(%p: i1, %a: i32) -> i32 {
  cf.br ^loop(%a, %a : i32, i32)
^loop(%x: i32, %y: i32):
  %z = arith.addi %x, %a : i32
  cf.cond_br %p, ^loop(%z, %y : i32, i32), ^end(%z, %y : i32, i32)
^end(%s: i32, %r: i32):
  return %r : i32
}
