// RUN: tessera opt %s --hlo-test-broadcast --allow-unregistered-dialect --split-input-file --verify-diagnostics | FileCheck %s
// Operands are brought to their common shape; a bounded dimension gets its size from where it is bounded.

// CHECK-LABEL: @three
func.func @three(%a: tensor<4x1xf32>, %b: tensor<3xf32>, %c: tensor<f32>) -> !stablehlo.token {
  // CHECK: %[[A:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x3xf32>
  // CHECK: %[[B:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
  // CHECK: %[[C:.*]] = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
  // CHECK: stablehlo.custom_call @numpy_broadcasted(%[[A]], %[[B]], %[[C]]) {has_side_effect = true}
  %0 = "hlo_test_broadcast.numpy_broadcast"(%a, %b, %c) : (tensor<4x1xf32>, tensor<3xf32>, tensor<f32>) -> !stablehlo.token
  return %0 : !stablehlo.token
}

// -----

// CHECK-LABEL: @bounded
func.func @bounded(%a: tensor<?x5xf32, #stablehlo.bounds<7, ?>>, %b: tensor<1xf32>) -> !stablehlo.token {
  // CHECK: %[[B:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<1xf32>) -> tensor<7x5xf32>
  // CHECK: %[[N:.*]] = stablehlo.get_dimension_size %arg0, dim = 0
  // CHECK: %[[S:.*]] = stablehlo.set_dimension_size %[[B]], %[[N]], dim = 0 : (tensor<7x5xf32>, tensor<i32>) -> tensor<?x5xf32, #stablehlo.bounds<7, ?>>
  // CHECK: stablehlo.custom_call @numpy_broadcasted(%arg0, %[[S]])
  %0 = "hlo_test_broadcast.numpy_broadcast"(%a, %b) : (tensor<?x5xf32, #stablehlo.bounds<7, ?>>, tensor<1xf32>) -> !stablehlo.token
  return %0 : !stablehlo.token
}

// -----

// CHECK-LABEL: @different
// expected-error @+1 {{incompatible shapes for broadcasting 2 and 3}}
func.func @different(%a: tensor<2xf32>, %b: tensor<3xf32>) -> !stablehlo.token {
  // CHECK: hlo_test_broadcast.numpy_broadcast
  %0 = "hlo_test_broadcast.numpy_broadcast"(%a, %b) : (tensor<2xf32>, tensor<3xf32>) -> !stablehlo.token
  return %0 : !stablehlo.token
}

// -----

// expected-error @+1 {{cannot mix bounded and static dimensions in broadcast}}
func.func @mixed(%a: tensor<4xf32>, %b: tensor<?xf32, #stablehlo.bounds<4>>) -> !stablehlo.token {
  %0 = "hlo_test_broadcast.numpy_broadcast"(%a, %b) : (tensor<4xf32>, tensor<?xf32, #stablehlo.bounds<4>>) -> !stablehlo.token
  return %0 : !stablehlo.token
}

// -----

// expected-error @+1 {{expected ranked tensor type for broadcast inputs}}
func.func @no_tensor(%a: tensor<2xf32>, %b: i32) -> !stablehlo.token {
  %0 = "hlo_test_broadcast.numpy_broadcast"(%a, %b) : (tensor<2xf32>, i32) -> !stablehlo.token
  return %0 : !stablehlo.token
}

// -----

func.func @nothing() -> !stablehlo.token {
  // expected-error @+1 {{requires at least one operand to broadcast}}
  %0 = "hlo_test_broadcast.numpy_broadcast"() : () -> !stablehlo.token
  return %0 : !stablehlo.token
}
