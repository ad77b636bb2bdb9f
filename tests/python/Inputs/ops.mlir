// Ops that no other test has in a file of one module: tests/python/rebuild.py builds each of them.
// RUN: tessera opt %s | tessera opt | FileCheck %s
// CHECK: chlo.broadcast_and
func.func @chlo(%f: tensor<2x1xf32>, %g: tensor<1x3xf32>, %i: tensor<2x1xi32>, %j: tensor<1x3xi32>, %c: tensor<2xcomplex<f32>>) {
  %and = chlo.broadcast_and %i, %j : (tensor<2x1xi32>, tensor<1x3xi32>) -> tensor<2x3xi32>
  %or = chlo.broadcast_or %i, %j : (tensor<2x1xi32>, tensor<1x3xi32>) -> tensor<2x3xi32>
  %xor = chlo.broadcast_xor %i, %j : (tensor<2x1xi32>, tensor<1x3xi32>) -> tensor<2x3xi32>
  %maximum = chlo.broadcast_maximum %f, %g : (tensor<2x1xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %minimum = chlo.broadcast_minimum %f, %g : (tensor<2x1xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %next_after = chlo.broadcast_next_after %f, %g : (tensor<2x1xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %polygamma = chlo.broadcast_polygamma %f, %g : (tensor<2x1xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %power = chlo.broadcast_power %f, %g : (tensor<2x1xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %remainder = chlo.broadcast_remainder %f, %g : (tensor<2x1xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %shift_left = chlo.broadcast_shift_left %i, %j : (tensor<2x1xi32>, tensor<1x3xi32>) -> tensor<2x3xi32>
  %shift_right_arithmetic = chlo.broadcast_shift_right_arithmetic %i, %j : (tensor<2x1xi32>, tensor<1x3xi32>) -> tensor<2x3xi32>
  %shift_right_logical = chlo.broadcast_shift_right_logical %i, %j : (tensor<2x1xi32>, tensor<1x3xi32>) -> tensor<2x3xi32>
  %zeta = chlo.broadcast_zeta %f, %g : (tensor<2x1xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %kernel = chlo._asin_acos_kernel %c : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
  return
}

#l = #ttcore.metal_layout<logical_shape = 32x32, dim_alignments = 32x32, collapsed_intervals = dense<[[0, -1]]> : tensor<1x2xi64>, l1, sharded>
func.func @ttir(%x: tensor<4x8xf32>, %w: tensor<8xf32>, %s: tensor<1xf32>, %z: tensor<1xi32>, %q: tensor<4x8x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %alloc = "ttir.alloc"() <{address = 64 : i64, size = 128 : i64, memory_space = #ttcore.memory_space<l1>}> : () -> tensor<1x1x32x32xf32, #l>
  %d = "ttir.dequantize_unrolled"(%q, %s, %z) : (tensor<4x8x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<1xf32>, tensor<1xi32>) -> tensor<4x8xf32>
  %n = "ttir.distributed_layer_norm"(%x, %w) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %r = "ttir.requantize_unrolled"(%q, %s, %z, %s, %z) : (tensor<4x8x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<1xf32>, tensor<1xi32>, tensor<1xf32>, tensor<1xi32>) -> tensor<4x8x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}

func.func @experts(%a: tensor<4x4x4x8xf32>, %b: tensor<1x4x4x2xi32>, %c: tensor<1x1x8x2xi32>, %t: tensor<1x1x4x8xf32>, %i: tensor<1x1x4x2xi32>,
                   %p: tensor<1x1x4x2xf32>, %e: tensor<1x1x2x8xi32>, %k: tensor<2x2x4x8xf32>, %m: tensor<2x2x4x2xi32>) {
  %0 = "ttir.all_to_all_combine"(%a, %b, %c) <{num_devices = 2 : i64, cluster_axis = 0 : i64, num_experts_per_tok = 2 : i64}> : (tensor<4x4x4x8xf32>, tensor<1x4x4x2xi32>, tensor<1x1x8x2xi32>) -> tensor<2x2x4x8xf32>
  %1:3 = "ttir.all_to_all_dispatch_metadata"(%t, %i, %p, %e) <{num_devices = 2 : i64, cluster_axis = 0 : i64}> : (tensor<1x1x4x8xf32>, tensor<1x1x4x2xi32>, tensor<1x1x4x2xf32>, tensor<1x1x2x8xi32>) -> (tensor<1x8x8xf32>, tensor<1x8x2xi32>, tensor<1x8x2xf32>)
  %2:2 = "ttir.moe_expert_token_remap"(%k, %c, %m) <{reduction_size = 4 : i64}> : (tensor<2x2x4x8xf32>, tensor<1x1x8x2xi32>, tensor<2x2x4x2xi32>) -> (tensor<1x2x4x4xf32>, tensor<1x1x2x4xf32>)
  return
}

func.func @kernels(%x: tensor<4x32xf32>, %i: tensor<4x2xi32>, %p: tensor<4x2xf32>, %m: tensor<1x4xi32>, %w: tensor<1x4x32x64xf32>, %v: tensor<1x4x64x32xf32>,
                   %a: tensor<2x1x4x1x32x128xf32>, %b: tensor<2x1x4x1x64x128xf32>) {
  %0 = "ttir.moe_compute"(%x, %i, %p, %m, %w, %w, %v) <{layer_id = 0 : ui32, output_height_shard_dim = 4 : ui32, intermediate_size = 64 : ui32, cluster_axis = 0 : ui32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 0, 0, 0>}> : (tensor<4x32xf32>, tensor<4x2xi32>, tensor<4x2xf32>, tensor<1x4xi32>, tensor<1x4x32x64xf32>, tensor<1x4x32x64xf32>, tensor<1x4x64x32xf32>) -> tensor<2x4x32xf32>
  %1:5 = "ttir.moe_gpt"(%x, %i, %p, %m, %a, %b) : (tensor<4x32xf32>, tensor<4x2xi32>, tensor<4x2xf32>, tensor<1x4xi32>, tensor<2x1x4x1x32x128xf32>, tensor<2x1x4x1x64x128xf32>) -> (tensor<1x4xi32>, tensor<4x8xi32>, tensor<4x8xi32>, tensor<4x32xf32>, tensor<4x32xf32>)
  %2 = "ttir.selective_reduce_combine"(%x, %x, %i, %i) <{hidden_size = 32 : ui32, batch_size = 4 : ui32, seq_size = 1 : ui32, select_experts_k = 2 : ui32, experts = 4 : ui32}> : (tensor<4x32xf32>, tensor<4x32xf32>, tensor<4x2xi32>, tensor<4x2xi32>) -> tensor<4x32xf32>
  return
}
