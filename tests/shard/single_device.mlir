// Ops on one device: what is not in Shardy's own tests.
// RUN: sdy_opt %s --sdy-resolve-single-device-sharding=replica-count=2 | FileCheck %s

sdy.mesh @m = <["x"=2]>
sdy.mesh @one = <[], device_ids=[1]>

// All that is inside an op runs where it does.
// CHECK: func.func @branch(
// CHECK-SAME: %arg0: tensor<i32>, %arg1: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT: %0 = stablehlo.replica_id : tensor<ui32>
// CHECK-NEXT: %1 = stablehlo.convert %0 : (tensor<ui32>) -> tensor<i64>
// CHECK-NEXT: %c = stablehlo.constant dense<1> : tensor<i64>
// CHECK-NEXT: %2 = stablehlo.compare EQ, %1, %c : (tensor<i64>, tensor<i64>) -> tensor<i1>
// CHECK-NEXT: %3 = "stablehlo.if"(%2) ({
// CHECK-NEXT: %5 = "stablehlo.case"(%arg0) ({
// CHECK-NEXT: %6 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
// CHECK-NEXT: stablehlo.return %6 : tensor<4xf32>
// CHECK-NEXT: }, {
// CHECK-NEXT: stablehlo.return %arg1 : tensor<4xf32>
// CHECK-NEXT: }) : (tensor<i32>) -> tensor<4xf32>
// CHECK-NEXT: stablehlo.return %5 : tensor<4xf32>
// CHECK-NEXT: }, {
// CHECK-NEXT: %cst = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: stablehlo.return %cst : tensor<4xf32>
// CHECK-NEXT: }) : (tensor<i1>) -> tensor<4xf32>
// CHECK-NEXT: %4 = sdy.all_reduce {"x"} %3 out_sharding=<@m, [{}]> : tensor<4xf32>
// CHECK-NEXT: return %4 : tensor<4xf32>
// CHECK-NEXT: }
func.func @branch(%arg0: tensor<i32>, %arg1: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.reshard %arg1 <@one, []> : tensor<4xf32>
  %1 = "stablehlo.case"(%arg0) ({
    %3 = stablehlo.add %0, %0 {sdy.sharding = #sdy.sharding_per_value<[<@one, []>]>} : tensor<4xf32>
    stablehlo.return %3 : tensor<4xf32>
  }, {
    stablehlo.return %0 : tensor<4xf32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@one, []>]>} : (tensor<i32>) -> tensor<4xf32>
  %2 = sdy.reshard %1 <@m, [{}]> : tensor<4xf32>
  return %2 : tensor<4xf32>
}
