// Of a case each figure counts the branch that has the most of it.
// RUN: tessera shard %s | FileCheck %s
// RUN: tessera shard %s --json | FileCheck %s --check-prefix=JSON
// RUN: tessera simulate %s | FileCheck %s --check-prefix=TIME

// CHECK: 2 collectives, 192 B received
// CHECK: all_reduce {{.*}} 4 B 4 B other branch
// CHECK: all_reduce {{.*}} 64 B 64 B
// CHECK: all_gather {{.*}} 128 B 256 B
// CHECK: peak memory 456 B
// CHECK-NEXT: 1 op with branches: the dearest branch counts
// JSON: "received": 4, {{.*}} "received_total": 0, "other_branch": true
// JSON: "received": 64, {{.*}} "received_total": 64, "other_branch": false
// JSON: "received_bytes": 192,
// JSON: "branches": 1
// TIME: 2 collectives
// TIME-NEXT: received 192 B a device
// TIME: 1 op with branches: the dearest branch counts
module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32, tessera.partitioned} {
  func.func @main(%arg0: tensor<4x4xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>) -> tensor<8x8xf32> {
    %0 = "stablehlo.case"(%arg2) ({
      %2 = "stablehlo.all_reduce"(%arg1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %q = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %q : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
      stablehlo.return %3 : tensor<4x4xf32>
    }, {
      %2 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, use_global_device_ids}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %q = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %q : tensor<f32>
      }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
      stablehlo.return %2 : tensor<4x4xf32>
    }) : (tensor<i32>) -> tensor<4x4xf32>
    %1 = stablehlo.concatenate %0, %0, dim = 1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>
    %2 = "stablehlo.all_gather"(%1) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, use_global_device_ids}> : (tensor<4x8xf32>) -> tensor<8x8xf32>
    return %2 : tensor<8x8xf32>
  }
}
