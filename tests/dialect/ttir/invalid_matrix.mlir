// RUN: tessera opt %s -split-input-file -verify-diagnostics
// What products of matrices refuse.

func.func @f0(%a: tensor<f32>, %b: tensor<2xf32>) {
  // expected-error@+1 {{Input A must be at least a 1D tensor}}
  %0 = "ttir.matmul"(%a, %b) : (tensor<f32>, tensor<2xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @f0(%a: tensor<2xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{Input B must be at least a 1D tensor}}
  %0 = "ttir.matmul"(%a, %b) : (tensor<2xf32>, tensor<f32>) -> tensor<1xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>) {
  // expected-error@+1 {{Input A[-1](3) and B[-2](4) must have matching inner dimensions}}
  %0 = "ttir.matmul"(%a, %b) : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x2x3xf32>, %b: tensor<3x3x4xf32>) {
  // expected-error@+1 {{Batch dimensions of input A(2) and B(3) are not broadcast compatible}}
  %0 = "ttir.matmul"(%a, %b) : (tensor<2x2x3xf32>, tensor<3x3x4xf32>) -> tensor<2x2x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<3xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{Scalar output is not supported, output must be at least a 1D tensor}}
  %0 = "ttir.matmul"(%a, %b) : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  return
}

// -----

func.func @f0(%a: tensor<3xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{Scalar output must be a 1D tensor of size 1}}
  %0 = "ttir.matmul"(%a, %b) : (tensor<3xf32>, tensor<3xf32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error@+1 {{Output shape rank(3) must match the expected output shape rank(2)}}
  %0 = "ttir.matmul"(%a, %b) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<1x2x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error@+1 {{Output shape dimension[0](4) doesn't match the expected output shape dimension[0](2)}}
  %0 = "ttir.matmul"(%a, %b) <{transpose_a = false, transpose_b = false}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<f32>) {
  // expected-error@+1 {{Bias must be at least a 1D tensor}}
  %0 = "ttir.linear"(%a, %b, %c) : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<3xf32>) {
  // expected-error@+1 {{Bias shape(3) is not broadcast compatible with the matmul output shape(2,4)}}
  %0 = "ttir.linear"(%a, %b, %c) : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<3xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error@+1 {{dimension 2 is out of range for lhs of rank 2}}
  %0 = "ttir.dot_general"(%a, %b) <{batch_dims_lhs = array<i64>, contract_dims_lhs = array<i64: 2>, batch_dims_rhs = array<i64>, contract_dims_rhs = array<i64: 0>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error@+1 {{names dimension 0 of rhs twice}}
  %0 = "ttir.dot_general"(%a, %b) <{batch_dims_lhs = array<i64>, contract_dims_lhs = array<i64: 1>, batch_dims_rhs = array<i64: 0>, contract_dims_rhs = array<i64: 0>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error@+1 {{has 1 contracting dimensions of lhs and 0 of rhs}}
  %0 = "ttir.dot_general"(%a, %b) <{batch_dims_lhs = array<i64>, contract_dims_lhs = array<i64: 1>, batch_dims_rhs = array<i64>, contract_dims_rhs = array<i64>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) {
  // expected-error@+1 {{contracting dimensions of lhs and rhs have sizes 3 and 4}}
  %0 = "ttir.dot_general"(%a, %b) <{batch_dims_lhs = array<i64>, contract_dims_lhs = array<i64: 1>, batch_dims_rhs = array<i64>, contract_dims_rhs = array<i64: 0>}> : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error@+1 {{result shape (4, 2) doesn't match the shape that follows from its operands (2, 4)}}
  %0 = "ttir.dot_general"(%a, %b) <{batch_dims_lhs = array<i64>, contract_dims_lhs = array<i64: 1>, batch_dims_rhs = array<i64>, contract_dims_rhs = array<i64: 0>}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x1x2x3xf32>, %b: tensor<1x4x3x5xf32>, %c: tensor<1x1x1x4xf32>) {
  // expected-error@+1 {{nnz must be greater than 0 when set}}
  %0 = "ttir.sparse_matmul"(%a, %b, %c) <{nnz = 0 : i64}> : (tensor<1x1x2x3xf32>, tensor<1x4x3x5xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x1x4x2x5xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x3xf32>, %b: tensor<1x4x3x5xf32>, %c: tensor<1x1x1x4xf32>) {
  // expected-error@+1 {{Input A must be at least a 4D tensor}}
  %0 = "ttir.sparse_matmul"(%a, %b, %c) : (tensor<2x3xf32>, tensor<1x4x3x5xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x1x4x2x5xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x1x2x3xf32>, %b: tensor<4x3x5xf32>, %c: tensor<1x1x1x4xf32>) {
  // expected-error@+1 {{Input B must be a 4D tensor [1, E, K, N]}}
  %0 = "ttir.sparse_matmul"(%a, %b, %c) : (tensor<1x1x2x3xf32>, tensor<4x3x5xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x1x4x2x5xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x1x2x3xf32>, %b: tensor<1x4x3x5xf32>, %c: tensor<4xf32>) {
  // expected-error@+1 {{Sparsity tensor must be a 4D tensor}}
  %0 = "ttir.sparse_matmul"(%a, %b, %c) : (tensor<1x1x2x3xf32>, tensor<1x4x3x5xf32>, tensor<4xf32>) -> tensor<1x1x1x4x2x5xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x1x2x3xf32>, %b: tensor<1x4x3x5xf32>, %c: tensor<1x1x1x4xf32>) {
  // expected-error@+1 {{At least one of is_input_a_sparse or is_input_b_sparse must be true}}
  %0 = "ttir.sparse_matmul"(%a, %b, %c) <{is_input_b_sparse = false}> : (tensor<1x1x2x3xf32>, tensor<1x4x3x5xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x1x4x2x5xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x1x2x3xf32>, %b: tensor<2x4x3x5xf32>, %c: tensor<1x1x1x4xf32>) {
  // expected-error@+1 {{Input B first dimension must be 1}}
  %0 = "ttir.sparse_matmul"(%a, %b, %c) : (tensor<1x1x2x3xf32>, tensor<2x4x3x5xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x1x4x2x5xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x1x2x2xf32>, %b: tensor<1x4x3x5xf32>, %c: tensor<1x1x1x4xf32>) {
  // expected-error@+1 {{Input A inner dimension must match Input B K dimension}}
  %0 = "ttir.sparse_matmul"(%a, %b, %c) : (tensor<1x1x2x2xf32>, tensor<1x4x3x5xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x1x4x2x5xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x1x2x3xf32>, %b: tensor<1x4x3x5xf32>, %c: tensor<1x1x1x3xf32>) {
  // expected-error@+1 {{Sparsity tensor last dimension must match number of experts in Input B}}
  %0 = "ttir.sparse_matmul"(%a, %b, %c) : (tensor<1x1x2x3xf32>, tensor<1x4x3x5xf32>, tensor<1x1x1x3xf32>) -> tensor<1x1x1x4x2x5xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x1x2x3xf32>, %b: tensor<1x4x3x5xf32>, %c: tensor<1x1x1x4xf32>) {
  // expected-error@+1 {{Output must be 6D for dense-sparse mode}}
  %0 = "ttir.sparse_matmul"(%a, %b, %c) : (tensor<1x1x2x3xf32>, tensor<1x4x3x5xf32>, tensor<1x1x1x4xf32>) -> tensor<1x4x2x5xf32>
  return
}

// -----

func.func @f0(%a: tensor<1x1x2x3xf32>, %b: tensor<1x4x3x5xf32>, %c: tensor<1x1x1x4xf32>) {
  // expected-error@+1 {{Output shape must be [1, E, M, N] for sparse-sparse mode}}
  %0 = "ttir.sparse_matmul"(%a, %b, %c) <{is_input_a_sparse = true}> : (tensor<1x1x2x3xf32>, tensor<1x4x3x5xf32>, tensor<1x1x1x4xf32>) -> tensor<2x4x2x5xf32>
  return
}

// -----

func.func @f0(%a: tensor<2x4x2x3xf32>, %b: tensor<1x4x3x5xf32>, %c: tensor<1x1x1x4xf32>) {
  // expected-error@+1 {{Output shape must be [A, E, M, N] for sparse-dense mode}}
  %0 = "ttir.sparse_matmul"(%a, %b, %c) <{is_input_a_sparse = true, is_input_b_sparse = false}> : (tensor<2x4x2x3xf32>, tensor<1x4x3x5xf32>, tensor<1x1x1x4xf32>) -> tensor<1x4x2x5xf32>
  return
}
