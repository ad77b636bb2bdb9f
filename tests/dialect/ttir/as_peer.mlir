// RUN: tessera opt %s -split-input-file | FileCheck %s
// RUN: not ttmlir-opt %s -split-input-file 2>&1 | FileCheck %s --check-prefix=PEER
// Reductions and axes that tt-mlir refuses have a meaning here; under its tool's name they are refused.

// CHECK: reduce_type = #ttcore.reduce_type<max>
// PEER: error: 'ttir.all_reduce' op Invalid reduction type for all reduce op.
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "ttir.all_reduce"(%a) <{cluster_axis = 1 : ui32, reduce_type = #ttcore.reduce_type<max>}> : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK: cluster_axis = 2 : ui32
// PEER: error: 'ttir.mesh_partition' op Cluster axis must be either None, 0 or 1, got 2
func.func @f(%a: tensor<8xf32>) -> tensor<4xf32> {
  %0 = "ttir.mesh_partition"(%a) <{dim = 0 : si32, cluster_axis = 2 : ui32}> : (tensor<8xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
