// RUN: tessera run %s --function=eights | FileCheck %s --check-prefix=EIGHTS
// RUN: tessera run %s --function=fours | FileCheck %s --check-prefix=FOURS
// RUN: tessera run %s --function=twos | FileCheck %s --check-prefix=TWOS
// RUN: tessera run %s --function=narrow | FileCheck %s --check-prefix=NARROW
// RUN: tessera run %s --function=weights --input=random --check | FileCheck %s --check-prefix=WEIGHTS
// Formats of blocks: 16 elements of a row share the exponent of the largest; each has 7, 3 or 1 bits of mantissa.

#dram = #ttnn.buffer_type<dram>
#f32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bfp8 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bfp_bf8>, #dram>, <interleaved>>
#bfp4 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bfp_bf4>, #dram>, <interleaved>>
#bfp2 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bfp_bf2>, #dram>, <interleaved>>
#half8 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bfp_f8>, #dram>, <interleaved>>
!x = tensor<1x17xf32, #f32>

// Steps are 1/64 * 2^6 = 1 beside 64: 1.5 and 2.5 go to the even neighbour, 127.9 stops at the largest mantissa, -0.5 is 0. The last element is in
// a block of its own and keeps 7 bits.
// EIGHTS: [6.400000e+01, 2.000000e+00, 2.000000e+00, 1.270000e+02, 0.000000e+00, 0.000000e+00, {{.*}}, 1.21875
func.func @eights() -> !x {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %0 = "ttnn.constant"(%d) <{value = dense<[[64.0, 1.5, 2.5, 127.9, -0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.22]]> : tensor<1x17xf32>}> : (!ttnn.device) -> !x
  %1 = "ttnn.typecast"(%0) : (!x) -> tensor<1x17x!ttcore.tile<32x32, bfp_bf8>, #bfp8>
  %2 = "ttnn.typecast"(%1) : (tensor<1x17x!ttcore.tile<32x32, bfp_bf8>, #bfp8>) -> !x
  return %2 : !x
}

// Steps are 16 beside 64; 127.9 stops at 7 * 16.
// FOURS: [6.400000e+01, 0.000000e+00, 3.200000e+01, 1.120000e+02, -1.600000e+01, {{.*}}, 1.250000e+00]
func.func @fours() -> !x {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %0 = "ttnn.constant"(%d) <{value = dense<[[64.0, 8.0, 24.0, 127.9, -9.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.22]]> : tensor<1x17xf32>}> : (!ttnn.device) -> !x
  %1 = "ttnn.typecast"(%0) : (!x) -> tensor<1x17x!ttcore.tile<32x32, bfp_bf4>, #bfp4>
  %2 = "ttnn.typecast"(%1) : (tensor<1x17x!ttcore.tile<32x32, bfp_bf4>, #bfp4>) -> !x
  return %2 : !x
}

// TWOS: [6.400000e+01, 0.000000e+00, 6.400000e+01, 6.400000e+01, {{.*}}, 1.000000e+00]
func.func @twos() -> !x {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %0 = "ttnn.constant"(%d) <{value = dense<[[64.0, 31.0, 33.0, 127.9, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.22]]> : tensor<1x17xf32>}> : (!ttnn.device) -> !x
  %1 = "ttnn.typecast"(%0) : (!x) -> tensor<1x17x!ttcore.tile<32x32, bfp_bf2>, #bfp2>
  %2 = "ttnn.typecast"(%1) : (tensor<1x17x!ttcore.tile<32x32, bfp_bf2>, #bfp2>) -> !x
  return %2 : !x
}

// Five bits of exponent: the largest number is 127 * 1024.
// NARROW: [1.300480e+05, {{.*}}, 0.000000e+00]
func.func @narrow() -> !x {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %0 = "ttnn.constant"(%d) <{value = dense<[[1.0e6, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0e-7]]> : tensor<1x17xf32>}> : (!ttnn.device) -> !x
  %1 = "ttnn.typecast"(%0) : (!x) -> tensor<1x17x!ttcore.tile<32x32, bfp_f8>, #half8>
  %2 = "ttnn.typecast"(%1) : (tensor<1x17x!ttcore.tile<32x32, bfp_f8>, #half8>) -> !x
  return %2 : !x
}

// WEIGHTS: 4x4xf32 {{.*}} PASS
func.func @weights(%x: tensor<4x32xf32, #f32>, %w: tensor<32x4xf32, #f32>) -> tensor<4x4xf32, #f32> {
  %0 = "ttnn.typecast"(%w) : (tensor<32x4xf32, #f32>) -> tensor<32x4x!ttcore.tile<32x32, bfp_bf8>, #bfp8>
  %1 = "ttnn.matmul"(%x, %0) : (tensor<4x32xf32, #f32>, tensor<32x4x!ttcore.tile<32x32, bfp_bf8>, #bfp8>) -> tensor<4x4xf32, #f32>
  return %1 : tensor<4x4xf32, #f32>
}
