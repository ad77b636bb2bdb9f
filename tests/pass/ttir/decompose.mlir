// Decomposition for devices, one function per rule.
// RUN: tessera opt %s --ttir-to-ttir-decomposition | FileCheck %s
// VALUES: --ttir-to-ttir-decomposition

// CHECK-LABEL: func.func @tt_index_slice
// CHECK-NEXT: "ttir.slice_static"({{.*}}) <{begins = [0 : i32, 1 : i32], ends = [4 : i32, 5 : i32], step = [1 : i32, 2 : i32]}> : (tensor<4x6xf32>) -> tensor<4x2xf32>
// CHECK-NEXT: return {{.*}} : tensor<4x2xf32>
func.func @tt_index_slice(%a: tensor<4x6xf32>) -> tensor<4x2xf32> {
  %0 = "ttir.index"(%a) <{dim = 1 : i32, begin = 1 : i32, end = -1 : i32, step = 2 : i32}> : (tensor<4x6xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
// CHECK-LABEL: func.func @tt_select_slices
// CHECK-NEXT: "ttir.slice_static"({{.*}}) <{begins = [0 : i32, 0 : i32], ends = [2 : i32, 2 : i32], step = [1 : i32, 1 : i32]}> : (tensor<2x8xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: "ttir.slice_static"({{.*}}) <{begins = [0 : i32, 4 : i32], ends = [2 : i32, 6 : i32], step = [1 : i32, 1 : i32]}> : (tensor<2x8xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: "ttir.concat"({{.*}}) <{dim = 1 : si32}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x4xf32>
func.func @tt_select_slices(%a: tensor<2x8xf32>) -> tensor<2x4xf32> {
  %0 = "ttir.index_select"(%a) <{dim = -1 : si32, begin = 0 : si32, length = 2 : si32, stride = 4 : si32}> : (tensor<2x8xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// CHECK-LABEL: func.func @tt_reverse_embedding
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x3x2xf32>) -> tensor<2x2x3xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [4 : i32, 3 : i32]}> : (tensor<2x2x3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: "ttir.constant"() <{value = dense<[3, 2, 1, 0]> : tensor<4xsi32>}> : () -> tensor<4xsi32>
// CHECK-NEXT: "ttir.embedding"({{.*}}) : (tensor<4xsi32>, tensor<4x3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [2 : i32, 2 : i32, 3 : i32]}> : (tensor<4x3xf32>) -> tensor<2x2x3xf32>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x2x3xf32>) -> tensor<2x3x2xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x3x2xf32>
func.func @tt_reverse_embedding(%a: tensor<2x3x2xf32>) -> tensor<2x3x2xf32> {
  %0 = "ttir.reverse"(%a) <{dimensions = array<i64: 0, 2>}> : (tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  return %0 : tensor<2x3x2xf32>
}
// CHECK-LABEL: func.func @tt_dot_matmul
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 0, 1, 2>}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [2 : i32, 3 : i32, 4 : i32]}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 2, 0, 1>}> : (tensor<4x5x2xf32>) -> tensor<2x4x5xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [2 : i32, 4 : i32, 5 : i32]}> : (tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
// CHECK-NEXT: "ttir.matmul"({{.*}}) <{transpose_a = false, transpose_b = false}> : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [2 : i32, 3 : i32, 5 : i32]}> : (tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x3x5xf32>
func.func @tt_dot_matmul(%a: tensor<2x3x4xf32>, %b: tensor<4x5x2xf32>) -> tensor<2x3x5xf32> {
  %0 = "ttir.dot_general"(%a, %b) <{batch_dims_lhs = array<i64: 0>, batch_dims_rhs = array<i64: 2>, contract_dims_lhs = array<i64: 2>, contract_dims_rhs = array<i64: 0>}> : (tensor<2x3x4xf32>, tensor<4x5x2xf32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}
// CHECK-LABEL: func.func @tt_and_prod
// CHECK-NEXT: "ttir.zeros"() <{shape = array<i32: 2, 3>}> : () -> tensor<2x3xf32>
// CHECK-NEXT: "ttir.ne"({{.*}}) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: "ttir.prod"({{.*}}) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<2x3xf32>) -> tensor<2xf32>
// CHECK-NEXT: return {{.*}} : tensor<2xf32>
func.func @tt_and_prod(%a: tensor<2x3xf32>) -> tensor<2xf32> {
  %0 = "ttir.reduce_and"(%a) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<2x3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// no values
// CHECK-LABEL: func.func @tt_or_sum
// CHECK-NEXT: "ttir.zeros"() <{shape = array<i32: 2, 3>}> : () -> tensor<2x3xf32>
// CHECK-NEXT: "ttir.ne"({{.*}}) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: "ttir.sum"({{.*}}) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<2x3xf32>) -> tensor<2xf32>
// CHECK-NEXT: return {{.*}} : tensor<2xf32>
func.func @tt_or_sum(%a: tensor<2x3xf32>) -> tensor<2xf32> {
  %0 = "ttir.reduce_or"(%a) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<2x3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// no values
// CHECK-LABEL: func.func @tt_unroll_quantize
// CHECK-NEXT: "ttir.constant"() <{value = dense<5.000000e-01> : tensor<1xf32>}> : () -> tensor<1xf32>
// CHECK-NEXT: "ttir.constant"() <{value = dense<1> : tensor<1xsi32>}> : () -> tensor<1xsi32>
// CHECK-NEXT: "ttir.quantize_unrolled"({{.*}}) : (tensor<2x3xf32>, tensor<1xf32>, tensor<1xsi32>) -> tensor<2x3x!quant.uniform<i32:f32, 5.000000e-01:1>>
// CHECK-NEXT: "ttir.constant"() <{value = dense<5.000000e-01> : tensor<1xf32>}> : () -> tensor<1xf32>
// CHECK-NEXT: "ttir.constant"() <{value = dense<1> : tensor<1xsi32>}> : () -> tensor<1xsi32>
// CHECK-NEXT: "ttir.dequantize_unrolled"({{.*}}) : (tensor<2x3x!quant.uniform<i32:f32, 5.000000e-01:1>>, tensor<1xf32>, tensor<1xsi32>) -> tensor<2x3xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x3xf32>
func.func @tt_unroll_quantize(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "ttir.quantize"(%a) : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i32:f32, 5.000000e-01:1>>
  %1 = "ttir.dequantize"(%0) : (tensor<2x3x!quant.uniform<i32:f32, 5.000000e-01:1>>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
// CHECK-LABEL: func.func @tt_conv_channels_last
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<1x2x4x4xf32>) -> tensor<1x4x4x2xf32>
// CHECK-NEXT: "ttir.conv2d"({{.*}}) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = 1 : i32, groups = 1 : i32, height_dim = 1 : i64, padding = 0 : i32, stride = 1 : i32, width_dim = 2 : i64}> : (tensor<1x4x4x2xf32>, tensor<3x2x3x3xf32>) -> tensor<1x2x2x3xf32>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<1x2x2x3xf32>) -> tensor<1x3x2x2xf32>
// CHECK-NEXT: return {{.*}} : tensor<1x3x2x2xf32>
func.func @tt_conv_channels_last(%a: tensor<1x2x4x4xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1x3x2x2xf32> {
  %0 = "ttir.conv2d"(%a, %w) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32, batch_dim = 0 : i64, channel_dim = 1 : i64, height_dim = 2 : i64, width_dim = 3 : i64}> : (tensor<1x2x4x4xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x2x2xf32>
  return %0 : tensor<1x3x2x2xf32>
}
// CHECK-LABEL: func.func @tt_conv_transpose2d_channels_last
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<1x2x4x4xf32>) -> tensor<1x4x4x2xf32>
// CHECK-NEXT: "ttir.conv_transpose2d"({{.*}}) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = 1 : i32, groups = 1 : i32, height_dim = 1 : i64, output_padding = 0 : i32, padding = 0 : i32, stride = 1 : i32, width_dim = 2 : i64}> : (tensor<1x4x4x2xf32>, tensor<2x3x3x3xf32>) -> tensor<1x6x6x3xf32>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<1x6x6x3xf32>) -> tensor<1x3x6x6xf32>
// CHECK-NEXT: return {{.*}} : tensor<1x3x6x6xf32>
func.func @tt_conv_transpose2d_channels_last(%a: tensor<1x2x4x4xf32>, %w: tensor<2x3x3x3xf32>) -> tensor<1x3x6x6xf32> {
  %0 = "ttir.conv_transpose2d"(%a, %w) <{stride = 1 : i32, padding = 0 : i32, output_padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32, batch_dim = 0 : i64, channel_dim = 1 : i64, height_dim = 2 : i64, width_dim = 3 : i64}> : (tensor<1x2x4x4xf32>, tensor<2x3x3x3xf32>) -> tensor<1x3x6x6xf32>
  return %0 : tensor<1x3x6x6xf32>
}
// CHECK-LABEL: func.func @tt_conv3d_channels_last
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 0, 2, 3, 4, 1>}> : (tensor<1x2x3x3x3xf32>) -> tensor<1x3x3x3x2xf32>
// CHECK-NEXT: "ttir.conv3d"({{.*}}) <{batch_dim = 0 : i64, channel_dim = 4 : i64, depth_dim = 1 : i64, groups = 1 : i32, height_dim = 2 : i64, padding = 0 : i32, padding_mode = "zeros", stride = 1 : i32, width_dim = 3 : i64}> : (tensor<1x3x3x3x2xf32>, tensor<3x2x2x2x2xf32>) -> tensor<1x2x2x2x3xf32>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 0, 4, 1, 2, 3>}> : (tensor<1x2x2x2x3xf32>) -> tensor<1x3x2x2x2xf32>
// CHECK-NEXT: return {{.*}} : tensor<1x3x2x2x2xf32>
func.func @tt_conv3d_channels_last(%a: tensor<1x2x3x3x3xf32>, %w: tensor<3x2x2x2x2xf32>) -> tensor<1x3x2x2x2xf32> {
  %0 = "ttir.conv3d"(%a, %w) <{stride = 1 : i32, padding = 0 : i32, groups = 1 : i32, batch_dim = 0 : i64, channel_dim = 1 : i64, depth_dim = 2 : i64, height_dim = 3 : i64, width_dim = 4 : i64}> : (tensor<1x2x3x3x3xf32>, tensor<3x2x2x2x2xf32>) -> tensor<1x3x2x2x2xf32>
  return %0 : tensor<1x3x2x2x2xf32>
}
// CHECK-LABEL: func.func @tt_arange_vector
// CHECK-NEXT: "ttir.arange"() <{arange_dimension = 0 : i64, end = 10 : si64, start = 2 : si64, step = 2 : si64}> : () -> tensor<4xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 4 : i32, 1 : i32]}> : (tensor<4xf32>) -> tensor<1x4x1xf32>
// CHECK-NEXT: "ttir.broadcast"({{.*}}) <{broadcast_dimensions = array<i64: 2, 1, 3>}> : (tensor<1x4x1xf32>) -> tensor<2x4x3xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x4x3xf32>
func.func @tt_arange_vector() -> tensor<2x4x3xf32> {
  %0 = "ttir.arange"() <{start = 2 : si64, end = 10 : si64, step = 2 : si64, arange_dimension = 1 : i64}> : () -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}
// CHECK-LABEL: func.func @tt_batch_norm_rank4
// CHECK-NEXT: "ttir.ones"() <{shape = array<i32: 4>}> : () -> tensor<4xf32>
// CHECK-NEXT: "ttir.abs"({{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: "ttir.add"({{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [2 : i32, 4 : i32, 3 : i32, 1 : i32]}> : (tensor<2x4x3xf32>) -> tensor<2x4x3x1xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 4 : i32, 1 : i32, 1 : i32]}> : (tensor<4xf32>) -> tensor<1x4x1x1xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 4 : i32, 1 : i32, 1 : i32]}> : (tensor<4xf32>) -> tensor<1x4x1x1xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 4 : i32, 1 : i32, 1 : i32]}> : (tensor<4xf32>) -> tensor<1x4x1x1xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 4 : i32, 1 : i32, 1 : i32]}> : (tensor<4xf32>) -> tensor<1x4x1x1xf32>
// CHECK-NEXT: "ttir.batch_norm_inference"({{.*}}) <{dimension = 1 : i32, epsilon = 9.99999974E-6 : f32}> : (tensor<2x4x3x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>) -> tensor<2x4x3x1xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [2 : i32, 4 : i32, 3 : i32]}> : (tensor<2x4x3x1xf32>) -> tensor<2x4x3xf32>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x4x3xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x3x4xf32>
func.func @tt_batch_norm_rank4(%a: tensor<2x3x4xf32>, %s: tensor<4xf32>, %o: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) -> tensor<2x3x4xf32> {
  %one = "ttir.ones"() <{shape = array<i32: 4>}> : () -> tensor<4xf32>
  %p = "ttir.abs"(%v) : (tensor<4xf32>) -> tensor<4xf32>
  %q = "ttir.add"(%p, %one) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %0 = "ttir.batch_norm_inference"(%a, %s, %o, %m, %q) <{dimension = 2 : i32, epsilon = 1.0e-5 : f32}> : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}
// CHECK-LABEL: func.func @tt_all_rank4
// CHECK-NEXT: "ttir.abs"({{.*}}) : (tensor<6xf32>) -> tensor<6xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 1 : i32, 1 : i32, 6 : i32]}> : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 1 : i32, 1 : i32, 6 : i32]}> : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 1 : i32, 1 : i32, 6 : i32]}> : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 1 : i32, 1 : i32, 6 : i32]}> : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
// CHECK-NEXT: "ttir.adamw"({{.*}}) <{beta1 = 0.899999976 : f32, beta1_pow = 0.899999976 : f32, beta2 = 9.900000e-01 : f32, beta2_pow = 9.900000e-01 : f32, epsilon = 1.000000e-03 : f32, lr = 0.00999999977 : f32, stochastic_rounding = false, weight_decay = 1.000000e-01 : f32}> : (tensor<1x1x1x6xf32>, tensor<1x1x1x6xf32>, tensor<1x1x1x6xf32>, tensor<1x1x1x6xf32>) -> (tensor<1x1x1x6xf32>, tensor<1x1x1x6xf32>, tensor<1x1x1x6xf32>)
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [6 : i32]}> : (tensor<1x1x1x6xf32>) -> tensor<6xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [6 : i32]}> : (tensor<1x1x1x6xf32>) -> tensor<6xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [6 : i32]}> : (tensor<1x1x1x6xf32>) -> tensor<6xf32>
// CHECK-NEXT: return {{.*}} : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
func.func @tt_all_rank4(%p: tensor<6xf32>, %g: tensor<6xf32>, %m: tensor<6xf32>, %v: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) {
  %w = "ttir.abs"(%v) : (tensor<6xf32>) -> tensor<6xf32>
  %0:3 = "ttir.adamw"(%p, %g, %m, %w) <{lr = 1.0e-2 : f32, beta1 = 0.9 : f32, beta2 = 0.99 : f32, beta1_pow = 0.9 : f32, beta2_pow = 0.99 : f32, epsilon = 1.0e-3 : f32, weight_decay = 0.1 : f32}> : (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>)
  return %0#0, %0#1, %0#2 : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
}
// CHECK-LABEL: func.func @tt_prod_each
// CHECK-NEXT: "ttir.prod"({{.*}}) <{dim_arg = [2 : i32], keep_dim = false}> : (tensor<2x3x4xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: "ttir.prod"({{.*}}) <{dim_arg = [0 : i32], keep_dim = false}> : (tensor<2x3xf32>) -> tensor<3xf32>
// CHECK-NEXT: return {{.*}} : tensor<3xf32>
func.func @tt_prod_each(%a: tensor<2x3x4xf32>) -> tensor<3xf32> {
  %0 = "ttir.prod"(%a) <{dim_arg = [0 : i32, 2 : i32], keep_dim = false}> : (tensor<2x3x4xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// CHECK-LABEL: func.func @tt_argmax_one
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 1, 0, 2>}> : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [3 : i32, 8 : i32]}> : (tensor<3x2x4xf32>) -> tensor<3x8xf32>
// CHECK-NEXT: "ttir.argmax"({{.*}}) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<3x8xf32>) -> tensor<3x1xsi32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 3 : i32, 1 : i32]}> : (tensor<3x1xsi32>) -> tensor<1x3x1xsi32>
// CHECK-NEXT: return {{.*}} : tensor<1x3x1xsi32>
func.func @tt_argmax_one(%a: tensor<2x3x4xf32>) -> tensor<1x3x1xsi32> {
  %0 = "ttir.argmax"(%a) <{dim_arg = [0 : i32, 2 : i32], keep_dim = true}> : (tensor<2x3x4xf32>) -> tensor<1x3x1xsi32>
  return %0 : tensor<1x3x1xsi32>
}
// CHECK-LABEL: func.func @tt_pool_full
// CHECK-NEXT: "ttir.full"() <{fill_value = 2.000000e+00 : f32, shape = array<i32: 1, 4, 4, 1>}> : () -> tensor<1x4x4x1xf32>
// CHECK-NEXT: "ttir.full"() <{fill_value = 2.000000e+00 : f32, shape = array<i32: 1, 2, 2, 1>}> : () -> tensor<1x2x2x1xf32>
// CHECK-NEXT: "ttir.avg_pool2d"({{.*}}) <{ceil_mode = false, count_include_pad = true, dilation = 1 : i32, kernel = 4 : i32, padding = 1 : i32, stride = 2 : i32}> : (tensor<1x4x4x1xf32>) -> tensor<1x2x2x1xf32>
// CHECK-NEXT: return {{.*}} : tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>
func.func @tt_pool_full() -> (tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>) {
  %c = "ttir.full"() <{fill_value = 2.0 : f32, shape = array<i32: 1, 4, 4, 1>}> : () -> tensor<1x4x4x1xf32>
  %0 = "ttir.max_pool2d"(%c) <{kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<1x4x4x1xf32>) -> tensor<1x2x2x1xf32>
  %1 = "ttir.avg_pool2d"(%c) <{kernel = 4 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 1 : i32, ceil_mode = false}> : (tensor<1x4x4x1xf32>) -> tensor<1x2x2x1xf32>
  return %0, %1 : tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>
}
// CHECK-LABEL: func.func @tt_negative_pad
// CHECK-NEXT: "ttir.slice_static"({{.*}}) <{begins = [1 : i32, 0 : i32], ends = [4 : i32, 4 : i32], step = [1 : i32, 1 : i32]}> : (tensor<4x5xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: "ttir.pad"({{.*}}) <{padding = array<i32: 0, 0, 2, 0>, value = 7.000000e+00 : f32}> : (tensor<3x4xf32>) -> tensor<3x6xf32>
// CHECK-NEXT: return {{.*}} : tensor<3x6xf32>
func.func @tt_negative_pad(%a: tensor<4x5xf32>) -> tensor<3x6xf32> {
  %0 = "ttir.pad"(%a) <{padding = array<i32: -1, 0, 2, -1>, value = 7.0 : f32}> : (tensor<4x5xf32>) -> tensor<3x6xf32>
  return %0 : tensor<3x6xf32>
}
