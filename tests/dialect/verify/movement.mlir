// RUN: tessera opt %s --split-input-file --verify-diagnostics
// Rules of ops that move whole tensors.

func.func @good(%a: tensor<2x3xf32>, %b: tensor<?x3xf32, #stablehlo.bounds<5, ?>>, %n: tensor<i32>) {
  %0 = stablehlo.broadcast %a, sizes = [4] : (tensor<2x3xf32>) -> tensor<4x2x3xf32>
  %1 = stablehlo.transpose %b, dims = [1, 0] : (tensor<?x3xf32, #stablehlo.bounds<5, ?>>) -> tensor<3x?xf32, #stablehlo.bounds<?, 5>>
  %2 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2x3xf32>, tensor<?x3xf32, #stablehlo.bounds<5, ?>>) -> tensor<?x3xf32, #stablehlo.bounds<7, ?>>
  %3 = stablehlo.set_dimension_size %a, %n, dim = 0 : (tensor<2x3xf32>, tensor<i32>) -> tensor<?x3xf32, #stablehlo.bounds<2, ?>>
  %4 = stablehlo.bitcast_convert %a : (tensor<2x3xf32>) -> tensor<2x3x4xi8>
  return
}

// -----

func.func @broadcast_size(%a: tensor<2xf32>) {
  // expected-error@+2 {{Broadcast with negative dimension size -1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.broadcast"(%a) {broadcast_sizes = array<i64: -1>} : (tensor<2xf32>) -> tensor<1x2xf32>
  return
}

// -----

func.func @bid_scale(%a: tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>) {
  // expected-error@+1 {{expect same quantization scale and zero_point but got}}
  %0 = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 0>} : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<2x!quant.uniform<i8:f32, 2.500000e-01:3>>
  return
}

// -----

func.func @bid_rank(%a: tensor<2xf32>) {
  // expected-error@+1 {{broadcast_dimensions size (0) does not match operand rank (1)}}
  %0 = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @bid_twice(%a: tensor<2x2xf32>) {
  // expected-error@+1 {{broadcast_dimensions should not have duplicates}}
  %0 = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 1, 1>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @bid_range(%a: tensor<2xf32>) {
  // expected-error@+1 {{broadcast_dimensions contains invalid value 1 for result with rank 1}}
  %0 = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @bid_size(%a: tensor<2xf32>) {
  // expected-error@+1 {{size of operand dimension 0 (2) is not equal to 1 or size of result dimension 0 (3)}}
  %0 = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @bid_axis(%a: tensor<1x!quant.uniform<i8:f32:0, {0.1}>>) {
  // expected-error@+1 {{result quantization_dimension 1 not same as broadcast_dimensions[0] = 0}}
  %0 = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 0>} : (tensor<1x!quant.uniform<i8:f32:0, {0.1}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.1,0.1}>>
  return
}

// -----

func.func @bid_scales(%a: tensor<1x!quant.uniform<i8:f32:0, {0.1}>>) {
  // expected-error@+1 {{mismatch result scale 1 (2.000000e-01) and operand scale 0 (1.000000e-01)}}
  %0 = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 0>} : (tensor<1x!quant.uniform<i8:f32:0, {0.1}>>) -> tensor<2x!quant.uniform<i8:f32:0, {0.1,0.2}>>
  return
}

// -----

func.func @bid_zero_points(%a: tensor<1x!quant.uniform<i8:f32:0, {0.1}>>) {
  // expected-error@+1 {{mismatch result zero_point 1 (1) and operand zero_point 0 (0)}}
  %0 = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 0>} : (tensor<1x!quant.uniform<i8:f32:0, {0.1}>>) -> tensor<2x!quant.uniform<i8:f32:0, {0.1,0.1:1}>>
  return
}

// -----

func.func @reshape_count(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{number of output elements (7) doesn't match expected number of elements (6)}}
  %0 = "stablehlo.reshape"(%a) : (tensor<2x3xf32>) -> tensor<7xf32>
  return
}

// -----

func.func @reshape_axis_size(%a: tensor<2x3x!quant.uniform<i8:f32:0, {0.1,0.2}>>) {
  // expected-error@+1 {{expect same quantization dimension size for operand and result}}
  %0 = "stablehlo.reshape"(%a) : (tensor<2x3x!quant.uniform<i8:f32:0, {0.1,0.2}>>) -> tensor<3x2x!quant.uniform<i8:f32:0, {0.1,0.2,0.3}>>
  return
}

// -----

func.func @reshape_axis_place(%a: tensor<2x6x!quant.uniform<i8:f32:0, {0.1,0.2}>>) {
  // expected-error@+1 {{product of dimensions before quantization dimension must match between operand and result for 1 and 6}}
  %0 = "stablehlo.reshape"(%a) : (tensor<2x6x!quant.uniform<i8:f32:0, {0.1,0.2}>>) -> tensor<6x2x!quant.uniform<i8:f32:1, {0.1,0.2}>>
  return
}

// -----

func.func @reshape_scales(%a: tensor<2x3x!quant.uniform<i8:f32:0, {0.1,0.2}>>) {
  // expected-error@+1 {{expect same quantization scales and zero_points but got}}
  %0 = "stablehlo.reshape"(%a) : (tensor<2x3x!quant.uniform<i8:f32:0, {0.1,0.2}>>) -> tensor<2x3x!quant.uniform<i8:f32:0, {0.1,0.3}>>
  return
}

// -----

func.func @bitcast_complex(%a: tensor<2xcomplex<f32>>) {
  // expected-error@+1 {{cannot convert between real and complex types, but got:}}
  %0 = "stablehlo.bitcast_convert"(%a) : (tensor<2xcomplex<f32>>) -> tensor<2xf64>
  return
}

// -----

func.func @bitcast_rank(%a: tensor<2xf32>) {
  // expected-error@+1 {{rank of smaller element type (1) should be 1 more than rank of larger element type (1), but 1 != 1 + 1.}}
  %0 = "stablehlo.bitcast_convert"(%a) : (tensor<2xf32>) -> tensor<2xi8>
  return
}

// -----

func.func @bitcast_width(%a: tensor<2xf32>) {
  // expected-error@+1 {{but 8 * 3 != 32.}}
  %0 = "stablehlo.bitcast_convert"(%a) : (tensor<2xf32>) -> tensor<2x3xi8>
  return
}

// -----

func.func @bitcast_shape(%a: tensor<2xf32>) {
  // expected-error@+1 {{operand and result shapes must match except for the innermost dimension}}
  %0 = "stablehlo.bitcast_convert"(%a) : (tensor<2xf32>) -> tensor<3xi32>
  return
}

// -----

func.func @reverse_twice(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{dimensions should be unique. Got: 1, 1}}
  %0 = "stablehlo.reverse"(%a) {dimensions = array<i64: 1, 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @reverse_negative(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{all dimensions should be non-negative. Got dimension: -1.}}
  %0 = "stablehlo.reverse"(%a) {dimensions = array<i64: -1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @reverse_range(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{all dimensions should be between [0, 2). Got dimension: 2.}}
  %0 = "stablehlo.reverse"(%a) {dimensions = array<i64: 2>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @transpose_rank(%a: tensor<2x3xf32>) {
  // expected-error@+2 {{TransposeOp operand rank 2 does not match permutation size 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.transpose"(%a) {permutation = array<i64: 0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @transpose_twice(%a: tensor<2x3xf32>) {
  // expected-error@+2 {{attribute permutation must be a permutation of [0, 1] but got 0, 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.transpose"(%a) {permutation = array<i64: 0, 0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @transpose_range(%a: tensor<2x3xf32>) {
  // expected-error@+2 {{attribute permutation must be a permutation of [0, 1] but got 0, 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.transpose"(%a) {permutation = array<i64: 0, 2>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @transpose_axis(%a: tensor<2x3x!quant.uniform<i8:f32:0, {0.1,0.2}>>) {
  // expected-error@+1 {{operand quantization_dimension 0 is not same as permutation[1] = 1}}
  %0 = "stablehlo.transpose"(%a) {permutation = array<i64: 0, 1>} : (tensor<2x3x!quant.uniform<i8:f32:0, {0.1,0.2}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.1,0.2}>>
  return
}

// -----

func.func @concat_scalar(%a: tensor<f32>, %b: tensor<f32>) {
  // expected-error@+2 {{rank-0 values cannot be concatenated}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.concatenate"(%a, %b) {dimension = 0 : i64} : (tensor<f32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @concat_dim(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  // expected-error@+2 {{dimension 1 is out-of-bounds for input rank 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.concatenate"(%a, %b) {dimension = 1 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @concat_rank(%a: tensor<2xf32>, %b: tensor<2x2xf32>) {
  // expected-error@+2 {{operands (0) and (1) do not match rank}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.concatenate"(%a, %b) {dimension = 0 : i64} : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @concat_shape(%a: tensor<2x2xf32>, %b: tensor<2x3xf32>) {
  // expected-error@+2 {{shapes of operand (0) and (1) are not compatible at non-concat index 1: (2, 2) != (2, 3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.concatenate"(%a, %b) {dimension = 0 : i64} : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @concat_later(%a: tensor<?x2xf32>, %b: tensor<2x2xf32>, %c: tensor<3x2xf32>) {
  // expected-error@+2 {{Mismatched dimension sizes 2 and 3 in dimension 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.concatenate"(%a, %b, %c) {dimension = 1 : i64} : (tensor<?x2xf32>, tensor<2x2xf32>, tensor<3x2xf32>) -> tensor<?x6xf32>
  return
}

// -----

func.func @get_size(%a: tensor<2xf32>) {
  // expected-error@+2 {{requires dimension attribute in range [0, 1); found (1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.get_dimension_size"(%a) {dimension = 1 : i64} : (tensor<2xf32>) -> tensor<i32>
  return
}

// -----

func.func @set_size_rank(%a: tensor<2xf32>, %n: tensor<1xi32>) {
  // expected-error@+2 {{size operand should be of rank-0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.set_dimension_size"(%a, %n) {dimension = 0 : i64} : (tensor<2xf32>, tensor<1xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @set_size_dim(%a: tensor<2xf32>, %n: tensor<i32>) {
  // expected-error@+2 {{requires dimension attribute in range [0, 1); found (1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.set_dimension_size"(%a, %n) {dimension = 1 : i64} : (tensor<2xf32>, tensor<i32>) -> tensor<?xf32>
  return
}
