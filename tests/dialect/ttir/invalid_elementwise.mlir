// RUN: tessera opt %s -split-input-file -verify-diagnostics
// What elementwise ops and reductions refuse.

func.func @f0(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) {
  // expected-error@+1 {{operand shape (4, 3) is not broadcast compatible with inferred operand shapes (2, 3)}}
  %0 = "ttir.add"(%a, %b) : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{result shape (3, 3) doesn't match expected shape after broadcasting (2, 3)}}
  %0 = "ttir.add"(%a, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x4xf32>) {
  // expected-error@+1 {{result shape (2, 4) doesn't match expected shape after broadcasting (1, 4)}}
  %0 = "ttir.abs"(%a) : (tensor<1x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xi1>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  // expected-error@+1 {{operand shape (3) is not broadcast compatible with inferred operand shapes (2)}}
  %0 = "ttir.where"(%a, %b, %c) : (tensor<2xi1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<2xf32>) {
  // expected-error@+1 {{expected 2 operands, but found 3}}
  %0 = "ttir.add"(%a, %b, %c) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  // expected-error@+1 {{requires a single operand}}
  %0 = "ttir.neg"(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>, %b: tensor<2xi32>) {
  // expected-error@+1 {{Left operand element type must be integer, but got 'f32'}}
  %0 = "ttir.right_shift"(%a, %b) : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

func.func @f0(%a: tensor<2xi32>, %b: tensor<2xf32>) {
  // expected-error@+1 {{Right operand element type must be integer, but got 'f32'}}
  %0 = "ttir.logical_left_shift"(%a, %b) : (tensor<2xi32>, tensor<2xf32>) -> tensor<2xi32>
  return
}

// -----

func.func @f0(%a: tensor<2xi32>, %b: tensor<2xi32>) {
  // expected-error@+1 {{Output element type must be integer, but got 'f32'}}
  %0 = "ttir.logical_right_shift"(%a, %b) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xcomplex<f32>>) {
  // expected-error@+1 {{Input tensor type must be an integer or floating point type}}
  %0 = "ttir.bitcast_convert"(%a) : (tensor<2xcomplex<f32>>) -> tensor<2xi64>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>) {
  // expected-error@+1 {{Output tensor type must be an integer or floating point type}}
  %0 = "ttir.bitcast_convert"(%a) : (tensor<2xf32>) -> tensor<2xcomplex<f32>>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>) {
  // expected-error@+1 {{Input and output tensor element types must have the same bit width}}
  %0 = "ttir.bitcast_convert"(%a) : (tensor<2xf32>) -> tensor<2xi64>
  return
}

// -----

func.func @f0(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) {
  // expected-error@+1 {{approximate attribute must be either 'none' or 'tanh', but got 'fast'}}
  %0 = "ttir.gelu_bw"(%a, %b) <{approximate = "fast"}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>, %b: tensor<2x2xf32>) {
  // expected-error@+1 {{gradient tensor (lhs) must have rank 2, 3, or 4, but got rank 1}}
  %0 = "ttir.gelu_bw"(%a, %b) : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x2xf32>, %b: tensor<2xf32>) {
  // expected-error@+1 {{input tensor (rhs) must have rank 2, 3, or 4, but got rank 1}}
  %0 = "ttir.gelu_bw"(%a, %b) : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x2x2xf32>, %b: tensor<2x2xf32>) {
  // expected-error@+1 {{gradient tensor (lhs) and input tensor (rhs) must have the same rank, but got lhs rank 3 and rhs rank 2}}
  %0 = "ttir.gelu_bw"(%a, %b) : (tensor<1x2x2xf32>, tensor<2x2xf32>) -> tensor<1x2x2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>) {
  // expected-error@+1 {{input and output must have same shape.}}
  %0 = "ttir.clamp_scalar"(%a) <{min = 0.0 : f32, max = 1.0 : f32}> : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>) {
  // expected-error@+1 {{attribute 'min' failed to satisfy constraint: 32-bit float attribute or 32-bit signless integer attribute}}
  %0 = "ttir.clamp_scalar"(%a) <{min = 0 : i64, max = 1.0 : f32}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<4xf32>, %b: tensor<3xf32>, %c: tensor<4xf32>) {
  // expected-error@+1 {{Min attribute shape (3) cannot be broadcasted to output shape (4).}}
  %0 = "ttir.clamp_tensor"(%a, %b, %c) : (tensor<4xf32>, tensor<3xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f0(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<2x3xf32>) {
  // expected-error@+1 {{Max attribute shape (2,3) cannot be broadcasted to output shape (4).}}
  %0 = "ttir.clamp_tensor"(%a, %b, %c) : (tensor<4xf32>, tensor<4xf32>, tensor<2x3xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{Reduce dimension 2 is out of range for input tensor of rank 2}}
  %0 = "ttir.sum"(%a) <{keep_dim = false, dim_arg = [2 : i32]}> : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{Reduce dimensions are not unique}}
  %0 = "ttir.sum"(%a) <{keep_dim = false, dim_arg = [1 : i32, 1 : i32]}> : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{Expected output shape (2, 1), got (2)}}
  %0 = "ttir.max"(%a) <{keep_dim = true, dim_arg = [1 : i32]}> : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{Expected output shape (), got (2)}}
  %0 = "ttir.mean"(%a) <{keep_dim = false}> : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{requires attribute 'keep_dim'}}
  %0 = "ttir.sum"(%a) : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{specified dimension should be between -2 and 1, but got: 2}}
  %0 = "ttir.cumsum"(%a) <{dim = 2 : i64}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{result shape (3, 2) doesn't match the shape that follows from its operands (2, 3)}}
  %0 = "ttir.cumprod"(%a) <{dim = 1 : i64}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{Input and output shapes must be the same}}
  %0 = "ttir.softmax"(%a) <{dimension = 0 : si32}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{Dimension attribute must be within the bounds of the input tensor}}
  %0 = "ttir.softmax"(%a) <{dimension = -3 : si32}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{Input tensor type does not match with output tensor type. [Input tensor type = 'tensor<2x3xf32>', output tensor type = 'tensor<3x2xf32>'].}}
  %0 = "ttir.dropout"(%a) : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{Probability must be in range [0.0, 1.0], but got 2}}
  %0 = "ttir.dropout"(%a) <{prob = 2.0 : f32}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{Scale must be positive, but got 0}}
  %0 = "ttir.dropout"(%a) <{scale = 0.0 : f32}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>) {
  // expected-error@+1 {{Input tensor rank must be 2, 3, or 4, but got 1}}
  %0 = "ttir.dropout"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{Dimension out of range (expected to be in range of [-2, 1], but got 2)}}
  %0:2 = "ttir.sort"(%a) <{dim = 2 : si32}> : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{Sorted tensor type does not match with input tensor.}}
  %0:2 = "ttir.sort"(%a) : (tensor<2x3xf32>) -> (tensor<2x3xbf16>, tensor<2x3xi32>)
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{Indices shape does not match with input tensor shape.}}
  %0:2 = "ttir.sort"(%a) : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x2xi32>)
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{expected 2 results}}
  %0 = "ttir.sort"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{specified dimension should be between -2 and 1, but got: 2}}
  %0:2 = "ttir.topk"(%a) <{k = 1 : i32, dim = 2 : i32}> : (tensor<2x3xf32>) -> (tensor<2x1xf32>, tensor<2x1xi32>)
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{K should be between 1 and the size of the specified dimension (1), but got: 4}}
  %0:2 = "ttir.topk"(%a) <{k = 4 : i32}> : (tensor<2x3xf32>) -> (tensor<2x4xf32>, tensor<2x4xi32>)
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{result shape (2, 3) doesn't match the shape that follows from its operands (2, 2)}}
  %0:2 = "ttir.topk"(%a) <{k = 2 : i32}> : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return
}

// -----

func.func @f0(%a: tensor<8xf32>, %b: tensor<8xi32>, %c: tensor<2xi32>, %d: tensor<2xf32>, %e: tensor<2xf32>) {
  // expected-error@+1 {{input_values must be 2D [batch, candidates]}}
  %0 = "ttir.sampling"(%a, %b, %c, %d, %e) : (tensor<8xf32>, tensor<8xi32>, tensor<2xi32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xi32>
  return
}

// -----

func.func @f0(%a: tensor<2x8xf32>, %b: tensor<8xi32>, %c: tensor<2xi32>, %d: tensor<2xf32>, %e: tensor<2xf32>) {
  // expected-error@+1 {{input_indices must be 2D [batch, candidates]}}
  %0 = "ttir.sampling"(%a, %b, %c, %d, %e) : (tensor<2x8xf32>, tensor<8xi32>, tensor<2xi32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xi32>
  return
}

// -----

func.func @f0(%a: tensor<2x8xf32>, %b: tensor<2x4xi32>, %c: tensor<2xi32>, %d: tensor<2xf32>, %e: tensor<2xf32>) {
  // expected-error@+1 {{input_values and input_indices must have the same shape}}
  %0 = "ttir.sampling"(%a, %b, %c, %d, %e) : (tensor<2x8xf32>, tensor<2x4xi32>, tensor<2xi32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xi32>
  return
}

// -----

func.func @f0(%a: tensor<2x8xf32>, %b: tensor<2x8xi32>, %c: tensor<2x1xi32>, %d: tensor<2xf32>, %e: tensor<2xf32>) {
  // expected-error@+1 {{k must be 1D [batch]}}
  %0 = "ttir.sampling"(%a, %b, %c, %d, %e) : (tensor<2x8xf32>, tensor<2x8xi32>, tensor<2x1xi32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xi32>
  return
}

// -----

func.func @f0(%a: tensor<2x8xf32>, %b: tensor<2x8xi32>, %c: tensor<2xi32>, %d: tensor<3xf32>, %e: tensor<2xf32>) {
  // expected-error@+1 {{p batch dimension (3) must match input_values batch (2)}}
  %0 = "ttir.sampling"(%a, %b, %c, %d, %e) : (tensor<2x8xf32>, tensor<2x8xi32>, tensor<2xi32>, tensor<3xf32>, tensor<2xf32>) -> tensor<2xi32>
  return
}

// -----

func.func @f0(%a: tensor<2x8xf32>, %b: tensor<2x8xi32>, %c: tensor<2xi32>, %d: tensor<2xf32>, %e: tensor<2xf32>) {
  // expected-error@+1 {{result must be 1D [batch]}}
  %0 = "ttir.sampling"(%a, %b, %c, %d, %e) : (tensor<2x8xf32>, tensor<2x8xi32>, tensor<2xi32>, tensor<2xf32>, tensor<2xf32>) -> tensor<3xi32>
  return
}
