// RUN: tessera opt %s --split-input-file --verify-diagnostics
// Rules of ops whose result shape is an operand.

func.func @iota_dim(%s: tensor<1xi64>) {
  // expected-error@+1 {{iota dimension cannot go beyond the output rank.}}
  %0 = "stablehlo.dynamic_iota"(%s) {iota_dimension = 1 : i64} : (tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @iota_shape() {
  %s = stablehlo.constant dense<[4]> : tensor<1xi64>
  // expected-error@+1 {{output shape [4] is incompatible with return type of operation 'tensor<5xf32>'}}
  %0 = "stablehlo.dynamic_iota"(%s) {iota_dimension = 0 : i64} : (tensor<1xi64>) -> tensor<5xf32>
  return
}

// -----

func.func @reshape_element(%a: tensor<2xf32>, %s: tensor<1xi64>) {
  // expected-error@+1 {{expects operand and result to have compatible element type. Got:}}
  %0 = "stablehlo.dynamic_reshape"(%a, %s) : (tensor<2xf32>, tensor<1xi64>) -> tensor<?xi32>
  return
}

// -----

func.func @reshape_count(%a: tensor<2xf32>, %s: tensor<1xi64>) {
  // expected-error@+1 {{number of output elements (3) doesn't match expected number of elements (2)}}
  %0 = "stablehlo.dynamic_reshape"(%a, %s) : (tensor<2xf32>, tensor<1xi64>) -> tensor<3xf32>
  return
}

// -----

func.func @reshape_shape(%a: tensor<?xf32>) {
  %s = stablehlo.constant dense<[4]> : tensor<1xi64>
  // expected-error@+1 {{output shape [4] is incompatible with return type of operation}}
  %0 = "stablehlo.dynamic_reshape"(%a, %s) : (tensor<?xf32>, tensor<1xi64>) -> tensor<5xf32>
  return
}

// -----

func.func @reshape_rank(%a: tensor<?xf32>, %s: tensor<2xi64>) {
  // expected-error@+1 {{result should have a rank equal to the number of elements in output_shape}}
  %0 = "stablehlo.dynamic_reshape"(%a, %s) : (tensor<?xf32>, tensor<2xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @reshape_product(%a: tensor<6xf32>) {
  %s = stablehlo.constant dense<[2, 4]> : tensor<2xi64>
  // expected-error@+1 {{input has 6 elements, but output_shape has 8}}
  %0 = "stablehlo.dynamic_reshape"(%a, %s) : (tensor<6xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @broadcast_element(%a: tensor<2xf32>, %s: tensor<1xi64>) {
  // expected-error@+1 {{expects operand and result to have compatible element type. Got:}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<1xi64>) -> tensor<2xi32>
  return
}

// -----

func.func @broadcast_rank(%a: tensor<2xf32>, %s: tensor<1xi64>) {
  // expected-error@+1 {{broadcast_dimensions size (0) does not match operand rank (1)}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {broadcast_dimensions = array<i64>} : (tensor<2xf32>, tensor<1xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @broadcast_smaller(%a: tensor<1x2xf32>, %s: tensor<1xi64>) {
  // expected-error@+1 {{result rank (1) is less than operand rank (2)}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<1x2xf32>, tensor<1xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @broadcast_twice(%a: tensor<1x2xf32>, %s: tensor<2xi64>) {
  // expected-error@+1 {{broadcast_dimensions should not have duplicates}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {broadcast_dimensions = array<i64: 0, 0>} : (tensor<1x2xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @broadcast_range(%a: tensor<2xf32>, %s: tensor<1xi64>) {
  // expected-error@+1 {{broadcast_dimensions contains invalid value 1 for result with rank 1}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>, tensor<1xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @broadcast_size(%a: tensor<2xf32>, %s: tensor<1xi64>) {
  // expected-error@+1 {{size of operand dimension 0 (2) is not compatible with size of result dimension 0 (3)}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<1xi64>) -> tensor<3xf32>
  return
}

// -----

func.func @broadcast_shape(%a: tensor<1xf32>) {
  %s = stablehlo.constant dense<[4]> : tensor<1xi64>
  // expected-error@+1 {{output shape [4] is incompatible with return type of operation}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {broadcast_dimensions = array<i64: 0>} : (tensor<1xf32>, tensor<1xi64>) -> tensor<5xf32>
  return
}

// -----

func.func @hint_twice(%a: tensor<2xf32>, %s: tensor<1xi64>) {
  // expected-error@+1 {{duplicate expansion hint for at least one operand dimension}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {broadcast_dimensions = array<i64: 0>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @hint_range(%a: tensor<2xf32>, %s: tensor<1xi64>) {
  // expected-error@+1 {{hint for expanding dimension 1 does not refer to a valid operand dimension}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {broadcast_dimensions = array<i64: 0>, known_expanding_dimensions = array<i64: 1>} : (tensor<2xf32>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @broadcast_value(%a: tensor<2xf32>) {
  %s = stablehlo.constant dense<[3]> : tensor<1xi64>
  // expected-error@+1 {{size of operand dimension 0 (2) is not equal to 1 or value of shape at index 0 (3)}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @slice_start_indices(%a: tensor<?xf32>, %p: tensor<2xi64>, %q: tensor<2xi64>, %r: tensor<2xi64>) {
  // expected-error@+1 {{has mismatched number of operand rank (1) and start_indices size (2)}}
  %0 = "stablehlo.real_dynamic_slice"(%a, %p, %q, %r) : (tensor<?xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @slice_limit_indices(%a: tensor<?xf32>, %p: tensor<1xi64>, %q: tensor<2xi64>, %r: tensor<1xi64>) {
  // expected-error@+1 {{'stablehlo.real_dynamic_slice' op failed to verify that all of {start_indices, limit_indices, strides} have same type}}
  %0 = "stablehlo.real_dynamic_slice"(%a, %p, %q, %r) : (tensor<?xf32>, tensor<1xi64>, tensor<2xi64>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @slice_strides(%a: tensor<?xf32>, %p: tensor<1xi64>, %q: tensor<1xi64>, %r: tensor<2xi64>) {
  // expected-error@+1 {{'stablehlo.real_dynamic_slice' op failed to verify that all of {start_indices, limit_indices, strides} have same type}}
  %0 = "stablehlo.real_dynamic_slice"(%a, %p, %q, %r) : (tensor<?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<2xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @pad_rank(%a: tensor<?xf32>, %v: tensor<f32>, %p: tensor<2xi64>, %q: tensor<2xi64>, %r: tensor<2xi64>) {
  // expected-error@+1 {{padding operands size (2) must match operand rank (1)}}
  %0 = "stablehlo.dynamic_pad"(%a, %v, %p, %q, %r) : (tensor<?xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @pad_interior(%a: tensor<?xf32>, %v: tensor<f32>, %p: tensor<1xi64>, %q: tensor<1xi64>) {
  %r = stablehlo.constant dense<[-1]> : tensor<1xi64>
  // expected-error@+1 {{interior_padding must be non-negative, but got -1}}
  %0 = "stablehlo.dynamic_pad"(%a, %v, %p, %q, %r) : (tensor<?xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @pad_size(%a: tensor<3xf32>, %v: tensor<f32>) {
  %p = stablehlo.constant dense<[1]> : tensor<1xi64>
  %q = stablehlo.constant dense<[2]> : tensor<1xi64>
  %r = stablehlo.constant dense<[1]> : tensor<1xi64>
  // expected-error@+1 {{expected output dimension at index 0 to equal 8, but got 7}}
  %0 = "stablehlo.dynamic_pad"(%a, %v, %p, %q, %r) : (tensor<3xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<7xf32>
  return
}
