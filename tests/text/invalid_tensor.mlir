// RUN: tessera opt %s --split-input-file --verify-diagnostics
// Element types and numbers of indices and sizes; the generic form can say anything.

func.func @f(%a: tensor<3x3xui32>, %i: index) -> index {
  // expected-error@below {{'tensor.extract' op failed to verify that result type matches element type of tensor}}
  %0 = "tensor.extract"(%a, %i, %i) : (tensor<3x3xui32>, index, index) -> index
  return %0 : index
}

// -----

func.func @f(%a: tensor<3x3xui32>, %i: index) {
  // expected-error@below {{'tensor.extract' op incorrect number of indices for extract_element}}
  %0 = "tensor.extract"(%a, %i) : (tensor<3x3xui32>, index) -> ui32
  return
}

// -----

func.func @f(%a: tensor<3x3xui32>, %i: index) {
  // expected-error@below {{'tensor.insert' op failed to verify that scalar type matches element type of dest}}
  %0 = "tensor.insert"(%i, %a, %i, %i) : (index, tensor<3x3xui32>, index, index) -> tensor<3x3xui32>
  return
}

// -----

func.func @f(%a: tensor<3x3xindex>, %i: index) {
  // expected-error@below {{'tensor.insert' op incorrect number of indices}}
  %0 = "tensor.insert"(%i, %a, %i) : (index, tensor<3x3xindex>, index) -> tensor<3x3xindex>
  return
}

// -----

func.func @f(%a: f32, %i: index) {
  // expected-error@below {{'tensor.splat' op failed to verify that operand type matches element type of result}}
  %0 = "tensor.splat"(%a) : (f32) -> tensor<3x3xindex>
  return
}

// -----

func.func @f(%a: f32, %i: index) {
  // expected-error@below {{'tensor.splat' op incorrect number of dynamic sizes, has 1, expected 0}}
  %0 = "tensor.splat"(%a, %i) : (f32, index) -> tensor<3x3xf32>
  return
}

// -----

func.func @f(%a: f32, %i: index) {
  // expected-error@below {{'tensor.from_elements' op failed to verify that operand types match result element type}}
  %0 = "tensor.from_elements"(%a, %i) : (f32, index) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: f32, %i: index) {
  // expected-error@below {{'tensor.from_elements' op failed to verify that operand types match result element type}}
  %0 = "tensor.from_elements"(%a) : (f32) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: f32, %i: index) {
  // expected-error@below {{'tensor.from_elements' op failed to verify that operand types match result element type}}
  %0 = "tensor.from_elements"(%a, %a) : (f32, f32) -> tensor<2xi32>
  return
}

// -----

func.func @f(%a: f32, %i: index) {
  // expected-error@below {{'tensor.empty' op incorrect number of dynamic sizes, has 1, expected 0}}
  %0 = "tensor.empty"(%i) : (index) -> tensor<2xi32>
  return
}

// -----

func.func @f(%a: tensor<3xf32>, %i: index) {
  // expected-error@below {{'tensor.cast' op operand type 'tensor<3xf32>' and result type 'tensor<2xi32>' are cast incompatible}}
  %0 = "tensor.cast"(%a) : (tensor<3xf32>) -> tensor<2xi32>
  return
}
