// What a barrier and a group say reaches the partitioner: %1 is not sharded by its operand, %3 is sharded as %1 is.
// RUN: tessera run %s --spmd --check --input=random
// RUN: tessera opt %s --tessera-import-gspmd --sdy-aggressive-propagate | FileCheck %s
// RUN: ttmlir-opt %s --stablehlo-pipeline -o %t.mlir
// RUN: tessera run %s --input=random --output=%t.npz
// RUN: tessera run %t.mlir --input=random --expect=%t.npz

sdy.mesh @mesh = <["x"=2, "y"=2]>
// CHECK: %0 = sdy.propagation_barrier %arg0 allowed_direction=NONE
// CHECK-NEXT: %1 = stablehlo.negate %0 : tensor<4xf32>
// CHECK: %2 = stablehlo.abs %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y", ?}]>]>}
// CHECK: stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y", ?}]>]>}
func.func @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.custom_call @xla.sdy.PropagationBarrier(%arg0) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.allowed_direction = "0 : i32"}} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  %2 = stablehlo.abs %arg1 : tensor<4xf32>
  %3 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  stablehlo.custom_call @xla.sdy.ShardingGroup(%2) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.sharding_group_id = "5 : i64"}} : (tensor<4xf32>) -> ()
  stablehlo.custom_call @xla.sdy.ShardingGroup(%3) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.sharding_group_id = "5 : i64"}} : (tensor<4xf32>) -> ()
  return %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
