// Products and convolutions.
// RUN: tessera opt %s --convert-stablehlo-to-ttir | FileCheck %s

// CHECK-LABEL: func.func @dot(
// CHECK-NEXT: %0 = "ttir.dot_general"(%arg0, %arg1) <{batch_dims_lhs = array<i64: 0>, batch_dims_rhs = array<i64: 0>, contract_dims_lhs = array<i64: 2>, contract_dims_rhs = array<i64: 1>}> : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
// CHECK-NEXT: return %0 : tensor<2x3x5xf32>
func.func @dot(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) -> tensor<2x3x5xf32> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}

// CHECK-LABEL: func.func @line(
// CHECK-NEXT: %0 = "ttir.reshape"(%arg0) <{shape = [1 : i32, 8 : i32, 2 : i32, 1 : i32]}> : (tensor<1x8x2xf32>) -> tensor<1x8x2x1xf32>
// CHECK-NEXT: %1 = "ttir.reshape"(%arg1) <{shape = [3 : i32, 2 : i32, 4 : i32, 1 : i32]}> : (tensor<3x2x4xf32>) -> tensor<3x2x4x1xf32>
// CHECK-NEXT: %2 = "ttir.permute"(%1) <{permutation = array<i64: 2, 1, 0, 3>}> : (tensor<3x2x4x1xf32>) -> tensor<4x2x3x1xf32>
// CHECK-NEXT: %3 = "ttir.reshape"(%0) <{shape = [1 : i32, 8 : i32, 2 : i32]}> : (tensor<1x8x2x1xf32>) -> tensor<1x8x2xf32>
// CHECK-NEXT: %4 = "ttir.reshape"(%2) <{shape = [4 : i32, 2 : i32, 3 : i32]}> : (tensor<4x2x3x1xf32>) -> tensor<4x2x3xf32>
// CHECK-NEXT: %5 = "ttir.conv1d"(%3, %4) <{batch_dim = 0 : i64, channel_dim = 2 : i64, dilation = 1 : i32, groups = 1 : i32, length_dim = 1 : i64, padding = array<i32: 0, 0>, stride = 1 : i32}> : (tensor<1x8x2xf32>, tensor<4x2x3xf32>) -> tensor<1x6x4xf32>
// CHECK-NEXT: %6 = "ttir.reshape"(%5) <{shape = [1 : i32, 6 : i32, 4 : i32, 1 : i32]}> : (tensor<1x6x4xf32>) -> tensor<1x6x4x1xf32>
// CHECK-NEXT: %7 = "ttir.reshape"(%6) <{shape = [1 : i32, 6 : i32, 4 : i32]}> : (tensor<1x6x4x1xf32>) -> tensor<1x6x4xf32>
// CHECK-NEXT: return %7 : tensor<1x6x4xf32>
func.func @line(%x: tensor<1x8x2xf32>, %w: tensor<3x2x4xf32>) -> tensor<1x6x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x2xf32>, tensor<3x2x4xf32>) -> tensor<1x6x4xf32>
  return %0 : tensor<1x6x4xf32>
}

// CHECK-LABEL: func.func @picture(
// CHECK-NEXT: %0 = "ttir.permute"(%arg1) <{permutation = array<i64: 3, 2, 0, 1>}> : (tensor<3x3x2x4xf32>) -> tensor<4x2x3x3xf32>
// CHECK-NEXT: %1 = "ttir.conv2d"(%arg0, %0) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 1, 1>, stride = array<i32: 2, 2>, width_dim = 2 : i64}> : (tensor<1x8x8x2xf32>, tensor<4x2x3x3xf32>) -> tensor<1x4x4x4xf32>
// CHECK-NEXT: return %1 : tensor<1x4x4x4xf32>
func.func @picture(%x: tensor<1x8x8x2xf32>, %w: tensor<3x3x2x4xf32>) -> tensor<1x4x4x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}

// The transpose of a convolution that strides: its kernel runs backward here.
// CHECK-LABEL: func.func @transposed(
// CHECK-NEXT: %0 = "ttir.reverse"(%arg1) <{dimensions = array<i64: 2, 3>}> : (tensor<3x2x2x2xf32>) -> tensor<3x2x2x2xf32>
// CHECK-NEXT: %1 = "ttir.permute"(%0) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<3x2x2x2xf32>) -> tensor<2x3x2x2xf32>
// CHECK-NEXT: %2 = "ttir.conv_transpose2d"(%arg0, %1) <{batch_dim = 0 : i64, channel_dim = 1 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 2 : i64, output_padding = array<i32: 0, 0>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 2, 2>, width_dim = 3 : i64}> : (tensor<1x2x4x4xf32>, tensor<2x3x2x2xf32>) -> tensor<1x3x8x8xf32>
// CHECK-NEXT: return %2 : tensor<1x3x8x8xf32>
func.func @transposed(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x2x2xf32>) -> tensor<1x3x8x8xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x4x4xf32>, tensor<3x2x2x2xf32>) -> tensor<1x3x8x8xf32>
  return %0 : tensor<1x3x8x8xf32>
}

// CHECK-LABEL: func.func @volume(
// CHECK-NEXT: %0 = "ttir.conv3d"(%arg0, %arg1) <{batch_dim = 0 : i64, channel_dim = 1 : i64, depth_dim = 2 : i64, groups = 1 : i32, height_dim = 3 : i64, padding = array<i32: 0, 0, 0>, padding_mode = "zeros", stride = array<i32: 1, 1, 1>, width_dim = 4 : i64}> : (tensor<1x2x4x4x4xf32>, tensor<3x2x2x2x2xf32>) -> tensor<1x3x3x3x3xf32>
// CHECK-NEXT: return %0 : tensor<1x3x3x3x3xf32>
func.func @volume(%x: tensor<1x2x4x4x4xf32>, %w: tensor<3x2x2x2x2xf32>) -> tensor<1x3x3x3x3xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1, 2]x[o, i, 0, 1, 2]->[b, f, 0, 1, 2], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x4x4x4xf32>, tensor<3x2x2x2x2xf32>) -> tensor<1x3x3x3x3xf32>
  return %0 : tensor<1x3x3x3x3xf32>
}

// CHECK-LABEL: func.func @groups_of_batches(
// CHECK-NEXT: %0 = "ttir.slice_static"(%arg0) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 1 : i32, 4 : i32, 4 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x1x4x4xf32>) -> tensor<1x1x4x4xf32>
// CHECK-NEXT: %1 = "ttir.slice_static"(%arg1) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 1 : i32, 2 : i32, 2 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x1x2x2xf32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: %2 = "ttir.slice_static"(%arg0) <{begins = [1 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [2 : i32, 1 : i32, 4 : i32, 4 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x1x4x4xf32>) -> tensor<1x1x4x4xf32>
// CHECK-NEXT: %3 = "ttir.slice_static"(%arg1) <{begins = [1 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [2 : i32, 1 : i32, 2 : i32, 2 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x1x2x2xf32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: %4 = "ttir.conv2d"(%0, %1) <{batch_dim = 0 : i64, channel_dim = 1 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 2 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 3 : i64}> : (tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x3x3xf32>
// CHECK-NEXT: %5 = "ttir.conv2d"(%2, %3) <{batch_dim = 0 : i64, channel_dim = 1 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 2 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 3 : i64}> : (tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x3x3xf32>
// CHECK-NEXT: %6 = "ttir.concat"(%4, %5) <{dim = 1 : si32}> : (tensor<1x1x3x3xf32>, tensor<1x1x3x3xf32>) -> tensor<1x2x3x3xf32>
// CHECK-NEXT: return %6 : tensor<1x2x3x3xf32>
func.func @groups_of_batches(%x: tensor<2x1x4x4xf32>, %w: tensor<2x1x2x2xf32>) -> tensor<1x2x3x3xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<2x1x4x4xf32>, tensor<2x1x2x2xf32>) -> tensor<1x2x3x3xf32>
  return %0 : tensor<1x2x3x3xf32>
}
