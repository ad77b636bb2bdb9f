// Forms of the rewrites: types that follow, narrow floats, shapes that are not known.
// RUN: tessera opt %s --chlo-legalize-to-stablehlo -split-input-file -verify-diagnostics | FileCheck %s
// RUN: tessera opt %s --chlo-pre-serialization-pipeline -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @asin
// CHECK: %[[ONE:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK: stablehlo.atan2 %arg0, %{{.*}} : tensor<4xf32>
// CHECK-NOT: chlo.
func.func @asin(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.asin %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----
// Narrow floats are computed in f32.
// CHECK-LABEL: func.func @narrow
// CHECK-NEXT: stablehlo.convert %arg0 : (tensor<4xbf16>) -> tensor<4xf32>
// CHECK: %[[Y:.*]] = stablehlo.convert %{{.*}} : (tensor<4xf32>) -> tensor<4xbf16>
// CHECK-NEXT: return %[[Y]]
func.func @narrow(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = chlo.erf %x : tensor<4xbf16> -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// -----
// Sizes are asked for once.
// CHECK-LABEL: func.func @unknown
// CHECK: stablehlo.get_dimension_size %{{.*}}, dim = 0
// CHECK: stablehlo.concatenate
// CHECK: stablehlo.dynamic_broadcast_in_dim %{{.*}} : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
// CHECK-NOT: stablehlo.get_dimension_size
// CHECK: return
func.func @unknown(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = chlo.atanh %x : tensor<?x4xf32> -> tensor<?x4xf32>
  %1 = chlo.tan %0 : tensor<?x4xf32> -> tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}

// -----
// What the result's type says more than the operand's stays.
// CHECK-LABEL: func.func @refined
// CHECK: %[[Y:.*]] = stablehlo.multiply %arg0, %arg0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<4xf32>
func.func @refined(%x: tensor<?xf32>) -> tensor<4xf32> {
  %0 = chlo.square %x : tensor<?xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----
// CHECK-LABEL: func.func @broadcast
// CHECK-NEXT: %[[A:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<4xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: %[[B:.*]] = stablehlo.add %arg0, %[[A]] : tensor<3x4xf32>
// CHECK-NEXT: %[[C:.*]] = stablehlo.broadcast_in_dim %arg2, dims = [0] : (tensor<3xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: %[[D:.*]] = stablehlo.compare LT, %[[B]], %[[C]], TOTALORDER : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
// CHECK-NEXT: %[[E:.*]] = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
// CHECK-NEXT: stablehlo.select %[[D]], %[[B]], %[[E]]
func.func @broadcast(%x: tensor<3x4xf32>, %y: tensor<4xf32>, %z: tensor<3xf32>, %s: tensor<f32>) -> tensor<3x4xf32> {
  %0 = chlo.broadcast_add %x, %y : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  %1 = chlo.broadcast_compare %0, %z {broadcast_dimensions = array<i64: 0>, comparison_direction = #chlo<comparison_direction LT>, compare_type = #chlo<comparison_type TOTALORDER>} : (tensor<3x4xf32>, tensor<3xf32>) -> tensor<3x4xi1>
  %2 = chlo.broadcast_select %1, %0, %s : (tensor<3x4xi1>, tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
  return %2 : tensor<3x4xf32>
}

// -----
// A scalar needs no sizes but the other operand's; two unknown sizes are compared at run time.
// CHECK-LABEL: func.func @broadcast_unknown
// CHECK: stablehlo.dynamic_broadcast_in_dim %arg1, %{{.*}}, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
// CHECK-NEXT: %[[A:.*]] = stablehlo.add %arg0, %{{.*}} : tensor<?xf32>
// CHECK: stablehlo.compare EQ
// CHECK: stablehlo.select
// CHECK: stablehlo.dynamic_broadcast_in_dim %[[A]]
// CHECK: stablehlo.dynamic_broadcast_in_dim %arg2
// CHECK: stablehlo.multiply
func.func @broadcast_unknown(%x: tensor<?xf32>, %s: tensor<f32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = chlo.broadcast_add %x, %s : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %1 = chlo.broadcast_multiply %0, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----
// CHECK-LABEL: func.func @constants
// CHECK: stablehlo.constant dense<3.000000e+00> : tensor<2xf32>
// CHECK: stablehlo.constant dense<[1, 2]> : tensor<2xi32>
// CHECK: stablehlo.dynamic_broadcast_in_dim
func.func @constants(%x: tensor<2xf32>, %y: tensor<?xi32>) -> (tensor<2xf32>, tensor<2xi32>, tensor<?xi32>) {
  %0 = "chlo.constant_like"(%x) {value = 3.0 : f32} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "chlo.constant"() {value = dense<[1, 2]> : tensor<2xi32>} : () -> tensor<2xi32>
  %2 = "chlo.constant_like"(%y) {value = 7 : i32} : (tensor<?xi32>) -> tensor<?xi32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xi32>, tensor<?xi32>
}

// -----
// CHECK-LABEL: func.func @top_k
// CHECK: %[[I:.*]] = stablehlo.iota dim = 1 : tensor<2x5xi32>
// CHECK: %[[S:.*]]:2 = "stablehlo.sort"(%arg0, %[[I]]) <{dimension = 1 : i64, is_stable = true}>
// CHECK: stablehlo.compare GT, %{{.*}}, %{{.*}}, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
// CHECK: stablehlo.slice %[[S]]#0 [0:2, 0:3]
// CHECK: stablehlo.slice %[[S]]#1 [0:2, 0:3]
func.func @top_k(%x: tensor<2x5xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
  %0, %1 = chlo.top_k(%x, k = 3) : tensor<2x5xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return %0, %1 : tensor<2x3xf32>, tensor<2x3xi32>
}

// -----
// CHECK-LABEL: func.func @top_k_unknown
// CHECK: stablehlo.dynamic_iota
// CHECK: stablehlo.real_dynamic_slice {{.*}} -> tensor<?x3xf32>
// CHECK: stablehlo.real_dynamic_slice {{.*}} -> tensor<?x3xi32>
func.func @top_k_unknown(%x: tensor<?x5xf32>) -> (tensor<?x3xf32>, tensor<?x3xi32>) {
  %0, %1 = chlo.top_k(%x, k = 3) : tensor<?x5xf32> -> (tensor<?x3xf32>, tensor<?x3xi32>)
  return %0, %1 : tensor<?x3xf32>, tensor<?x3xi32>
}

// -----
func.func @unranked(%x: tensor<*xf32>) -> tensor<*xf32> {
  // expected-error @+1 {{failed to legalize operation 'chlo.erf' that was explicitly marked illegal}}
  %0 = chlo.erf %x : tensor<*xf32> -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----
func.func @no_such_function(%x: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  // expected-error @+1 {{failed to legalize operation 'chlo.bessel_i1e' that was explicitly marked illegal}}
  %0 = chlo.bessel_i1e %x : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}

// -----
func.func @no_such_dimension(%x: tensor<1x4xf32>, %y: tensor<4xf32>) -> tensor<1x4xf32> {
  // expected-error @+1 {{failed to legalize operation 'chlo.broadcast_add' that was explicitly marked illegal}}
  %0 = chlo.broadcast_add %x, %y {broadcast_dimensions = array<i64: 2>} : (tensor<1x4xf32>, tensor<4xf32>) -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}

// -----
// A value that stays takes the result's type by a conversion.
// CHECK-LABEL: func.func @conj
// CHECK-NEXT: %[[Y:.*]] = stablehlo.convert %arg0 : (tensor<?xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[Y]]
func.func @conj(%x: tensor<?xf32>) -> tensor<4xf32> {
  %0 = chlo.conj %x : tensor<?xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----
// CHECK-LABEL: func.func @tiny
// CHECK: stablehlo.convert %arg0 : (tensor<4xf4E2M1FN>) -> tensor<4xf32>
func.func @tiny(%x: tensor<4xf4E2M1FN>) -> tensor<4xi1> {
  %0 = chlo.is_inf %x : tensor<4xf4E2M1FN> -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// -----
// Several unknown sizes, and groups of them.
// CHECK-LABEL: func.func @ragged_dot
// CHECK-COUNT-3: stablehlo.dot_general
// CHECK-NOT: stablehlo.dot_general
func.func @ragged_dot(%lhs: tensor<2x?x5xf32>, %rhs: tensor<3x2x5x?xf32>, %sizes: tensor<3xi64>) -> tensor<2x?x?xf32> {
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2],
      rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}
      : (tensor<2x?x5xf32>, tensor<3x2x5x?xf32>, tensor<3xi64>) -> tensor<2x?x?xf32>
  return %0 : tensor<2x?x?xf32>
}
