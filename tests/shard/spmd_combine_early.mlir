// Small gathers of arguments become one where the first of them is needed, with what their operands are made of. What does not wait for it stays where
// it was: the large gather of the second layer does not come before the first layer.
// RUN: tessera opt %s --tessera-combine-collectives=max-bytes=16 | FileCheck %s
// RUN: tessera run %s --spmd --check --input=random | FileCheck %s --check-prefix=RUN
// RUN-COUNT-1: PASS

// CHECK: %[[A:.*]] = stablehlo.negate %arg1
// CHECK: %[[B:.*]] = stablehlo.negate %arg3
// CHECK: %[[G:.*]]:2 = "stablehlo.all_gather"(%[[A]], %[[B]])
// CHECK: %[[W:.*]] = "stablehlo.all_gather"(%arg2)
// CHECK: stablehlo.multiply %{{.*}}, %[[W]]
// CHECK: "stablehlo.all_gather"(%arg4)
// CHECK-NOT: "stablehlo.all_gather"
module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<2xf32>, %s0: tensor<1xf32>, %w0: tensor<16xf32>, %s1: tensor<1xf32>, %w1: tensor<16xf32>) -> tensor<32xf32> {
    %n0 = stablehlo.negate %s0 : tensor<1xf32>
    %a0 = "stablehlo.all_gather"(%n0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<2xf32>
    %y0 = stablehlo.multiply %x, %a0 : tensor<2xf32>
    %g0 = "stablehlo.all_gather"(%w0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<16xf32>) -> tensor<32xf32>
    %b0 = stablehlo.broadcast_in_dim %y0, dims = [0] : (tensor<2xf32>) -> tensor<2x16xf32>
    %r0 = stablehlo.reshape %b0 : (tensor<2x16xf32>) -> tensor<32xf32>
    %z0 = stablehlo.multiply %r0, %g0 : tensor<32xf32>
    %n1 = stablehlo.negate %s1 : tensor<1xf32>
    %a1 = "stablehlo.all_gather"(%n1) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<2xf32>
    %g1 = "stablehlo.all_gather"(%w1) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<16xf32>) -> tensor<32xf32>
    %b1 = stablehlo.broadcast_in_dim %a1, dims = [0] : (tensor<2xf32>) -> tensor<2x16xf32>
    %r1 = stablehlo.reshape %b1 : (tensor<2x16xf32>) -> tensor<32xf32>
    %t1 = stablehlo.multiply %r1, %g1 : tensor<32xf32>
    %z1 = stablehlo.add %z0, %t1 : tensor<32xf32>
    return %z1 : tensor<32xf32>
  }
}
