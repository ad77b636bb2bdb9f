// Composites and expansions of functions that have ops are differentiated as those; what is lowered is only what has no rule.
// RUN: tessera opt %s --tessera-autodiff | FileCheck %s

// CHECK-LABEL: func.func @beside_grad
// CHECK: chlo.erf_inv
// CHECK-NOT: chlo.bessel_i1e
func.func @beside(%x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>) attributes {tessera.autodiff} {
  %0 = chlo.erf_inv %x : tensor<f32> -> tensor<f32>
  %1 = chlo.bessel_i1e %y : tensor<f32> -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @composite_grad
// CHECK: stablehlo.rsqrt
// CHECK-NEXT: stablehlo.multiply
// CHECK-NEXT: return
func.func @composite(%x: tensor<f32>) -> tensor<f32> attributes {tessera.autodiff} {
  %0 = stablehlo.composite "chlo.asinh" %x {decomposition = @impl, version = 1 : i32} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// An attribute that the op does not have may change the meaning: the body counts.
// CHECK-LABEL: func.func @other_grad
// CHECK: call @impl_grad
func.func @other(%x: tensor<f32>) -> tensor<f32> attributes {tessera.autodiff} {
  %0 = stablehlo.composite "chlo.asinh" %x {composite_attributes = {scale = 2 : i64}, decomposition = @impl} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @impl(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.sine %x : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @expanded_grad
// CHECK: stablehlo.logistic
// CHECK-NOT: stablehlo.exponential
// CHECK: return
func.func @expanded(%x: tensor<4xf32>) -> tensor<4xf32> attributes {tessera.autodiff} {
  %c = stablehlo.constant dense<1.0> : tensor<4xf32>
  %0 = stablehlo.negate %x : tensor<4xf32>
  %1 = stablehlo.exponential %0 : tensor<4xf32>
  %2 = stablehlo.add %c, %1 : tensor<4xf32>
  %3 = stablehlo.divide %c, %2 : tensor<4xf32>
  return %3 : tensor<4xf32>
}

// Another function at one point is another function; the one inside is known.
// CHECK-LABEL: func.func @guarded_grad
// CHECK: stablehlo.compare EQ
// CHECK: stablehlo.select
// CHECK: return
func.func @guarded(%x: tensor<4xf32>) -> tensor<4xf32> attributes {tessera.autodiff} {
  %c = stablehlo.constant dense<1.0> : tensor<4xf32>
  %three = stablehlo.constant dense<3.0> : tensor<4xf32>
  %0 = stablehlo.negate %x : tensor<4xf32>
  %1 = stablehlo.exponential %0 : tensor<4xf32>
  %2 = stablehlo.add %c, %1 : tensor<4xf32>
  %3 = stablehlo.divide %c, %2 : tensor<4xf32>
  %4 = stablehlo.compare EQ, %x, %three : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %5 = stablehlo.select %4, %three, %3 : tensor<4xi1>, tensor<4xf32>
  return %5 : tensor<4xf32>
}

// A function that is a number nowhere is none of the known ones, some of which are none for an operand.
// CHECK-LABEL: func.func @nowhere_grad
// CHECK-NOT: chlo.
// CHECK: return
func.func @nowhere(%x: tensor<f32>) -> tensor<f32> attributes {tessera.autodiff} {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.multiply %x, %x : tensor<f32>
  %1 = stablehlo.add %0, %one : tensor<f32>
  %2 = stablehlo.negate %1 : tensor<f32>
  %3 = stablehlo.sqrt %2 : tensor<f32>
  %4 = stablehlo.divide %3, %1 : tensor<f32>
  return %4 : tensor<f32>
}
