// RUN: tessera opt %s -o %t && tessera opt %t | cmp %t -
// RUN: tessera opt %s | FileCheck %s
// Products of matrices, vectors and batches.

// CHECK: "ttir.matmul"(%arg0
func.func @f0(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = "ttir.matmul"(%a, %b) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// CHECK: "ttir.matmul"(%arg0
func.func @f1(%a: tensor<3xf32>, %b: tensor<3xf32>) {
  %0 = "ttir.matmul"(%a, %b) : (tensor<3xf32>, tensor<3xf32>) -> tensor<1xf32>
  return
}

// CHECK: "ttir.matmul"(%arg0
func.func @f2(%a: tensor<3xf32>, %b: tensor<3x4xf32>) {
  %0 = "ttir.matmul"(%a, %b) : (tensor<3xf32>, tensor<3x4xf32>) -> tensor<4xf32>
  return
}

// CHECK: "ttir.matmul"(%arg0
func.func @f3(%a: tensor<5x2x3xf32>, %b: tensor<4x3xf32>) {
  %0 = "ttir.matmul"(%a, %b) <{transpose_b = true}> : (tensor<5x2x3xf32>, tensor<4x3xf32>) -> tensor<5x2x4xf32>
  return
}

// CHECK: "ttir.matmul"(%arg0
func.func @f4(%a: tensor<?x3xf32>, %b: tensor<3x4xf32>) {
  %0 = "ttir.matmul"(%a, %b) : (tensor<?x3xf32>, tensor<3x4xf32>) -> tensor<?x4xf32>
  return
}

// CHECK: "ttir.linear"(%arg0
func.func @f5(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<4xf32>) {
  %0 = "ttir.linear"(%a, %b, %c) : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return
}

// CHECK: "ttir.linear"(%arg0
func.func @f6(%a: tensor<3x2xf32>, %b: tensor<3x4xf32>) {
  %0 = "ttir.linear"(%a, %b) <{transpose_a = true}> : (tensor<3x2xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// CHECK: "ttir.dot_general"(%arg0
func.func @f7(%a: tensor<7x2x3xf32>, %b: tensor<7x3x4xf32>) {
  %0 = "ttir.dot_general"(%a, %b) <{batch_dims_lhs = array<i64: 0>, contract_dims_lhs = array<i64: 2>, batch_dims_rhs = array<i64: 0>, contract_dims_rhs = array<i64: 1>}> : (tensor<7x2x3xf32>, tensor<7x3x4xf32>) -> tensor<7x2x4xf32>
  return
}

// CHECK: "ttir.dot_general"(%arg0
func.func @f8(%a: tensor<2x3xf32>, %b: tensor<4xf32>) {
  %0 = "ttir.dot_general"(%a, %b) <{batch_dims_lhs = array<i64>, contract_dims_lhs = array<i64>, batch_dims_rhs = array<i64>, contract_dims_rhs = array<i64>}> : (tensor<2x3xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  return
}

// CHECK: "ttir.sparse_matmul"(%arg0
func.func @f9(%a: tensor<1x2x2x3xf32>, %b: tensor<1x4x3x5xf32>, %c: tensor<1x2x1x4xf32>) {
  %0 = "ttir.sparse_matmul"(%a, %b, %c) <{nnz = 2 : i64}> : (tensor<1x2x2x3xf32>, tensor<1x4x3x5xf32>, tensor<1x2x1x4xf32>) -> tensor<1x2x1x4x2x5xf32>
  return
}
