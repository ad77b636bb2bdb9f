// A normalization of a gathered value, of which each device keeps its part, is one distributed normalization.
// REQUIRES: tt-mlir
// RUN: tessera opt %s --fuse-distributed-custom-calls --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @rows
// CHECK-NOT: all_gather
// CHECK: stablehlo.custom_call @tenstorrent.distributed_rms_norm(%arg0, %arg1) {{.*}}cluster_axis = 1 : i32, epsilon
// CHECK-SAME: (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
// CHECK-NOT: all_to_all
// CHECK: return
func.func @rows(%a: tensor<4x2xf32>, %w: tensor<2xf32>) -> tensor<4x2xf32> {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x2xf32>) -> tensor<4x4xf32>
  %1 = "stablehlo.all_gather"(%w) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
  %2 = stablehlo.custom_call @tenstorrent.rms_norm(%0, %1) {tt.has_custom_sharding, tt.composite_attributes = {epsilon = 1.0e-5 : f32, normalized_shape = dense<4> : tensor<1xi64>}} : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  %3 = stablehlo.reshape %2 : (tensor<4x4xf32>) -> tensor<4x2x2xf32>
  %4 = "stablehlo.all_to_all"(%3) <{split_dimension = 1 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
  %5 = stablehlo.slice %4 [0:4, 0:1, 0:2] : (tensor<4x2x2xf32>) -> tensor<4x1x2xf32>
  %6 = stablehlo.reshape %5 : (tensor<4x1x2xf32>) -> tensor<4x2xf32>
  return %6 : tensor<4x2xf32>
}

// -----

// Groups that differ, or a value that is not gathered, stay.
// CHECK-LABEL: func.func @not_gathered
// CHECK: stablehlo.custom_call @tenstorrent.rms_norm
func.func @not_gathered(%a: tensor<4x4xf32>) -> tensor<4x2xf32> {
  %2 = stablehlo.custom_call @tenstorrent.rms_norm(%a) {tt.has_custom_sharding} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = stablehlo.reshape %2 : (tensor<4x4xf32>) -> tensor<4x2x2xf32>
  %4 = "stablehlo.all_to_all"(%3) <{split_dimension = 1 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
  %5 = stablehlo.slice %4 [0:4, 0:1, 0:2] : (tensor<4x2x2xf32>) -> tensor<4x1x2xf32>
  %6 = stablehlo.reshape %5 : (tensor<4x1x2xf32>) -> tensor<4x2xf32>
  return %6 : tensor<4x2xf32>
}

// -----

// CHECK-LABEL: func.func @other_groups
// CHECK: stablehlo.custom_call @tenstorrent.rms_norm
func.func @other_groups(%a: tensor<4x2xf32>, %w: tensor<2xf32>) -> tensor<4x4xf32> {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x2xf32>) -> tensor<4x4xf32>
  %1 = "stablehlo.all_gather"(%w) <{all_gather_dim = 0 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
  %2 = stablehlo.custom_call @tenstorrent.rms_norm(%0, %1) {tt.has_custom_sharding} : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}
