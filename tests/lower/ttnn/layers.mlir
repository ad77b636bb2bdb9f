// Layers whose operands TTNN wants in other shapes.
// RUN: tessera opt %s --ttcore-register-device --ttnn-layout --convert-ttir-to-ttnn --ttnn-prepare-conv3d-weights --canonicalize -o %t && FileCheck %s --input-file %t

// CHECK-LABEL: func.func @line(
// CHECK: "ttnn.reshape"(%arg2) <{shape = [1 : i32, 1 : i32, 1 : i32, 8 : i32]}>
// CHECK: "ttnn.conv1d"({{.*}}batch_size = 2 : i32, conv2d_config = #ttnn.conv2d_config<config_tensors_in_dram = false>, dilation = 1 : i32, groups = 1 : i32, in_channels = 4 : i32, input_length = 16 : i32, kernel_size = 3 : i32, out_channels = 8 : i32, padding = array<i32: 1, 1>, stride = 1 : i32
// CHECK-SAME: -> tensor<1x1x32x8xbf16
// CHECK: "ttnn.reshape"({{.*}}shape = [2 : i32, 16 : i32, 8 : i32]
func.func @line(%x: tensor<2x16x4xbf16>, %w: tensor<8x4x3xbf16>, %b: tensor<1x1x8xbf16>) -> tensor<2x16x8xbf16> {
  %0 = "ttir.conv1d"(%x, %w, %b) <{stride = 1 : i32, padding = 1 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<2x16x4xbf16>, tensor<8x4x3xbf16>, tensor<1x1x8xbf16>) -> tensor<2x16x8xbf16>
  return %0 : tensor<2x16x8xbf16>
}

// CHECK-LABEL: func.func @solid(
// CHECK: "ttnn.pad"(%arg0) <{padding = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0, 28>
// CHECK: "ttnn.prepare_conv3d_weights"({{.*}}alignment = 32 : i32, c_in_block = 16 : i32, groups = 1 : i32
// CHECK-SAME: -> tensor<256x16xbf16
// CHECK: "ttnn.conv3d"({{.*}}in_channels = 32 : i32
func.func @solid(%x: tensor<1x4x4x4x4xbf16>, %w: tensor<16x4x2x2x2xbf16>) -> tensor<1x3x3x3x16xbf16> {
  %0 = "ttir.conv3d"(%x, %w) <{stride = array<i32: 1, 1, 1>, padding = array<i32: 0, 0, 0>, groups = 1 : i32, padding_mode = "zeros"}> : (tensor<1x4x4x4x4xbf16>, tensor<16x4x2x2x2xbf16>) -> tensor<1x3x3x3x16xbf16>
  return %0 : tensor<1x3x3x3x16xbf16>
}

// CHECK-LABEL: func.func @learn(
// CHECK: "ttnn.adamw"(%arg0, %arg1, %arg2, %arg3)
// CHECK-SAME: -> ()
// CHECK: return %arg0, %arg3
func.func @learn(%p: tensor<32x32xbf16>, %g: tensor<32x32xbf16>, %m: tensor<32x32xbf16>, %v: tensor<32x32xbf16>) -> (tensor<32x32xbf16>, tensor<32x32xbf16>) {
  %0:3 = "ttir.adamw"(%p, %g, %m, %v) <{lr = 0.1 : f32, beta1 = 0.9 : f32, beta2 = 0.99 : f32, beta1_pow = 0.9 : f32, beta2_pow = 0.99 : f32, epsilon = 1.0e-08 : f32, weight_decay = 0.0 : f32}> : (tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) -> (tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>)
  return %0#0, %0#2 : tensor<32x32xbf16>, tensor<32x32xbf16>
}

// Twenty places are thirty-two.
// CHECK-LABEL: func.func @back(
// CHECK-DAG: "ttnn.pad"({{.*}}padding = array<i32: 0, 0, 0, 12>
// CHECK-DAG: "ttnn.pad"({{.*}}padding = array<i32: 0, 0, 0, 12, 0, 0>
// CHECK: "ttnn.reshape"({{.*}}shape = [1 : i32, 1 : i32, 64 : i32, 8 : i32]
// CHECK: "ttnn.reshape"({{.*}}shape = [2 : i32, 1 : i32, 1 : i32, 32 : i32]
// CHECK: "ttnn.embedding_bw"({{.*}}-> tensor<1x1x16x8xbf16
func.func @back(%i: tensor<2x20xi32>, %w: tensor<16x8xbf16>, %g: tensor<2x20x8xbf16>) -> tensor<16x8xbf16> {
  %0 = "ttir.embedding_backward"(%i, %w, %g) : (tensor<2x20xi32>, tensor<16x8xbf16>, tensor<2x20x8xbf16>) -> tensor<16x8xbf16>
  return %0 : tensor<16x8xbf16>
}

// Sinks are scaled by kernels, so that they are divided before.
// CHECK-LABEL: func.func @sink(
// CHECK: "ttnn.full"({{.*}}fill_value = 4.000000e+00 : f32
// CHECK: "ttnn.multiply"
// CHECK: "ttnn.scaled_dot_product_attention_decode"({{.*}}operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>
func.func @sink(%q: tensor<1x2x1x32xbf16>, %k: tensor<1x2x8x32xbf16>, %v: tensor<1x2x8x32xbf16>, %s: tensor<1x2x1x1xbf16>) -> tensor<1x2x1x32xbf16> {
  %0 = "ttir.scaled_dot_product_attention"(%q, %k, %v, %s) <{is_causal = false, scale = 0.25 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>}> : (tensor<1x2x1x32xbf16>, tensor<1x2x8x32xbf16>, tensor<1x2x8x32xbf16>, tensor<1x2x1x1xbf16>) -> tensor<1x2x1x32xbf16>
  return %0 : tensor<1x2x1x32xbf16>
}

// Statistics that are written in place are read behind the op that writes them.
// CHECK-LABEL: func.func @statistics(
// CHECK: %[[M:.*]] = "ttnn.reshape"(%arg3)
// CHECK: "ttnn.batch_norm_training"(%arg0, %[[M]],
// CHECK: %[[R:.*]] = "ttnn.reshape"(%[[M]])
// CHECK: return %{{.*}}, %[[R]]
func.func @statistics(%x: tensor<2x4x8x8xf32>, %s: tensor<1x4x1x1xf32>, %o: tensor<1x4x1x1xf32>, %m: tensor<4xf32>, %v: tensor<1x4x1x1xf32>) -> (tensor<2x4x8x8xf32>, tensor<4xf32>) {
  %0 = "ttir.reshape"(%m) <{shape = [1 : i32, 4 : i32, 1 : i32, 1 : i32]}> : (tensor<4xf32>) -> tensor<1x4x1x1xf32>
  %1:3 = "ttir.batch_norm_training"(%x, %s, %o, %0, %v) <{dimension = 1 : i32, epsilon = 1.0e-05 : f32, momentum = 0.1 : f32}> : (tensor<2x4x8x8xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>) -> (tensor<2x4x8x8xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>)
  %2 = "ttir.reshape"(%1#1) <{shape = [4 : i32]}> : (tensor<1x4x1x1xf32>) -> tensor<4xf32>
  return %1#0, %2 : tensor<2x4x8x8xf32>, tensor<4xf32>
}

// The device stands behind what the norm is given.
// CHECK-LABEL: func.func @parts(
// CHECK: %[[D:.*]] = "ttnn.get_device"
// CHECK: "ttnn.distributed_layer_norm"(%arg0, %[[D]]) <{cluster_axis = 1 : ui32, epsilon = 1.000000e-03 : f32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}>
// CHECK: "ttnn.distributed_rms_norm"(%{{.*}}, %arg1, %arg0, %[[D]]) <{cluster_axis = 1 : ui32, epsilon = 1.000000e-03 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>}>
func.func @parts(%x: tensor<1x1x64x32xbf16>, %w: tensor<32xbf16>) -> tensor<1x1x64x32xbf16> {
  %0 = "ttir.distributed_layer_norm"(%x) <{cluster_axis = 1 : ui32, epsilon = 1.0e-3 : f32, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (tensor<1x1x64x32xbf16>) -> tensor<1x1x64x32xbf16>
  %1 = "ttir.distributed_rms_norm"(%0, %w, %x) <{cluster_axis = 1 : ui32, epsilon = 1.0e-3 : f32, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<1x1x64x32xbf16>, tensor<32xbf16>, tensor<1x1x64x32xbf16>) -> tensor<1x1x64x32xbf16>
  return %1 : tensor<1x1x64x32xbf16>
}
