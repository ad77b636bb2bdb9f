// RUN: not tessera opt --convert-ttnn-to-emitc %s 2>&1 | FileCheck %s
// An op that ttnn's functions do not have is named.

// CHECK: refused.mlir:[[@LINE+3]]:8: error: failed to legalize operation 'ttnn.to_tensor_spec'
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @f(%a: tensor<32x32xf32, #layout>) -> tensor<32x32xf32, #layout> {
  %0 = "ttnn.to_tensor_spec"(%a) : (tensor<32x32xf32, #layout>) -> tensor<32x32xf32, #layout>
  return %0 : tensor<32x32xf32, #layout>
}
