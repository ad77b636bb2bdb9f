// Derivatives of Graph IR: by the mark of a function, and by ops that ask for them.
// RUN: tessera opt %s --tessera-autodiff | FileCheck %s
// RUN: tessera opt %s --tessera-lower-autodiff | FileCheck %s --check-prefix=CALLS
// RUN: tessera run %s --input=2xf32=1,2 --input=2x2xf32=1,2,3,4 | FileCheck %s --check-prefix=VALUES

// CHECK: func.func @f_grad(%arg0: tensor<2xf32>, %arg1: tensor<2x2xf32>, %arg2: tensor<f32>) -> (tensor<2xf32>, tensor<2x2xf32>)
// CHECK-NOT: tessera.
// CHECK: return
func.func private @f(%x: tensor<2xf32>, %w: tensor<2x2xf32>) -> tensor<f32> attributes {tessera.autodiff} {
  %0 = tessera.reshape %x : tensor<2xf32> -> tensor<1x2xf32>
  %1 = tessera.matmul %0, %w : tensor<1x2xf32>, tensor<2x2xf32> -> tensor<1x2xf32>
  %2 = tessera.add %1, %x : tensor<1x2xf32>, tensor<2xf32> -> tensor<1x2xf32>
  %3 = tessera.reduce "sum" %2 : tensor<1x2xf32> -> tensor<f32>
  return %3 : tensor<f32>
}

// CALLS: func.func @main
// CALLS: call @f_jvp(%arg0, %arg1, %arg0, %arg1)
// CALLS: call @f_value_and_grad(
// CALLS: call @f_vjp(
// CALLS: call @f_vjp(
// CALLS-NOT: tessera.vjp
// VALUES: tensor<f32> {2.000000e+01}
// VALUES: tensor<f32> {3.700000e+01}
// VALUES: tensor<f32> {2.000000e+01}
// VALUES: [4.000000e+00, 8.000000e+00]
// VALUES: [1.000000e+00, 1.000000e+00],
// VALUES: [2.000000e+00, 2.000000e+00]
// VALUES: [8.000000e+00, 1.600000e+01]
func.func @main(%x: tensor<2xf32>, %w: tensor<2x2xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>) {
  %one = tessera.constant dense<1.0> : tensor<f32>
  %two = tessera.constant dense<2.0> : tensor<f32>
  %0:2 = tessera.forward @f(%x, %w, %x, %w) : (tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>) -> (tensor<f32>, tensor<f32>)
  %1:3 = tessera.reverse @f(%x, %w, %one) : (tensor<2xf32>, tensor<2x2xf32>, tensor<f32>) -> (tensor<f32>, tensor<2xf32>, tensor<2x2xf32>)
  %2:2 = tessera.vjp @f(%x, %w, %one) : (tensor<2xf32>, tensor<2x2xf32>, tensor<f32>) -> (tensor<2xf32>, tensor<2x2xf32>)
  %3:2 = tessera.vjp @f(%x, %w, %two) : (tensor<2xf32>, tensor<2x2xf32>, tensor<f32>) -> (tensor<2xf32>, tensor<2x2xf32>)
  return %0#0, %0#1, %1#0, %1#1, %2#1, %3#0 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>
}
