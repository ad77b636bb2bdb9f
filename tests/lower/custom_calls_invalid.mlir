// RUN: tessera opt %s --tessera-raise-custom-calls -split-input-file -verify-diagnostics

func.func @operands(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{calls @mhlo.erf, and has other operands or results than its target takes}}
  %0 = stablehlo.custom_call @mhlo.erf(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @no_k(%x: tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>) {
  // expected-error@+1 {{calls @mhlo.topk, and has no attribute k, or one that is no number}}
  %0:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = "2"}} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xi32>
}

// -----

func.func @too_many(%x: tensor<4xf32>) -> (tensor<5xf32>, tensor<5xi32>) {
  // expected-error@+1 {{calls @mhlo.topk, and has fewer elements than k}}
  %0:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 5 : i64, largest = false}} : (tensor<4xf32>) -> (tensor<5xf32>, tensor<5xi32>)
  return %0#0, %0#1 : tensor<5xf32>, tensor<5xi32>
}

// -----

func.func @other_size(%x: tensor<4xf32>) -> (tensor<3xf32>, tensor<3xi32>) {
  // expected-error@+1 {{calls @mhlo.topk, and has results of other types than its target gives}}
  %0:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 2 : i64, largest = false}} : (tensor<4xf32>) -> (tensor<3xf32>, tensor<3xi32>)
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xi32>
}

// -----

func.func @no_order(%x: tensor<8xf32>, %a: tensor<f32>) -> tensor<3xf32> {
  // expected-error@+1 {{calls @ApproxTopK, and has no comparison among its computations}}
  %0 = stablehlo.custom_call @ApproxTopK(%x, %a) {mhlo.backend_config = {reduction_dim = 0 : i64}} : (tensor<8xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func private @greater(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
func.func @no_dimension(%x: tensor<8xf32>, %a: tensor<f32>) -> tensor<3xf32> {
  // expected-error@+1 {{calls @ApproxTopK, and has no reduction_dim that is a dimension of its operands}}
  %0 = stablehlo.custom_call @ApproxTopK(%x, %a) {called_computations = [@greater], mhlo.backend_config = {reduction_dim = 1 : i64}} : (tensor<8xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @ragged(%a: tensor<8x4xf32>, %b: tensor<3x4x5xf32>, %g: tensor<3xi32>) -> tensor<8x5xf32> {
  // expected-error@+1 {{calls @chlo.ragged_dot, and has no lists of its dimensions}}
  %0 = stablehlo.custom_call @chlo.ragged_dot(%a, %b, %g) {mhlo.attributes = {ragged_dot_dimension_numbers = [1]}} : (tensor<8x4xf32>, tensor<3x4x5xf32>, tensor<3xi32>) -> tensor<8x5xf32>
  return %0 : tensor<8x5xf32>
}

// -----

func.func @scan(%x: tensor<4xf32>, %c: tensor<f32>) -> (tensor<4xf32>, tensor<f32>) {
  // expected-error@+1 {{calls @chlo.scan, and has no computation with a body}}
  %0:2 = stablehlo.custom_call @chlo.scan(%x, %c) {mhlo.attributes = {dimension = 0 : i64}} : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<f32>
}

// -----

func.func @triangle(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>) {
  // expected-error@+1 {{calls @Eigh, and has a configuration that does not say which triangle}}
  %0:2 = stablehlo.custom_call @Eigh(%x) : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4x4xf32>, tensor<4xf32>
}

// -----

func.func @not_square(%x: tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>) {
  // expected-error@+1 {{calls @Eigh, and has other operands or results than its target takes}}
  %0:2 = stablehlo.custom_call @Eigh(%x) {backend_config = "1,1,100,1e-6"} : (tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return %0#0, %0#1 : tensor<4x3xf32>, tensor<3xf32>
}

// -----

func.func @integers(%x: tensor<4x3xi32>) -> (tensor<4x3xi32>, tensor<3xi32>) {
  // expected-error@+1 {{calls @Qr, and has other operands or results than its target takes}}
  %0:2 = stablehlo.custom_call @Qr(%x) : (tensor<4x3xi32>) -> (tensor<4x3xi32>, tensor<3xi32>)
  return %0#0, %0#1 : tensor<4x3xi32>, tensor<3xi32>
}

// -----

func.func @scales(%x: tensor<4x3xf32>, %t: tensor<2x3xf32>) -> tensor<4x3xf32> {
  // expected-error@+1 {{calls @ProductOfElementaryHouseholderReflectors, and has other operands or results than its target takes}}
  %0 = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%x, %t) : (tensor<4x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

func.func @itself(%x: tensor<4xf32>, %c: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-error@+1 {{calls @chlo.scan, and its computation calls itself}}
  %0:2 = stablehlo.custom_call @chlo.scan(%x, %c) {called_computations = [@itself], mhlo.attributes = {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}} : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}
