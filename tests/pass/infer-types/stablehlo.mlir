// Types follow from types: through ops, branches, loops; results of functions, too.
// RUN: tessera opt %s --tessera-infer-types | FileCheck %s

// CHECK-LABEL: func.func @chain(
// CHECK-SAME:    -> tensor<2x5xf32>
// CHECK-NEXT:    stablehlo.dot_general {{.*}} -> tensor<2x5xf32>
// CHECK-NEXT:    stablehlo.tanh {{.*}} : tensor<2x5xf32>
// CHECK-NEXT:    return {{.*}} : tensor<2x5xf32>
func.func @chain(%a: tensor<2x3xf32>, %b: tensor<3x5xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<?x?xf32>
  %1 = stablehlo.tanh %0 : tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// What one operand knows and the other does not: both count.
// CHECK-LABEL: func.func @both(
// CHECK-SAME:    -> tensor<2x3xf32>
func.func @both(%a: tensor<2x?xf32>, %b: tensor<?x3xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.add %a, %b : (tensor<2x?xf32>, tensor<?x3xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Shapes that are computed, without folding them.
// CHECK-LABEL: func.func @computed(
// CHECK-SAME:    -> tensor<6x4xf32>
// CHECK:         stablehlo.get_dimension_size
// CHECK:         stablehlo.multiply
// CHECK:         stablehlo.dynamic_reshape {{.*}} -> tensor<6x4xf32>
func.func @computed(%a: tensor<2x3x4xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<2x3x4xf32>) -> tensor<i32>
  %1 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<2x3x4xf32>) -> tensor<i32>
  %2 = stablehlo.multiply %0, %1 : tensor<i32>
  %3 = stablehlo.get_dimension_size %a, dim = 2 : (tensor<2x3x4xf32>) -> tensor<i32>
  %4 = stablehlo.reshape %2 : (tensor<i32>) -> tensor<1xi32>
  %5 = stablehlo.reshape %3 : (tensor<i32>) -> tensor<1xi32>
  %6 = stablehlo.concatenate %4, %5, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %7 = stablehlo.dynamic_reshape %a, %6 : (tensor<2x3x4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %7 : tensor<?x?xf32>
}

// Sizes of a gather that are computed: its row asks for constants.
// CHECK-LABEL: func.func @gathered(
// CHECK-SAME:    -> tensor<1x5x8xi32>
func.func @gathered(%a: tensor<2x4x9xi32>, %i: tensor<1x5x2xi32>) -> tensor<?x?x?xi32> {
  %0 = stablehlo.constant dense<[0, 0, 7]> : tensor<3xi32>
  %1 = stablehlo.constant dense<1> : tensor<3xi32>
  %2 = stablehlo.add %0, %1 : tensor<3xi32>
  %3 = "stablehlo.dynamic_gather"(%a, %i, %2) {
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], index_vector_dim = 2, offset_dims = [2], start_index_map = [0, 1]>
  } : (tensor<2x4x9xi32>, tensor<1x5x2xi32>, tensor<3xi32>) -> tensor<?x?x?xi32>
  return %3 : tensor<?x?x?xi32>
}

// CHECK-LABEL: func.func @loop(
// CHECK-SAME:    -> tensor<4xf32>
// CHECK:         stablehlo.add {{.*}} : tensor<4xf32>
func.func @loop(%a: tensor<4xf32>, %n: tensor<i32>) -> tensor<?xf32> {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.constant dense<1> : tensor<i32>
  %2:2 = "stablehlo.while"(%0, %a) ({
  ^bb0(%i: tensor<i32>, %x: tensor<?xf32>):
    %3 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %x: tensor<?xf32>):
    %3 = stablehlo.add %i, %1 : tensor<i32>
    %4 = stablehlo.add %x, %x : tensor<?xf32>
    stablehlo.return %3, %4 : tensor<i32>, tensor<?xf32>
  }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<?xf32>)
  return %2#1 : tensor<?xf32>
}

// A loop's count is no constant, whatever it starts with.
// CHECK-LABEL: func.func @counted(
// CHECK-SAME:    -> tensor<?xf32>
func.func @counted(%n: tensor<1xi32>) -> tensor<?xf32> {
  %0 = stablehlo.constant dense<0> : tensor<1xi32>
  %1 = stablehlo.constant dense<1> : tensor<1xi32>
  %2 = "stablehlo.while"(%0) ({
  ^bb0(%i: tensor<1xi32>):
    %3 = stablehlo.compare LT, %i, %n : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
    %4 = stablehlo.reshape %3 : (tensor<1xi1>) -> tensor<i1>
    stablehlo.return %4 : tensor<i1>
  }, {
  ^bb0(%i: tensor<1xi32>):
    %3 = stablehlo.add %i, %1 : tensor<1xi32>
    stablehlo.return %3 : tensor<1xi32>
  }) : (tensor<1xi32>) -> tensor<1xi32>
  %5 = stablehlo.dynamic_iota %2, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %5 : tensor<?xf32>
}

// CHECK-LABEL: func.func @branch(
// CHECK-SAME:    -> tensor<4xf32>
func.func @branch(%c: tensor<i1>, %a: tensor<4xf32>) -> tensor<?xf32> {
  %0 = "stablehlo.if"(%c) ({
    %1 = stablehlo.abs %a : (tensor<4xf32>) -> tensor<?xf32>
    stablehlo.return %1 : tensor<?xf32>
  }, {
    %1 = stablehlo.negate %a : (tensor<4xf32>) -> tensor<?xf32>
    stablehlo.return %1 : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @unranked(
// CHECK-SAME:    -> tensor<2x3xf32>
func.func @unranked(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<*xf32> {
  %0 = chlo.broadcast_add %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: func.func @named(
// CHECK-SAME:    -> tensor<4xf32>
func.func @named(%a: tensor<4xf32>) -> tensor<?xf32> {
  %0 = stablehlo.abs %a : (tensor<4xf32>) -> tensor<?xf32>
  %1 = sdy.named_computation<"f">(%0) (%arg1: tensor<?xf32>) {
    %2 = stablehlo.negate %arg1 : tensor<?xf32>
    sdy.return %2 : tensor<?xf32>
  } : (tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// A program that is as precise as it gets stays as it is.
// CHECK-LABEL: func.func @nothing(
// CHECK-SAME:    %arg0: tensor<?x?xf32>) -> tensor<?x?xf32>
// CHECK-NEXT:    stablehlo.sine %arg0 : tensor<?x?xf32>
func.func @nothing(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.sine %a : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
