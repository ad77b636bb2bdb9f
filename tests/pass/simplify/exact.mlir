// RUN: tessera opt %s --tessera-simplify | FileCheck %s
//
// What NaN, infinities, -0 and overflow would make of it stays. fast.mlir has the same functions where they do not count.

// x + 0 is +0 where x is -0.
// CHECK-LABEL: func.func @add_plus_zero(
// CHECK-NEXT:    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT:    %0 = stablehlo.add %arg0, %cst : tensor<f32>
// CHECK-NEXT:    return %0 : tensor<f32>
func.func @add_plus_zero(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.add %x, %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @add_minus_zero(
// CHECK-NEXT:    return %arg0 : tensor<f32>
func.func @add_minus_zero(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<-0.0> : tensor<f32>
  %0 = stablehlo.add %x, %c : tensor<f32>
  return %0 : tensor<f32>
}

// It never is here.
// CHECK-LABEL: func.func @never_minus_zero(
// CHECK-NEXT:    %0 = stablehlo.exponential %arg0 : tensor<2xf32>
// CHECK-NEXT:    return %0 : tensor<2xf32>
func.func @never_minus_zero(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<2xf32>
  %0 = stablehlo.exponential %x : tensor<2xf32>
  %1 = stablehlo.add %0, %c : tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @subtract_plus_zero(
// CHECK-NEXT:    return %arg0 : tensor<f32>
func.func @subtract_plus_zero(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.subtract %x, %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @subtract_minus_zero(
// CHECK-NEXT:    %cst = stablehlo.constant dense<-0.000000e+00> : tensor<f32>
// CHECK-NEXT:    %0 = stablehlo.subtract %arg0, %cst : tensor<f32>
// CHECK-NEXT:    return %0 : tensor<f32>
func.func @subtract_minus_zero(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<-0.0> : tensor<f32>
  %0 = stablehlo.subtract %x, %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @multiply_float_zero(
// CHECK-NEXT:    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT:    %0 = stablehlo.multiply %arg0, %cst : tensor<f32>
// CHECK-NEXT:    return %0 : tensor<f32>
func.func @multiply_float_zero(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.multiply %x, %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @subtract_float_self(
// CHECK-NEXT:    %0 = stablehlo.subtract %arg0, %arg0 : tensor<f32>
// CHECK-NEXT:    return %0 : tensor<f32>
func.func @subtract_float_self(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.subtract %x, %x : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @divide_self(
// CHECK-NEXT:    %0 = stablehlo.divide %arg0, %arg0 : tensor<f32>
// CHECK-NEXT:    return %0 : tensor<f32>
func.func @divide_self(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.divide %x, %x : tensor<f32>
  return %0 : tensor<f32>
}

// The initial value counts once.
// CHECK-LABEL: func.func @reduce_no_dimension(
// CHECK-NEXT:    %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [] : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
// CHECK-NEXT:    return %0 : tensor<3xf32>
func.func @reduce_no_dimension(%x: tensor<3xf32>, %c: tensor<f32>) -> tensor<3xf32> {
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [] : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// Nothing may be reduced: then it is the initial value.
// CHECK-LABEL: func.func @reduce_of_nothing(
// CHECK-NEXT:    %0 = stablehlo.reduce(%arg0 init: %arg1) across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
// CHECK-NEXT:     reducer(%arg3: tensor<f32>, %arg4: tensor<f32>)  {
// CHECK-NEXT:      stablehlo.return %arg2 : tensor<f32>
// CHECK-NEXT:    }
// CHECK-NEXT:    return %0 : tensor<f32>
func.func @reduce_of_nothing(%x: tensor<?xf32>, %c: tensor<f32>, %d: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%x init: %c) across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    stablehlo.return %d : tensor<f32>
  }
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @overflow(
// CHECK-NEXT:    %c = stablehlo.constant dense<16> : tensor<i8>
// CHECK-NEXT:    %c_0 = stablehlo.constant dense<144> : tensor<ui8>
// CHECK-NEXT:    return %c, %c_0 : tensor<i8>, tensor<ui8>
func.func @overflow() -> (tensor<i8>, tensor<ui8>) {
  %a = stablehlo.constant dense<100> : tensor<i8>
  %b = stablehlo.constant dense<200> : tensor<ui8>
  %0 = stablehlo.multiply %a, %a : tensor<i8>
  %1 = stablehlo.add %b, %b : tensor<ui8>
  return %0, %1 : tensor<i8>, tensor<ui8>
}
