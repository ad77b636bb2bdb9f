// Norms over rows that two devices share.
// RUN: ttmlir-opt "--ttir-to-ttnn-backend-pipeline=mesh-shape=1,2 disable-workarounds=true" %s -o %t && FileCheck %s --input-file %t
// RUN: tessera run %t --function=rms --input=random --against=%s
// RUN: tessera run %t --function=layer --input=random --against=%s

// CHECK-LABEL: func.func @rms(
// CHECK: "ttnn.rms_norm_pre_all_gather"
func.func @rms(%x: tensor<2x64x64xf32>, %w: tensor<32xf32>) -> tensor<2x64x64xf32> {
  %0 = "ttir.mesh_shard"(%x) <{shard_dims = array<i64: -1, 2>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 1, 1, 2>, shard_type = #ttcore.shard_type<devices>}> : (tensor<2x64x64xf32>) -> tensor<2x64x32xf32>
  %1 = "ttir.mesh_shard"(%w) <{shard_dims = array<i64: -1>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 1>, shard_type = #ttcore.shard_type<replicate>}> : (tensor<32xf32>) -> tensor<32xf32>
  %2 = "ttir.distributed_rms_norm"(%0, %1) <{cluster_axis = 1 : ui32, epsilon = 1.000000e-05 : f32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<2x64x32xf32>, tensor<32xf32>) -> tensor<2x64x32xf32>
  %3 = "ttir.mesh_shard"(%2) <{shard_dims = array<i64: -1, 2>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 1, 1, 2>, shard_type = #ttcore.shard_type<devices>}> : (tensor<2x64x32xf32>) -> tensor<2x64x64xf32>
  return %3 : tensor<2x64x64xf32>
}

// CHECK-LABEL: func.func @layer(
// CHECK: "ttnn.layer_norm_pre_all_gather"
func.func @layer(%x: tensor<2x64x64xf32>, %w: tensor<32xf32>, %b: tensor<32xf32>) -> tensor<2x64x64xf32> {
  %0 = "ttir.mesh_shard"(%x) <{shard_dims = array<i64: -1, 2>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 1, 1, 2>, shard_type = #ttcore.shard_type<devices>}> : (tensor<2x64x64xf32>) -> tensor<2x64x32xf32>
  %1 = "ttir.mesh_shard"(%w) <{shard_dims = array<i64: -1>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 1>, shard_type = #ttcore.shard_type<replicate>}> : (tensor<32xf32>) -> tensor<32xf32>
  %2 = "ttir.mesh_shard"(%b) <{shard_dims = array<i64: -1>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 1>, shard_type = #ttcore.shard_type<replicate>}> : (tensor<32xf32>) -> tensor<32xf32>
  %3 = "ttir.distributed_layer_norm"(%0, %1, %2) <{cluster_axis = 1 : ui32, epsilon = 1.000000e-05 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<2x64x32xf32>, tensor<32xf32>, tensor<32xf32>) -> tensor<2x64x32xf32>
  %4 = "ttir.mesh_shard"(%3) <{shard_dims = array<i64: -1, 2>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 1, 1, 2>, shard_type = #ttcore.shard_type<devices>}> : (tensor<2x64x32xf32>) -> tensor<2x64x64xf32>
  return %4 : tensor<2x64x64xf32>
}
