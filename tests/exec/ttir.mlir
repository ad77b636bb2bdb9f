// TTIR is compiled into the groups that StableHLO's ops become: nothing runs by the evaluator's kernels.
// RUN: tessera run %s --function=layer --input=random --dump-program --output=%t.npz 2>&1 | FileCheck %s --check-prefix=LAYER
// LAYER: program of @layer: {{.*}} 0 by the evaluator's kernels
// LAYER: row rms_norm
// LAYER: contract linear+gelu+softmax
// RUN: tessera run %s --function=layer --input=random --engine=reference --expect=%t.npz
// Types of their own: operands are promoted, results converted.
// RUN: tessera run %s --function=mixed --input=random --dump-program --output=%t.npz 2>&1 | FileCheck %s --check-prefix=MIXED
// MIXED: program of @mixed: {{.*}} 0 by the evaluator's kernels
// RUN: tessera run %s --function=mixed --input=random --engine=reference --expect=%t.npz
// Dimensions that are no neighbours are reduced one after the other.
// RUN: tessera run %s --function=apart --input=random --dump-program --output=%t.npz 2>&1 | FileCheck %s --check-prefix=APART
// APART: program of @apart: {{.*}} 0 by the evaluator's kernels
// RUN: tessera run %s --function=apart --input=random --engine=reference --expect=%t.npz
// Caches: the operand is another value after each op, what was computed from it before stays.
// RUN: tessera run %s --function=caches --input=random --input=random --input=random --input=1xi32=2 --dump-program --output=%t.npz 2>&1 | FileCheck %s --check-prefix=CACHES
// CACHES: program of @caches: {{.*}} 0 by the evaluator's kernels
// RUN: tessera run %s --function=caches --input=random --input=random --input=random --input=1xi32=2 --engine=reference --expect=%t.npz
// RUN: not tessera run %s --function=caches --input=random --input=random --input=random --input=1xi32=9 2>&1 | FileCheck %s --check-prefix=PLACE
// PLACE: ttir.mlir:[[@LINE+33]]:3: error: 'ttir.update_cache' op writes at place 9 of a cache of 4
// Tensors without elements.
// RUN: tessera run %s --function=empty --input=random --output=%t.npz
// RUN: tessera run %s --function=empty --input=random --engine=reference --expect=%t.npz
// Without a mesh there is one device.
// RUN: tessera run %s --function=alone --input=random --dump-program --output=%t.npz 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE-NOT: all_reduce
// RUN: tessera run %s --function=alone --input=random --engine=reference --expect=%t.npz

func.func @layer(%x: tensor<2x8x16xbf16>, %w: tensor<16xf32>, %m: tensor<24x16xbf16>, %b: tensor<24xbf16>) -> tensor<2x8x24xbf16> {
  %0 = "ttir.rms_norm"(%x, %w) <{epsilon = 1.0e-5 : f32, normalized_shape = array<i64: 16>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<2x8x16xbf16>, tensor<16xf32>) -> tensor<2x8x16xbf16>
  %1 = "ttir.linear"(%0, %m, %b) <{transpose_a = false, transpose_b = true}> : (tensor<2x8x16xbf16>, tensor<24x16xbf16>, tensor<24xbf16>) -> tensor<2x8x24xbf16>
  %2 = "ttir.gelu"(%1) : (tensor<2x8x24xbf16>) -> tensor<2x8x24xbf16>
  %3 = "ttir.softmax"(%2) <{dimension = -1 : si32}> : (tensor<2x8x24xbf16>) -> tensor<2x8x24xbf16>
  return %3 : tensor<2x8x24xbf16>
}
func.func @mixed(%x: tensor<3x1xi32>, %y: tensor<4xf32>, %p: tensor<3x4xbf16>) -> (tensor<3x4xf32>, tensor<3x4xbf16>, tensor<4x2xbf16>) {
  %0 = "ttir.add"(%x, %y) : (tensor<3x1xi32>, tensor<4xf32>) -> tensor<3x4xf32>
  %1 = "ttir.where"(%p, %0, %x) : (tensor<3x4xbf16>, tensor<3x4xf32>, tensor<3x1xi32>) -> tensor<3x4xbf16>
  %2 = "ttir.concat"(%1, %0, %p) <{dim = -2 : si32}> : (tensor<3x4xbf16>, tensor<3x4xf32>, tensor<3x4xbf16>) -> tensor<9x4xbf16>
  %3 = "ttir.slice_static"(%2) <{begins = [-1 : i32, 0 : i32], ends = [0 : i32, 4 : i32], step = [-2 : i32, 2 : i32]}> : (tensor<9x4xbf16>) -> tensor<4x2xbf16>
  return %0, %1, %3 : tensor<3x4xf32>, tensor<3x4xbf16>, tensor<4x2xbf16>
}
func.func @apart(%x: tensor<4x6x5x8xbf16>) -> (tensor<6x8xbf16>, tensor<1x6x1x8xf32>, tensor<6x5xi1>) {
  %0 = "ttir.sum"(%x) <{dim_arg = [0 : i32, 2 : i32], keep_dim = false}> : (tensor<4x6x5x8xbf16>) -> tensor<6x8xbf16>
  %1 = "ttir.max"(%x) <{dim_arg = [-2 : i32, 0 : i32], keep_dim = true}> : (tensor<4x6x5x8xbf16>) -> tensor<1x6x1x8xf32>
  %2 = "ttir.reduce_or"(%x) <{dim_arg = [3 : i32, 0 : i32], keep_dim = false}> : (tensor<4x6x5x8xbf16>) -> tensor<6x5xi1>
  return %0, %1, %2 : tensor<6x8xbf16>, tensor<1x6x1x8xf32>, tensor<6x5xi1>
}
func.func @caches(%c: tensor<2x3x4x5xf32>, %x: tensor<1x3x2x5xf32>, %y: tensor<1x3x2x5xf32>, %at: tensor<1xi32>) -> (tensor<2x3x4x5xf32>, tensor<2x3x4x5xf32>) {
  %0 = "ttir.neg"(%c) : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  "ttir.fill_cache"(%c, %x) <{batch_offset = 1 : i32}> : (tensor<2x3x4x5xf32>, tensor<1x3x2x5xf32>) -> ()
  %1 = "ttir.add"(%0, %c) : (tensor<2x3x4x5xf32>, tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  "ttir.update_cache"(%c, %y, %at) <{batch_offset = 0 : i32}> : (tensor<2x3x4x5xf32>, tensor<1x3x2x5xf32>, tensor<1xi32>) -> ()
  return %1, %c : tensor<2x3x4x5xf32>, tensor<2x3x4x5xf32>
}
func.func @empty(%x: tensor<0x4xf32>) -> (tensor<4x0xf32>, tensor<4xf32>) {
  %0 = "ttir.permute"(%x) <{permutation = array<i64: 1, 0>}> : (tensor<0x4xf32>) -> tensor<4x0xf32>
  %1 = "ttir.reshape"(%0) <{shape = [4 : i32, 0 : i32]}> : (tensor<4x0xf32>) -> tensor<4x0xf32>
  %2 = "ttir.sum"(%x) <{dim_arg = [0 : i32], keep_dim = false}> : (tensor<0x4xf32>) -> tensor<4xf32>
  return %1, %2 : tensor<4x0xf32>, tensor<4xf32>
}
func.func @alone(%x: tensor<6x32xbf16>, %w: tensor<32xf32>) -> tensor<6x32xbf16> {
  %0 = "ttir.distributed_rms_norm"(%x, %w) <{cluster_axis = 1 : ui32, epsilon = 1.0e-5 : f32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<6x32xbf16>, tensor<32xf32>) -> tensor<6x32xbf16>
  return %0 : tensor<6x32xbf16>
}
