// RUN: tessera opt %s --tessera-infer-types -split-input-file -verify-diagnostics

func.func @operands(%a: tensor<3xf32>, %b: tensor<4xf32>) -> tensor<?xf32> {
  %0 = stablehlo.abs %a : (tensor<3xf32>) -> tensor<?xf32>
  %1 = stablehlo.abs %b : (tensor<4xf32>) -> tensor<?xf32>
  // expected-error@+1 {{Mismatched dimension sizes 3 and 4 in dimension 0}}
  %2 = stablehlo.add %0, %1 : tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

func.func @product(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.abs %a : (tensor<2x3xf32>) -> tensor<?x?xf32>
  // expected-error@+1 {{contracting dimension sizes must match}}
  %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<4x5xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// -----

func.func @shape(%a: tensor<2x3xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.constant dense<1> : tensor<2xi32>
  %1 = stablehlo.constant dense<[2, 1]> : tensor<2xi32>
  %2 = stablehlo.add %0, %1 : tensor<2xi32>
  // expected-error@+1 {{'stablehlo.dynamic_reshape' op has a value of type 'tensor<?x4xf32>', for which 'tensor<3x2xf32>' follows}}
  %3 = stablehlo.dynamic_reshape %a, %2 : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<?x4xf32>
  return %3 : tensor<?x4xf32>
}

// -----

func.func @result(%a: tensor<3xf32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %a : (tensor<3xf32>) -> tensor<?xf32>
  // expected-error@+1 {{'stablehlo.negate' op has a value of type 'tensor<4xf32>', for which 'tensor<3xf32>' follows}}
  %1 = stablehlo.negate %0 : (tensor<?xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @graph(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>) -> tensor<*xf32> {
  %0 = tessera.transpose %a : tensor<2x3xf32> -> tensor<*xf32>
  // expected-error@+1 {{'tessera.matmul' op}}
  %1 = tessera.matmul %0, %b : tensor<*xf32>, tensor<4x5xf32> -> tensor<*xf32>
  return %1 : tensor<*xf32>
}
