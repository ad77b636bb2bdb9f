// RUN: tessera opt %s --inline --allow-unregistered-dialect | FileCheck %s
// RUN: tessera opt %s --inline='default-pipeline=' --allow-unregistered-dialect | FileCheck %s --check-prefix=PLAIN
// RUN: tessera opt %s --inline='inlining-threshold=0' --allow-unregistered-dialect | FileCheck %s --check-prefix=NONE

// Private functions go with their last call; declarations stay.
// CHECK-NOT: @square
// CHECK-NOT: @unused
// CHECK: func.func private @declared(tensor<i32>)
func.func private @unused() { return }
func.func private @declared(tensor<i32>)
func.func private @square(%arg0: tensor<i32>) -> tensor<i32> {
  %dead = stablehlo.negate %arg0 : tensor<i32>
  %0 = stablehlo.multiply %arg0, %arg0 : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @quad(
// CHECK-NEXT:    %[[A:.*]] = stablehlo.multiply %arg0, %arg0
// CHECK-NEXT:    %[[B:.*]] = stablehlo.multiply %[[A]], %[[A]]
// CHECK-NEXT:    return %[[B]]
// PLAIN-LABEL: func.func @quad(
// PLAIN-NEXT:    stablehlo.negate %arg0
// NONE-LABEL: func.func @quad(
// NONE-COUNT-2:  call @square
func.func @quad(%arg0: tensor<i32>) -> tensor<i32> {
  %0 = call @square(%arg0) : (tensor<i32>) -> tensor<i32>
  %1 = call @square(%0) : (tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}

// Callees first; calls in regions, too.
// CHECK-LABEL: func.func @nested(
// CHECK-NEXT:    "stablehlo.case"(%arg0) ({
// CHECK-COUNT-2:   stablehlo.multiply
// CHECK-NEXT:      stablehlo.return
func.func @nested(%arg0: tensor<i32>) -> tensor<i32> {
  %0 = "stablehlo.case"(%arg0) ({
    %1 = func.call @quad(%arg0) : (tensor<i32>) -> tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// Recursion stays, and so do functions with ops that nobody knows.
// CHECK-LABEL: func.func private @forever(
// CHECK-NEXT:    call @forever
func.func private @forever(%arg0: tensor<i32>) -> tensor<i32> {
  %0 = call @forever(%arg0) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func private @unknown() {
  "foo.op"() : () -> ()
  return
}
func.func private @never() attributes {no_inline} {
  return
}
// CHECK-LABEL: func.func @stay(
// CHECK-NEXT:    call @forever
// CHECK-NEXT:    call @unknown
// CHECK-NEXT:    call @never
// CHECK-NEXT:    call @declared
func.func @stay(%arg0: tensor<i32>) {
  %0 = call @forever(%arg0) : (tensor<i32>) -> tensor<i32>
  call @unknown() : () -> ()
  call @never() : () -> ()
  call @declared(%0) : (tensor<i32>) -> ()
  return
}
