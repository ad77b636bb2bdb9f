// RUN: tessera run %s --function=pow | FileCheck %s --check-prefix=POW
// RUN: tessera run %s --function=batch_norm | FileCheck %s --check-prefix=BATCH
// RUN: tessera run %s --function=training | FileCheck %s --check-prefix=TRAIN
// RUN: tessera run %s --function=step | FileCheck %s --check-prefix=STEP
// RUN: tessera run %s --function=heads | FileCheck %s --check-prefix=HEADS
// RUN: tessera run %s --function=rotary | FileCheck %s --check-prefix=ROTARY
// RUN: tessera run %s --function=statistics | FileCheck %s --check-prefix=STAT
// RUN: tessera run %s --function=fused_norm | FileCheck %s --check-prefix=FUSED
// RUN: tessera run %s --function=latent | FileCheck %s --check-prefix=LATENT
// RUN: tessera run %s --function=scores | FileCheck %s --check-prefix=SCORES
// RUN: tessera run %s --function=ready | FileCheck %s --check-prefix=READY
// RUN: tessera run %s --function=lines | FileCheck %s --check-prefix=LINES
// RUN: tessera run %s --function=volumes | FileCheck %s --check-prefix=VOLUMES
// RUN: tessera run %s --function=trace --input=2x2xf32=1,2,3,4 | FileCheck %s --check-prefix=TRACE
// RUN: tessera run %s --function=trace --input=2x2xf32=1,2,3,4 --engine=reference | FileCheck %s --check-prefix=TRACE
// RUN: not tessera run %s --function=kernels --input=2x2xf32=1,2,3,4 2>&1 | FileCheck %s --check-prefix=KERNELS
// RUN: not tessera run %s --function=kernels --input=2x2xf32=1,2,3,4 --engine=reference 2>&1 | FileCheck %s --check-prefix=KERNELS
// Ops of TTNN that TTIR does not have, or has in another form.

// POW: [1.000000e+00, 4.000000e+00, 9.000000e+00]
func.func @pow() -> tensor<1x3xf32> {
  %a = "ttnn.constant"() <{value = dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>}> : () -> tensor<1x3xf32>
  %0 = "ttnn.pow_scalar"(%a) <{rhs = 2 : i32}> : (tensor<1x3xf32>) -> tensor<1x3xf32>
  return %0 : tensor<1x3xf32>
}

// (x - 1) / sqrt(4) * 3 + 5, of x = 3 and 5
// BATCH: [8.000000e+00, 1.100000e+01]
func.func @batch_norm() -> tensor<1x1x1x2xf32> {
  %x = "ttnn.constant"() <{value = dense<[[[[3.0, 5.0]]]]> : tensor<1x1x1x2xf32>}> : () -> tensor<1x1x1x2xf32>
  %m = "ttnn.constant"() <{value = dense<1.0> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %v = "ttnn.constant"() <{value = dense<4.0> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %w = "ttnn.constant"() <{value = dense<3.0> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %b = "ttnn.constant"() <{value = dense<5.0> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %0 = "ttnn.batch_norm_inference"(%x, %m, %v, %w, %b) <{epsilon = 0.0 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (tensor<1x1x1x2xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x2xf32>
  return %0 : tensor<1x1x1x2xf32>
}

// The running mean moves half the way from 2 to 4, in place.
// TRAIN: [-1.000000e+00, 1.000000e+00]
// TRAIN: [3.000000e+00]
func.func @training() -> (tensor<1x1x1x2xf32>, tensor<1x1x1x1xf32>) {
  %x = "ttnn.constant"() <{value = dense<[[[[3.0, 5.0]]]]> : tensor<1x1x1x2xf32>}> : () -> tensor<1x1x1x2xf32>
  %m = "ttnn.constant"() <{value = dense<2.0> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %v = "ttnn.constant"() <{value = dense<1.0> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %0 = "ttnn.batch_norm_training"(%x, %m, %v) <{epsilon = 0.0 : f32, momentum = 0.5 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<1x1x1x2xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x2xf32>
  return %0, %m : tensor<1x1x1x2xf32>, tensor<1x1x1x1xf32>
}

// 1 - 0.5 * 2 / sqrt(4); the moments are 0.5 * 0 + 0.5 * 4 and 0.5 * 0 + 0.5 * 16, corrected by 1 - 0.
// STEP: 6.46446586e-01
// STEP: 2.000000e+00
// STEP: 8.000000e+00
func.func @step() -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) {
  %p = "ttnn.constant"() <{value = dense<1.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %g = "ttnn.constant"() <{value = dense<4.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %m = "ttnn.constant"() <{value = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %v = "ttnn.zeros"() <{shape = #ttnn.shape<1>}> : () -> tensor<1xf32>
  "ttnn.adamw"(%p, %g, %m, %v) <{lr = 0.5 : f32, beta1 = 0.5 : f32, beta2 = 0.5 : f32, beta1_pow = 0.0 : f32, beta2_pow = 0.0 : f32, epsilon = 0.0 : f32, weight_decay = 0.0 : f32}> : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> ()
  return %p, %m, %v : tensor<1xf32>, tensor<1xf32>, tensor<1xf32>
}

// HEADS: [0, 1, 4, 5]
// HEADS: [2, 3, 6, 7]
// HEADS: [0, 1, 2, 3]
// HEADS: [0, 1]
// HEADS: [2, 3]
// HEADS: [4, 5]
func.func @heads() -> (tensor<1x1x2x4xi32>, tensor<1x1x1x4xi32>, tensor<1x1x1x2xi32>, tensor<1x1x1x2xi32>, tensor<1x1x1x2xi32>) {
  %x = "ttnn.constant"() <{value = dense<[[[[0, 1], [2, 3]], [[4, 5], [6, 7]]]]> : tensor<1x2x2x2xi32>}> : () -> tensor<1x2x2x2xi32>
  %0 = "ttnn.nlp_concat_heads"(%x) : (tensor<1x2x2x2xi32>) -> tensor<1x1x2x4xi32>
  %y = "ttnn.constant"() <{value = dense<[[[[0, 1], [2, 3], [4, 5]]]]> : tensor<1x1x3x2xi32>}> : () -> tensor<1x1x3x2xi32>
  %1 = "ttnn.nlp_concat_heads_decode"(%y) <{num_heads = 2 : ui32}> : (tensor<1x1x3x2xi32>) -> tensor<1x1x1x4xi32>
  %z = "ttnn.constant"() <{value = dense<[[[[0, 1, 2, 3, 4, 5]]]]> : tensor<1x1x1x6xi32>}> : () -> tensor<1x1x1x6xi32>
  %q, %k, %v = "ttnn.nlp_create_qkv_heads_decode"(%z) <{num_heads = 1 : ui32}> : (tensor<1x1x1x6xi32>) -> (tensor<1x1x1x2xi32>, tensor<1x1x1x2xi32>, tensor<1x1x1x2xi32>)
  return %0, %1, %q, %k, %v : tensor<1x1x2x4xi32>, tensor<1x1x1x4xi32>, tensor<1x1x1x2xi32>, tensor<1x1x1x2xi32>, tensor<1x1x1x2xi32>
}

// A quarter turn of (1, 2, 3, 4): halves change places, and the second changes its sign.
// ROTARY: [-3.000000e+00, -4.000000e+00, 1.000000e+00, 2.000000e+00]
func.func @rotary() -> tensor<1x1x1x4xf32> {
  %x = "ttnn.constant"() <{value = dense<[[[[1.0, 2.0, 3.0, 4.0]]]]> : tensor<1x1x1x4xf32>}> : () -> tensor<1x1x1x4xf32>
  %c = "ttnn.constant"() <{value = dense<0.0> : tensor<1x1x1x4xf32>}> : () -> tensor<1x1x1x4xf32>
  %s = "ttnn.constant"() <{value = dense<1.0> : tensor<1x1x1x4xf32>}> : () -> tensor<1x1x1x4xf32>
  %0 = "ttnn.rotary_embedding"(%x, %c, %s) : (tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  return %0 : tensor<1x1x1x4xf32>
}

// Mean 2 and variance 1 of (1, 3): -1 and 1.
// STAT: [-1.000000e+00, 1.000000e+00]
func.func @statistics() -> tensor<1x2xf32> {
  %x = "ttnn.constant"() <{value = dense<[[1.0, 3.0]]> : tensor<1x2xf32>}> : () -> tensor<1x2xf32>
  %s = "ttnn.layer_norm_pre_all_gather"(%x) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<1x2xf32>) -> tensor<1x64xf32>
  %0 = "ttnn.layer_norm_post_all_gather"(%x, %s) <{epsilon = 0.0 : f32, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (tensor<1x2xf32>, tensor<1x64xf32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// (1, -7) plus (0, 0) by the root of 25, then relu.
// FUSED: [2.000000e-01, 0.000000e+00]
func.func @fused_norm() -> tensor<1x2xf32> {
  %x = "ttnn.constant"() <{value = dense<[[1.0, -7.0]]> : tensor<1x2xf32>}> : () -> tensor<1x2xf32>
  %0 = "ttnn.dit_rms_norm_unary_fused"(%x) <{epsilon = 0.0 : f32, activation = "relu", operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (tensor<1x2xf32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// The first row sees itself alone; the second both, which are as good as each other.
// LATENT: 1.000000e+00
// LATENT: 2.000000e+00
func.func @latent() -> tensor<1x1x2x1xf32> {
  %q = "ttnn.constant"() <{value = dense<0.0> : tensor<1x1x2x2xf32>}> : () -> tensor<1x1x2x2xf32>
  %k = "ttnn.constant"() <{value = dense<[[[[1.0, 5.0], [3.0, 7.0]]]]> : tensor<1x1x2x2xf32>}> : () -> tensor<1x1x2x2xf32>
  %0 = "ttnn.flash_mla_prefill"(%q, %k) <{head_dim_v = 1 : ui32, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x2x1xf32>
  return %0 : tensor<1x1x2x1xf32>
}

// SCORES: [6.000000e+00, 0xFF800000]
// SCORES: [6.000000e+00, 0.000000e+00]
func.func @scores() -> tensor<1x1x2x2xf32> {
  %q = "ttnn.constant"() <{value = dense<1.0> : tensor<1x1x2x1xf32>}> : () -> tensor<1x1x2x1xf32>
  %k = "ttnn.constant"() <{value = dense<[[[[3.0], [-4.0]]]]> : tensor<1x1x2x1xf32>}> : () -> tensor<1x1x2x1xf32>
  %w = "ttnn.constant"() <{value = dense<2.0> : tensor<1x1x2x1xf32>}> : () -> tensor<1x1x2x1xf32>
  %0 = "ttnn.indexer_score_dsa"(%q, %k, %w) : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x2x2xf32>
  return %0 : tensor<1x1x2x2xf32>
}

// A picture of 2 x 1 with two channels, two groups: each output is 2 times or 3 times its channel, plus a bias. Weights are made ready.
// READY: [1.200000e+01, 2.600000e+01]
// READY: [1.600000e+01, 3.200000e+01]
func.func @ready() -> tensor<1x1x2x2xf32> {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %x = "ttnn.constant"() <{value = dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32>}> : () -> tensor<1x1x2x2xf32>
  %w = "ttnn.constant"() <{value = dense<[[[[2.0]]], [[[3.0]]]]> : tensor<2x1x1x1xf32>}> : () -> tensor<2x1x1x1xf32>
  %b = "ttnn.constant"() <{value = dense<[[[[10.0, 20.0]]]]> : tensor<1x1x1x2xf32>}> : () -> tensor<1x1x1x2xf32>
  %0 = "ttnn.prepare_conv2d_weights"(%w, %d) <{input_memory_config = #ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>, input_tensor_layout = #ttnn.layout<tile>, weights_format = "OIHW", in_channels = 2 : i32, out_channels = 2 : i32, batch_size = 1 : i32, input_height = 2 : i32, input_width = 1 : i32, kernel_size = array<i32: 1, 1>, stride = array<i32: 1, 1>, padding = array<i32: 0, 0>, dilation = array<i32: 1, 1>, has_bias = true, groups = 2 : i32, input_dtype = #ttcore.supportedDataTypes<f32>}> : (tensor<2x1x1x1xf32>, !ttnn.device) -> tensor<1x1x4x32xf32>
  %1 = "ttnn.prepare_conv2d_bias"(%b, %d) <{input_memory_config = #ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>, input_tensor_layout = #ttnn.layout<tile>, in_channels = 2 : i32, out_channels = 2 : i32, batch_size = 1 : i32, input_height = 2 : i32, input_width = 1 : i32, kernel_size = array<i32: 1, 1>, stride = array<i32: 1, 1>, padding = array<i32: 0, 0>, dilation = array<i32: 1, 1>, groups = 2 : i32, input_dtype = #ttcore.supportedDataTypes<f32>}> : (tensor<1x1x1x2xf32>, !ttnn.device) -> tensor<1x1x1x2xf32>
  %2 = "ttnn.conv2d"(%x, %0, %1, %d) <{in_channels = 2 : i32, out_channels = 2 : i32, batch_size = 1 : i32, input_height = 2 : i32, input_width = 1 : i32, kernel_size = array<i32: 1, 1>, stride = array<i32: 1, 1>, padding = array<i32: 0, 0>, dilation = array<i32: 1, 1>, groups = 2 : i32}> : (tensor<1x1x2x2xf32>, tensor<1x1x4x32xf32>, tensor<1x1x1x2xf32>, !ttnn.device) -> tensor<1x1x2x2xf32>
  return %2 : tensor<1x1x2x2xf32>
}

// Sums of two neighbours.
// LINES: [3.000000e+00]
// LINES: [5.000000e+00]
func.func @lines() -> tensor<1x1x2x1xf32> {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %x = "ttnn.constant"() <{value = dense<[[[1.0], [2.0], [3.0]]]> : tensor<1x3x1xf32>}> : () -> tensor<1x3x1xf32>
  %w = "ttnn.ones"() <{shape = #ttnn.shape<1x1x2>}> : () -> tensor<1x1x2xf32>
  %0 = "ttnn.conv1d"(%x, %w, %d) <{in_channels = 1 : i32, out_channels = 1 : i32, batch_size = 1 : i32, input_length = 3 : i32, kernel_size = 2 : i32, stride = 1 : i32, padding = array<i32: 0, 0>, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x3x1xf32>, tensor<1x1x2xf32>, !ttnn.device) -> tensor<1x1x2x1xf32>
  return %0 : tensor<1x1x2x1xf32>
}

// Weights as a matrix, of a window of two planes: 1 * 10 + 2 * 100.
// VOLUMES: 2.100000e+02
func.func @volumes() -> tensor<1x1x1x1x1xf32> {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %x = "ttnn.constant"() <{value = dense<[[[[[1.0]]], [[[2.0]]]]]> : tensor<1x2x1x1x1xf32>}> : () -> tensor<1x2x1x1x1xf32>
  %w = "ttnn.constant"() <{value = dense<[[10.0], [100.0]]> : tensor<2x1xf32>}> : () -> tensor<2x1xf32>
  %0 = "ttnn.conv3d"(%x, %w, %d) <{in_channels = 1 : i32, out_channels = 1 : i32, batch_size = 1 : i32, input_depth = 2 : i32, input_height = 1 : i32, input_width = 1 : i32, kernel_size = array<i32: 2, 1, 1>, stride = array<i32: 1, 1, 1>, padding = array<i32: 0, 0, 0>, groups = 1 : i32}> : (tensor<1x2x1x1x1xf32>, tensor<2x1xf32>, !ttnn.device) -> tensor<1x1x1x1x1xf32>
  return %0 : tensor<1x1x1x1x1xf32>
}

#dram = #ttnn.buffer_type<dram>
#host = #ttnn.buffer_type<system_memory>
#tiled = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2xf32, #host>>
#tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #host>>
#id = #ttnn.trace_id

// Work that is recorded: twice the input.
func.func private @work(%in: tensor<2x2xf32, #tiled>, %out: tensor<2x2xf32, #tiled>) attributes {tt.function_type = "trace_main"} {
  %0 = "ttnn.add"(%in, %in) : (tensor<2x2xf32, #tiled>, tensor<2x2xf32, #tiled>) -> tensor<2x2xf32, #tiled>
  "ttnn.copy"(%0, %out) : (tensor<2x2xf32, #tiled>, tensor<2x2xf32, #tiled>) -> ()
  return
}
func.func private @slots() -> (tensor<2x2xf32, #tiled>, tensor<2x2xf32, #tiled>) attributes {tt.function_type = "trace_allocate_slots"} {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %0 = "ttnn.empty"(%d) <{shape = #ttnn.shape<2x2>}> : (!ttnn.device) -> tensor<2x2xf32, #tiled>
  %1 = "ttnn.empty"(%d) <{shape = #ttnn.shape<2x2>}> : (!ttnn.device) -> tensor<2x2xf32, #tiled>
  return %0, %1 : tensor<2x2xf32, #tiled>, tensor<2x2xf32, #tiled>
}
func.func private @capture(%x: tensor<2x2xf32, #tiles>, %in: tensor<2x2xf32, #tiled>, %out: tensor<2x2xf32, #tiled>) -> tensor<ui32, #id> attributes {tt.function_type = "trace_run_and_capture"} {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  "ttnn.write_tensor"(%x, %in) : (tensor<2x2xf32, #tiles>, tensor<2x2xf32, #tiled>) -> ()
  func.call @work(%in, %out) : (tensor<2x2xf32, #tiled>, tensor<2x2xf32, #tiled>) -> ()
  %0 = "ttnn.begin_trace_capture"(%d) : (!ttnn.device) -> tensor<ui32, #id>
  func.call @work(%in, %out) : (tensor<2x2xf32, #tiled>, tensor<2x2xf32, #tiled>) -> ()
  "ttnn.end_trace_capture"(%d, %0) : (!ttnn.device, tensor<ui32, #id>) -> ()
  return %0 : tensor<ui32, #id>
}
func.func private @execute(%t: tensor<ui32, #id>) attributes {tt.function_type = "trace_execute"} {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  "ttnn.execute_trace"(%d, %t) : (!ttnn.device, tensor<ui32, #id>) -> ()
  return
}
// TRACE: [2.000000e+00, 4.000000e+00],
// TRACE-NEXT: [6.000000e+00, 8.000000e+00]
func.func @trace(%x: tensor<2x2xf32, #tiles>) -> tensor<2x2xf32, #tiled> {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %0 = "ttnn.capture_or_execute_trace"(%d, %x) <{allocate_slots_callee = @slots, capture_callee = @capture, execute_callee = @execute, operandSegmentSizes = array<i32: 1, 1, 0>}> : (!ttnn.device, tensor<2x2xf32, #tiles>) -> tensor<2x2xf32, #tiled>
  return %0 : tensor<2x2xf32, #tiled>
}

// A program of kernels changes what it is given: it is not left out where nobody uses a result of it.
// KERNELS: error: 'ttnn.generic' op cannot be evaluated
func.func @kernels(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  "ttnn.generic"(%x) <{program = #ttnn.program<kernels = [], cbs = [], semaphores = []>, operandSegmentSizes = array<i32: 1, 0>}> : (tensor<2x2xf32>) -> ()
  return %x : tensor<2x2xf32>
}
