// Ops of TTNN that ask for it become TTIR again, on the same layouts.
// RUN: tessera opt %s --convert-ttnn-to-ttir -o %t && FileCheck %s --input-file %t
#dram = #ttnn.buffer_type<dram>
#tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32xbf16, #dram>, <interleaved>>

// CHECK-LABEL: func.func @some(
// CHECK: "ttir.full"() <{fill_value = 5.000000e-01 : f32, shape = array<i32: 32, 32>}>
// CHECK: "ttnn.abs"
// CHECK: "ttir.add"
// CHECK: ttir.empty() : tensor<32x32xbf16, #ttnn_layout1>
// CHECK: ttir.to_layout
func.func @some(%x: tensor<32x32xbf16, #tiles>) -> tensor<32x32xbf16, #rows> {
  %d = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.full"(%d) <{fill_value = 5.0e-01 : f32, shape = #ttnn.shape<32x32>}> {ttnn.hoist_generic_via_d2m} : (!ttnn.device) -> tensor<32x32xbf16, #tiles>
  %1 = "ttnn.abs"(%x) : (tensor<32x32xbf16, #tiles>) -> tensor<32x32xbf16, #tiles>
  %2 = "ttnn.add"(%1, %0) {ttnn.hoist_generic_via_d2m} : (tensor<32x32xbf16, #tiles>, tensor<32x32xbf16, #tiles>) -> tensor<32x32xbf16, #tiles>
  %3 = "ttnn.to_layout"(%2) {ttnn.hoist_generic_via_d2m} : (tensor<32x32xbf16, #tiles>) -> tensor<32x32xbf16, #rows>
  return %3 : tensor<32x32xbf16, #rows>
}
