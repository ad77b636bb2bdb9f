// RUN: tessera opt %s -split-input-file -verify-diagnostics
// What ops that move elements refuse.

func.func @f0(%a: tensor<2x6xf32>) {
  // expected-error@+1 {{Shape attribute size 3 must match output tensor rank 2}}
  %0 = "ttir.reshape"(%a) <{shape = [3 : i32, 4 : i32, 1 : i32]}> : (tensor<2x6xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x6xf32>) {
  // expected-error@+1 {{Input tensor number of elements 12 and output tensor number of elements 15 must be the same}}
  %0 = "ttir.reshape"(%a) <{shape = [3 : i32, 5 : i32]}> : (tensor<2x6xf32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x6xf32>) {
  // expected-error@+1 {{Shape attribute must have at most one -1 element}}
  %0 = "ttir.reshape"(%a) <{shape = [-1 : i32, -1 : i32]}> : (tensor<2x6xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x6xf32>) {
  // expected-error@+1 {{All dimensions must be >= 0 except the one with -1}}
  %0 = "ttir.reshape"(%a) <{shape = [-2 : i32, 4 : i32]}> : (tensor<2x6xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x6xf32>) {
  // expected-error@+1 {{Shape attribute 4 must match the output tensor shape 3 at index 0 for dimension that is not -1}}
  %0 = "ttir.reshape"(%a) <{shape = [4 : i32, 3 : i32]}> : (tensor<2x6xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x6xf32>) {
  // expected-error@+1 {{attribute 'shape' failed to satisfy constraint: 32-bit integer array attribute}}
  %0 = "ttir.reshape"(%a) <{shape = [3, 4]}> : (tensor<2x6xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x2xf32>) {
  // expected-error@+1 {{Invalid dimension 2 for squeezing.}}
  %0 = "ttir.squeeze"(%a) <{dim = 2 : si32}> : (tensor<1x2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x2xf32>) {
  // expected-error@+1 {{Dimension 1 in the input tensor must be 1.}}
  %0 = "ttir.squeeze"(%a) <{dim = 1 : si32}> : (tensor<1x2xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @f0(%a: tensor<1xf32>) {
  // expected-error@+1 {{Output tensor must have at least one dimension.}}
  %0 = "ttir.squeeze"(%a) <{dim = 0 : si32}> : (tensor<1xf32>) -> tensor<f32>
  return
}

// -----

func.func @f0(%a: tensor<1x2xf32>) {
  // expected-error@+1 {{Output tensor rank must be one less than the input tensor rank.}}
  %0 = "ttir.squeeze"(%a) <{dim = 0 : si32}> : (tensor<1x2xf32>) -> tensor<1x2xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x2xf32>) {
  // expected-error@+1 {{Dimensions of the output tensor must be the same as the input tensor except for dimension 0.}}
  %0 = "ttir.squeeze"(%a) <{dim = 0 : si32}> : (tensor<1x2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>) {
  // expected-error@+1 {{Dimension attribute must be within the bounds of the input tensor}}
  %0 = "ttir.unsqueeze"(%a) <{dim = 2 : si32}> : (tensor<2xf32>) -> tensor<2x1xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>) {
  // expected-error@+1 {{Output tensor must have one more dimension than the input tensor}}
  %0 = "ttir.unsqueeze"(%a) <{dim = 1 : si32}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>) {
  // expected-error@+1 {{Dimension added must be of size 1}}
  %0 = "ttir.unsqueeze"(%a) <{dim = 1 : si32}> : (tensor<2xf32>) -> tensor<1x2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>) {
  // expected-error@+1 {{All dimensions of the input tensor must be the same as the output tensor except for the dimension added}}
  %0 = "ttir.unsqueeze"(%a) <{dim = 1 : si32}> : (tensor<2xf32>) -> tensor<3x1xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{Expected a permutation of (0, 1), got (0, 0)}}
  %0 = "ttir.permute"(%a) <{permutation = array<i64: 0, 0>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{Expected result shape (3, 2), got (2, 3)}}
  %0 = "ttir.permute"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>) {
  // expected-error@+1 {{Input must be at least a 2D tensor}}
  %0 = "ttir.transpose"(%a) <{dim0 = 0 : si32, dim1 = 0 : si32}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{Input must have the same rank as output}}
  %0 = "ttir.transpose"(%a) <{dim0 = 0 : si32, dim1 = 1 : si32}> : (tensor<2x3xf32>) -> tensor<3x2x1xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{Dimension 0 attribute must be within the bounds of the input tensor}}
  %0 = "ttir.transpose"(%a) <{dim0 = 2 : si32, dim1 = 1 : si32}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{Dimension 1 attribute must be within the bounds of the input tensor}}
  %0 = "ttir.transpose"(%a) <{dim0 = 0 : si32, dim1 = -3 : si32}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{Input-output transpose dimension mismatch.}}
  %0 = "ttir.transpose"(%a) <{dim0 = 0 : si32, dim1 = 1 : si32}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{dimensions should be unique. Got: 0, 0}}
  %0 = "ttir.reverse"(%a) <{dimensions = array<i64: 0, 0>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{all dimensions should be non-negative. Got dimension: -1}}
  %0 = "ttir.reverse"(%a) <{dimensions = array<i64: -1>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{all dimensions should be in interval [0, 2). Got dimension: 2}}
  %0 = "ttir.reverse"(%a) <{dimensions = array<i64: 2>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{failed to verify that all of {input, result} have same shape}}
  %0 = "ttir.reverse"(%a) <{dimensions = array<i64: 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x1xf32>) {
  // expected-error@+1 {{Input tensor rank of 2 does not match output tensor rank of 3}}
  %0 = "ttir.broadcast"(%a) <{broadcast_dimensions = array<i64: 1, 3>}> : (tensor<2x1xf32>) -> tensor<1x2x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x2xf32>) {
  // expected-error@+1 {{Input tensor shape (2,2) is not broadcastable to output shape (2,3)}}
  %0 = "ttir.broadcast"(%a) <{broadcast_dimensions = array<i64: 1, 3>}> : (tensor<2x2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x1xf32>) {
  // expected-error@+1 {{Input tensor rank should match output tensor rank.}}
  %0 = "ttir.broadcast"(%a) <{broadcast_dimensions = array<i64: 1>}> : (tensor<2x1xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x1xf32>) {
  // expected-error@+1 {{Input tensor shape (2,1) index 1 does not broadcast to output (2,3) using broadcast value 2}}
  %0 = "ttir.broadcast"(%a) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<2x1xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x1xf32>) {
  // expected-error@+1 {{Input tensor rank 2 doesn't match the number of repeat dimensions 1.}}
  %0 = "ttir.repeat"(%a) <{repeat_dimensions = array<i64: 1>}> : (tensor<2x1xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x1xf32>) {
  // expected-error@+1 {{Input tensor rank 2 doesn't match the output tensor rank 1.}}
  %0 = "ttir.repeat"(%a) <{repeat_dimensions = array<i64: 1, 3>}> : (tensor<2x1xf32>) -> tensor<6xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x1xf32>) {
  // expected-error@+1 {{Repeat dimension at index 1 must be greater than 0.}}
  %0 = "ttir.repeat"(%a) <{repeat_dimensions = array<i64: 1, 0>}> : (tensor<2x1xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x1xf32>) {
  // expected-error@+1 {{Input tensor shape (2,1) at index 1 does not repeat to output (2,3) using repeat value 2.}}
  %0 = "ttir.repeat"(%a) <{repeat_dimensions = array<i64: 1, 2>}> : (tensor<2x1xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<f32>) {
  // expected-error@+1 {{Input must be at least a 1D tensor}}
  %0 = "ttir.repeat_interleave"(%a) <{repeats = 2 : ui32, dim = 0 : si32}> : (tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>) {
  // expected-error@+1 {{Repeats attribute must be non-zero}}
  %0 = "ttir.repeat_interleave"(%a) <{repeats = 0 : ui32, dim = 0 : si32}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>) {
  // expected-error@+1 {{Dimension attribute must be within the bounds[-1, 1), got 1}}
  %0 = "ttir.repeat_interleave"(%a) <{repeats = 2 : ui32, dim = 1 : si32}> : (tensor<2xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>) {
  // expected-error@+1 {{Output shape [2] does not match the expected shape [4]}}
  %0 = "ttir.repeat_interleave"(%a) <{repeats = 2 : ui32, dim = 0 : si32}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0() {
  // expected-error@+1 {{Expected at least one input tensor.}}
  %0 = "ttir.concat"() <{dim = 0 : si32}> : () -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{Invalid dimension 1 for concatenation.}}
  %0 = "ttir.concat"(%a, %b) <{dim = 1 : si32}> : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>, %b: tensor<3x1xf32>) {
  // expected-error@+1 {{All input tensors must have the same rank.}}
  %0 = "ttir.concat"(%a, %b) <{dim = 0 : si32}> : (tensor<2xf32>, tensor<3x1xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x1xf32>, %b: tensor<3x2xf32>) {
  // expected-error@+1 {{All input tensors must have the same dimensions, except for dimension 0.}}
  %0 = "ttir.concat"(%a, %b) <{dim = 0 : si32}> : (tensor<2x1xf32>, tensor<3x2xf32>) -> tensor<5x1xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{Output tensor dimension 0 does not match the sum of input tensor dimensions: 4 vs. 5.}}
  %0 = "ttir.concat"(%a, %b) <{dim = 0 : si32}> : (tensor<2xf32>, tensor<3xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>) {
  // expected-error@+1 {{Padding must have the same number of elements as twice the rank of the input tensor}}
  %0 = "ttir.pad"(%a) <{padding = array<i32: 1>, value = 0.0 : f32}> : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>) {
  // expected-error@+1 {{Output tensor shape (4) must match the inferred shape: (5)}}
  %0 = "ttir.pad"(%a) <{padding = array<i32: 1, 2>, value = 0.0 : f32}> : (tensor<2xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>) {
  // expected-error@+1 {{dimension 1 is out of range for operand of rank 1}}
  %0 = "ttir.get_dimension_size"(%a) <{dimension = 1 : i32}> : (tensor<2xf32>) -> tensor<1xui32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{pattern must contain exactly one '->' separator.}}
  %0 = "ttir.rearrange"(%a) <{pattern = "a b"}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{failed to parse pattern a b -> a c.}}
  %0 = "ttir.rearrange"(%a) <{pattern = "a b -> a c"}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{number of dimensions in the pattern's input (1) must match the rank of the input tensor (2).}}
  %0 = "ttir.rearrange"(%a) <{pattern = "a -> a"}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{result shape (5) doesn't match the shape that follows from its operands (6)}}
  %0 = "ttir.rearrange"(%a) <{pattern = "a b -> (b a)"}> : (tensor<2x3xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @f0(%a: tensor<f32>) {
  // expected-error@+1 {{Input must be at least a 1D tensor}}
  %0 = "ttir.slice_static"(%a) <{begins = [], ends = [], step = []}> : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @f0(%a: tensor<4xf32>) {
  // expected-error@+1 {{Begins, ends, and step attributes must have the same number of elements as the input tensor rank}}
  %0 = "ttir.slice_static"(%a) <{begins = [0 : i32, 0 : i32], ends = [2 : i32], step = [1 : i32]}> : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<4xf32>) {
  // expected-error@+1 {{Output tensor must have the same element type as the input tensor}}
  %0 = "ttir.slice_static"(%a) <{begins = [0 : i32], ends = [2 : i32], step = [1 : i32]}> : (tensor<4xf32>) -> tensor<2xbf16>
  return
}

// -----

func.func @f0(%a: tensor<4xf32>) {
  // expected-error@+1 {{Output tensor must have the same rank as the input tensor}}
  %0 = "ttir.slice_static"(%a) <{begins = [0 : i32], ends = [2 : i32], step = [1 : i32]}> : (tensor<4xf32>) -> tensor<2x1xf32>
  return
}

// -----

func.func @f0(%a: tensor<4xf32>) {
  // expected-error@+1 {{Invalid begin index for dimension 0. Expected value in range [-4, 4), got 4. Input shape: (4)}}
  %0 = "ttir.slice_static"(%a) <{begins = [4 : i32], ends = [2 : i32], step = [1 : i32]}> : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<4xf32>) {
  // expected-error@+1 {{Invalid end index for dimension 0. Expected value in range [-4, 4], got 5. Input shape: (4)}}
  %0 = "ttir.slice_static"(%a) <{begins = [0 : i32], ends = [5 : i32], step = [1 : i32]}> : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<4xf32>) {
  // expected-error@+1 {{Step value for dimension 0 cannot be zero}}
  %0 = "ttir.slice_static"(%a) <{begins = [0 : i32], ends = [2 : i32], step = [0 : i32]}> : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<4xf32>) {
  // expected-error@+1 {{For positive step, begin index must be less than or equal to end index for dimension 0. Got begin: 3, end: 1 (-3), step: 1, input shape: (4)}}
  %0 = "ttir.slice_static"(%a) <{begins = [3 : i32], ends = [-3 : i32], step = [1 : i32]}> : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<4xf32>) {
  // expected-error@+1 {{For negative step, begin index must be greater than or equal to end index for dimension 0. Got begin: 0, end: 2, step: -1, input shape: (4)}}
  %0 = "ttir.slice_static"(%a) <{begins = [0 : i32], ends = [2 : i32], step = [-1 : i32]}> : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<4xf32>) {
  // expected-error@+1 {{Mismatch in dimension 0 of the output tensor: expected size 2, but got 3}}
  %0 = "ttir.slice_static"(%a) <{begins = [0 : i32], ends = [4 : i32], step = [2 : i32]}> : (tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f0(%a: tensor<f32>, %b: tensor<1xi32>, %c: tensor<1xi32>) {
  // expected-error@+1 {{Input must be at least a 1D tensor}}
  %0 = "ttir.slice_dynamic"(%a, %b, %c) : (tensor<f32>, tensor<1xi32>, tensor<1xi32>) -> tensor<f32>
  return
}

// -----

func.func @f0(%a: tensor<4xf32>, %b: tensor<1x1xi32>, %c: tensor<1xi32>) {
  // expected-error@+1 {{Begins and ends must be 1D tensors}}
  %0 = "ttir.slice_dynamic"(%a, %b, %c) : (tensor<4xf32>, tensor<1x1xi32>, tensor<1xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<4xf32>, %b: tensor<2xi32>, %c: tensor<1xi32>) {
  // expected-error@+1 {{Begins, ends, and step must have the same number of elements as the input tensor rank}}
  %0 = "ttir.slice_dynamic"(%a, %b, %c) : (tensor<4xf32>, tensor<2xi32>, tensor<1xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<4xf32>, %b: tensor<1xi32>, %c: tensor<1xi32>) {
  // expected-error@+1 {{Step value for dimension 0 cannot be zero}}
  %0 = "ttir.slice_dynamic"(%a, %b, %c) <{step = [0 : i32]}> : (tensor<4xf32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<f32>) {
  // expected-error@+1 {{Input must be at least a 1D tensor}}
  %0 = "ttir.index"(%a) <{dim = 0 : i32, begin = 0 : i32, end = 1 : i32, step = 1 : i32}> : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @f0(%a: tensor<4xf32>) {
  // expected-error@+1 {{Invalid dimension index 1. Input tensor rank is 1}}
  %0 = "ttir.index"(%a) <{dim = 1 : i32, begin = 0 : i32, end = 1 : i32, step = 1 : i32}> : (tensor<4xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @f0(%a: tensor<4xf32>) {
  // expected-error@+1 {{Mismatch in dimension 0 of the output tensor: expected size 2, but got 1}}
  %0 = "ttir.index"(%a) <{dim = 0 : i32, begin = 0 : i32, end = 4 : i32, step = 2 : i32}> : (tensor<4xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @f0(%a: tensor<4xf32>) {
  // expected-error@+1 {{Input and output tensors must have the same rank.}}
  %0 = "ttir.index_select"(%a) <{dim = 0 : si32, begin = 0 : si32, length = 2 : si32}> : (tensor<4xf32>) -> tensor<2x1xf32>
  return
}

// -----

func.func @f0(%a: tensor<4xf32>) {
  // expected-error@+1 {{Input and output tensors must have the same element type.}}
  %0 = "ttir.index_select"(%a) <{dim = 0 : si32, begin = 0 : si32, length = 2 : si32}> : (tensor<4xf32>) -> tensor<2xbf16>
  return
}

// -----

func.func @f0(%a: tensor<4xf32>) {
  // expected-error@+1 {{Invalid dimension 1 for select op with input tensor rank 1}}
  %0 = "ttir.index_select"(%a) <{dim = 1 : si32, begin = 0 : si32, length = 2 : si32}> : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<4xf32>) {
  // expected-error@+1 {{Invalid stride -1 for dimension 0, stride must be non-negative}}
  %0 = "ttir.index_select"(%a) <{dim = 0 : si32, begin = 0 : si32, length = 2 : si32, stride = -1 : si32}> : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<4xf32>) {
  // expected-error@+1 {{Invalid stride 5 for dimension 0 with size 4. stride must be less than or equal to the dimension size}}
  %0 = "ttir.index_select"(%a) <{dim = 0 : si32, begin = 0 : si32, length = 2 : si32, stride = 5 : si32}> : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<4xf32>) {
  // expected-error@+1 {{Invalid begin index 4 for dimension 0 with size 4. begin must be in the range [0, dimSize)}}
  %0 = "ttir.index_select"(%a) <{dim = 0 : si32, begin = 4 : si32, length = 2 : si32}> : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<4xf32>) {
  // expected-error@+1 {{Invalid length 3 for begin index 0 and stride 2 for dimension 0 with size 4. stride must be greater than or equal to length}}
  %0 = "ttir.index_select"(%a) <{dim = 0 : si32, begin = 0 : si32, length = 3 : si32, stride = 2 : si32}> : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<4xf32>) {
  // expected-error@+1 {{Invalid length 2 for begin index 3 and dimension 0 with size 4. begin + length must be less than or equal to the dimension size}}
  %0 = "ttir.index_select"(%a) <{dim = 0 : si32, begin = 3 : si32, length = 2 : si32}> : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<4xf32>) {
  // expected-error@+1 {{Sum of all slices must be equal to the output dimension size for the given dimension. Expected output dimension size: 3, but got 2}}
  %0 = "ttir.index_select"(%a) <{dim = 0 : si32, begin = 0 : si32, length = 2 : si32}> : (tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f0(%a: tensor<4xf32>, %b: tensor<2xi32>) {
  // expected-error@+1 {{requires attribute 'dim'}}
  %0 = "ttir.gather"(%a, %b) : (tensor<4xf32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<4xf32>, %b: tensor<2xf32>) {
  // expected-error@+1 {{Index tensor must have an integer type, got 'f32'}}
  %0 = "ttir.gather"(%a, %b) <{dim = 0 : i32}> : (tensor<4xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<4xf32>, %b: tensor<2x1xi32>) {
  // expected-error@+1 {{Input tensor and index tensor must have the same rank. Got input rank = 1, index rank = 2}}
  %0 = "ttir.gather"(%a, %b) <{dim = 0 : i32}> : (tensor<4xf32>, tensor<2x1xi32>) -> tensor<2x1xf32>
  return
}

// -----

func.func @f0(%a: tensor<f32>, %b: tensor<i32>) {
  // expected-error@+1 {{Input tensor and index tensor must have rank >= 1. Got rank = 0}}
  %0 = "ttir.gather"(%a, %b) <{dim = 0 : i32}> : (tensor<f32>, tensor<i32>) -> tensor<f32>
  return
}

// -----

func.func @f0(%a: tensor<4xf32>, %b: tensor<2xi32>) {
  // expected-error@+1 {{Dimension must be in the range [-1, 1), got dim = 1}}
  %0 = "ttir.gather"(%a, %b) <{dim = 1 : i32}> : (tensor<4xf32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<4xf32>, %b: tensor<2xi32>) {
  // expected-error@+1 {{Index tensor and result tensor must have the same shape.}}
  %0 = "ttir.gather"(%a, %b) <{dim = 0 : i32}> : (tensor<4xf32>, tensor<2xi32>) -> tensor<3xf32>
  return
}

// -----

func.func @f0(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>) {
  // expected-error@+1 {{has 2 offset dimensions for slices of rank 1}}
  %0 = "ttir.gather"(%a, %b) <{offset_dims = array<i64: 1, 2>, collapsed_slice_dims = array<i64: 0>, start_index_map = array<i64: 0>, index_vector_dim = 1 : si64, slice_sizes = array<i64: 1, 3>}> : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>) {
  // expected-error@+1 {{has offset dimensions that the result does not have}}
  %0 = "ttir.gather"(%a, %b) <{offset_dims = array<i64: 7>, collapsed_slice_dims = array<i64: 0>, start_index_map = array<i64: 0>, index_vector_dim = 1 : si64, slice_sizes = array<i64: 1, 3>}> : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<4xf32>, %b: tensor<2xi32>, %c: tensor<2x1xf32>) {
  // expected-error@+1 {{Input tensor, index tensor, and source tensor must have the same rank. Got input rank = 1, index rank = 1, source rank = 2}}
  %0 = "ttir.scatter"(%a, %b, %c) <{dim = 0 : i32, scatter_reduce_type = #ttcore.reduce_type<sum>}> : (tensor<4xf32>, tensor<2xi32>, tensor<2x1xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f0(%a: tensor<4xf32>, %b: tensor<2xi32>, %c: tensor<3xf32>) {
  // expected-error@+1 {{Index tensor must have the same shape as source tensor.}}
  %0 = "ttir.scatter"(%a, %b, %c) <{dim = 0 : i32, scatter_reduce_type = #ttcore.reduce_type<sum>}> : (tensor<4xf32>, tensor<2xi32>, tensor<3xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x2x2xi32>, %b: tensor<9x4xf32>) {
  // expected-error@+1 {{input must be at most a 2D tensor, got 3D ranked tensor}}
  %0 = "ttir.embedding"(%a, %b) : (tensor<2x2x2xi32>, tensor<9x4xf32>) -> tensor<2x2x2x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xi32>, %b: tensor<9xf32>) {
  // expected-error@+1 {{weight must be at least 2D tensor, got 1D ranked tensor}}
  %0 = "ttir.embedding"(%a, %b) : (tensor<2xi32>, tensor<9xf32>) -> tensor<2x9xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xi32>, %b: tensor<2x9x4xf32>) {
  // expected-error@+1 {{weight must be effectively 2D tensor}}
  %0 = "ttir.embedding"(%a, %b) : (tensor<2xi32>, tensor<2x9x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xi32>, %b: tensor<9x4xf32>) {
  // expected-error@+1 {{expected output shape of (2, 4) but got (2, 9)}}
  %0 = "ttir.embedding"(%a, %b) : (tensor<2xi32>, tensor<9x4xf32>) -> tensor<2x9xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xi32>, %b: tensor<1x9x4xf32>, %c: tensor<2x4xf32>) {
  // expected-error@+1 {{Input must be a 2D tensor}}
  %0 = "ttir.embedding_backward"(%a, %b, %c) : (tensor<2xi32>, tensor<1x9x4xf32>, tensor<2x4xf32>) -> tensor<9x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xi32>, %b: tensor<9x4xf32>, %c: tensor<2x4xbf16>) {
  // expected-error@+1 {{Input gradient and output must have the same dtype}}
  %0 = "ttir.embedding_backward"(%a, %b, %c) : (tensor<2xi32>, tensor<9x4xf32>, tensor<2x4xbf16>) -> tensor<9x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xi32>, %b: tensor<9x4xf32>, %c: tensor<2x4xf32>) {
  // expected-error@+1 {{Output must have the same shape as weight}}
  %0 = "ttir.embedding_backward"(%a, %b, %c) : (tensor<2xi32>, tensor<9x4xf32>, tensor<2x4xf32>) -> tensor<9x3xf32>
  return
}
