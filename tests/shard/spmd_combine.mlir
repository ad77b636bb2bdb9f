// Collectives of one kind and group that do not depend on each other become one; others stay, and so does the order of
// what depends on what.
// RUN: tessera opt %s --tessera-combine-collectives | FileCheck %s
// RUN: tessera opt %s --tessera-combine-collectives=max-bytes=20 | FileCheck %s --check-prefix=SMALL
// RUN: tessera run %s --spmd --check --input=random | FileCheck %s --check-prefix=RUN
// RUN-COUNT-4: PASS

// CHECK: %[[B:.*]] = stablehlo.negate %arg1
// CHECK: %[[R:.*]]:2 = "stablehlo.all_reduce"(%arg0, %[[B]]) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>
// CHECK: (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK: %[[S:.*]] = stablehlo.add %[[R]]#0, %arg1
// CHECK: "stablehlo.all_reduce"(%arg0)
// CHECK: stablehlo.maximum
// CHECK: "stablehlo.all_reduce"(%[[S]])
// CHECK-NOT: all_reduce
// SMALL-COUNT-4: "stablehlo.all_reduce"
module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %1 = stablehlo.add %0, %b : tensor<4xf32>
    %2 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.maximum %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %n = stablehlo.negate %b : tensor<4xf32>
    %3 = "stablehlo.all_reduce"(%n) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %4 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    return %0, %2, %3, %4 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
