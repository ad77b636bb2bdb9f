// Ops that can run as one kernel move into one region; what others use stays outside.
// RUN: tessera opt %s --tessera-fuse | FileCheck %s
// RUN: tessera opt %s --tessera-fuse=dump-clusters=true -o /dev/null 2>&1 | FileCheck %s --check-prefix=DUMP
// RUN: tessera run %s --function=chain --input=random --seed=3 --output=%t.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=chain --input=random --seed=3 --expect=%t.npz
// RUN: tessera run %s --function=layer --input=random --seed=3 --output=%t2.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=layer --input=random --seed=3 --expect=%t2.npz
// RUN: tessera run %s --function=moments --input=random --seed=3 --output=%t3.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=moments --input=random --seed=3 --expect=%t3.npz

// CHECK-LABEL: func.func @chain
// CHECK-NEXT: %0 = tessera.fused "elementwise"(%arg0, %arg1) (%arg2: tensor<4x8xf32>, %arg3: tensor<4x8xf32>) {
// CHECK-NEXT: stablehlo.constant
// CHECK-NEXT: stablehlo.broadcast_in_dim
// CHECK-NEXT: stablehlo.add
// CHECK-NEXT: stablehlo.tanh
// CHECK-NEXT: stablehlo.multiply
// CHECK-NEXT: tessera.yield
// CHECK: return %0
// DUMP: @chain
// DUMP: elementwise of 4: stablehlo.broadcast_in_dim stablehlo.add stablehlo.tanh stablehlo.multiply
func.func @chain(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
  %0 = stablehlo.add %x, %y : tensor<4x8xf32>
  %1 = stablehlo.tanh %0 : tensor<4x8xf32>
  %2 = stablehlo.multiply %1, %b : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// A product, its bias and its activation; what goes into the product stays outside.
// CHECK-LABEL: func.func @layer
// CHECK: stablehlo.exponential
// CHECK: tessera.fused "product"
// CHECK-NEXT: stablehlo.dot_general
// CHECK: stablehlo.add
// CHECK: stablehlo.maximum
// CHECK: tessera.yield
// DUMP: @layer
// DUMP: not fused: stablehlo.exponential at fuse.mlir:{{[0-9]+}}:8: a product reads it many times
// DUMP: product of
func.func @layer(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>, %b: tensor<6xf32>) -> tensor<4x6xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<4x6xf32>
  %e = stablehlo.exponential %x : tensor<4x8xf32>
  %0 = stablehlo.dot_general %e, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<6xf32>) -> tensor<4x6xf32>
  %2 = stablehlo.add %0, %1 : tensor<4x6xf32>
  %3 = stablehlo.maximum %2, %z : tensor<4x6xf32>
  return %3 : tensor<4x6xf32>
}

// Two reductions of one value become one region with two results, as far as their producers are their own.
// CHECK-LABEL: func.func @moments
// CHECK: tessera.fused "reduction"
// DUMP: @moments
func.func @moments(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.multiply %x, %x : tensor<4x8xf32>
  %0 = stablehlo.reduce(%s init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.reduce(%s init: %z) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// A value that someone else uses is not taken from him, and nothing is computed twice.
// CHECK-LABEL: func.func @shared
// CHECK-NEXT: %0 = stablehlo.add
// CHECK-NEXT: %1 = tessera.fused "elementwise"(%0)
// CHECK: return %0, %1
func.func @shared(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  %1 = stablehlo.tanh %0 : tensor<4xf32>
  %2 = stablehlo.negate %1 : tensor<4xf32>
  return %0, %2 : tensor<4xf32>, tensor<4xf32>
}
