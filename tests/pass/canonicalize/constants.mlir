// Constants are unique in the body of the nearest isolated op and stand at its front; later ones come first.
// RUN: tessera opt %s --canonicalize --allow-unregistered-dialect | FileCheck %s

func.func private @use(i32)

// CHECK-LABEL: func.func @order(
// CHECK-NEXT:    %[[C3:.*]] = arith.constant 3 : i32
// CHECK-NEXT:    %[[C2:.*]] = arith.constant 2 : i32
// CHECK-NEXT:    %[[C1:.*]] = arith.constant 1 : i32
// CHECK-NEXT:    call @use(%[[C1]])
// CHECK-NEXT:    call @use(%[[C2]])
// CHECK-NEXT:    call @use(%[[C3]])
// CHECK-NEXT:    call @use(%[[C2]])
// CHECK-NEXT:    return
func.func @order() {
  %c1 = arith.constant 1 : i32
  func.call @use(%c1) : (i32) -> ()
  %c2 = arith.constant 2 : i32
  func.call @use(%c2) : (i32) -> ()
  %c3 = arith.constant 3 : i32
  func.call @use(%c3) : (i32) -> ()
  %c2_again = arith.constant 2 : i32
  func.call @use(%c2_again) : (i32) -> ()
  return
}

// Out of the regions of ops that are not isolated, but not out of those of unknown ops.
// CHECK-LABEL: func.func @regions(
// CHECK-NEXT:    %[[C:.*]] = stablehlo.constant dense<1> : tensor<i32>
// CHECK-NEXT:    %{{.*}} = "stablehlo.case"(%arg0) ({
// CHECK-NEXT:      stablehlo.return %[[C]] : tensor<i32>
// CHECK-NEXT:    }, {
// CHECK-NEXT:      stablehlo.return %[[C]] : tensor<i32>
// CHECK-NEXT:    })
// CHECK-NEXT:    "foo.region"() ({
// CHECK-NEXT:      %[[D:.*]] = stablehlo.constant dense<1> : tensor<i32>
// CHECK-NEXT:      "foo.use"(%[[D]])
func.func @regions(%arg0: tensor<i32>) -> tensor<i32> {
  %0 = "stablehlo.case"(%arg0) ({
    %1 = stablehlo.constant dense<1> : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }, {
    %1 = stablehlo.constant dense<1> : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  "foo.region"() ({
    %1 = stablehlo.constant dense<1> : tensor<i32>
    "foo.use"(%1) : (tensor<i32>) -> ()
  }) : () -> ()
  return %0 : tensor<i32>
}

// Equal values of other types are other constants; each function has its own.
// CHECK-LABEL: func.func @types(
// CHECK-NEXT:    arith.constant 1 : i64
// CHECK-NEXT:    arith.constant 1 : i32
// CHECK-NEXT:    "foo.barrier"
// CHECK-NEXT:    return
func.func @types() -> (i32, i64) {
  %0 = arith.constant 1 : i32
  "foo.barrier"() : () -> ()
  %1 = arith.constant 1 : i64
  return %0, %1 : i32, i64
}
