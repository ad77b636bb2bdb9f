// RUN: not tessera run %s --function=large --input=random 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not tessera run %s --function=sharded --input=random 2>&1 | FileCheck %s --check-prefix=SHARDED
// RUN: not tessera run %s --function=together --input=/none.npy 2>&1 | FileCheck %s --check-prefix=TOGETHER
// RUN: not tessera run %s --function=given_back --input=/none.npy 2>&1 | FileCheck %s --check-prefix=BACK
// RUN: not tessera run %s --function=rows --input=random 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not tessera run %s --function=contradicts --input=random 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not tessera run %s --function=mesh 2>&1 | FileCheck %s --check-prefix=MESH
// RUN: not tessera run %s --function=leaks --input=random --device-memory 2>&1 | FileCheck %s --check-prefix=LEAKS
// RUN: tessera run %s --function=leaks --input=random
// RUN: tessera run %s --function=small --input=random --device-memory 2>&1 | FileCheck %s --check-prefix=REPORT
// The memory of a device, and layouts that are not those of their tensors and ops. The device is one of one core with 64 KB and a bank of 1 MB.

#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#small = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32xf32, #dram>, <interleaved>>
#big = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<12x12x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#huge = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#near = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x144x!ttcore.tile<32x32, f32>, #l1>, <interleaved>>

module attributes {ttcore.system_desc = #ttcore.system_desc<[{role = host, target_triple = "x86_64-pc-linux-gnu"}], [{arch = <wormhole_b0>, grid = 1x1, coord_translation_offsets = 18x18, l1_size = 66560, num_dram_channels = 1, dram_channel_size = 1048576, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 0, dram_unreserved_end = 1048576, supported_data_types = [<f32>], supported_tile_sizes = [32x32], dst_physical_size_tiles = 16, num_cbs = 32, num_compute_threads = 1, num_datamovement_threads = 2, dram_grid = 1x1, dram_bank_to_logical_worker_noc0 = [(0, 0)], dram_bank_to_logical_worker_noc1 = [(0, 0)]}], [0], [1 : i32], [0x0x0x0]>} {
  ttcore.device @default_device = <workerGrid = #ttcore.grid<1x1, virt_to_physical_map = (d0, d1) -> (0, d0, d1), physical_to_virt_map = (d0, d1, d2) -> (d1, d2)>, dramGrid = #ttcore.grid<1x1>, l1Map = (d0, d1, d2)[s0] -> (0, d0, d1, d2 + s0), dramMap = (d0, d1, d2)[s0, s1, s2, s3, s4, s5, s6] -> (0, 0, 0, d2), meshShape = 1x1, chipIds = [0]>

  func.func @large(%a: tensor<32x32xf32, #small>) -> tensor<1024x1024xf32, #huge> {
    // LARGE: fits.mlir:[[#@LINE+1]]:{{.*}} error: 'ttnn.repeat' op does not fit: it needs 4194304 bytes of DRAM, of which the device has 1048576 and 4096 are in use
    %0 = "ttnn.repeat"(%a) <{repeat_dims = #ttnn.shape<32x32>}> : (tensor<32x32xf32, #small>) -> tensor<1024x1024xf32, #huge>
    return %0 : tensor<1024x1024xf32, #huge>
  }

  func.func @sharded(%a: tensor<384x384xf32, #big>) -> tensor<384x384xf32, #near> {
    // SHARDED: fits.mlir:[[#@LINE+1]]:{{.*}} error: 'ttnn.to_memory_config' op does not fit: it needs 589824 bytes of L1, of which the device has 65536 and 0 are in use
    %0 = "ttnn.to_memory_config"(%a) : (tensor<384x384xf32, #big>) -> tensor<384x384xf32, #near>
    return %0 : tensor<384x384xf32, #near>
  }

  func.func @together(%a: tensor<384x384xf32, #big>) -> tensor<384x384xf32, #big> {
    // TOGETHER: fits.mlir:[[#@LINE+1]]:{{.*}} error: 'ttnn.abs' op does not fit: it needs 589824 bytes of DRAM, of which the device has 1048576 and 589824 are in use
    %0 = "ttnn.abs"(%a) : (tensor<384x384xf32, #big>) -> tensor<384x384xf32, #big>
    return %0 : tensor<384x384xf32, #big>
  }

  // One at a time has room: only the input is missing.
  // BACK: error: {{.*}}/none.npy
  func.func @given_back(%a: tensor<32x32xf32, #small>) -> tensor<384x384xf32, #big> {
    %0 = "ttnn.repeat"(%a) <{repeat_dims = #ttnn.shape<12x12>}> : (tensor<32x32xf32, #small>) -> tensor<384x384xf32, #big>
    "ttnn.deallocate"(%0) <{force = false}> : (tensor<384x384xf32, #big>) -> ()
    %1 = "ttnn.repeat"(%a) <{repeat_dims = #ttnn.shape<12x12>}> : (tensor<32x32xf32, #small>) -> tensor<384x384xf32, #big>
    return %1 : tensor<384x384xf32, #big>
  }

  func.func @rows(%a: tensor<32x32xf32, #rows>) -> tensor<32x32xf32, #small> {
    // ROWS: fits.mlir:[[#@LINE+1]]:{{.*}} error: 'ttnn.abs' op works on tiles, and its operand #0 is in rows
    %0 = "ttnn.abs"(%a) : (tensor<32x32xf32, #rows>) -> tensor<32x32xf32, #small>
    return %0 : tensor<32x32xf32, #small>
  }

  // SIZE: fits.mlir:[[#@LINE+1]]:{{.*}} error: 'func.func' op has a layout of 1x1 tiles for a tensor that takes 2x1: argument #0
  func.func @contradicts(%a: tensor<33x32xf32, #small>) -> tensor<33x32xf32, #small> {
    %0 = "ttnn.abs"(%a) : (tensor<33x32xf32, #small>) -> tensor<33x32xf32, #small>
    return %0 : tensor<33x32xf32, #small>
  }

  func.func @mesh() -> tensor<32x32xf32, #small> {
    // MESH: fits.mlir:[[#@LINE+1]]:{{.*}} error: 'ttnn.get_device' op asks for 2 devices along axis 1 of a mesh of 1
    %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x2>}> : () -> !ttnn.device
    %0 = "ttnn.ones"(%d) <{shape = #ttnn.shape<32x32>}> : (!ttnn.device) -> tensor<32x32xf32, #small>
    return %0 : tensor<32x32xf32, #small>
  }

  func.func @leaks(%a: tensor<32x32xf32, #small>) -> tensor<32x32xf32, #small> {
    // LEAKS: fits.mlir:[[#@LINE+1]]:{{.*}} error: 'ttnn.abs' op makes a tensor that is never given back: result #0
    %0 = "ttnn.abs"(%a) : (tensor<32x32xf32, #small>) -> tensor<32x32xf32, #small>
    "ttnn.deallocate"(%a) <{force = false}> : (tensor<32x32xf32, #small>) -> ()
    %1 = "ttnn.neg"(%0) : (tensor<32x32xf32, #small>) -> tensor<32x32xf32, #small>
    return %1 : tensor<32x32xf32, #small>
  }

  // REPORT: DRAM: 8192 bytes of 1048576, most at 'ttnn.abs'
  // REPORT: L1: 0 bytes of 65536
  // REPORT: tensors that are never given back: 0
  func.func @small(%a: tensor<32x32xf32, #small>) -> tensor<32x32xf32, #small> {
    %0 = "ttnn.abs"(%a) : (tensor<32x32xf32, #small>) -> tensor<32x32xf32, #small>
    "ttnn.deallocate"(%a) <{force = false}> : (tensor<32x32xf32, #small>) -> ()
    return %0 : tensor<32x32xf32, #small>
  }
}
