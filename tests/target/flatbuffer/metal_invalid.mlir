// RUN: ttmlir-translate --ttmetal-to-flatbuffer --split-input-file --verify-diagnostics %s -o %t
// What has no command of the host, and tensors that its buffers cannot hold.

#system_desc = #ttcore.system_desc<[{role = host, target_triple = "x86_64-pc-linux-gnu"}], [{arch = <wormhole_b0>, grid = 8x8, coord_translation_offsets = 18x18, l1_size = 1499136, num_dram_channels = 12, dram_channel_size = 1073741824, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 1073741824, supported_data_types = [<f32>], supported_tile_sizes = [32x32], dst_physical_size_tiles = 16, num_cbs = 32, num_compute_threads = 1, num_datamovement_threads = 2, dram_grid = 1x12, dram_bank_to_logical_worker_noc0 = [(7, 3)], dram_bank_to_logical_worker_noc1 = [(7, 3)]}], [0], [1 : i32], [0x0x0x0]>
module attributes {ttcore.system_desc = #system_desc} {
  func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> attributes {tt.function_type = "forward_device"} {
    // expected-error @+1 {{'ttir.exp' op is no command of the host, and kernels of devices are not made here: ttir-to-ttmetal-host-pipeline lets the host run it}}
    %0 = "ttir.exp"(%a) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

// expected-error @+1 {{the module has no ttcore.system_desc: --ttcore-register-device adds one}}
module {
  func.func @g(%a: tensor<4xf32>) -> tensor<4xf32> attributes {tt.function_type = "forward_device"} {
    return %a : tensor<4xf32>
  }
}
