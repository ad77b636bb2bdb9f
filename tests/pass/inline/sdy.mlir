// RUN: tessera opt %s --inline | FileCheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>

// Shardings move with the ops of a function; a manual computation moves whole, and calls in it are inlined.
// CHECK-LABEL: func.func @main(
// CHECK-NEXT:    %[[A:.*]] = sdy.sharding_constraint %arg0 <@mesh, [{"x"}, {}]>
// CHECK-NEXT:    sdy.sharding_group %[[A]] group_id=3
// CHECK-NEXT:    %[[M:.*]] = sdy.manual_computation(%[[A]])
// CHECK-NEXT:      %[[B:.*]] = sdy.sharding_constraint %arg1 <@mesh, [{}, {"y"}]>
// CHECK-NEXT:      %[[C:.*]] = stablehlo.negate %[[B]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>}
// CHECK-NEXT:      sdy.return %[[C]]
// CHECK:         return %[[M]]
// CHECK-NOT:   func.func
func.func @main(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = call @constrained(%arg0) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = call @manual(%0) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

func.func private @constrained(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  sdy.sharding_group %0 group_id=3 : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

func.func private @manual(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    %1 = func.call @inner(%arg1) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    sdy.return %1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

func.func private @inner(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{}, {"y"}]> : tensor<4x8xf32>
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
