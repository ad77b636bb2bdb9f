// RUN: not tessera opt %s --ttcore-register-device --ttnn-layout --split-input-file 2>/dev/null | FileCheck %s
// RUN: not tessera opt %s --ttnn-layout --convert-ttir-to-ttnn --split-input-file 2>&1 | FileCheck %s --check-prefix=NONE
// Each tensor gets a layout: map, sizes in tiles, memory.

// CHECK-DAG: #[[A:ttnn_layout[0-9]*]] = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<4x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
// CHECK-DAG: #[[B:ttnn_layout[0-9]*]] = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
// CHECK-DAG: #[[R:ttnn_layout[0-9]*]] = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 33 + d1, d2), <1x1>, memref<66x5xf32, #dram>, <interleaved>>
// CHECK: func.func @f(%arg0: tensor<2x33x5xf32, #[[R]]> {ttcore.argument_type = #ttcore.argument_type<input>}, %arg1: tensor<5xf32, #[[B]]>) -> tensor<2x33x5xf32, #[[A]]>
func.func @f(%a: tensor<2x33x5xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %b: tensor<5xf32>) -> tensor<2x33x5xf32> {
  // CHECK: %[[E:.*]] = ttir.empty() : tensor<2x33x5xf32, #[[A]]>
  // CHECK: %[[T:.*]] = ttir.to_layout %arg0, %[[E]] : tensor<2x33x5xf32, #[[R]]> into tensor<2x33x5xf32, #[[A]]>
  // CHECK: "ttir.add"(%[[T]], %arg1) : (tensor<2x33x5xf32, #[[A]]>, tensor<5xf32, #[[B]]>) -> tensor<2x33x5xf32, #[[A]]>
  %0 = "ttir.add"(%a, %b) : (tensor<2x33x5xf32>, tensor<5xf32>) -> tensor<2x33x5xf32>
  return %0 : tensor<2x33x5xf32>
}

// -----

// NONE: error: 'ttir.collective_permute' op needs a device with a mesh of two dimensions
func.func @mesh(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = "ttir.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// NONE: error: failed to legalize operation 'ttir.rearrange' that was explicitly marked illegal
func.func @none(%a: tensor<4x8xf32>) -> tensor<8x4xf32> {
  %0 = "ttir.rearrange"(%a) <{pattern = "a b -> b a"}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

// NONE: error: 'func.func' op has a tensor that no device holds: its shape or element type
func.func @dynamic(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}
