// RUN: tessera opt %s --tessera-autodiff -split-input-file | FileCheck %s

// Cotangents of results follow the inputs; gradients come out for all arguments. What is broadcast is summed; unused
// arguments and integers get zeros; values of the forward part that nobody needs are not there.
// CHECK-LABEL: func.func @f_grad(
// CHECK-SAME: [[X:%.+]]: tensor<4x8xf32>, [[W:%.+]]: tensor<8x3xf32>, [[B:%.+]]: tensor<3xf32>, [[N:%.+]]: tensor<2xi32>, [[C:%.+]]: tensor<4x3xf32>)
// CHECK-SAME: -> (tensor<4x8xf32>, tensor<8x3xf32>, tensor<3xf32>, tensor<2xi32>) {
// CHECK-NOT: stablehlo.add
// CHECK-DAG: [[DB:%.+]] = stablehlo.reduce([[C]] init: {{.*}}) applies stablehlo.add across dimensions = [0]
// CHECK-DAG: [[DX:%.+]] = stablehlo.dot_general [[C]], [[W]], contracting_dims = [1] x [1]
// CHECK-DAG: [[DW:%.+]] = stablehlo.dot_general [[X]], [[C]], contracting_dims = [0] x [0]
// CHECK-DAG: [[Z:%.+]] = stablehlo.constant dense<0> : tensor<2xi32>
// CHECK: return [[DX]], [[DW]], [[DB]], [[Z]]
func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x3xf32>, %b: tensor<3xf32>, %n: tensor<2xi32>) -> tensor<4x3xf32> attributes {tessera.autodiff} {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
  %2 = stablehlo.add %0, %1 : tensor<4x3xf32>
  return %2 : tensor<4x3xf32>
}
// Not marked.
// CHECK-NOT: @g_grad
func.func @g(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// The mark may say which arguments count. No op that depends on the other one alone is differentiated: it has no rule.
// CHECK-LABEL: func.func @f_grad(
// CHECK-SAME: %{{.*}}: tensor<f32>, %{{.*}}: tensor<f32>, [[C:%.+]]: tensor<f32>) -> tensor<f32> {
// CHECK: [[R:%.+]] = stablehlo.custom_call @secret
// CHECK: [[D:%.+]] = stablehlo.multiply [[C]], [[R]]
// CHECK-NEXT: return [[D]]
func.func @f(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> attributes {tessera.autodiff = array<i64: 0>} {
  %0 = stablehlo.custom_call @secret(%y) : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.multiply %x, %0 : tensor<f32>
  return %1 : tensor<f32>
}

// -----

// Uses add up; a result that is returned twice gets both cotangents.
// CHECK-LABEL: func.func @f_grad(
// CHECK-SAME: [[X:%.+]]: tensor<f32>, [[C:%.+]]: tensor<f32>, [[D:%.+]]: tensor<f32>)
// CHECK: [[S:%.+]] = stablehlo.add [[C]], [[D]]
// CHECK: [[A:%.+]] = stablehlo.multiply [[S]], [[X]]
// CHECK: [[B:%.+]] = stablehlo.multiply [[S]], [[X]]
// CHECK: stablehlo.add [[A]], [[B]]
func.func @f(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) attributes {tessera.autodiff} {
  %0 = stablehlo.multiply %x, %x : tensor<f32>
  return %0, %0 : tensor<f32>, tensor<f32>
}

// -----

// A callee is differentiated once for each use of it: twice for both arguments, once for the second alone.
// CHECK-LABEL: func.func @f_grad(
// CHECK: call @g_grad_0(
// CHECK: call @g_grad_0(
// CHECK: call @g_grad_1(
// CHECK: func.func private @g(
// CHECK: func.func private @g_grad_1({{.*}}) -> tensor<f32> {
// CHECK: func.func private @g_grad_0({{.*}}) -> (tensor<f32>, tensor<f32>) {
// CHECK-NOT: @g_grad_2
func.func @f(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> attributes {tessera.autodiff} {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = call @g(%c, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %1 = call @g(%x, %0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %2 = call @g(%1, %x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}
func.func private @g(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.multiply %x, %y : tensor<f32>
  return %0 : tensor<f32>
}

// -----

// A counted loop keeps what its body needs, a place per iteration, and nothing that it does not: of the three carried
// values one never changes and one is only added to.
// CHECK-LABEL: func.func @f_grad(
// CHECK: stablehlo.while({{.*}}) : tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i64>, tensor<5xf32>
// CHECK: stablehlo.while(
// CHECK: stablehlo.compare GE
// CHECK: stablehlo.dynamic_slice {{.*}}, sizes = [1] : (tensor<5xf32>, tensor<i64>) -> tensor<1xf32>
func.func @f(%x: tensor<f32>, %w: tensor<f32>) -> (tensor<f32>, tensor<f32>) attributes {tessera.autodiff} {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %0:4 = stablehlo.while(%i = %zero, %a = %x, %s = %none, %v = %w) : tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>
   cond {
    %c = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %1 = stablehlo.multiply %a, %v : tensor<f32>
    %2 = stablehlo.add %s, %1 : tensor<f32>
    %3 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %3, %1, %2, %v : tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>
  }
  return %0#1, %0#2 : tensor<f32>, tensor<f32>
}
