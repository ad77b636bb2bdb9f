// RUN: tessera opt %s --ttir-to-ttnn-backend-pipeline -o %t && FileCheck %s --input-file %t
// RUN: tessera opt %s --ttir-to-ttnn-runtime-pipeline | cmp - %t
// RUN: tessera opt %s --ttir-to-ttnn-common-pipeline | cmp - %t
// RUN: tessera opt %t --ttnn-common-to-runtime-pipeline | cmp - %t
// RUN: tessera run %t --function=mlp --input=random --against=%s
// RUN: tessera run %t --function=picture --input=random --against=%s
// RUN: tessera run %t --function=created --against=%s
// RUN: tessera run %t --function=moves --input=random --against=%s
// From TTIR to TTNN, and the result computes the same.

// CHECK: ttcore.device_module {
// CHECK: func.func @mlp(
// CHECK-SAME: attributes {tt.function_type = "forward_device"}
func.func @mlp(%x: tensor<4x16xf32>, %w: tensor<16x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  // CHECK: "ttnn.linear"(%arg0, %arg1, %arg2) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>
  // CHECK-NEXT: "ttnn.deallocate"(%arg2)
  // CHECK-NEXT: "ttnn.deallocate"(%arg1)
  // CHECK-NEXT: "ttnn.deallocate"(%arg0)
  // CHECK-NEXT: "ttnn.relu"
  // CHECK-NEXT: "ttnn.deallocate"
  // CHECK-NEXT: "ttnn.softmax"
  %0 = "ttir.linear"(%x, %w, %b) : (tensor<4x16xf32>, tensor<16x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %1 = "ttir.relu"(%0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = "ttir.softmax"(%1) <{dimension = 1 : si32}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// CHECK: func.func @picture(
func.func @picture(%x: tensor<1x8x8x4xbf16>, %w: tensor<6x4x3x3xbf16>) -> tensor<1x3x3x6xbf16> {
  // CHECK: "ttnn.conv2d"({{.*}}) <{batch_size = 1 : i32, compute_config = {{.*}}, conv2d_config = #ttnn.conv2d_config<enable_kernel_stride_folding = false, config_tensors_in_dram = true>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 4 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, out_channels = 6 : i32, padding = array<i32: 0, 0>, stride = array<i32: 1, 1>}>
  %0 = "ttir.conv2d"(%x, %w) <{stride = array<i32: 1, 1>, padding = array<i32: 0, 0>, dilation = array<i32: 1, 1>, groups = 1 : i32}> : (tensor<1x8x8x4xbf16>, tensor<6x4x3x3xbf16>) -> tensor<1x6x6x6xbf16>
  // CHECK: "ttnn.max_pool2d"({{.*}}) <{batch_size = 1 : si32, ceil_mode = false, channels = 6 : si32, config_tensors_in_dram = true, dilation = array<i32: 1, 1>, input_height = 6 : si32, input_width = 6 : si32, kernel_size = array<i32: 2, 2>, padding = array<i32: 0, 0>, reallocate_halo_output = false, stride = array<i32: 2, 2>}>
  %1 = "ttir.max_pool2d"(%0) <{kernel = array<i32: 2, 2>, stride = array<i32: 2, 2>, dilation = array<i32: 1, 1>, padding = array<i32: 0, 0, 0, 0>, ceil_mode = false}> : (tensor<1x6x6x6xbf16>) -> tensor<1x3x3x6xbf16>
  return %1 : tensor<1x3x3x6xbf16>
}

// CHECK: func.func private @created_const_eval_0() -> {{.*}} attributes {tt.function_type = "const_eval"}
// CHECK: "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
// CHECK: func.func @created(
// CHECK-NEXT: ttcore.load_cached(@created_const_eval_0, [])
func.func @created() -> tensor<2x4xf32> {
  %0 = "ttir.full"() <{shape = array<i32: 2, 4>, fill_value = 1.5 : f32}> : () -> tensor<2x4xf32>
  %1 = "ttir.ones"() <{shape = array<i32: 2, 4>}> : () -> tensor<2x4xf32>
  %2 = "ttir.add"(%0, %1) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}

// CHECK: func.func @moves(
func.func @moves(%x: tensor<2x3x4xf32> {ttcore.argument_type = #ttcore.argument_type<input>}) -> tensor<2x8xf32> {
  // CHECK-NEXT: %[[X:.*]] = "ttnn.to_layout"(%arg0)
  // CHECK-NEXT: "ttnn.deallocate"(%arg0)
  %0 = "ttir.permute"(%x) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  // CHECK: "ttnn.max"(%[[X]]) <{compute_config = {{.*}}, dim_arg = [1 : i32], keep_dim = false}>
  %1 = "ttir.max"(%0) <{dim_arg = [2 : i32], keep_dim = false}> : (tensor<2x4x3xf32>) -> tensor<2x4xf32>
  // CHECK: "ttnn.concat"({{.*}}) <{dim = 1 : si32}>
  %2 = "ttir.concat"(%1, %1) <{dim = -1 : si32}> : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x8xf32>
  return %2 : tensor<2x8xf32>
}
