// Changes of layout that undo each other go; so do moves that are none.
// RUN: tessera opt %s --canonicalize --mlir-print-local-scope -o %t && FileCheck %s --input-file %t
// RUN: ttmlir-opt %s --canonicalize -o %t && FileCheck %s --input-file %t --check-prefix=PEER

#dram = #ttnn.buffer_type<dram>
#host = #ttnn.buffer_type<system_memory>
#tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#ints = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#short = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x64xf32, #dram>, <interleaved>>
#there = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x64xf32, #host>>

// CHECK-LABEL: func.func @back(
// CHECK-NEXT: return %arg0
func.func @back(%x: tensor<32x64xf32, #tiles>) -> tensor<32x64xf32, #tiles> {
  %0 = "ttnn.to_tensor_spec"(%x) : (tensor<32x64xf32, #tiles>) -> tensor<32x64xf32, #rows>
  %1 = "ttnn.to_tensor_spec"(%0) : (tensor<32x64xf32, #rows>) -> tensor<32x64xf32, #tiles>
  return %1 : tensor<32x64xf32, #tiles>
}

// What bf16 loses stays lost here; the peer forgets it.
// CHECK-LABEL: func.func @rounded(
// CHECK-COUNT-2: ttnn.to_tensor_spec
// PEER-LABEL: func.func @rounded(
// PEER-NEXT: return %arg0
func.func @rounded(%x: tensor<32x64xf32, #tiles>) -> tensor<32x64xf32, #tiles> {
  %0 = "ttnn.to_tensor_spec"(%x) : (tensor<32x64xf32, #tiles>) -> tensor<32x64xbf16, #short>
  %1 = "ttnn.to_tensor_spec"(%0) : (tensor<32x64xbf16, #short>) -> tensor<32x64xf32, #tiles>
  return %1 : tensor<32x64xf32, #tiles>
}

// So do fractions that integers lose.
// CHECK-LABEL: func.func @whole(
// CHECK-COUNT-2: ttnn.typecast
// PEER-LABEL: func.func @whole(
// PEER: ttnn.typecast
// PEER-NEXT: return
func.func @whole(%x: tensor<32x64xf32, #tiles>) -> tensor<32x64xbf16, #short> {
  %0 = "ttnn.typecast"(%x) : (tensor<32x64xf32, #tiles>) -> tensor<32x64xsi32, #ints>
  %1 = "ttnn.typecast"(%0) : (tensor<32x64xsi32, #ints>) -> tensor<32x64xbf16, #short>
  return %1 : tensor<32x64xbf16, #short>
}

// CHECK-LABEL: func.func @made_there(
// CHECK: "ttnn.full"() <{fill_value = 2.000000e+00 : f32
// CHECK-NOT: to_tensor_spec
func.func @made_there() -> tensor<32x64xf32, #there> {
  %d = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.full"(%d) <{fill_value = 2.0 : f32, shape = #ttnn.shape<32x64>}> : (!ttnn.device) -> tensor<32x64xf32, #tiles>
  %1 = "ttnn.to_tensor_spec"(%0) : (tensor<32x64xf32, #tiles>) -> tensor<32x64xf32, #there>
  return %1 : tensor<32x64xf32, #there>
}

// CHECK-LABEL: func.func @moves(
// CHECK-NEXT: %[[P:.*]] = "ttnn.permute"(%arg0) <{pad_value = 0.000000e+00 : f32, permutation = array<i64: 2, 0, 1>}>
// CHECK-NEXT: %[[R:.*]] = "ttnn.reshape"(%[[P]]) <{shape = [24 : i32]}>
// CHECK-NEXT: %[[S:.*]] = "ttnn.reshape"(%arg1) <{shape = [1 : i32, 5 : i32, 1 : i32]}>
// CHECK-NEXT: return %[[R]], %[[S]], %arg1
func.func @moves(%x: tensor<2x3x4xf32>, %y: tensor<5x1x1xf32>) -> (tensor<24xf32>, tensor<1x5x1xf32>, tensor<5x1x1xf32>) {
  %0 = "ttnn.permute"(%x) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  %1 = "ttnn.permute"(%0) <{permutation = array<i64: 1, 0, 2>}> : (tensor<2x4x3xf32>) -> tensor<4x2x3xf32>
  %2 = "ttnn.reshape"(%1) <{shape = [8 : i32, 3 : i32]}> : (tensor<4x2x3xf32>) -> tensor<8x3xf32>
  %3 = "ttnn.reshape"(%2) <{shape = [24 : i32]}> : (tensor<8x3xf32>) -> tensor<24xf32>
  %4 = "ttnn.permute"(%y) <{permutation = array<i64: 1, 0, 2>}> : (tensor<5x1x1xf32>) -> tensor<1x5x1xf32>
  %5 = "ttnn.permute"(%y) <{permutation = array<i64: 0, 1, 2>}> : (tensor<5x1x1xf32>) -> tensor<5x1x1xf32>
  return %3, %4, %5 : tensor<24xf32>, tensor<1x5x1xf32>, tensor<5x1x1xf32>
}

// CHECK-LABEL: func.func @part(
// CHECK-NEXT: return %arg1
func.func @part(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = "ttnn.concat"(%x, %y) <{dim = 1 : si32}> : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x7xf32>
  %1 = "ttnn.slice_static"(%0) <{begins = [0 : i32, 3 : i32], ends = [2 : i32, 7 : i32], step = [1 : i32, 1 : i32]}> : (tensor<2x7xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}
