// RUN: tessera opt %s | FileCheck %s
// RUN: tessera opt %s -o %t && tessera opt %t | cmp %t -
// Ops, attributes and types of ttcore; which attributes print under an alias.

// CHECK-DAG: #dram = #ttcore.memory_space<dram>
// CHECK-DAG: #l1_ = #ttcore.memory_space<l1>
// CHECK-DAG: #layout = #ttcore.metal_layout<logical_shape = 64x64, dim_alignments = 32x32, collapsed_intervals = dense<{{.*}}> : tensor<2x2xi64>, l1, sharded>
// CHECK-DAG: #parallel = #ttcore.iterator_type<parallel>
#any = #ttcore.metal_layout<logical_shape = 64x64, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>

// CHECK: module attributes {ttcore.meshes = #ttcore.meshes<[<"mesh" = 1x2>]>, ttcore.topology = #ttcore.mesh_topology<[ring, linear]>}
module attributes {ttcore.meshes = #ttcore.meshes<[<"mesh" = 1x2>]>, ttcore.topology = #ttcore.mesh_topology<[ring, linear]>} {
  // CHECK: ttcore.device @default_device = <workerGrid = #ttcore.grid<8x8, virt_to_physical_map = (d0, d1) -> (0, d0, d1), physical_to_virt_map = (d0, d1, d2) -> (d1, d2)>, dramGrid = #ttcore.grid<1x12>, l1Map = (d0, d1, d2)[s0] -> (0, d0, d1, d2 + s0), dramMap = (d0, d1, d2)[s0] -> (0, d0, d1, d2 + s0), meshShape = , chipIds = [0]>
  ttcore.device @default_device = <workerGrid = #ttcore.grid<8x8, virt_to_physical_map = (d0, d1) -> (0, d0, d1), physical_to_virt_map = (d0, d1, d2) -> (d1, d2)>, dramGrid = #ttcore.grid<1x12>, l1Map = (d0, d1, d2)[s0] -> (0, d0, d1, d2 + s0), dramMap = (d0, d1, d2)[s0] -> (0, d0, d1, d2 + s0), meshShape = , chipIds = [0]>
  // CHECK: ttcore.device @pair = {{.*}}, meshShape = 1x2, chipIds = [0, 1], meshTopology = [ring, disabled]>
  ttcore.device @pair = <workerGrid = #ttcore.grid<8x8>, dramGrid = #ttcore.grid<1x12>, l1Map = (d0) -> (d0), dramMap = (d0) -> (d0), meshShape = 1x2, chipIds = [0, 1], meshTopology = [ring, disabled]>
  // CHECK: ttcore.global @weights = tensor<4xf32> [1] {note}
  ttcore.global @weights = tensor<4xf32> [1] {note}
  // CHECK: ttcore.global @plain = tensor<4xf32>
  ttcore.global @plain = tensor<4xf32>

  func.func private @twice(%a: tensor<4xf32>) -> tensor<4xf32> {
    return %a : tensor<4xf32>
  }
  func.func private @tupled(%a: tuple<tensor<4xf32>>) -> tuple<tensor<4xf32>>

  // CHECK-LABEL: func.func @ops
  func.func @ops(%a: tensor<4xf32>, %b: tensor<2xf32, #ttcore.tensor_mesh<"mesh">>, %d: !ttcore.dict) -> tensor<4xf32> {
    // CHECK: %[[T:.*]] = ttcore.tuple %arg0, %arg0 : tuple<tensor<4xf32>, tensor<4xf32>>
    %0 = ttcore.tuple %a, %a : tuple<tensor<4xf32>, tensor<4xf32>>
    // CHECK: ttcore.get_tuple_element %[[T]][1] : (tuple<tensor<4xf32>, tensor<4xf32>>) -> tensor<4xf32>
    %1 = ttcore.get_tuple_element %0[1] : (tuple<tensor<4xf32>, tensor<4xf32>>) -> tensor<4xf32>
    // CHECK: "ttcore.optimization_barrier"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = "ttcore.optimization_barrier"(%1) : (tensor<4xf32>) -> tensor<4xf32>
    // CHECK: ttcore.load_cached(@twice, [%{{.*}}]) : (tensor<4xf32>) -> tensor<4xf32>
    %3 = ttcore.load_cached(@twice, [%2]) : (tensor<4xf32>) -> tensor<4xf32>
    // CHECK: ttcore.load_cached(@tupled, [%{{.*}}]) : (tensor<4xf32>) -> tensor<4xf32>
    %4 = ttcore.load_cached(@tupled, [%3]) : (tensor<4xf32>) -> tensor<4xf32>
    // CHECK: "ttcore.composite"(%{{.*}}) <{composite_attributes = {k = 1 : i32}, composite_name = "twice", decomposition = @twice}> : (tensor<4xf32>) -> tensor<4xf32>
    %5 = "ttcore.composite"(%4) <{composite_attributes = {k = 1 : i32}, composite_name = "twice", decomposition = @twice}> : (tensor<4xf32>) -> tensor<4xf32>
    // CHECK: ttcore.get_global @weights : tensor<4xf32>
    %6 = ttcore.get_global @weights : tensor<4xf32>
    // CHECK: ttcore.set_key_value %arg2["k"] = %{{.*}}, %{{.*}} : !ttcore.dict, tensor<4xf32>, tensor<4xf32>
    ttcore.set_key_value %d["k"] = %5, %6 : !ttcore.dict, tensor<4xf32>, tensor<4xf32>
    // CHECK: ttcore.get_key_value %arg2[3 : index] : (!ttcore.dict) -> tensor<4xf32>
    %7 = ttcore.get_key_value %d[3 : index] : (!ttcore.dict) -> tensor<4xf32>
    return %7 : tensor<4xf32>
  }

  // CHECK-LABEL: func.func private @layouts
  // CHECK-SAME: tensor<1x1x2x2x!ttcore.tile<32x32, bfp_bf8>, #layout>
  // CHECK-SAME: memref<2x2xf32, #ttcore.shard<8x4, 1>, #l1_>
  // CHECK-SAME: memref<2x2xf32, #ttcore.view<4>, #l1_>
  // CHECK-SAME: memref<2x2xf32, #ttcore.interleaved<8x4>, #dram>
  // CHECK-SAME: memref<2x2xf32, #ttcore.cb_layout<8x4, 2>, #l1_>
  // CHECK-SAME: memref<2x2xf32, #ttcore.host_layout<logical_shape = 2x2, host_strides = 2x1, host_volume = 4, <"mesh">>>
  func.func private @layouts(tensor<1x1x2x2x!ttcore.tile<32x32, bfp_bf8>, #any>, memref<2x2xf32, #ttcore.shard<8x4, 1>, #ttcore.memory_space<l1>>, memref<2x2xf32, #ttcore.view<4>, #ttcore.memory_space<l1>>, memref<2x2xf32, #ttcore.interleaved<8x4>, #ttcore.memory_space<dram>>, memref<2x2xf32, #ttcore.cb_layout<8x4, 2>, #ttcore.memory_space<l1>>, memref<2x2xf32, #ttcore.host_layout<logical_shape = 2x2, host_strides = 2x1, host_volume = 4, <"mesh">>>) attributes {cores = #ttcore.core_range<(0, 0), (1, 2)>, kind = #ttcore.iterator_type<parallel>, mask = #ttcore.attention_mask_type<causal>, layout = #ttir<convolution_layout input_batch = 0, input_feature = 3, input_spatial_dimensions = 1x2, kernel_output_feature = 0, kernel_input_feature = 1, kernel_spatial_dimensions = 2x3, output_batch = 0, output_feature = 3, output_spatial_dimensions = 1x2>, thread = #ttir.thread<compute, @k>, hoist = #ttir.should_hoist}

  // CHECK: ttcore.device_module {
  // CHECK-NEXT: builtin.module {
  ttcore.device_module {
    builtin.module {
    }
  }
  // CHECK: ttcore.cpu_module {
  ttcore.cpu_module {
    builtin.module {
    }
  }

  // CHECK-LABEL: func.func @own_forms
  func.func @own_forms(%a: tensor<64x64xf32>, %b: tensor<1x1x2x2x!ttcore.tile<32x32, f32>, #any>) -> tensor<64x64xf32> {
    // CHECK: %[[E:.*]] = ttir.empty() : tensor<1x1x2x2x!ttcore.tile<32x32, f32>, #layout>
    %0 = ttir.empty() : tensor<1x1x2x2x!ttcore.tile<32x32, f32>, #any>
    // CHECK: ttir.to_layout %arg0, %[[E]] : tensor<64x64xf32> into tensor<1x1x2x2x!ttcore.tile<32x32, f32>, #layout> hostInfo = #layout -> tensor<1x1x2x2x!ttcore.tile<32x32, f32>, #layout>
    %1 = ttir.to_layout %a, %0 : tensor<64x64xf32> into tensor<1x1x2x2x!ttcore.tile<32x32, f32>, #any> hostInfo = #any -> tensor<1x1x2x2x!ttcore.tile<32x32, f32>, #any>
    // CHECK: ttir.tt_lang_op(%arg0, %arg0) {arg_roles = "in, out", kernel_id = "k", version_tag = "1"} : (tensor<64x64xf32>, tensor<64x64xf32>) -> (tensor<64x64xf32>)
    %2 = ttir.tt_lang_op(%a, %a) {arg_roles = "in, out", kernel_id = "k", version_tag = "1"} : (tensor<64x64xf32>, tensor<64x64xf32>) -> (tensor<64x64xf32>)
    return %2 : tensor<64x64xf32>
  }
}
