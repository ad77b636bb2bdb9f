// RUN: tessera opt %s -split-input-file -verify-diagnostics
// What looks like an older form and is none.

// The last operand is no empty tensor.
func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{'ttir.relu' op requires a single operand}}
  %0 = "ttir.relu"(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// Sizes that do not add up.
func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{'ttir.relu' op requires a single operand}}
  %0 = "ttir.relu"(%a, %a) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// A breakpoint that changes its operand.
func.func @f(%a: tensor<2xf32>) -> tensor<3xf32> {
  // expected-error@+1 {{'debug.breakpoint' op requires zero results}}
  %0 = "debug.breakpoint"(%a) : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{'ttir.relu' op has no property 'fast'}}
  %0 = "ttir.relu"(%a) <{fast}> : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
