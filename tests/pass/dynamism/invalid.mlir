// RUN: tessera opt %s --stablehlo-refine-shapes -split-input-file -verify-diagnostics

// What a constant says must fit the result.
func.func @shapes(%a: tensor<4xf32>) -> tensor<1x?xf32> {
  %0 = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
  %1 = stablehlo.add %0, %0 : tensor<2xi64>
  // expected-error@+1 {{indices_of_shape_operands: refinement #0 ([2, 2]) must be compatible with operation result #0 ('tensor<1x?xf32>')}}
  %2 = stablehlo.custom_call @foo(%a, %1) {indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<4xf32>, tensor<2xi64>) -> tensor<1x?xf32>
  return %2 : tensor<1x?xf32>
}

// -----

// Two calls that want different types.
func.func @main(%a: tensor<4xf32>, %b: tensor<5xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = stablehlo.negate %a : (tensor<4xf32>) -> tensor<?xf32>
  %1 = stablehlo.negate %b : (tensor<5xf32>) -> tensor<?xf32>
  %2 = call @f(%0) : (tensor<?xf32>) -> tensor<?xf32>
  // expected-error@+1 {{'func.call' op operand type mismatch: expected operand type 'tensor<4xf32>', but provided 'tensor<5xf32>' for operand number 0}}
  %3 = call @f(%1) : (tensor<?xf32>) -> tensor<?xf32>
  return %2, %3 : tensor<?xf32>, tensor<?xf32>
}
// expected-error@+1 {{'func.func' op refined with incompatible refinement keys}}
func.func private @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
