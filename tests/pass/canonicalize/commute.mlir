// Constants stand on the right of ops that commute, but for StableHLO's, which keep their order.
// RUN: tessera opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK-NEXT:    %[[C:.*]] = arith.constant 7 : i32
// CHECK-NEXT:    %[[A:.*]] = arith.xori %arg0, %[[C]]
// CHECK-NEXT:    %[[S:.*]] = arith.shli %[[C]], %[[A]]
// CHECK-NEXT:    return %[[S]]
func.func @f(%arg0: i32) -> i32 {
  %c = arith.constant 7 : i32
  %0 = arith.xori %c, %arg0 : i32
  %1 = arith.shli %c, %0 : i32
  return %1 : i32
}

// CHECK-LABEL: func.func @stablehlo(
// CHECK-NEXT:    %[[C:.*]] = stablehlo.constant
// CHECK-NEXT:    stablehlo.add %[[C]], %arg0
func.func @stablehlo(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<2.0> : tensor<4xf32>
  %0 = stablehlo.add %c, %arg0 : tensor<4xf32>
  return %0 : tensor<4xf32>
}
