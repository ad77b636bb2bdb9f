// RUN: sdy_opt %s --sdy-add-data-flow-edges --sdy-apply-sharding-constraints | FileCheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>

// Closed: its input gets it. Open, or with another constraint beside it: not.
// CHECK-LABEL: func @inputs
// CHECK-SAME: %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>)
func.func @inputs(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) {
  // CHECK-NEXT: sdy.sharding_constraint %arg0 <@mesh, [{"x"}]> {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}>}
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x"}]> : tensor<8xf32>
  %1 = sdy.sharding_constraint %arg1 <@mesh, [{"x", ?}]> : tensor<8xf32>
  %2 = sdy.sharding_constraint %arg2 <@mesh, [{"x"}]> : tensor<8xf32>
  %3 = sdy.sharding_constraint %arg2 <@mesh, [{"y"}]> : tensor<8xf32>
  return
}

// What comes behind a chain uses its end; what stands before it, or returns, does not.
// CHECK-LABEL: func @chain
func.func @chain(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  // CHECK: %1 = stablehlo.add %0, %0
  // CHECK: %3 = sdy.sharding_constraint %2 <@mesh, [{"x"}]>
  // CHECK: %4 = stablehlo.add %3, %3
  // CHECK: return %0, %1, %4
  %0 = stablehlo.negate %arg0 : tensor<8xf32>
  %1 = stablehlo.add %0, %0 : tensor<8xf32>
  %2 = sdy.sharding_constraint %0 <@mesh, [{?}]> : tensor<8xf32>
  %3 = sdy.sharding_constraint %2 <@mesh, [{"x"}]> : tensor<8xf32>
  %4 = stablehlo.add %0, %0 : tensor<8xf32>
  return %0, %1, %4 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// The target of an edge stays free: its users use the constraint, which moves up; one is made for a manual computation.
// CHECK-LABEL: func @edges
func.func @edges(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %0:2 = stablehlo.optimization_barrier %arg0, %arg1
  // CHECK-NEXT: %1 = sdy.data_flow_edge %0#0 sharding=<@mesh, [{?}], unreduced={"y"}>
  // CHECK-NEXT: %2 = sdy.sharding_constraint %1 <@mesh, [{"x"}], unreduced={"y"}>
  // CHECK-NEXT: %3 = sdy.data_flow_edge %0#1 : tensor<8xf32>
  // CHECK-NEXT: %4 = sdy.sharding_constraint %3 <@mesh, [{"x"}]> : tensor<8xf32>
  // CHECK-NEXT: %5 = stablehlo.negate %2
  // CHECK-NEXT: %6 = sdy.manual_computation(%4)
  // CHECK: return %5, %2
  %0:2 = stablehlo.optimization_barrier %arg0, %arg1 : tensor<8xf32>, tensor<8xf32>
  %1 = stablehlo.negate %0#0 : tensor<8xf32>
  %2 = sdy.sharding_constraint %0#0 <@mesh, [{"x"}], unreduced={"y"}> : tensor<8xf32>
  %3 = sdy.manual_computation(%0#1) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%arg2: tensor<4xf32>) {
    sdy.return %arg2 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %1, %0#0 : tensor<8xf32>, tensor<8xf32>
}
