// Unused ops without effects go, chains of them and those with regions, too; what may have effects stays.
// RUN: tessera opt %s --canonicalize --allow-unregistered-dialect | FileCheck %s
// RUN: tessera opt %s --canonicalize='max-iterations=0' --allow-unregistered-dialect | FileCheck %s --check-prefix=NONE

func.func private @effect(tensor<i32>)

// CHECK-LABEL: func.func @chain(
// CHECK-NEXT:    return
// NONE-LABEL: func.func @chain(
// NONE-NEXT:    stablehlo.constant
func.func @chain(%arg0: tensor<i32>) {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.add %arg0, %c : tensor<i32>
  %1 = stablehlo.multiply %0, %arg0 : tensor<i32>
  %2 = stablehlo.subtract %1, %0 : tensor<i32>
  return
}

// CHECK-LABEL: func.func @regions(
// CHECK-NEXT:    %{{.*}} = "stablehlo.case"(%arg0) ({
// CHECK-NEXT:      func.call @effect(%arg0)
// CHECK-NEXT:      stablehlo.return %arg0
// CHECK-NEXT:    })
// CHECK-NEXT:    return
func.func @regions(%arg0: tensor<i32>) {
  %0 = "stablehlo.case"(%arg0) ({
    %2 = stablehlo.negate %arg0 : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  %1 = "stablehlo.case"(%arg0) ({
    func.call @effect(%arg0) : (tensor<i32>) -> ()
    stablehlo.return %arg0 : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// CHECK-LABEL: func.func @stays(
// CHECK-NEXT:    "foo.op"
// CHECK-NEXT:    stablehlo.custom_call @f
// CHECK-NEXT:    call @effect
// CHECK-NEXT:    return
func.func @stays(%arg0: tensor<i32>) {
  %0 = "foo.op"() : () -> i32
  %1 = stablehlo.custom_call @f(%arg0) {has_side_effect = true} : (tensor<i32>) -> tensor<i32>
  func.call @effect(%arg0) : (tensor<i32>) -> ()
  return
}
