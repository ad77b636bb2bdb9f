// Ops whose rules leave no room for arguments by trial: tests/python/ops.py builds each of them.
// RUN: tessera opt %s | tessera opt | FileCheck %s
// CHECK: stablehlo.async_start
func.func @async(%x: tensor<2xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%a: tensor<2xf32>):
    %g = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
    stablehlo.return %g : tensor<4xf32>
  }) : (tensor<2xf32>) -> !stablehlo.future<tensor<4xf32>>
  %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

#dram = #ttnn.buffer_type<dram>
#host = #ttnn.buffer_type<system_memory>
#tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32xf32, #host>>
#id = #ttnn.trace_id
#turn = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#angle = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#swap = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @memory(%x: tensor<32x32xf32, #tiles>, %y: tensor<32x32xf32, #tiles>, %h: tensor<32x32xf32, #rows>) {
  %0 = "ttnn.to_memory_config"(%x) <{memory_config = #ttnn.memory_config<#dram, <interleaved>>}> : (tensor<32x32xf32, #tiles>) -> tensor<32x32xf32, #tiles>
  %1 = "ttnn.to_tensor_spec"(%x) : (tensor<32x32xf32, #tiles>) -> tensor<32x32xf32, #tiles>
  "ttnn.copy"(%x, %y) : (tensor<32x32xf32, #tiles>, tensor<32x32xf32, #tiles>) -> ()
  "ttnn.write_tensor"(%h, %x) <{blocking = false, cq_id = 0 : ui32}> : (tensor<32x32xf32, #rows>, tensor<32x32xf32, #tiles>) -> ()
  return
}

func.func @traces(%d: !ttnn.device) {
  %0 = "ttnn.begin_trace_capture"(%d) <{cq_id = 0 : ui32}> : (!ttnn.device) -> tensor<ui32, #id>
  "ttnn.end_trace_capture"(%d, %0) <{cq_id = 0 : ui32}> : (!ttnn.device, tensor<ui32, #id>) -> ()
  "ttnn.execute_trace"(%d, %0) <{blocking = false, cq_id = 0 : ui32}> : (!ttnn.device, tensor<ui32, #id>) -> ()
  return
}

func.func @slots() {
  return
}
func.func @work() {
  return
}
func.func @capture() -> tensor<ui32, #id> {
  %d = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.begin_trace_capture"(%d) <{cq_id = 0 : ui32}> : (!ttnn.device) -> tensor<ui32, #id>
  call @work() : () -> ()
  "ttnn.end_trace_capture"(%d, %0) <{cq_id = 0 : ui32}> : (!ttnn.device, tensor<ui32, #id>) -> ()
  return %0 : tensor<ui32, #id>
}
func.func @execute(%0: tensor<ui32, #id>) {
  %d = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  "ttnn.execute_trace"(%d, %0) <{blocking = false, cq_id = 0 : ui32}> : (!ttnn.device, tensor<ui32, #id>) -> ()
  return
}
func.func @trace(%d: !ttnn.device) {
  "ttnn.capture_or_execute_trace"(%d) <{allocate_slots_callee = @slots, capture_callee = @capture, execute_callee = @execute, operandSegmentSizes = array<i32: 1, 0, 0>}> : (!ttnn.device) -> ()
  return
}

func.func @windows(%x: tensor<1x8x4xbf16>, %w: tensor<6x4x3xbf16>, %d: !ttnn.device, %v: tensor<1x4x8x8x32xbf16>, %k: tensor<864x32xbf16>,
                   %c: tensor<6x4x3x3xbf16>, %b: tensor<1x1x1x6xbf16>) {
  %0 = "ttnn.conv1d"(%x, %w, %d) <{in_channels = 4 : i32, out_channels = 6 : i32, batch_size = 1 : i32, input_length = 8 : i32, kernel_size = 3 : i32, stride = 1 : i32, padding = array<i32: 0, 0>, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8x4xbf16>, tensor<6x4x3xbf16>, !ttnn.device) -> tensor<1x1x6x6xbf16>
  %1 = "ttnn.conv3d"(%v, %k, %d) <{in_channels = 32 : i32, out_channels = 32 : i32, batch_size = 1 : i32, input_depth = 4 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3, 3, 3>, stride = array<i32: 1, 1, 1>, padding = array<i32: 0, 0, 0>, groups = 1 : i32}> : (tensor<1x4x8x8x32xbf16>, tensor<864x32xbf16>, !ttnn.device) -> tensor<1x2x6x6x32xbf16>
  %2 = "ttnn.prepare_conv2d_weights"(%c, %d) <{input_memory_config = #ttnn.memory_config<#dram, <interleaved>>, input_tensor_layout = #ttnn.layout<tile>, weights_format = "OIHW", in_channels = 4 : i32, out_channels = 6 : i32, batch_size = 1 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, stride = array<i32: 1, 1>, padding = array<i32: 0, 0>, dilation = array<i32: 1, 1>, has_bias = true, groups = 1 : i32, input_dtype = #ttcore.supportedDataTypes<bf16>}> : (tensor<6x4x3x3xbf16>, !ttnn.device) -> tensor<1x1x36x6xbf16>
  %3 = "ttnn.prepare_conv2d_bias"(%b, %d) <{input_memory_config = #ttnn.memory_config<#dram, <interleaved>>, input_tensor_layout = #ttnn.layout<tile>, in_channels = 4 : i32, out_channels = 6 : i32, batch_size = 1 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, stride = array<i32: 1, 1>, padding = array<i32: 0, 0>, dilation = array<i32: 1, 1>, groups = 1 : i32, input_dtype = #ttcore.supportedDataTypes<bf16>}> : (tensor<1x1x1x6xbf16>, !ttnn.device) -> tensor<1x1x1x6xbf16>
  return
}

func.func @heads(%q: tensor<1x4x32x64xbf16>, %k: tensor<1x1x32x64xbf16>, %w: tensor<1x4x32x1xbf16>, %x: tensor<1x1x32x64xbf16>) {
  %0 = "ttnn.flash_mla_prefill"(%q, %k) <{head_dim_v = 32 : ui32, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (tensor<1x4x32x64xbf16>, tensor<1x1x32x64xbf16>) -> tensor<1x4x32x32xbf16>
  %1 = "ttnn.indexer_score_dsa"(%q, %k, %w) : (tensor<1x4x32x64xbf16>, tensor<1x1x32x64xbf16>, tensor<1x4x32x1xbf16>) -> tensor<1x1x32x32xbf16>
  %2 = "ttnn.layer_norm_pre_all_gather"(%x) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<1x1x32x64xbf16>) -> tensor<1x1x32x64xbf16>
  %4 = "ttnn.scaled_dot_product_attention"(%q, %k, %k) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<1x4x32x64xbf16>, tensor<1x1x32x64xbf16>, tensor<1x1x32x64xbf16>) -> tensor<1x4x32x64xbf16>
  %3 = "ttnn.rotary_embedding"(%q, %x, %x) : (tensor<1x4x32x64xbf16>, tensor<1x1x32x64xbf16>, tensor<1x1x32x64xbf16>) -> tensor<1x4x32x64xbf16>
  return
}

func.func @turns(%q: tensor<1x4x32x64xbf16, #turn>, %x: tensor<1x1x32x64xbf16, #angle>, %t: tensor<1x1x32x32xbf16, #swap>) {
  %0 = "ttnn.rotary_embedding_llama"(%q, %x, %x, %t) : (tensor<1x4x32x64xbf16, #turn>, tensor<1x1x32x64xbf16, #angle>, tensor<1x1x32x64xbf16, #angle>, tensor<1x1x32x32xbf16, #swap>) -> tensor<1x4x32x64xbf16, #turn>
  return
}

func.func @choices_of_ttir(%v: tensor<2x3xbf16>, %i: tensor<2x3xi32>, %k: tensor<2xui32>, %p: tensor<2xbf16>) {
  %0 = "ttir.sampling"(%v, %i, %k, %p, %p) <{seed = 7 : ui32}> : (tensor<2x3xbf16>, tensor<2x3xi32>, tensor<2xui32>, tensor<2xbf16>, tensor<2xbf16>) -> tensor<2xi32>
  return
}

func.func @choices(%v: tensor<32x64xbf16>, %i: tensor<32x64xi32>, %k: tensor<32xui32>, %p: tensor<32xbf16>) {
  %0 = "ttnn.sampling"(%v, %i, %k, %p, %p) : (tensor<32x64xbf16>, tensor<32x64xi32>, tensor<32xui32>, tensor<32xbf16>, tensor<32xbf16>) -> tensor<32xui32>
  return
}

func.func @experts(%x: tensor<1x1x4x8xbf16>, %i: tensor<1x1x4x2xui16>, %s: tensor<1x1x4x2xbf16>, %m: tensor<2x8xui16>) {
  %0:3 = "ttnn.all_to_all_dispatch_metadata"(%x, %i, %s, %m) <{num_devices = 2 : i64, cluster_axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>}> : (tensor<1x1x4x8xbf16>, tensor<1x1x4x2xui16>, tensor<1x1x4x2xbf16>, tensor<2x8xui16>) -> (tensor<1x8x8xbf16>, tensor<1x8x2xui16>, tensor<1x8x2xbf16>)
  return
}
