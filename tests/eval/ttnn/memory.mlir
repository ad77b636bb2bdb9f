// RUN: not tessera run %s --function=after_free --input=random 2>&1 | FileCheck %s --check-prefix=FREED
// RUN: not tessera run %s --function=returned --input=random 2>&1 | FileCheck %s --check-prefix=RETURNED
// RUN: not tessera run %s --function=after_free --input=random --engine=reference 2>&1 | FileCheck %s --check-prefix=FREED
// RUN: not tessera run %s --function=unknown --input=random 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: tessera run %s --function=fused --input=2x2xf32=1,-2,-3,4 | FileCheck %s --check-prefix=FUSED
// RUN: tessera run %s --function=places | FileCheck %s
// Where tensors are does not change their values; what was given back cannot be used.

#dram = #ttnn.buffer_type<dram>
#host = #ttnn.buffer_type<system_memory>
#tiled = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#half = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #host>>
#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2xf32, #host>>

func.func @after_free(%a: tensor<2x2xf32, #tiled>) -> tensor<2x2xf32, #tiled> {
  %0 = "ttnn.abs"(%a) : (tensor<2x2xf32, #tiled>) -> tensor<2x2xf32, #tiled>
  "ttnn.deallocate"(%0) <{force = false}> : (tensor<2x2xf32, #tiled>) -> ()
  // FREED: memory.mlir:[[#@LINE+1]]:{{.*}} error: 'ttnn.add' op uses a tensor that was deallocated: operand #1
  %1 = "ttnn.add"(%a, %0) : (tensor<2x2xf32, #tiled>, tensor<2x2xf32, #tiled>) -> tensor<2x2xf32, #tiled>
  return %1 : tensor<2x2xf32, #tiled>
}

func.func @returned(%a: tensor<2x2xf32, #tiled>) -> (tensor<2x2xf32, #tiled>, tensor<2x2xf32, #tiled>) {
  %0 = "ttnn.abs"(%a) : (tensor<2x2xf32, #tiled>) -> tensor<2x2xf32, #tiled>
  "ttnn.deallocate"(%0) <{force = false}> : (tensor<2x2xf32, #tiled>) -> ()
  // RETURNED: memory.mlir:[[#@LINE+1]]:{{.*}} error: 'func.return' op uses a tensor that was deallocated: operand #1
  return %a, %0 : tensor<2x2xf32, #tiled>, tensor<2x2xf32, #tiled>
}

func.func @unknown(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  // UNKNOWN: error: 'ttnn.tt_lang_op' op cannot be evaluated: kernel 'k' is of another language
  %0 = "ttnn.tt_lang_op"(%a, %a) <{kernel_id = "k", version_tag = "1", arg_roles = "in,out"}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

func.func @fused(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  // FUSED: [7.000000e+00, 0.000000e+00],
  // FUSED-NEXT: [0.000000e+00, 2.200000e+01]
  %0 = "ttnn.matmul"(%a, %a) <{activation = "relu"}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// CHECK: tensor<2x2xf32> {
// CHECK: [2.000000e+00, 2.000000e+00],
func.func @places() -> tensor<2x2xf32, #rows> {
  %a = "ttnn.ones"() <{shape = #ttnn.shape<2x2>}> : () -> tensor<2x2xf32, #rows>
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %t = "ttnn.to_layout"(%a) : (tensor<2x2xf32, #rows>) -> tensor<2x2xf32, #tiles>
  %0 = "ttnn.to_device"(%t, %d) : (tensor<2x2xf32, #tiles>, !ttnn.device) -> tensor<2x2xf32, #tiled>
  %1 = "ttnn.typecast"(%0) : (tensor<2x2xf32, #tiled>) -> tensor<2x2xbf16, #half>
  "ttnn.deallocate"(%0) <{force = false}> : (tensor<2x2xf32, #tiled>) -> ()
  %2 = "ttnn.to_tensor_spec"(%1) : (tensor<2x2xbf16, #half>) -> tensor<2x2xf32, #tiled>
  %3 = "ttnn.add"(%2, %2) : (tensor<2x2xf32, #tiled>, tensor<2x2xf32, #tiled>) -> tensor<2x2xf32, #tiled>
  %4 = "ttnn.from_device"(%3) : (tensor<2x2xf32, #tiled>) -> tensor<2x2xf32, #tiles>
  %5 = "ttnn.to_layout"(%4) : (tensor<2x2xf32, #tiles>) -> tensor<2x2xf32, #rows>
  return %5 : tensor<2x2xf32, #rows>
}
