// RUN: not tessera opt %s --split-input-file --ttir-automatic-data-parallelization='mesh-shape=1,8' 2>&1 | FileCheck %s
// RUN: not tessera opt %s --split-input-file --ttir-automatic-data-parallelization='mesh-shape=1,0' 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not tessera opt %s --split-input-file --ttir-automatic-data-parallelization='mesh-shape=1,x' 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not tessera opt %s --split-input-file --ttir-automatic-data-parallelization='mesh-shape=1,2,4' 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not tessera opt %s --split-input-file --ttir-automatic-data-parallelization='mesh-shape=2,4' 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not tessera opt %s --split-input-file --ttir-automatic-data-parallelization='mesh-shape=2,4 batch-axis=2' 2>&1 | FileCheck %s --check-prefix=AXIS
// RUN: not tessera opt %s --split-input-file --ttir-automatic-data-parallelization 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tessera run %S/data_parallel_run.mlir --function=shapes --spmd --mesh-shape=1,-2 2>&1 | FileCheck %s --check-prefix=SHAPE
// ZERO: error: mesh-shape has '0' where the number of devices of an axis is meant
// WORD: error: mesh-shape has 'x' where the number of devices of an axis is meant
// RANK: error: mesh-shape has more than 2 dimensions
// BOTH: error: the mesh has more than one axis with several devices: batch-axis must say along which of them the batch is divided
// AXIS: error: batch-axis 2 is no axis of a mesh with 2
// NONE: error: mesh-shape is required, such as mesh-shape=1,8
// SHAPE: error: '1,-2' is no mesh; one is written 1,8

// CHECK: data_parallel_invalid.mlir:[[@LINE+2]]:28: error: batch dimension 0 of size 12 of argument 0 cannot be divided by 8 devices
// CHECK: note: with the option pad-batch it is filled up to a multiple
func.func @does_not_divide(%x: tensor<12x4xf32>, %w: tensor<4x4xf32>) -> tensor<12x4xf32> {
  %0 = "ttir.matmul"(%x, %w) : (tensor<12x4xf32>, tensor<4x4xf32>) -> tensor<12x4xf32>
  return %0 : tensor<12x4xf32>
}

// -----

// One sample in front of a dimension that is mixed.
// CHECK: error: batch dimension 0 of size 1 of argument 0 cannot be divided by 8 devices
func.func @one_sample(%x: tensor<1x16x4xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %w: tensor<4x4xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x16x16xf32> {
  %0 = "ttir.matmul"(%x, %w) : (tensor<1x16x4xf32>, tensor<4x4xf32>) -> tensor<1x16x4xf32>
  %1 = "ttir.matmul"(%0, %x) <{transpose_b = true}> : (tensor<1x16x4xf32>, tensor<1x16x4xf32>) -> tensor<1x16x16xf32>
  %2 = "ttir.softmax"(%1) <{dimension = -1 : si32}> : (tensor<1x16x16xf32>) -> tensor<1x16x16xf32>
  return %2 : tensor<1x16x16xf32>
}

// -----

// CHECK: error: 'ttir.all_reduce' op exchanges tensors between devices along the axis that the batch is to be divided along
func.func @used_axis(%x: tensor<16x4xf32>) -> tensor<16x4xf32> {
  %0 = "ttir.all_reduce"(%x) <{cluster_axis = 1 : ui32, reduce_type = #ttcore.reduce_type<sum>}> : (tensor<16x4xf32>) -> tensor<16x4xf32>
  return %0 : tensor<16x4xf32>
}

// -----

// CHECK: error: 'builtin.module' op is divided among the devices of a mesh already; the axis that the batch is to be divided along must have size 1 there, and the others the size that mesh-shape says
module attributes {ttcore.meshes = #ttcore.meshes<[<"mesh" = 2x4>]>} {
  func.func @other_mesh(%x: tensor<16x4xf32>) -> tensor<16x4xf32> {
    %0 = "ttir.exp"(%x) : (tensor<16x4xf32>) -> tensor<16x4xf32>
    return %0 : tensor<16x4xf32>
  }
}
