// RUN: tessera opt %s -split-input-file -verify-diagnostics
// What normalisation and tensors from attributes refuse.

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{input and output must have the same shape}}
  %0 = "ttir.rms_norm"(%a) <{normalized_shape = array<i64: 3>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{normalized_shape cannot be empty}}
  %0 = "ttir.layer_norm"(%a) <{normalized_shape = array<i64>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<3xf32>) {
  // expected-error@+1 {{normalized_shape has more dimensions than input tensor}}
  %0 = "ttir.layer_norm"(%a) <{normalized_shape = array<i64: 1, 3>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{normalized_shape dimensions must match trailing dimensions of input tensor}}
  %0 = "ttir.rms_norm"(%a) <{normalized_shape = array<i64: 2>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>, %b: tensor<2xf32>) {
  // expected-error@+1 {{weight tensor shape must match normalized_shape}}
  %0 = "ttir.rms_norm"(%a, %b) <{normalized_shape = array<i64: 3>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>, %b: tensor<2xf32>) {
  // expected-error@+1 {{bias tensor shape must match normalized_shape}}
  %0 = "ttir.rms_norm"(%a, %b) <{normalized_shape = array<i64: 3>, operandSegmentSizes = array<i32: 1, 0, 1>}> : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{output shape must match input shape}}
  %0 = "ttir.distributed_rms_norm"(%a) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{cluster_axis must be 0 or 1}}
  %0 = "ttir.distributed_rms_norm"(%a) <{cluster_axis = 2 : ui32, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{epsilon must be positive}}
  %0 = "ttir.distributed_rms_norm"(%a) <{cluster_axis = 1 : ui32, epsilon = 0.0 : f32, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{residual tensor shape must match input tensor shape}}
  %0 = "ttir.distributed_rms_norm"(%a, %b) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 0, 1>}> : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>, %b: tensor<2xf32>) {
  // expected-error@+1 {{weight tensor's last dimension must match input's last dimension}}
  %0 = "ttir.distributed_rms_norm"(%a, %b) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>, %b: tensor<2xf32>) {
  // expected-error@+1 {{bias tensor's last dimension must match input's last dimension}}
  %0 = "ttir.distributed_layer_norm"(%a, %b) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 0, 1, 0>}> : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3x4xf32>) {
  // expected-error@+1 {{input must be at least a 4D tensor, got rank 3}}
  %0 = "ttir.group_norm"(%a) <{num_groups = 1 : i64, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x1x6x4xf32>) {
  // expected-error@+1 {{num_groups must be positive, got 0}}
  %0 = "ttir.group_norm"(%a) <{num_groups = 0 : i64, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (tensor<1x1x6x4xf32>) -> tensor<1x1x6x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x1x6x4xf32>) {
  // expected-error@+1 {{channel_dim must be in range [0, rank), got 4 for rank 4}}
  %0 = "ttir.group_norm"(%a) <{num_groups = 2 : i64, channel_dim = 4 : i64, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (tensor<1x1x6x4xf32>) -> tensor<1x1x6x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x1x6x4xf32>) {
  // expected-error@+1 {{channel dimension (dim 3) must be divisible by num_groups; got C=4, num_groups=3}}
  %0 = "ttir.group_norm"(%a) <{num_groups = 3 : i64, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (tensor<1x1x6x4xf32>) -> tensor<1x1x6x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x1x6x4xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{weight must be 1D with size matching channel dimension C=4}}
  %0 = "ttir.group_norm"(%a, %b) <{num_groups = 2 : i64, operandSegmentSizes = array<i32: 1, 0, 1, 0>}> : (tensor<1x1x6x4xf32>, tensor<3xf32>) -> tensor<1x1x6x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<2xf32>, %d: tensor<2xf32>, %e: tensor<2xf32>) {
  // expected-error@+1 {{input tensor must have rank between 2 and 5, got rank 1}}
  %0 = "ttir.batch_norm_inference"(%a, %b, %c, %d, %e) <{epsilon = 1.0e-05 : f32, dimension = 0 : i32}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<3xf32>) {
  // expected-error@+1 {{dimension attribute must be within input rank bounds, got dimension 2 for rank 2}}
  %0 = "ttir.batch_norm_inference"(%a, %b, %c, %d, %e) <{epsilon = 1.0e-05 : f32, dimension = 2 : i32}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<3xf32>) {
  // expected-error@+1 {{result shape (3, 2) doesn't match the shape that follows from its operands (2, 3)}}
  %0 = "ttir.batch_norm_inference"(%a, %b, %c, %d, %e) <{epsilon = 1.0e-05 : f32, dimension = 1 : i32}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>, %b: tensor<3xf32>, %c: tensor<2xf32>, %d: tensor<2xf32>) {
  // expected-error@+1 {{grad must have the same shape as param}}
  %0:3 = "ttir.adamw"(%a, %b, %c, %d) <{lr = 1.0e-03 : f32, beta1 = 0.9 : f32, beta2 = 0.999 : f32, beta1_pow = 0.9 : f32, beta2_pow = 0.999 : f32, epsilon = 1.0e-08 : f32, weight_decay = 0.0 : f32}> : (tensor<2xf32>, tensor<3xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f0(%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<2xf32>, %d: tensor<2xf32>) {
  // expected-error@+1 {{param_out type must match param}}
  %0:3 = "ttir.adamw"(%a, %b, %c, %d) <{lr = 1.0e-03 : f32, beta1 = 0.9 : f32, beta2 = 0.999 : f32, beta1_pow = 0.9 : f32, beta2_pow = 0.999 : f32, epsilon = 1.0e-08 : f32, weight_decay = 0.0 : f32}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xbf16>, tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f0(%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<2xf32>, %d: tensor<2xf32>, %e: tensor<2xf32>) {
  // expected-error@+1 {{max_exp_avg_sq and max_exp_avg_sq_out must both be present or both be absent}}
  %0:3 = "ttir.adamw"(%a, %b, %c, %d, %e) <{lr = 1.0e-03 : f32, beta1 = 0.9 : f32, beta2 = 0.999 : f32, beta1_pow = 0.9 : f32, beta2_pow = 0.999 : f32, epsilon = 1.0e-08 : f32, weight_decay = 0.0 : f32}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f0() {
  // expected-error@+1 {{failed to verify that all of {value, result} have same shape}}
  %0 = "ttir.constant"() <{value = dense<0.0> : tensor<2xf32>}> : () -> tensor<3xf32>
  return
}

// -----

func.func @f0() {
  // expected-error@+1 {{value attribute must be one of DenseResourceElementsAttr or DenseElementsAttr.}}
  %0 = "ttir.constant"() <{value = sparse<0, 1.0> : tensor<2xf32>}> : () -> tensor<2xf32>
  return
}

// -----

func.func @f0() {
  // expected-error@+1 {{value attribute must be of int or float type.}}
  %0 = "ttir.constant"() <{value = dense<(0.0, 0.0)> : tensor<2xcomplex<f32>>}> : () -> tensor<2xcomplex<f32>>
  return
}

// -----

func.func @f0() {
  // expected-error@+1 {{expected shape (3), got (2)}}
  %0 = "ttir.full"() <{shape = array<i32: 2>, fill_value = 0.0 : f32}> : () -> tensor<3xf32>
  return
}

// -----

func.func @f0() {
  // expected-error@+1 {{expected shape (2, 3), got (2, 2)}}
  %0 = "ttir.zeros"() <{shape = array<i32: 2, 2>}> : () -> tensor<2x3xf32>
  return
}

// -----

func.func @f0() {
  // expected-error@+1 {{'low' value must be < 'high' value.}}
  %0 = "ttir.rand"() <{size = [2 : i32], low = 1.0 : f32}> : () -> tensor<2xf32>
  return
}

// -----

func.func @f0() {
  // expected-error@+1 {{Size argument does not match with output tensor shape. [Size = [2 : i32], output tensor shape = (3)].}}
  %0 = "ttir.rand"() <{size = [2 : i32]}> : () -> tensor<3xf32>
  return
}

// -----

func.func @f0() {
  // expected-error@+1 {{Step value cannot be zero}}
  %0 = "ttir.arange"() <{start = 0 : si64, end = 4 : si64, step = 0 : si64, arange_dimension = 0 : i64}> : () -> tensor<4xi32>
  return
}

// -----

func.func @f0() {
  // expected-error@+1 {{Invalid range: start=4, end=0, step=1}}
  %0 = "ttir.arange"() <{start = 4 : si64, end = 0 : si64, step = 1 : si64, arange_dimension = 0 : i64}> : () -> tensor<4xi32>
  return
}

// -----

func.func @f0() {
  // expected-error@+1 {{arange_dimension 1 is not a dimension of the result}}
  %0 = "ttir.arange"() <{start = 0 : si64, end = 4 : si64, step = 1 : si64, arange_dimension = 1 : i64}> : () -> tensor<4xi32>
  return
}

// -----

func.func @f0() {
  // expected-error@+1 {{Output tensor shape must be 2 at dim 0 (since start=0, end=4, step=2), but got 4}}
  %0 = "ttir.arange"() <{start = 0 : si64, end = 4 : si64, step = 2 : si64, arange_dimension = 0 : i64}> : () -> tensor<4xi32>
  return
}

// -----

func.func @f0() {
  // expected-error@+1 {{Result type missing layout attribute}}
  %0 = "ttir.alloc"() <{address = 1 : i64, size = 4 : i64, memory_space = #ttcore.memory_space<l1>}> : () -> tensor<4xf32>
  return
}

// -----

func.func @f0() {
  // expected-error@+1 {{Alloc size must be non-zero}}
  %0 = "ttir.alloc"() <{address = 1 : i64, size = 0 : i64, memory_space = #ttcore.memory_space<l1>}> : () -> tensor<1x1x4x4xf32, #ttcore.metal_layout<logical_shape = 4x4, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>>
  return
}

// -----

func.func @f0() {
  // expected-error@+1 {{Input tensor layout memory space must match alloc memory space}}
  %0 = "ttir.alloc"() <{address = 1 : i64, size = 4 : i64, memory_space = #ttcore.memory_space<dram>}> : () -> tensor<1x1x4x4xf32, #ttcore.metal_layout<logical_shape = 4x4, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>>
  return
}

// -----

func.func @f0() {
  // expected-error@+1 {{Allocating from system memory space must have address set to 0, implicitly allocated by the runtime}}
  %0 = "ttir.alloc"() <{address = 1 : i64, size = 4 : i64, memory_space = #ttcore.memory_space<system>}> : () -> tensor<1x1x4x4xf32, #ttcore.metal_layout<logical_shape = 4x4, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, system, sharded>>
  return
}

// -----

func.func @f0() {
  // expected-error@+1 {{Allocating from a device memory space must have address set to a non-zero value, device addresses are statically allocated}}
  %0 = "ttir.alloc"() <{address = 0 : i64, size = 4 : i64, memory_space = #ttcore.memory_space<l1>}> : () -> tensor<1x1x4x4xf32, #ttcore.metal_layout<logical_shape = 4x4, dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>>
  return
}
