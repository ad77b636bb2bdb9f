// RUN: tessera opt %s --tessera-simplify=fast-math=true | FileCheck %s
//
// Floats taken for real numbers; exact.mlir has the same functions where they are not.
// CHECK-LABEL: func.func @add_plus_zero(
// CHECK-NEXT:    return %arg0 : tensor<f32>
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
// CHECK-NEXT:    return %arg0 : tensor<f32>
func.func @subtract_minus_zero(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<-0.0> : tensor<f32>
  %0 = stablehlo.subtract %x, %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @multiply_float_zero(
// CHECK-NEXT:    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT:    return %cst : tensor<f32>
func.func @multiply_float_zero(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.multiply %x, %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @subtract_float_self(
// CHECK-NEXT:    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT:    return %cst : tensor<f32>
func.func @subtract_float_self(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.subtract %x, %x : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @divide_self(
// CHECK-NEXT:    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT:    return %cst : tensor<f32>
func.func @divide_self(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.divide %x, %x : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @tessera_mul_float_zero(
// CHECK-NEXT:    %[[Z:.*]] = tessera.constant dense<0.000000e+00> : tensor<3xf32>
// CHECK-NEXT:    return %[[Z]] :
func.func @tessera_mul_float_zero(%x: tensor<3xf32>) -> tensor<3xf32> {
  %c = tessera.constant dense<0.0> : tensor<f32>
  %0 = tessera.mul %c, %x : tensor<f32>, tensor<3xf32> -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @tessera_sub_float_self(
// CHECK-NEXT:    %[[Z:.*]] = tessera.constant dense<0.000000e+00> : tensor<3xf32>
// CHECK-NEXT:    return %[[Z]] :
func.func @tessera_sub_float_self(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = tessera.sub %x, %x : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @tessera_div_self(
// CHECK-NEXT:    %[[Z:.*]] = tessera.constant dense<1.000000e+00> : tensor<3xf32>
// CHECK-NEXT:    return %[[Z]] :
func.func @tessera_div_self(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = tessera.div %x, %x : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
