// RUN: tessera opt %s | FileCheck %s
// RUN: tessera opt %s | tessera opt - | FileCheck %s
// RUN: tessera opt %s --mlir-print-local-scope | FileCheck %s --check-prefix=LOCAL
// Attributes of TTNN, and the aliases that they print through.

// CHECK-DAG: #dram = #ttnn.buffer_type<dram>
// CHECK-DAG: #l1_ = #ttnn.buffer_type<l1>
// CHECK-DAG: #system_memory = #ttnn.buffer_type<system_memory>
// CHECK-DAG: #[[TILED:ttnn_layout[0-9]*]] = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
// CHECK-DAG: #[[HOST:ttnn_layout[0-9]*]] = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x128xf32, #system_memory>>
// CHECK-DAG: #[[SHARDED:ttnn_layout[0-9]*]] = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x4>, memref<1x1x!ttcore.tile<32x32, f32>, #l1_>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (3,1)>]>>
// CHECK-DAG: #[[MESH:ttnn_layout[0-9]*]] = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, mesh = <"mesh">, memref<2x4x!ttcore.tile<32x32, f32>, #dram>, <interleaved>, ignorePhysicalLayout = true>
#dram = #ttnn.buffer_type<dram>
#near = #ttnn.buffer_type<l1>
#host = #ttnn.buffer_type<system_memory>
#tiled = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x128xf32, #host>>
#sharded = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x4>, memref<1x1x!ttcore.tile<32x32, f32>, #near>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0, 0), (3, 1)>]>>
#meshed = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, mesh = <"mesh">, memref<2x4x!ttcore.tile<32x32, f32>, #dram>, <interleaved>, ignorePhysicalLayout = true>

// CHECK: func.func @places(%arg0: tensor<64x128xf32, #[[HOST]]>, %arg1: tensor<64x128xf32, #[[MESH]]>)
// LOCAL: tensor<64x128xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x128xf32, #ttnn.buffer_type<system_memory>>>>
func.func @places(%a: tensor<64x128xf32, #rows>, %m: tensor<64x128xf32, #meshed>) -> tensor<64x128xf32, #sharded> {
  // CHECK: %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x2>}> : () -> !ttnn.device
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x2>}> : () -> !ttnn.device
  // CHECK: "ttnn.to_device"(%arg0, %0) : (tensor<64x128xf32, #[[HOST]]>, !ttnn.device) -> tensor<64x128xf32, #[[TILED]]>
  %0 = "ttnn.to_device"(%a, %d) : (tensor<64x128xf32, #rows>, !ttnn.device) -> tensor<64x128xf32, #tiled>
  // CHECK: "ttnn.to_memory_config"
  %1 = "ttnn.to_memory_config"(%0) : (tensor<64x128xf32, #tiled>) -> tensor<64x128xf32, #sharded>
  // CHECK: "ttnn.deallocate"(%1) <{force = false}>
  "ttnn.deallocate"(%0) <{force = false}> : (tensor<64x128xf32, #tiled>) -> ()
  return %1 : tensor<64x128xf32, #sharded>
}

// CHECK-LABEL: @configs
func.func @configs(%a: tensor<64x128xf32, #tiled>, %b: tensor<128x128xf32>, %h: tensor<64x128xf32, #rows>) {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  // CHECK: compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>
  // CHECK-SAME: matmul_program_config = #ttnn.matmul_multi_core_reuse_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 8>, in0_block_w = 4, out_subblock_h = 1, out_subblock_w = 2, per_core_m = 1, per_core_n = 2>
  // CHECK-SAME: transpose_a = false, transpose_b = false
  %0 = "ttnn.matmul"(%a, %b) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, matmul_program_config = #ttnn.matmul_multi_core_reuse_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 8>, in0_block_w = 4, out_subblock_h = 1, out_subblock_w = 2, per_core_m = 1, per_core_n = 2>}> : (tensor<64x128xf32, #tiled>, tensor<128x128xf32>) -> tensor<64x128xf32, #tiled>
  // CHECK: mapper_config = #ttnn.mesh_mapper_config<placements = [<replicate, -1 : i32>, <shard, 1 : i32>], mesh_shape_override = [1 : ui32, 2 : ui32]>
  %1 = "ttnn.distribute_tensor"(%h, %d) <{mapper_config = #ttnn.mesh_mapper_config<placements = [<replicate, -1 : i32>, <shard, 1 : i32>], mesh_shape_override = [1 : ui32, 2 : ui32]>}> : (tensor<64x128xf32, #rows>, !ttnn.device) -> tensor<64x64xf32>
  // CHECK: composer_config = #ttnn.mesh_composer_config<dims = [0 : i32, 1 : i32]>
  %2 = "ttnn.aggregate_tensor"(%1, %d) <{composer_config = #ttnn.mesh_composer_config<dims = [0 : i32, 1 : i32]>}> : (tensor<64x64xf32>, !ttnn.device) -> tensor<64x128xf32, #rows>
  // CHECK: "ttnn.permute"(%arg0) <{pad_value = 0.000000e+00 : f32, permutation = array<i64: 1, 0>}>
  %3 = "ttnn.permute"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<64x128xf32, #tiled>) -> tensor<128x64xf32>
  // CHECK: core_range_set = #ttnn.core_range_set<[#ttnn.core_range<(0,0), (7,7)>]>
  %4 = "ttnn.create_global_semaphore"(%d) <{core_range_set = #ttnn.core_range_set<[#ttnn.core_range<(0, 0), (7, 7)>]>, initial_value = 0 : ui32}> : (!ttnn.device) -> !ttnn.global_semaphore
  // CHECK: #ttnn.memory_config<#l1_, <height_sharded>, #ttnn.shard_spec<<[#ttnn.core_range<(0,0), (0,1)>]>, <32x128>, <row_major>>>
  "ttnn.deallocate"(%3) <{force = true}> {x = #ttnn.memory_config<#near, <height_sharded>, #ttnn.shard_spec<<[#ttnn.core_range<(0, 0), (0, 1)>]>, <32x128>, <row_major>>>} : (tensor<128x64xf32>) -> ()
  return
}
