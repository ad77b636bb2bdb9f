// RUN: tessera opt %s --tessera-autodiff -split-input-file -verify-diagnostics
// RUN: tessera opt %s --tessera-autodiff=mode=forward -split-input-file -verify-diagnostics

func.func @no_rule(%x: tensor<2xf32>) -> tensor<2xf32> attributes {tessera.autodiff} {
  // expected-error @+1 {{'stablehlo.bitcast_convert' op cannot be differentiated: it has no rule}}
  %0 = stablehlo.bitcast_convert %x : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @target(%x: tensor<2xf32>) -> tensor<2xf32> attributes {tessera.autodiff} {
  // expected-error @+1 {{'stablehlo.custom_call' op cannot be differentiated: target 'lapack_spotrf_ffi' has no rule}}
  %0 = stablehlo.custom_call @lapack_spotrf_ffi(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// expected-error @+1 {{function 'itself' calls itself: it cannot be differentiated}}
func.func @itself(%x: tensor<f32>) -> tensor<f32> attributes {tessera.autodiff} {
  %0 = call @itself(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// expected-error @+1 {{function 'outside' has no body to differentiate}}
func.func private @outside(tensor<f32>) -> tensor<f32> attributes {tessera.autodiff}

// -----

// expected-error @+1 {{wrt: there is no argument '3': the function has 1}}
func.func @arguments(%x: tensor<f32>) -> tensor<f32> attributes {tessera.autodiff = array<i64: 3>} {
  return %x : tensor<f32>
}

// -----

func.func @multiply(%x: tensor<3xf32>, %i: tensor<2x1xi32>, %u: tensor<2xf32>) -> tensor<3xf32> attributes {tessera.autodiff} {
  // expected-error @+1 {{'stablehlo.scatter' op cannot be differentiated: it multiplies places that may be the same}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<3xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @order(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> attributes {tessera.autodiff} {
  // expected-error @+1 {{'chlo.zeta' op cannot be differentiated: it has no derivative for its first operand}}
  %0 = chlo.zeta %x, %y : tensor<f32>, tensor<f32> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @quantized(%x: tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5>> attributes {tessera.autodiff} {
  // expected-error @+1 {{'stablehlo.uniform_quantize' op cannot be differentiated: it has no rule}}
  %0 = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 0.5>>
}
