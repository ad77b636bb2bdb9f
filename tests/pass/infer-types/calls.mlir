// Types between functions: private ones take what all their calls agree on.
// RUN: tessera opt %s --tessera-infer-types | FileCheck %s
// RUN: tessera opt %s --tessera-infer-types | tessera opt --tessera-infer-types | FileCheck %s

// Sizes are arguments, as JAX exports them.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    -> tensor<3x4xf32>
// CHECK:         call @with_size({{.*}}) : (tensor<i32>, tensor<3x4xf32>) -> tensor<3x4xf32>
func.func @main(%a: tensor<3x4xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<3x4xf32>) -> tensor<i32>
  %1 = stablehlo.negate %a : (tensor<3x4xf32>) -> tensor<?x?xf32>
  %2 = call @with_size(%0, %1) : (tensor<i32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}
// CHECK-LABEL: func.func private @with_size(
// CHECK-SAME:    %arg0: tensor<i32>, %arg1: tensor<3x4xf32>) -> tensor<3x4xf32>
// CHECK:         stablehlo.dynamic_broadcast_in_dim {{.*}} -> tensor<3x4xf32>
func.func private @with_size(%n: tensor<i32>, %x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  %1 = stablehlo.constant dense<4> : tensor<1xi32>
  %2 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %3 = stablehlo.concatenate %2, %1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %4 = stablehlo.dynamic_broadcast_in_dim %0, %3, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
  %5 = stablehlo.add %x, %4 : tensor<?x?xf32>
  return %5 : tensor<?x?xf32>
}

// Two calls that differ: what they have in common stays, with casts.
// CHECK-LABEL: func.func @twice(
// CHECK-SAME:    -> (tensor<?x4xf32>, tensor<?x4xf32>)
// CHECK:         %[[A:.*]] = tensor.cast {{.*}} : tensor<2x4xf32> to tensor<?x4xf32>
// CHECK-NEXT:    call @common(%[[A]])
// CHECK:         %[[B:.*]] = tensor.cast {{.*}} : tensor<3x4xf32> to tensor<?x4xf32>
// CHECK-NEXT:    call @common(%[[B]])
func.func @twice(%a: tensor<2x4xf32>, %b: tensor<3x4xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = stablehlo.negate %a : (tensor<2x4xf32>) -> tensor<?x?xf32>
  %1 = call @common(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = stablehlo.negate %b : (tensor<3x4xf32>) -> tensor<?x?xf32>
  %3 = call @common(%2) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1, %3 : tensor<?x?xf32>, tensor<?x?xf32>
}
// CHECK-LABEL: func.func private @common(
// CHECK-SAME:    %arg0: tensor<?x4xf32>) -> tensor<?x4xf32>
func.func private @common(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.abs %x : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Others may call a public function with anything; what it returns is known all the same.
// CHECK-LABEL: func.func @outside(
// CHECK:         tensor.cast {{.*}} : tensor<2x4xf32> to tensor<?x?xf32>
// CHECK:         call @open({{.*}}) : (tensor<?x?xf32>) -> tensor<7xf32>
func.func @outside(%a: tensor<2x4xf32>) -> tensor<?xf32> {
  %0 = stablehlo.negate %a : (tensor<2x4xf32>) -> tensor<?x?xf32>
  %1 = call @open(%0) : (tensor<?x?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
// CHECK-LABEL: func.func @open(
// CHECK-SAME:    %arg0: tensor<?x?xf32>) -> tensor<7xf32>
func.func @open(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.constant dense<7> : tensor<1xi32>
  %1 = stablehlo.dynamic_iota %0, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// A function that calls itself keeps what holds in every round.
// CHECK-LABEL: func.func private @again(
// CHECK-SAME:    %arg0: tensor<?xf32>) -> tensor<?xf32>
func.func private @again(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %1 = call @again(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
func.func @start(%a: tensor<2xf32>) -> tensor<?xf32> {
  %0 = stablehlo.negate %a : (tensor<2xf32>) -> tensor<?xf32>
  %1 = call @again(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// CHECK-LABEL: func.func @composed(
// CHECK-SAME:    -> tensor<5xf32>
func.func @composed(%a: tensor<5xf32>) -> tensor<?xf32> {
  %0 = stablehlo.negate %a : (tensor<5xf32>) -> tensor<?xf32>
  %1 = stablehlo.composite "my.op" %0 {decomposition = @my.impl} : (tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
// CHECK-LABEL: func.func private @my.impl(
// CHECK-SAME:    tensor<5xf32>) -> tensor<5xf32>
func.func private @my.impl(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.sine %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
