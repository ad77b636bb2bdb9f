// RUN: tessera opt %s | FileCheck %s
// RUN: not ttmlir-opt %s 2>&1 | FileCheck %s --check-prefix=PEER
// Reductions that tt-mlir refuses have a meaning here; under its tool's name they are refused.

// CHECK: reduce_type = #ttcore.reduce_type<max>
// PEER: error: 'ttir.all_reduce' op Invalid reduction type for all reduce op.
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "ttir.all_reduce"(%a) <{cluster_axis = 1 : ui32, reduce_type = #ttcore.reduce_type<max>}> : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
