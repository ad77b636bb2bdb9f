// Caches, gathers and pictures: positions are checked while the program runs, and no op runs by the evaluator's kernels.
// Each user at a position of its own, from the second user on; what was computed from the cache before stays.
// RUN: tessera run %s --function=each --input=random --input=random --input=2xi32=3,0 --dump-program --output=%t.npz 2>&1 | FileCheck %s --check-prefix=EACH
// EACH: program of @each: {{.*}} 0 by the evaluator's kernels
// RUN: tessera run %s --function=each --input=random --input=random --input=2xi32=3,0 --engine=reference --expect=%t.npz --atol=0 --rtol=0
// RUN: not tessera run %s --function=each --input=random --input=random --input=2xi32=3,4 2>&1 | FileCheck %s --check-prefix=LATE
// RUN: not tessera run %s --function=each --input=random --input=random --input=2xi32=3,4 --engine=reference 2>&1 | FileCheck %s --check-prefix=LATE
// LATE: :[[@LINE+22]]:3: error: 'ttir.update_cache' op writes at place 4 of a cache of 4
// A position is checked although the cache is not used.
// RUN: not tessera run %s --function=unused --input=random --input=random --input=1xi64=-1 2>&1 | FileCheck %s --check-prefix=BELOW
// BELOW: :[[@LINE+25]]:3: error: 'ttir.update_cache' op writes at place -1 of a cache of 4
// A cache that dies is changed in its own buffer: there is no copy of its 61,440 bytes.
// RUN: tessera run %s --function=place --input=random --input=random --input=1xi64=2 --dump-program --output=%t.npz 2>&1 | FileCheck %s --check-prefix=PLACE
// PLACE: program of @place: {{.*}} arena 0 bytes
// RUN: tessera run %s --function=place --input=random --input=random --input=1xi64=2 --engine=reference --expect=%t.npz --atol=0 --rtol=0
// Gathers along a dimension, with indices that are clamped, and of rows.
// RUN: tessera run %s --function=gather --input=random --input=2x2x3xi32=0,5,1,-7,1,0,2,1,0,1,9,0 --input=random --dump-program --output=%t.npz 2>&1 | FileCheck %s --check-prefix=GATHER
// GATHER: program of @gather: {{.*}} 0 by the evaluator's kernels
// RUN: tessera run %s --function=gather --input=random --input=2x2x3xi32=0,5,1,-7,1,0,2,1,0,1,9,0 --input=random --engine=reference --expect=%t.npz --atol=0 --rtol=0
// RUN: tessera run %s --function=picture --input=random --dump-program --output=%t.npz 2>&1 | FileCheck %s --check-prefix=PICTURE
// PICTURE: program of @picture: {{.*}} 0 by the evaluator's kernels
// RUN: tessera run %s --function=picture --input=random --engine=reference --expect=%t.npz --atol=0 --rtol=0
// The same in C: the function returns 1 where a position is out of range.
// RUN: tessera compile %s --emit=c --function=each -o %t.c && FileCheck %s --check-prefix=CODE --input-file=%t.c
// CODE: if (place < 0 || place >= 4)

func.func @each(%c: tensor<4x3x4x5xf32>, %x: tensor<1x3x2x5xf32>, %at: tensor<2xi32>) -> (tensor<4x3x4x5xf32>, tensor<4x3x4x5xf32>) {
  %0 = "ttir.neg"(%c) : (tensor<4x3x4x5xf32>) -> tensor<4x3x4x5xf32>
  %1 = "ttir.add"(%at, %at) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  "ttir.update_cache"(%c, %x, %at) <{batch_offset = 1 : i32}> : (tensor<4x3x4x5xf32>, tensor<1x3x2x5xf32>, tensor<2xi32>) -> ()
  return %0, %c : tensor<4x3x4x5xf32>, tensor<4x3x4x5xf32>
}
func.func @unused(%c: tensor<4x3x4x5xf32>, %x: tensor<1x3x2x5xf32>, %at: tensor<1xi64>) -> tensor<4x3x4x5xf32> {
  %0 = "ttir.neg"(%c) : (tensor<4x3x4x5xf32>) -> tensor<4x3x4x5xf32>
  %1 = "ttir.neg"(%0) : (tensor<4x3x4x5xf32>) -> tensor<4x3x4x5xf32>
  "ttir.update_cache"(%1, %x, %at) <{batch_offset = 0 : i32}> : (tensor<4x3x4x5xf32>, tensor<1x3x2x5xf32>, tensor<1xi64>) -> ()
  return %0 : tensor<4x3x4x5xf32>
}
func.func @place(%c: tensor<4x8x12x40xf32>, %x: tensor<1x8x4x40xf32>, %at: tensor<1xi64>) -> tensor<4x8x12x40xf32> {
  %0 = "ttir.neg"(%c) : (tensor<4x8x12x40xf32>) -> tensor<4x8x12x40xf32>
  "ttir.update_cache"(%0, %x, %at) <{batch_offset = 0 : i32}> : (tensor<4x8x12x40xf32>, tensor<1x8x4x40xf32>, tensor<1xi64>) -> ()
  return %0 : tensor<4x8x12x40xf32>
}
func.func @gather(%x: tensor<3x2x4xf32>, %i: tensor<2x2x3xi32>, %rows: tensor<6x5xbf16>) -> (tensor<2x2x3xf32>, tensor<2x2x3xbf16>, tensor<2x2x3x5xf32>) {
  %0 = "ttir.gather"(%x, %i) <{dim = 0 : i32}> : (tensor<3x2x4xf32>, tensor<2x2x3xi32>) -> tensor<2x2x3xf32>
  %1 = "ttir.gather"(%x, %i) <{dim = -1 : i32}> : (tensor<3x2x4xf32>, tensor<2x2x3xi32>) -> tensor<2x2x3xbf16>
  %2 = "ttir.gather"(%rows, %i) <{collapsed_slice_dims = array<i64: 0>, index_vector_dim = 3 : si64, indices_are_sorted = false, offset_dims = array<i64: 3>, operand_batching_dims = array<i64>, slice_sizes = array<i64: 1, 5>, start_index_map = array<i64: 0>, start_indices_batching_dims = array<i64>}> : (tensor<6x5xbf16>, tensor<2x2x3xi32>) -> tensor<2x2x3x5xf32>
  return %0, %1, %2 : tensor<2x2x3xf32>, tensor<2x2x3xbf16>, tensor<2x2x3x5xf32>
}
func.func @picture(%x: tensor<2x3x4x5xbf16>) -> (tensor<2x6x8x5xbf16>, tensor<2x9x4x5xbf16>) {
  %0 = "ttir.upsample2d"(%x) <{mode = "nearest", scale_factor = 2 : si32}> : (tensor<2x3x4x5xbf16>) -> tensor<2x6x8x5xbf16>
  %1 = "ttir.upsample2d"(%x) <{mode = "nearest", scale_factor = array<i32: 3, 1>}> : (tensor<2x3x4x5xbf16>) -> tensor<2x9x4x5xbf16>
  return %0, %1 : tensor<2x6x8x5xbf16>, tensor<2x9x4x5xbf16>
}
