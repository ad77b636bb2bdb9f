// Computations of shapes become StableHLO, which counts in i32.
// RUN: tessera opt %s --shape-legalize-to-stablehlo --split-input-file --allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: func.func @broadcast_shape
// CHECK-NOT: shape.
// CHECK: stablehlo.get_dimension_size
// CHECK: stablehlo.concatenate
// CHECK: stablehlo.maximum
// CHECK: stablehlo.dynamic_broadcast_in_dim
func.func @broadcast_shape(%a: tensor<?x4xf32>, %b: tensor<4xf32>) -> tensor<?x4xf32> {
  %0 = shape.shape_of %a : tensor<?x4xf32> -> tensor<2xindex>
  %1 = shape.shape_of %b : tensor<4xf32> -> tensor<1xindex>
  %2 = shape.broadcast %0, %1 : tensor<2xindex>, tensor<1xindex> -> tensor<2xindex>
  %3 = stablehlo.dynamic_broadcast_in_dim %b, %2, dims = [1] : (tensor<4xf32>, tensor<2xindex>) -> tensor<?x4xf32>
  return %3 : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func.func @counted
// CHECK-NOT: shape.
// CHECK: stablehlo.multiply
// CHECK: stablehlo.dynamic_reshape
func.func @counted(%a: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<2xi32>) {
  %0 = shape.shape_of %a : tensor<?x?xf32> -> tensor<2xindex>
  %1 = shape.num_elements %0 : tensor<2xindex> -> index
  %2 = tensor.from_elements %1 : tensor<1xindex>
  %3 = stablehlo.dynamic_reshape %a, %2 : (tensor<?x?xf32>, tensor<1xindex>) -> tensor<?xf32>
  %4 = arith.index_cast %0 : tensor<2xindex> to tensor<2xi32>
  return %3, %4 : tensor<?xf32>, tensor<2xi32>
}

// -----

// CHECK-LABEL: func.func @constant
// CHECK-NOT: shape.
// CHECK: stablehlo.constant dense<[6, 5]> : tensor<2xi32>
func.func @constant(%a: tensor<?x?xf32>) -> tensor<6x5xf32> {
  %0 = shape.const_shape [6, 5] : tensor<2xindex>
  %1 = stablehlo.dynamic_broadcast_in_dim %a, %0, dims = [0, 1] : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<6x5xf32>
  return %1 : tensor<6x5xf32>
}

// -----

// CHECK-LABEL: func.func @dims
// CHECK-NOT: tensor.dim
// CHECK: stablehlo.get_dimension_size %arg0, dim = 1
// CHECK: stablehlo.multiply
func.func @dims(%a: tensor<?x?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.dim %a, %c0 : tensor<?x?xf32>
  %1 = tensor.dim %a, %c1 : tensor<?x?xf32>
  %2 = arith.muli %0, %1 : index
  %3 = tensor.from_elements %2 : tensor<1xindex>
  %4 = stablehlo.dynamic_reshape %a, %3 : (tensor<?x?xf32>, tensor<1xindex>) -> tensor<?xf32>
  return %4 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @extracted
// CHECK: stablehlo.slice
func.func @extracted(%a: tensor<?x3xf32>) -> tensor<2xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = shape.shape_of %a : tensor<?x3xf32> -> tensor<2xindex>
  %1 = tensor.extract %0[%c1] : tensor<2xindex>
  %2 = tensor.extract %0[%c0] : tensor<2xindex>
  %3 = tensor.from_elements %1, %2 : tensor<2xindex>
  %4 = tensor.cast %3 : tensor<2xindex> to tensor<2xindex>
  return %4 : tensor<2xindex>
}
