// RUN: tessera opt %s --stablehlo-legalize-deprecated-ops --split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @broadcast
// CHECK-NEXT:    stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<2x3xi8>) -> tensor<4x2x3xi8>
func.func @broadcast(%x: tensor<2x3xi8>) -> tensor<4x2x3xi8> {
  %0 = stablehlo.broadcast %x, sizes = [4] : (tensor<2x3xi8>) -> tensor<4x2x3xi8>
  return %0 : tensor<4x2x3xi8>
}

// CHECK-LABEL: func.func @token
// CHECK-NEXT:    stablehlo.after_all
func.func @token() -> !stablehlo.token {
  %0 = stablehlo.create_token : !stablehlo.token
  return %0 : !stablehlo.token
}

// CHECK-LABEL: func.func @sum
// CHECK-NEXT:    "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<{{.*}}> : tensor<1x2xi64>}>
// CHECK-NEXT:    ^bb0(%[[A:.*]]: tensor<f16>, %[[B:.*]]: tensor<f16>):
// CHECK-NEXT:      stablehlo.add %[[A]], %[[B]] : tensor<f16>
func.func @sum(%x: tensor<3xf16>) -> tensor<3xf16> {
  %0 = "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<3xf16>) -> tensor<3xf16>
  return %0 : tensor<3xf16>
}

// Attributes stay.
// CHECK-LABEL: func.func @dot
// CHECK-NEXT:    stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [0], precision = [HIGH, DEFAULT] {mine = 1 : i32}
func.func @dot(%x: tensor<3xf32>, %y: tensor<3x4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.dot %x, %y, precision = [HIGH, DEFAULT] {mine = 1 : i32} : (tensor<3xf32>, tensor<3x4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @einsum
// CHECK-NEXT:    %[[C:.*]] = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
// CHECK-NEXT:    stablehlo.einsum %[[C]], %arg0, config = ",ab->ba"
func.func @einsum(%x: tensor<2x3xcomplex<f32>>) -> tensor<3x2xcomplex<f32>> {
  %0 = "stablehlo.unary_einsum"(%x) <{einsum_config = "ab->ba"}> : (tensor<2x3xcomplex<f32>>) -> tensor<3x2xcomplex<f32>>
  return %0 : tensor<3x2xcomplex<f32>>
}

// -----

func.func @rng(%a: tensor<f32>, %b: tensor<f32>) -> tensor<10xf32> {
  %shape = stablehlo.constant dense<10> : tensor<1xi64>
  // expected-error @+1 {{failed to legalize operation 'stablehlo.rng' that was explicitly marked illegal}}
  %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<10xf32>
  return %0 : tensor<10xf32>
}
