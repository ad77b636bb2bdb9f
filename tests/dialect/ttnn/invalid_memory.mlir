// RUN: not tessera opt %s -split-input-file 2>&1 | FileCheck %s
// Rules of TTNN that are broken, one by one.

#tiled = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>>
#host = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32xf32, #ttnn.buffer_type<system_memory>>>
// CHECK: error: 'ttnn.to_layout' op ttnn.to_layout cannot change buffer type from 'dram' to 'system_memory'; use ttnn.to_tensor_spec
func.func @f(%a0: tensor<32x32xf32, #tiled>) {
  %r = "ttnn.to_layout"(%a0) : (tensor<32x32xf32, #tiled>) -> tensor<32x32xf32, #host>
  return
}

// -----

#tiled = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>>
// CHECK: error: 'ttnn.to_layout' op Input tensor type missing layout attribute
func.func @f(%a0: tensor<32x32xf32>) {
  %r = "ttnn.to_layout"(%a0) : (tensor<32x32xf32>) -> tensor<32x32xf32, #tiled>
  return
}

// -----

#tiled = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>>
// CHECK: error: 'ttnn.to_tensor_spec' op Output tensor type missing layout attribute
func.func @f(%a0: tensor<32x32xf32, #tiled>) {
  %r = "ttnn.to_tensor_spec"(%a0) : (tensor<32x32xf32, #tiled>) -> tensor<32x32xf32>
  return
}

// -----

#tiled = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>>
// CHECK: error: 'ttnn.to_memory_config' op Input tensor type missing layout attribute
func.func @f(%a0: tensor<32x32xf32>) {
  %r = "ttnn.to_memory_config"(%a0) : (tensor<32x32xf32>) -> tensor<32x32xf32, #tiled>
  return
}

// -----

#tiled = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>>
// CHECK: error: 'ttnn.add' op Output element type must match the scalar element type from encoding. Element type: '!ttcore.tile<32x32, bfp_bf8>', Scalar element type: 'f32'.
func.func @f(%a0: tensor<32x32xf32, #tiled>, %a1: tensor<32x32xf32, #tiled>) {
  %r = "ttnn.add"(%a0, %a1) : (tensor<32x32xf32, #tiled>, tensor<32x32xf32, #tiled>) -> tensor<32x32x!ttcore.tile<32x32, bfp_bf8>, #tiled>
  return
}

// -----

#tiled = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>>
// CHECK: error: 'ttnn.constant' op device operand must be specified for non-system memory buffer type
func.func @f() {
  %r = "ttnn.constant"() <{value = dense<1.0> : tensor<32x32xf32>}> : () -> tensor<32x32xf32, #tiled>
  return
}

// -----

#host = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32xf32, #ttnn.buffer_type<system_memory>>>
// CHECK: error: 'ttnn.constant' op device operand must not be specified for system memory buffer type
func.func @f(%a0: !ttnn.device) {
  %r = "ttnn.constant"(%a0) <{value = dense<1.0> : tensor<32x32xf32>}> : (!ttnn.device) -> tensor<32x32xf32, #host>
  return
}

// -----

// CHECK: error: 'ttnn.zeros' op Output tensor shape must be 2, 3, but got 3, 2
func.func @f() {
  %r = "ttnn.zeros"() <{shape = #ttnn.shape<2x3>}> : () -> tensor<3x2xf32>
  return
}

// -----

// CHECK: error: 'ttnn.empty' op Output tensor shape must be 2, but got 3
func.func @f(%a0: !ttnn.device) {
  %r = "ttnn.empty"(%a0) <{shape = #ttnn.shape<2>}> : (!ttnn.device) -> tensor<3xf32>
  return
}

// -----

// CHECK: error: 'ttnn.rand' op 'low' value must be < 'high' value
func.func @f(%a0: !ttnn.device) {
  %r = "ttnn.rand"(%a0) <{size = #ttnn.shape<2>, low = 2.0 : f32, high = 1.0 : f32}> : (!ttnn.device) -> tensor<2xf32>
  return
}

// -----

// CHECK: error: 'ttnn.rand' op size argument does not match with output tensor shape. [Size = (4), output tensor shape = (2)]
func.func @f(%a0: !ttnn.device) {
  %r = "ttnn.rand"(%a0) <{size = #ttnn.shape<4>}> : (!ttnn.device) -> tensor<2xf32>
  return
}

// -----

// CHECK: error: 'ttnn.arange' op Step cannot be zero.
func.func @f() {
  %r = "ttnn.arange"() <{start = 0 : si64, end = 4 : si64, step = 0 : si64}> : () -> tensor<4xf32>
  return
}

// -----

// CHECK: error: 'ttnn.arange' op Invalid range: start=9223372036854775807, end=-9223372036854775808, step=1
func.func @f() {
  %r = "ttnn.arange"() <{start = 9223372036854775807 : si64, end = -9223372036854775808 : si64, step = 1 : si64}> : () -> tensor<4xf32>
  return
}

// -----

// CHECK: error: 'ttnn.arange' op Output tensor shape must be 4, but got 3
func.func @f() {
  %r = "ttnn.arange"() <{start = 0 : si64, end = 4 : si64, step = 1 : si64}> : () -> tensor<3xf32>
  return
}

// -----

#tiled = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>>
// CHECK: error: 'ttnn.assign' op input and output tensor must have the same shape
func.func @f(%a0: tensor<32x32xf32, #tiled>) {
  %r = "ttnn.assign"(%a0) : (tensor<32x32xf32, #tiled>) -> tensor<32x16xf32, #tiled>
  return
}

// -----

#tiled = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>>
#bf = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
// CHECK: error: 'ttnn.assign' op output tensor data type does not match expected output data type
func.func @f(%a0: tensor<32x32xf32, #tiled>) {
  %r = "ttnn.assign"(%a0) : (tensor<32x32xf32, #tiled>) -> tensor<32x32xbf16, #bf>
  return
}

// -----

#tiled = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>>
#host = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32xf32, #ttnn.buffer_type<system_memory>>>
// CHECK: error: 'ttnn.copy' op Source tensor must be on device memory
func.func @f(%a0: tensor<32x32xf32, #host>, %a1: tensor<32x32xf32, #tiled>) {
  "ttnn.copy"(%a0, %a1) : (tensor<32x32xf32, #host>, tensor<32x32xf32, #tiled>) -> ()
  return
}

// -----

#tiled = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>>
#host = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32xf32, #ttnn.buffer_type<system_memory>>>
// CHECK: error: 'ttnn.copy' op Destination tensor must be on device memory
func.func @f(%a0: tensor<32x32xf32, #tiled>, %a1: tensor<32x32xf32, #host>) {
  "ttnn.copy"(%a0, %a1) : (tensor<32x32xf32, #tiled>, tensor<32x32xf32, #host>) -> ()
  return
}

// -----

#tiled = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>>
#bf = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
// CHECK: error: 'ttnn.copy' op Source and destination tensor types must match, but got
func.func @f(%a0: tensor<32x32xf32, #tiled>, %a1: tensor<32x32xbf16, #bf>) {
  "ttnn.copy"(%a0, %a1) : (tensor<32x32xf32, #tiled>, tensor<32x32xbf16, #bf>) -> ()
  return
}

// -----

#tiled = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>>
// CHECK: error: 'ttnn.write_tensor' op Host tensor must be on system memory
func.func @f(%a0: tensor<32x32xf32, #tiled>, %a1: tensor<32x32xf32, #tiled>) {
  "ttnn.write_tensor"(%a0, %a1) : (tensor<32x32xf32, #tiled>, tensor<32x32xf32, #tiled>) -> ()
  return
}

// -----

#host = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32xf32, #ttnn.buffer_type<system_memory>>>
// CHECK: error: 'ttnn.write_tensor' op Device tensor must be on device memory
func.func @f(%a0: tensor<32x32xf32, #host>, %a1: tensor<32x32xf32, #host>) {
  "ttnn.write_tensor"(%a0, %a1) : (tensor<32x32xf32, #host>, tensor<32x32xf32, #host>) -> ()
  return
}

// -----

#tiled = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>>
#host = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32xf32, #ttnn.buffer_type<system_memory>>>
// CHECK: error: 'ttnn.write_tensor' op Invalid CQ ID 2
func.func @f(%a0: tensor<32x32xf32, #host>, %a1: tensor<32x32xf32, #tiled>) {
  "ttnn.write_tensor"(%a0, %a1) <{cq_id = 2 : ui32}> : (tensor<32x32xf32, #host>, tensor<32x32xf32, #tiled>) -> ()
  return
}

// -----

// CHECK: error: 'ttnn.begin_trace_capture' op Invalid CQ ID 3
func.func @f(%a0: !ttnn.device) {
  %r = "ttnn.begin_trace_capture"(%a0) <{cq_id = 3 : ui32}> : (!ttnn.device) -> tensor<ui32, #ttnn.trace_id>
  return
}

// -----

// CHECK: error: Trace ID must be a scalar
func.func @f(%a0: !ttnn.device) {
  %r = "ttnn.begin_trace_capture"(%a0) <{cq_id = 0 : ui32}> : (!ttnn.device) -> tensor<1xui32>
  return
}

// -----

// CHECK: error: Trace ID must be an integer
func.func @f(%a0: !ttnn.device) {
  %r = "ttnn.begin_trace_capture"(%a0) <{cq_id = 0 : ui32}> : (!ttnn.device) -> tensor<f32>
  return
}

// -----

// CHECK: error: Trace ID must be unsigned
func.func @f(%a0: !ttnn.device) {
  %r = "ttnn.begin_trace_capture"(%a0) <{cq_id = 0 : ui32}> : (!ttnn.device) -> tensor<si32>
  return
}

// -----

// CHECK: error: Trace ID must be 32-bit
func.func @f(%a0: !ttnn.device) {
  %r = "ttnn.begin_trace_capture"(%a0) <{cq_id = 0 : ui32}> : (!ttnn.device) -> tensor<ui16>
  return
}

// -----

// CHECK: error: Trace ID must have the TraceIdAttr encoding
func.func @f(%a0: !ttnn.device, %a1: tensor<ui32>) {
  "ttnn.end_trace_capture"(%a0, %a1) <{cq_id = 0 : ui32}> : (!ttnn.device, tensor<ui32>) -> ()
  return
}

// -----

// CHECK: error: {{.*}}value
func.func @f(%a0: !ttnn.global_semaphore) {
  "ttnn.reset_global_semaphore"(%a0) <{value = "x"}> : (!ttnn.global_semaphore) -> ()
  return
}

// -----

// CHECK: result #0 must be TTNN global semaphore.
func.func @f(%a0: !ttnn.device) {
  %r = "ttnn.create_global_semaphore"(%a0) <{core_range_set = #ttnn.core_range_set<>}> : (!ttnn.device) -> !ttcore.dict
  return
}

// -----

#tiled = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>>
// CHECK: error: 'ttnn.add' op expected 2 operands, but found 1
func.func @f(%a0: tensor<32x32xf32, #tiled>) {
  %r = "ttnn.add"(%a0) : (tensor<32x32xf32, #tiled>) -> tensor<32x32xf32, #tiled>
  return
}

// -----

#tiled = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>>
// CHECK: error: 'ttnn.relu' op requires a single operand
func.func @f(%a0: tensor<32x32xf32, #tiled>, %a1: tensor<32x32xf32, #tiled>) {
  %r = "ttnn.relu"(%a0, %a1) : (tensor<32x32xf32, #tiled>, tensor<32x32xf32, #tiled>) -> tensor<32x32xf32, #tiled>
  return
}
