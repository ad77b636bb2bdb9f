// RUN: tessera opt %s --cse --allow-unregistered-dialect | FileCheck %s
// RUN: tessera opt %s --pass-pipeline='builtin.module(func.func(cse))' --allow-unregistered-dialect | FileCheck %s

func.func private @effect(tensor<i32>)

// CHECK-LABEL: func.func @equal(
// CHECK-NEXT:    %[[S:.*]] = stablehlo.add %arg0, %arg1
// CHECK-NEXT:    %[[T:.*]] = stablehlo.add %arg1, %arg0
// CHECK-NEXT:    return %[[S]], %[[T]], %[[S]]
func.func @equal(%arg0: tensor<i32>, %arg1: tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>) {
  %0 = stablehlo.add %arg0, %arg1 : tensor<i32>
  %1 = stablehlo.add %arg1, %arg0 : tensor<i32>
  %2 = stablehlo.add %arg0, %arg1 : tensor<i32>
  return %0, %1, %2 : tensor<i32>, tensor<i32>, tensor<i32>
}

// Order does not count where passes may swap operands.
// CHECK-LABEL: func.func @swapped(
// CHECK-NEXT:    %[[S:.*]] = arith.addi %arg0, %arg1
// CHECK-NEXT:    %[[T:.*]] = arith.subi %arg1, %arg0
// CHECK-NEXT:    %[[U:.*]] = arith.subi %arg0, %arg1
// CHECK-NEXT:    return %[[S]], %[[S]], %[[T]], %[[U]]
func.func @swapped(%arg0: i32, %arg1: i32) -> (i32, i32, i32, i32) {
  %0 = arith.addi %arg0, %arg1 : i32
  %1 = arith.addi %arg1, %arg0 : i32
  %2 = arith.subi %arg1, %arg0 : i32
  %3 = arith.subi %arg0, %arg1 : i32
  return %0, %1, %2, %3 : i32, i32, i32, i32
}

// Attributes count, discardable ones, too; result types do as well.
// CHECK-LABEL: func.func @attributes(
// CHECK-COUNT-2: stablehlo.iota dim = 0
// CHECK: stablehlo.iota dim = 1
// CHECK-NOT: stablehlo.iota
// CHECK: return
func.func @attributes() -> (tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x2xi32>) {
  %0 = stablehlo.iota dim = 0 : tensor<2x2xi32>
  %1 = stablehlo.iota dim = 0 {a} : tensor<2x2xi32>
  %2 = stablehlo.iota dim = 1 : tensor<2x2xi32>
  %3 = stablehlo.iota dim = 0 : tensor<2x2xi32>
  return %0, %1, %2, %3 : tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x2xi32>
}

// An op of an outer region serves an inner one, not the other way round, nor a sibling.
// CHECK-LABEL: func.func @scopes(
// CHECK-NEXT:    %[[N:.*]] = stablehlo.negate %arg0
// CHECK-NEXT:    %{{.*}} = "stablehlo.case"(%arg0) ({
// CHECK-NEXT:      func.call @effect(%[[N]])
// CHECK-NEXT:      %[[A:.*]] = stablehlo.abs %arg0
// CHECK-NEXT:      stablehlo.return %[[A]]
// CHECK-NEXT:    }, {
// CHECK-NEXT:      %[[B:.*]] = stablehlo.abs %arg0
// CHECK-NEXT:      stablehlo.return %[[B]]
// CHECK-NEXT:    })
// CHECK-NEXT:    %[[C:.*]] = stablehlo.abs %arg0
// CHECK-NEXT:    return %{{.*}}, %[[C]], %[[N]]
func.func @scopes(%arg0: tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>) {
  %0 = stablehlo.negate %arg0 : tensor<i32>
  %1 = "stablehlo.case"(%arg0) ({
    %3 = stablehlo.negate %arg0 : tensor<i32>
    func.call @effect(%3) : (tensor<i32>) -> ()
    %4 = stablehlo.abs %arg0 : tensor<i32>
    stablehlo.return %4 : tensor<i32>
  }, {
    %4 = stablehlo.abs %arg0 : tensor<i32>
    stablehlo.return %4 : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  %2 = stablehlo.abs %arg0 : tensor<i32>
  return %1, %2, %0 : tensor<i32>, tensor<i32>, tensor<i32>
}

// Ops with regions are compared with what is inside.
// CHECK-LABEL: func.func @bodies(
// CHECK-NEXT:    stablehlo.constant
// CHECK-NEXT:    %[[A:.*]] = stablehlo.reduce({{.*}}) applies stablehlo.add
// CHECK-NEXT:    %[[B:.*]] = stablehlo.reduce({{.*}}) applies stablehlo.maximum
// CHECK-NEXT:    return %[[A]], %[[B]], %[[A]]
func.func @bodies(%arg0: tensor<4xi32>) -> (tensor<i32>, tensor<i32>, tensor<i32>) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
  %1 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.maximum across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
  %2 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
  return %0, %1, %2 : tensor<i32>, tensor<i32>, tensor<i32>
}

// Ops with effects stay; of a chain of dead ops the last one goes.
// CHECK-LABEL: func.func @effects(
// CHECK-NEXT:    call @effect
// CHECK-NEXT:    call @effect
// CHECK-NEXT:    "foo.a"
// CHECK-NEXT:    "foo.a"
// CHECK-NEXT:    stablehlo.negate
// CHECK-NEXT:    return
func.func @effects(%arg0: tensor<i32>) {
  func.call @effect(%arg0) : (tensor<i32>) -> ()
  func.call @effect(%arg0) : (tensor<i32>) -> ()
  "foo.a"() : () -> ()
  "foo.a"() : () -> ()
  %0 = stablehlo.negate %arg0 : tensor<i32>
  %1 = stablehlo.abs %0 : tensor<i32>
  return
}

// A block serves those that it dominates.
// CHECK-LABEL: func.func @blocks(
// CHECK-NEXT:    %[[A:.*]] = arith.addi %arg0, %arg0
// CHECK-NEXT:    "foo.cond"(%arg1)[^bb1, ^bb2]
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    %[[B:.*]] = arith.muli %[[A]], %[[A]]
// CHECK-NEXT:    "foo.use"(%[[B]])
// CHECK-NEXT:    "foo.br"()[^bb3]
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    %[[C:.*]] = arith.muli %[[A]], %[[A]]
// CHECK-NEXT:    "foo.use"(%[[C]])
// CHECK-NEXT:    "foo.br"()[^bb4]
// CHECK-NEXT:  ^bb3:
// CHECK-NEXT:    return %[[B]]
// CHECK-NEXT:  ^bb4:
// CHECK-NEXT:    return %[[C]]
func.func @blocks(%arg0: i32, %arg1: i1) -> i32 {
  %0 = arith.addi %arg0, %arg0 : i32
  "foo.cond"(%arg1)[^bb1, ^bb2] : (i1) -> ()
^bb1:
  %1 = arith.addi %arg0, %arg0 : i32
  %2 = arith.muli %0, %1 : i32
  "foo.use"(%2) : (i32) -> ()
  "foo.br"()[^bb3] : () -> ()
^bb2:
  %3 = arith.muli %0, %0 : i32
  "foo.use"(%3) : (i32) -> ()
  "foo.br"()[^bb4] : () -> ()
^bb3:
  %4 = arith.muli %0, %0 : i32
  return %4 : i32
^bb4:
  %5 = arith.muli %0, %0 : i32
  return %5 : i32
}
