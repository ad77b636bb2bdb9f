// Data flow edges come and go, with their shardings.
// RUN: sdy_opt %s --sdy-add-data-flow-edges | FileCheck %s --check-prefix=ADD
// RUN: sdy_opt %s --sdy-add-data-flow-edges --sdy-sink-data-flow-edges | FileCheck %s --check-prefix=SINK

sdy.mesh @mesh = <["x"=2, "y"=2]>

// ADD-LABEL: func @manual
func.func @manual(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // Inside, the manual axis is not there; on the result it is.
  // ADD: (%arg1: tensor<4x8xf32>) {
  // ADD-NEXT: %[[IN:.*]] = sdy.data_flow_edge %arg1 sharding=<@mesh, [{?}, {"y"}]>
  // ADD-NEXT: sdy.return %[[IN]]
  // ADD: %[[OUT:.*]] = sdy.data_flow_edge %0 sharding=<@mesh, [{"x", ?}, {?}]>
  // ADD-NEXT: return %[[OUT]]
  // SINK: in_shardings=[<@mesh, [{"x", ?}, {"y"}]>] out_shardings=[<@mesh, [{"x", ?}, {?}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
  // SINK-NEXT: sdy.return %arg1
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x", ?}, {"y"}]>] out_shardings=[<@mesh, [{"x", ?}, {?}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// ADD-LABEL: func @loop
func.func @loop(%arg0: tensor<8xf32>, %arg1: tensor<i32>) -> (tensor<8xf32>, tensor<i32>) {
  // Results own a loop's edges. A token has none.
  // ADD: %1:3 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg1, %iterArg_1 = %0)
  // ADD: %[[A:.*]] = sdy.data_flow_edge %1#0 : tensor<8xf32>
  // ADD-NEXT: %[[B:.*]] = sdy.data_flow_edge %1#1 : tensor<i32>
  // ADD-NEXT: return %[[A]], %[[B]]
  // SINK: return %1#0, %1#1
  %t = stablehlo.create_token : !stablehlo.token
  %0:3 = stablehlo.while(%i = %arg0, %j = %arg1, %k = %t) : tensor<8xf32>, tensor<i32>, !stablehlo.token
    cond {
    %1 = stablehlo.compare LT, %j, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    stablehlo.return %i, %j, %k : tensor<8xf32>, tensor<i32>, !stablehlo.token
  }
  return %0#0, %0#1 : tensor<8xf32>, tensor<i32>
}
