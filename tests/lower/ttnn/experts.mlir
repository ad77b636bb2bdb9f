// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="mesh-shape=1,1" %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttmlir-translate --flatbuffer-to-ttnn %t.ttnn | FileCheck %s
// RUN: ttmlir-opt --ttcore-optimization-barrier-fold %s | FileCheck %s --check-prefix=FOLD
// Experts: weights are packed for the device, and what devices meet at is there before the op. Barriers are gone in the end.

// CHECK-LABEL: func.func @experts
// CHECK: %[[DEVICE:.*]] = "ttnn.get_device"
// CHECK: %[[SEMAPHORE:.*]] = "ttnn.allocate_moe_compute_semaphore"(%[[DEVICE]])
// CHECK-SAME: hidden_size = 64 : ui32
// CHECK: %[[OUT:.*]] = "ttnn.empty"(%[[DEVICE]])
// CHECK: "ttnn.prepare_moe_compute_w0_w1_weights"
// CHECK-SAME: operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>
// CHECK: "ttnn.prepare_moe_compute_w2_weights"
// CHECK: "ttnn.moe_compute"(%{{.*}}, %[[OUT]], %[[SEMAPHORE]], %[[DEVICE]])
// CHECK-SAME: has_bias = true
// CHECK-LABEL: func.func @barrier
// CHECK-NOT: optimization_barrier
// FOLD-NOT: optimization_barrier
func.func @experts(%x: tensor<1x32x64xbf16>, %i: tensor<1x32x2xui16>, %s: tensor<1x32x2xbf16>, %m: tensor<1x2xui16>, %w0: tensor<1x2x64x96xbf16>, %w1: tensor<1x2x64x96xbf16>, %w2: tensor<1x2x96x64xbf16>, %b0: tensor<1x2x96xbf16>, %b1: tensor<1x2x96xbf16>, %b2: tensor<1x2x64xbf16>) -> tensor<2x32x64xbf16> {
  %0 = "ttir.moe_compute"(%x, %i, %s, %m, %w0, %w1, %w2, %b0, %b1, %b2) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 1, 1>, layer_id = 0 : ui32, output_height_shard_dim = 4 : ui32, intermediate_size = 96 : ui32, cluster_axis = 1 : ui32}> : (tensor<1x32x64xbf16>, tensor<1x32x2xui16>, tensor<1x32x2xbf16>, tensor<1x2xui16>, tensor<1x2x64x96xbf16>, tensor<1x2x64x96xbf16>, tensor<1x2x96x64xbf16>, tensor<1x2x96xbf16>, tensor<1x2x96xbf16>, tensor<1x2x64xbf16>) -> tensor<2x32x64xbf16>
  return %0 : tensor<2x32x64xbf16>
}
func.func @barrier(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0:2 = "ttcore.optimization_barrier"(%a, %b) : (tensor<32x32xf32>, tensor<32x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>)
  %1 = "ttir.add"(%0#0, %0#1) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return %1 : tensor<32x32xf32>
}
