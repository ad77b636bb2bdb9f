// RUN: tessera opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// Rules of stablehlo.convolution and stablehlo.dynamic_conv, quantized ones included.

func.func @good(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>, %d: tensor<?x?x8x4xf32>, %p: tensor<2x2xi64>) {
  %0 = stablehlo.convolution(%l, %r) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 2], rhs_dilate = [2, 1], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x3x15x16xf32>
  %1 = stablehlo.convolution(%d, %r) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[f, 0, 1, b], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x?x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<16x?x6x?xf32>
  // The padding is not known: nothing is known of what depends on it.
  %2 = "stablehlo.dynamic_conv"(%l, %r, %p) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>, tensor<2x2xi64>) -> tensor<1x99x?x16xf32>
  return
}

// -----

func.func @conv(%l: tensor<1xf32>, %r: tensor<3x3x4x16xf32>) {
  // expected-error @+1 {{expects convolution arguments to have >= 2 dimensions. Got: 'tensor<1xf32>' and 'tensor<3x3x4x16xf32>'.}}
  %0 = "stablehlo.convolution"(%l, %r) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1xf32>, tensor<3x3x4x16xf32>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x4x16xf32>) {
  // expected-error @+1 {{expects convolution arguments to have same number of dimensions. Got: 'tensor<1x8x8x4xf32>' and 'tensor<3x4x16xf32>'.}}
  %0 = "stablehlo.convolution"(%l, %r) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x4x16xf32>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf64>) {
  // expected-error @+1 {{expects lhs and rhs to have compatible element type. Got: 'f32' and 'f64'}}
  %0 = "stablehlo.convolution"(%l, %r) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf64>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  // expected-error @+1 {{expects the same size for input, kernel and output spatial-dimensions, but got 2, 1, and 2 resp.}}
  %0 = "stablehlo.convolution"(%l, %r) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  // expected-error @+1 {{expects input, kernel, and output dimension-numbers to be in-range [0, 4).}}
  %0 = "stablehlo.convolution"(%l, %r) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 4, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  // expected-error @+1 {{expects input dimension-numbers to be unique, got {0, 3, 1, 1}.}}
  %0 = "stablehlo.convolution"(%l, %r) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 1], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  // expected-error @+1 {{expects kernel dimension-numbers to be unique, got {0, 3, 0, 1}.}}
  %0 = "stablehlo.convolution"(%l, %r) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 0, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  // expected-error @+1 {{expects output dimension-numbers to be unique, got {0, 3, 0, 2}.}}
  %0 = "stablehlo.convolution"(%l, %r) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [0, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  // expected-error @+1 {{expects batch_group_count and feature_group_count not to be both greater than 1. Got 2 and 3 resp.}}
  %0 = "stablehlo.convolution"(%l, %r) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 3 : i64, batch_group_count = 2 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  // expected-error @+1 {{expects input batch dimension (1) to be divisible by batch_group_count. Got batch_group_count = 2.}}
  %0 = "stablehlo.convolution"(%l, %r) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 2 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  // expected-error @+1 {{expects input feature dimension (4) to be a multiple of feature_group_count. Got feature_group_count = 3.}}
  %0 = "stablehlo.convolution"(%l, %r) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 3 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  // expected-error @+1 {{expects input feature dimension (4) / feature_group_count = kernel input feature dimension (4). Got feature_group_count = 2.}}
  %0 = "stablehlo.convolution"(%l, %r) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @conv(%l: tensor<3x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  // expected-error @+1 {{expects output feature dimension size (16) to be a multiple of batch_group_count. Got batch_group_count = 3.}}
  %0 = "stablehlo.convolution"(%l, %r) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 3 : i64} : (tensor<3x8x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x2x15xf32>) {
  // expected-error @+1 {{expects kernel output feature dimension (15) to be divisible by feature_group_count. For feature_group_count = 2.}}
  %0 = "stablehlo.convolution"(%l, %r) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x2x15xf32>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  // expected-error @+1 {{expects precision config to be empty or have <= 2 elements, got 3}}
  %0 = "stablehlo.convolution"(%l, %r) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  // expected-error @+1 {{expects convolution arguments to have 3 dimensions. Got: 4}}
  %0 = "stablehlo.convolution"(%l, %r) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  // expected-error @+1 {{expects window-strides to have same dimension-size as size of window dimensions (2), but got: 1.}}
  %0 = "stablehlo.convolution"(%l, %r) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 1>} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  // expected-error @+1 {{expects window-reversal to have same dimension-size as size of window dimensions (2), but got: 1.}}
  %0 = "stablehlo.convolution"(%l, %r) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_reversal = array<i1: true>} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  // expected-error @+1 {{expects window to have positive base dilation factor for 1-th window dimension, but got 0.}}
  %0 = "stablehlo.convolution"(%l, %r) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, lhs_dilation = array<i64: 1, 0>} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @dynamic_conv(%l: tensor<1xf32>, %r: tensor<3x3x4x16xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  // expected-error @+1 {{expects convolution arguments to have >= 2 dimensions. Got: 'tensor<1xf32>' and 'tensor<3x3x4x16xf32>'.}}
  %0 = "stablehlo.dynamic_conv"(%l, %r, %p) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1xf32>, tensor<3x3x4x16xf32>, tensor<2x2xi64>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @dynamic_conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x4x16xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  // expected-error @+1 {{expects convolution arguments to have same number of dimensions. Got: 'tensor<1x8x8x4xf32>' and 'tensor<3x4x16xf32>'.}}
  %0 = "stablehlo.dynamic_conv"(%l, %r, %p) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x4x16xf32>, tensor<2x2xi64>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @dynamic_conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf64>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  // expected-error @+1 {{expects lhs and rhs to have compatible element type. Got: 'f32' and 'f64'}}
  %0 = "stablehlo.dynamic_conv"(%l, %r, %p) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf64>, tensor<2x2xi64>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @dynamic_conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  // expected-error @+1 {{expects the same size for input, kernel and output spatial-dimensions, but got 2, 1, and 2 resp.}}
  %0 = "stablehlo.dynamic_conv"(%l, %r, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>, tensor<2x2xi64>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @dynamic_conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  // expected-error @+1 {{expects input, kernel, and output dimension-numbers to be in-range [0, 4).}}
  %0 = "stablehlo.dynamic_conv"(%l, %r, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 4, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>, tensor<2x2xi64>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @dynamic_conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  // expected-error @+1 {{expects input dimension-numbers to be unique, got {0, 3, 1, 1}.}}
  %0 = "stablehlo.dynamic_conv"(%l, %r, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 1], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>, tensor<2x2xi64>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @dynamic_conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  // expected-error @+1 {{expects kernel dimension-numbers to be unique, got {0, 3, 0, 1}.}}
  %0 = "stablehlo.dynamic_conv"(%l, %r, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 0, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>, tensor<2x2xi64>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @dynamic_conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  // expected-error @+1 {{expects output dimension-numbers to be unique, got {0, 3, 0, 2}.}}
  %0 = "stablehlo.dynamic_conv"(%l, %r, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [0, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>, tensor<2x2xi64>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @dynamic_conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  // expected-error @+1 {{expects batch_group_count and feature_group_count not to be both greater than 1. Got 2 and 3 resp.}}
  %0 = "stablehlo.dynamic_conv"(%l, %r, %p) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 3 : i64, batch_group_count = 2 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>, tensor<2x2xi64>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @dynamic_conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  // expected-error @+1 {{expects input batch dimension (1) to be divisible by batch_group_count. Got batch_group_count = 2.}}
  %0 = "stablehlo.dynamic_conv"(%l, %r, %p) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 2 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>, tensor<2x2xi64>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @dynamic_conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  // expected-error @+1 {{expects input feature dimension (4) to be a multiple of feature_group_count. Got feature_group_count = 3.}}
  %0 = "stablehlo.dynamic_conv"(%l, %r, %p) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 3 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>, tensor<2x2xi64>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @dynamic_conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  // expected-error @+1 {{expects input feature dimension (4) / feature_group_count = kernel input feature dimension (4). Got feature_group_count = 2.}}
  %0 = "stablehlo.dynamic_conv"(%l, %r, %p) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>, tensor<2x2xi64>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @dynamic_conv(%l: tensor<3x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  // expected-error @+1 {{expects output feature dimension size (16) to be a multiple of batch_group_count. Got batch_group_count = 3.}}
  %0 = "stablehlo.dynamic_conv"(%l, %r, %p) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 3 : i64} : (tensor<3x8x8x4xf32>, tensor<3x3x4x16xf32>, tensor<2x2xi64>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @dynamic_conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x2x15xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  // expected-error @+1 {{expects kernel output feature dimension (15) to be divisible by feature_group_count. For feature_group_count = 2.}}
  %0 = "stablehlo.dynamic_conv"(%l, %r, %p) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x2x15xf32>, tensor<2x2xi64>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @dynamic_conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  // expected-error @+1 {{expects precision config to be empty or have <= 2 elements, got 3}}
  %0 = "stablehlo.dynamic_conv"(%l, %r, %p) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>, tensor<2x2xi64>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @dynamic_conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  // expected-error @+1 {{expects convolution arguments to have 3 dimensions. Got: 4}}
  %0 = "stablehlo.dynamic_conv"(%l, %r, %p) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>, tensor<2x2xi64>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @dynamic_conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  // expected-error @+1 {{expects window-strides to have same dimension-size as size of window dimensions (2), but got: 1.}}
  %0 = "stablehlo.dynamic_conv"(%l, %r, %p) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 1>} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>, tensor<2x2xi64>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @dynamic_conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  // expected-error @+1 {{expects window-reversal to have same dimension-size as size of window dimensions (2), but got: 1.}}
  %0 = "stablehlo.dynamic_conv"(%l, %r, %p) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_reversal = array<i1: true>} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>, tensor<2x2xi64>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @dynamic_conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  // expected-error @+1 {{expects window to have positive base dilation factor for 1-th window dimension, but got 0.}}
  %0 = "stablehlo.dynamic_conv"(%l, %r, %p) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, lhs_dilation = array<i64: 1, 0>} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>, tensor<2x2xi64>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  // expected-error @+1 {{expects the shape of padding-attribute to be {N, 2}, but got {2}.}}
  %0 = "stablehlo.convolution"(%l, %r) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, padding = dense<0> : tensor<2xi64>} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  // expected-error @+1 {{inferred shape '[1, 6, 6, 16]' is incompatible with return type of operation 'tensor<1x8x8x16xf32>'}}
  %0 = "stablehlo.convolution"(%l, %r) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x8x8x16xf32>
  return
}

// -----

func.func @dynamic_conv(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  %p = stablehlo.constant dense<0> : tensor<3x2xi64>
  // expected-error @+1 {{expects padding to be of shape [2, 2], but got [3, 2]}}
  %0 = "stablehlo.dynamic_conv"(%l, %r, %p) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>, tensor<3x2xi64>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @conv(%l: tensor<1x8x8x4x!quant.uniform<i8:f32, 0.5>>, %r: tensor<3x3x4x16x!quant.uniform<i8:f32:3, {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}>>) {
  %0 = "stablehlo.convolution"(%l, %r) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4x!quant.uniform<i8:f32, 0.5>>, tensor<3x3x4x16x!quant.uniform<i8:f32:3, {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}>>) -> tensor<1x6x6x16x!quant.uniform<i8:f32:3, {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}>>
  return
}

// -----

func.func @conv(%l: tensor<1x8x8x4x!quant.uniform<i8:f32, 0.5>>, %r: tensor<3x3x4x16x!quant.uniform<i8:f32:2, {0.5, 0.5, 0.5, 0.5}>>) {
  // expected-error @+1 {{quantization dimension of rhs should be same with kernel_output_feature_dimension}}
  %0 = "stablehlo.convolution"(%l, %r) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4x!quant.uniform<i8:f32, 0.5>>, tensor<3x3x4x16x!quant.uniform<i8:f32:2, {0.5, 0.5, 0.5, 0.5}>>) -> tensor<1x6x6x16x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @conv(%l: tensor<1x8x8x4x!quant.uniform<i8:f32, 0.5>>, %r: tensor<3x3x4x16x!quant.uniform<i8:f32:3, {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}>>) {
  // expected-error @+1 {{quantization dimension of result should be same with output_feature_dimension}}
  %0 = "stablehlo.convolution"(%l, %r) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4x!quant.uniform<i8:f32, 0.5>>, tensor<3x3x4x16x!quant.uniform<i8:f32:3, {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}>>) -> tensor<1x6x6x16x!quant.uniform<i8:f32:1, {0.5, 0.5, 0.5, 0.5, 0.5, 0.5}>>
  return
}

// -----

func.func @conv(%l: tensor<1x8x8x4x!quant.uniform<i8:f32, 0.5>>, %r: tensor<3x3x4x16x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @+1 {{mismatched rhs and result quantization granularity}}
  %0 = "stablehlo.convolution"(%l, %r) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4x!quant.uniform<i8:f32, 0.5>>, tensor<3x3x4x16x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x6x6x16x!quant.uniform<i8:f32:3, {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}>>
  return
}

// -----

func.func @dynamic_conv(%l: tensor<1x8x8x4x!quant.uniform<i8:f32, 0.5>>, %r: tensor<3x3x4x16x!quant.uniform<i8:f32, 0.5>>) {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  // expected-error @+1 {{mismatched lhs, rhs and result quantization expressed types}}
  %0 = "stablehlo.dynamic_conv"(%l, %r, %p) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4x!quant.uniform<i8:f32, 0.5>>, tensor<3x3x4x16x!quant.uniform<i8:f32, 0.5>>, tensor<2x2xi64>) -> tensor<1x6x6x16x!quant.uniform<i8:f64, 0.5>>
  return
}

// -----

func.func @counts(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  %0 = stablehlo.convolution(%l, %r) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
    // expected-error @+1 {{'stablehlo.convolution' op attribute 'batch_group_count' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
    {batch_group_count = 0 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @list(%l: tensor<1x8x8x4xf32>, %r: tensor<3x3x4x16xf32>) {
  // expected-error @+1 {{expected integer value}}
  %0 = stablehlo.convolution(%l, %r) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, f]}
