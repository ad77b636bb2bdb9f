// RUN: sdy_opt %s --sdy-sink-data-flow-edges | FileCheck %s --check-prefix=SINK

sdy.mesh @mesh = <["x"=2, "y"=2]>

// What an edge knows and its op does not goes to the op; values without one get open shardings.
// SINK-LABEL: func @learned
func.func @learned(%arg0: tensor<8xf32>, %arg1: tensor<8x8xf32>) -> (tensor<8xf32>, tensor<8x8xf32>) {
  // SINK-NEXT: %0:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>, <@mesh, [{?}, {?}]>]>} %arg0, %arg1
  // SINK-NEXT: return %0#0, %0#1
  %0:2 = stablehlo.optimization_barrier %arg0, %arg1 : tensor<8xf32>, tensor<8x8xf32>
  %1 = sdy.data_flow_edge %0#0 sharding=<@mesh, [{"x"}]> : tensor<8xf32>
  %2 = sdy.data_flow_edge %0#1 : tensor<8x8xf32>
  return %1, %2 : tensor<8xf32>, tensor<8x8xf32>
}
