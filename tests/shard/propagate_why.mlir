// Where axes come from: what the user wrote, and each step on the way.
// RUN: sdy_opt %s --sdy-user-priority-propagate=debug-sharding-origins=true | FileCheck %s --check-prefix=ORIGIN
// RUN: sdy_opt %s --sdy-user-priority-propagate=debug-propagation-edge-sharding=true | FileCheck %s --check-prefix=EDGE

sdy.mesh @mesh = <["x"=4, "y"=2]>
// ORIGIN: %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>, sdy.sharding_origins = {x = "self"}}
// ORIGIN-SAME: %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y", ?}]>, sdy.sharding_origins = {y = "constraint_0"}}
// ORIGIN-SAME: -> (tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {?}]>, sdy.sharding_origins = {x = "input: 0"
// EDGE: -> (tensor<16x4xf32> {sdy.propagation_edges = #sdy.propagation_edges<[{step-{{.*}} = [{"x" = operand-0 -> [result-0]}]}]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>}, %b: tensor<8x8xf32>) -> tensor<16x4xf32> {
  // ORIGIN: stablehlo.dot_general {{.*}}sdy.sharding_origins = [{x = "input: 0", y = "constraint_0"}]
  // EDGE: stablehlo.dot_general {{.*}}sdy.propagation_edges = #sdy.propagation_edges<[{step-{{.*}} = [{"x" = operand-0 -> [result-0]}, {"y" = result-0 -> [operand-1]}]}]>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  // ORIGIN: sdy.sharding_constraint {{.*}} {sdy.sharding_origin_name = "constraint_0", sdy.sharding_origins = {x = "input: 0", y = "self"}}
  %1 = sdy.sharding_constraint %0 <@mesh, [{?}, {"y"}]> : tensor<8x8xf32>
  %2 = stablehlo.reshape %1 : (tensor<8x8xf32>) -> tensor<16x4xf32>
  return %2 : tensor<16x4xf32>
}
