// RUN: tessera opt %s --ttcore-register-device | FileCheck %s --check-prefix=ONE
// RUN: tessera opt %s --ttcore-register-device="mesh-shape=1,2 mesh-topology=ring,linear" | FileCheck %s --check-prefix=TWO
// RUN: tessera opt %s --ttcore-register-device="mock-system-desc-arch=blackhole" | FileCheck %s --check-prefix=BLACKHOLE
// RUN: tessera opt %s --ttcore-register-device --ttcore-register-device="mesh-shape=1,2" | FileCheck %s --check-prefix=ONE
// RUN: not tessera opt %s --ttcore-register-device="system-desc-path=x.ttsys" 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not tessera opt %s --ttcore-register-device="mesh-shape=0,2" 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not tessera opt %s --ttcore-register-device="mesh-shape=99999999999" 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not tessera opt %s --ttcore-register-device="mesh-topology=star" 2>&1 | FileCheck %s --check-prefix=STAR
// The described system and its device.

// ONE: #system_desc = #ttcore.system_desc<[{role = host, target_triple = "x86_64-pc-linux-gnu"}], [{arch = <wormhole_b0>, grid = 8x8,
// ONE-SAME: supported_tile_sizes = [ 4x16,  16x16,  32x16,  4x32,  16x32,  32x32]
// ONE-SAME: dram_grid = 1x12, dram_bank_to_logical_worker_noc0 = [(7, 3), (0, 0),
// ONE-SAME: [0], [1 : i32], [ 0x0x0x0]>
// ONE: module attributes {ttcore.system_desc = #system_desc}
// ONE-NEXT: ttcore.device @default_device = <workerGrid = #ttcore.grid<8x8, virt_to_physical_map = (d0, d1) -> (0, d0, d1), physical_to_virt_map = (d0, d1, d2) -> (d1, d2)>, dramGrid = #ttcore.grid<1x12>, l1Map = (d0, d1, d2)[s0] -> (0, d0, d1, d2 + s0), dramMap = (d0, d1, d2)[s0, s1, s2, s3, s4, s5, s6] -> (0, 0, (((d0 * s1) * (s2 * (s3 * s6)) + d1 * (s2 * (s3 * s6)) + d2) floordiv s4) mod 12, ((((d0 * s1) * (s2 * (s3 * s6)) + d1 * (s2 * (s3 * s6)) + d2) floordiv s4) floordiv 12) * s4 + ((d0 * s1) * (s2 * (s3 * s6)) + d1 * (s2 * (s3 * s6)) + d2) mod s4 + s5), meshShape = , chipIds = [0]>
// TWO: [0, 1], [1 : i32, 1 : i32], [ 0x0x0x0], [<[0, 0, 0], [1, 0, 0]>, <[1, 0, 0], [0, 0, 0]>]>
// TWO: meshShape = 1x2, chipIds = [0, 1], meshTopology = [ring, linear]>
// BLACKHOLE: arch = <blackhole>, grid = 10x13,
// BLACKHOLE-SAME: dram_channel_size = 4278190080
// BLACKHOLE: workerGrid = #ttcore.grid<10x13,
// BLACKHOLE-SAME: mod 8
// FILE: error: system desc does not exist: x.ttsys
// BAD: error: a mesh has at most 8 dimensions and 4096 devices
// STAR: error: unknown topology 'star'
func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}
