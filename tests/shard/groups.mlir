// Groups that share a value are one; numbers start at 0 in the order of values.
// RUN: sdy_opt %s --split-input-file --sdy-sharding-group-import -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @join
func.func @join(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>, %d: tensor<4xf32>) {
  // CHECK-NEXT: sdy.sharding_group %arg3 group_id=0
  // CHECK-NEXT: sdy.sharding_group %arg0 group_id=1
  // CHECK-NEXT: sdy.sharding_group %arg1 group_id=1
  // CHECK-NEXT: sdy.sharding_group %arg2 group_id=1
  // CHECK-NEXT: return
  sdy.sharding_group %d group_id=40 : tensor<4xf32>
  sdy.sharding_group %a group_id=30 : tensor<8xf32>
  sdy.sharding_group %b group_id=20 : tensor<8xf32>
  sdy.sharding_group %b group_id=30 : tensor<8xf32>
  sdy.sharding_group %a group_id=30 : tensor<8xf32>
  sdy.sharding_group %c group_id=20 : tensor<8xf32>
  return
}

// -----

func.func @shapes(%a: tensor<8xf32>, %b: tensor<4xf32>) {
  sdy.sharding_group %a group_id=7 : tensor<8xf32>
  // expected-error @+1 {{ShardingGroupOps values must have the same shape for groupId: 7}}
  sdy.sharding_group %b group_id=7 : tensor<4xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=1]>
func.func @across(%a: tensor<8xf32>) {
  sdy.sharding_group %a group_id=7 : tensor<8xf32>
  sdy.manual_computation(%a) in_shardings=[<@mesh, [{}]>] out_shardings=[] manual_axes={} (%arg1: tensor<8xf32>) {
    // expected-error @+1 {{ShardingGroupOps values cannot cross ManualComputationOp boundaries for groupId: 7}}
    sdy.sharding_group %arg1 group_id=7 : tensor<8xf32>
    sdy.return
  } : (tensor<8xf32>) -> ()
  return
}
