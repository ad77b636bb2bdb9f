// RUN: ttmlir-opt %s --ttcore-mark-functions-as-forward --ttcore-register-device -o %t.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttmlir-translate --flatbuffer-to-ttnn %t.ttnn | FileCheck %s
// RUN: ttrt read %t.ttnn | FileCheck %s --check-prefix=JSON
// RUN: ttrt read --section=op_stats %t.ttnn | FileCheck %s --check-prefix=STATS
// Where a tensor is, what a configuration says, and which op it was.

#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#host = #ttnn.buffer_type<system_memory>
#tiled = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#blocks = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, bfp_bf8>, #dram>, <interleaved>>
#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x128xbf16, #host>>
#near = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
#sharded = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x4>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0, 0), (3, 1)>]>>

// CHECK-DAG: #[[ROWS:ttnn_layout[0-9]*]] = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x128xbf16, #system_memory>>
// CHECK-DAG: #[[TILED:ttnn_layout[0-9]*]] = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
// CHECK-DAG: #[[NEAR:ttnn_layout[0-9]*]] = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1_>, <interleaved>>
// CHECK-DAG: #[[SHARDED:ttnn_layout[0-9]*]] = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x4>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1_>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (3,1)>]>>
// CHECK-DAG: #[[BLOCKS:ttnn_layout[0-9]*]] = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, bfp_bf8>, #dram>, <interleaved>>
// CHECK: func.func @places(%arg0: tensor<64x128xbf16, #[[ROWS]]>) -> tensor<64x128xbf16, #[[SHARDED]]> attributes {tt.function_type = "forward_device"}
// JSON: "name": "places"
func.func @places(%a: tensor<64x128xbf16, #rows>) -> tensor<64x128xbf16, #sharded> {
  // CHECK: %[[D:.*]] = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  // CHECK: "ttnn.to_device"(%arg0, %[[D]]) : (tensor<64x128xbf16, #[[ROWS]]>, !ttnn.device) -> tensor<64x128xbf16, #[[TILED]]>
  %0 = "ttnn.to_device"(%a, %d) : (tensor<64x128xbf16, #rows>, !ttnn.device) -> tensor<64x128xbf16, #tiled>
  // CHECK: "ttnn.to_memory_config"(%{{.*}}) : (tensor<64x128xbf16, #[[TILED]]>) -> tensor<64x128xbf16, #[[NEAR]]>
  %1 = "ttnn.to_memory_config"(%0) : (tensor<64x128xbf16, #tiled>) -> tensor<64x128xbf16, #near>
  // CHECK: "ttnn.typecast"(%{{.*}}) : (tensor<64x128xbf16, #[[TILED]]>) -> tensor<64x128x!ttcore.tile<32x32, bfp_bf8>, #[[BLOCKS]]>
  %2 = "ttnn.typecast"(%0) : (tensor<64x128xbf16, #tiled>) -> tensor<64x128x!ttcore.tile<32x32, bfp_bf8>, #blocks>
  // JSON: "tensor_memory_layout": "BlockSharded"
  // JSON-NEXT: "buffer_type": "L1"
  // JSON-NEXT: "shard_spec": {
  // JSON-NEXT: "core_range_set": {
  // JSON-NEXT: "core_ranges": [
  %3 = "ttnn.to_memory_config"(%0) : (tensor<64x128xbf16, #tiled>) -> tensor<64x128xbf16, #sharded>
  // CHECK: "ttnn.deallocate"(%{{.*}}) <{force = true}>
  "ttnn.deallocate"(%0) <{force = true}> : (tensor<64x128xbf16, #tiled>) -> ()
  return %3 : tensor<64x128xbf16, #sharded>
}

// JSON: "name": "computes"
// CHECK: func.func @computes(
func.func @computes(%a: tensor<64x128xbf16, #tiled>, %b: tensor<64x128xbf16, #tiled>) -> tensor<64x128xbf16, #tiled> {
  // JSON: "callee_name": "const"
  // JSON-NEXT: "program_idx": 2
  // CHECK: ttcore.load_cached(@const, [])
  %c = ttcore.load_cached(@const, []) : () -> tensor<64x128xbf16, #tiled>
  // CHECK: "ttnn.pow_scalar"(%{{.*}}) <{rhs = 2 : i32}>
  // JSON: "type": "PowScalar"
  // JSON: "rhs_type": "I32"
  // JSON-NEXT: "rhs": {
  // JSON-NEXT: "value": 2
  %0 = "ttnn.pow_scalar"(%a) <{rhs = 2 : i32}> : (tensor<64x128xbf16, #tiled>) -> tensor<64x128xbf16, #tiled>
  // CHECK: "ttnn.clamp_scalar"(%{{.*}}) <{max = 1.000000e-10 : f32, min = -3 : i32}>
  // JSON: "params_type": "ClampScalarOpParams"
  // JSON: "value": 1e-10
  %1 = "ttnn.clamp_scalar"(%0) <{max = 1.000000e-10 : f32, min = -3 : i32}> : (tensor<64x128xbf16, #tiled>) -> tensor<64x128xbf16, #tiled>
  // CHECK: "ttnn.leaky_relu"(%{{.*}}) <{parameter = 0.00999999977 : f32}>
  %2 = "ttnn.leaky_relu"(%1) <{parameter = 0.00999999977 : f32}> : (tensor<64x128xbf16, #tiled>) -> tensor<64x128xbf16, #tiled>
  // CHECK: "ttnn.where"(%{{.*}}, %arg1, %{{.*}})
  %3 = "ttnn.where"(%2, %b, %c) : (tensor<64x128xbf16, #tiled>, tensor<64x128xbf16, #tiled>, tensor<64x128xbf16, #tiled>) -> tensor<64x128xbf16, #tiled>
  // CHECK: "ttnn.softmax"(%{{.*}}) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi3, packer_l1_acc = false>, dimension = -1 : si32, numericStable = true}>
  // JSON: "math_fidelity": "HiFi3"
  // JSON-NEXT: "math_approx_mode": null
  // JSON-NEXT: "fp32_dest_acc_en": null
  // JSON-NEXT: "packer_l1_acc": false
  %4 = "ttnn.softmax"(%3) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi3, packer_l1_acc = false>, dimension = -1 : si32, numericStable = true}> : (tensor<64x128xbf16, #tiled>) -> tensor<64x128xbf16, #tiled>
  // CHECK: "ttnn.matmul"(%{{.*}}, %{{.*}}) <{activation = "gelu", matmul_program_config = #ttnn.matmul_multi_core_reuse_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 7>, in0_block_w = 4, out_subblock_h = 1, out_subblock_w = 2, per_core_m = 1, per_core_n = 2>, transpose_a = true, transpose_b = false}>
  // JSON: "matmul_program_config_type": "MatmulMultiCoreReuseProgramConfig"
  // JSON: "x": 8,
  // JSON-NEXT: "y": 7
  %5 = "ttnn.matmul"(%4, %4) <{activation = "gelu", matmul_program_config = #ttnn.matmul_multi_core_reuse_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 7>, in0_block_w = 4, out_subblock_h = 1, out_subblock_w = 2, per_core_m = 1, per_core_n = 2>, transpose_a = true, transpose_b = false}> : (tensor<64x128xbf16, #tiled>, tensor<64x128xbf16, #tiled>) -> tensor<128x128xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>>
  return %4 : tensor<64x128xbf16, #tiled>
}

// CHECK: func.func private @const() -> tensor<64x128xbf16, #[[TILED]]> attributes {tt.function_type = "const_eval"}
func.func private @const() -> tensor<64x128xbf16, #tiled> attributes {tt.function_type = "const_eval"} {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  // CHECK: "ttnn.full"(%{{.*}}) <{fill_value = 1.250000e+00 : f32, shape = #ttnn.shape<64x128>}>
  %0 = "ttnn.full"(%d) <{fill_value = 1.250000e+00 : f32, shape = #ttnn.shape<64x128>}> : (!ttnn.device) -> tensor<64x128xbf16, #tiled>
  return %0 : tensor<64x128xbf16, #tiled>
}
// STATS: "EltwiseBinaryCompositeScalarOp": 1,
// STATS: "LoadCachedOp": 1,
// STATS-NEXT: "MatmulOp": 1,
