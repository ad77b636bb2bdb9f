// RUN: tessera opt %s --split-input-file --verify-diagnostics
// Rules of elementwise ops, constants, tuples and bounds.

func.func @good(%a: tensor<2x?xf32>, %b: tensor<?x3xf32>, %c: tensor<2xcomplex<f64>>, %t: tuple<tensor<i1>, tensor<f32>>) {
  %0 = stablehlo.multiply %a, %b : (tensor<2x?xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.abs %c : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  %2 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<i1>, tensor<f32>>) -> tensor<f32>
  %3 = stablehlo.convert %a : (tensor<2x?xf32>) -> tensor<2x?xi8>
  %4 = stablehlo.replica_id : tensor<ui32>
  %5 = stablehlo.constant() <{value = dense<1> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>
  return
}

// -----

func.func @iota_scalar() {
  // expected-error@+1 {{does not support scalars.}}
  %0 = stablehlo.iota dim = 0 : tensor<i32>
  return
}

// -----

func.func @iota_dim() {
  // expected-error@+1 {{iota dimension cannot go beyond the output rank.}}
  %0 = stablehlo.iota dim = 1 : tensor<4xi32>
  return
}

// -----

func.func @tuple_index(%t: tuple<tensor<i1>>) {
  // expected-error@+2 {{index 1 is out of bounds of operand with size 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<i1>>) -> tensor<i1>
  return
}

// -----

func.func @abs_result(%c: tensor<2xcomplex<f32>>) {
  // expected-error@+2 {{inferred type(s) 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<2xf64>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.abs %c : (tensor<2xcomplex<f32>>) -> tensor<2xf64>
  return
}

// -----

func.func @add_elements(%a: tensor<2xf32>, %b: tensor<2xi32>) {
  // expected-error@+1 {{op requires the same element type for all operands and results}}
  %0 = "stablehlo.add"(%a, %b) : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @add_some_quantized(%a: tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>, %b: tensor<2xf32>) {
  // expected-error@+1 {{expects  all operands and results to be either quantized or non-quantized}}
  %0 = "stablehlo.add"(%a, %b) : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @add_storage(%a: tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>) {
  // expected-error@+1 {{mismatched operands and result quantization storage types}}
  %0 = "stablehlo.add"(%a, %a) : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<2x!quant.uniform<i16:f32, 1.0>>
  return
}

// -----

func.func @add_expressed(%a: tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>) {
  // expected-error@+1 {{mismatched operands and result quantization expressed types}}
  %0 = "stablehlo.add"(%a, %a) : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<2x!quant.uniform<i8:f64, 1.0>>
  return
}

// -----

func.func @add_loses_axis(%a: tensor<2x2x!quant.uniform<i8:f32:0, {0.1,0.2}>>) {
  // expected-error@+1 {{result is not per_axis quantized but lhs or rhs are}}
  %0 = "stablehlo.add"(%a, %a) : (tensor<2x2x!quant.uniform<i8:f32:0, {0.1,0.2}>>, tensor<2x2x!quant.uniform<i8:f32:0, {0.1,0.2}>>) -> tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:3>>
  return
}

// -----

func.func @add_gains_axis(%a: tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:3>>) {
  // expected-error@+1 {{result per_axis quantized but none from rhs and lhs are per_axis quantized}}
  %0 = "stablehlo.add"(%a, %a) : (tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.1,0.2}>>
  return
}

// -----

func.func @add_lhs_axis(%a: tensor<2x2x!quant.uniform<i8:f32:0, {0.1,0.2}>>, %b: tensor<2x2x!quant.uniform<i8:f32:1, {0.1,0.2}>>) {
  // expected-error@+1 {{quantization_dimension of lhs and result are not same}}
  %0 = "stablehlo.add"(%a, %b) : (tensor<2x2x!quant.uniform<i8:f32:0, {0.1,0.2}>>, tensor<2x2x!quant.uniform<i8:f32:1, {0.1,0.2}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.1,0.2}>>
  return
}

// -----

func.func @add_rhs_axis(%a: tensor<2x2x!quant.uniform<i8:f32:0, {0.1,0.2}>>, %b: tensor<2x2x!quant.uniform<i8:f32:1, {0.1,0.2}>>) {
  // expected-error@+1 {{quantization_dimension of rhs and result are not same}}
  %0 = "stablehlo.add"(%a, %b) : (tensor<2x2x!quant.uniform<i8:f32:0, {0.1,0.2}>>, tensor<2x2x!quant.uniform<i8:f32:1, {0.1,0.2}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.1,0.2}>>
  return
}

// -----

func.func @quantize_expressed(%a: tensor<2xf64>) {
  // expected-error@+1 {{Expressed type of result expected to be 'f64', but got 'f32'}}
  %0 = "stablehlo.uniform_quantize"(%a) : (tensor<2xf64>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>
  return
}

// -----

func.func @dequantize_element(%a: tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>) {
  // expected-error@+2 {{inferred type(s) 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<2xf64>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.uniform_dequantize"(%a) : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<2xf64>
  return
}

// -----

func.func @select_sides(%p: tensor<i1>, %a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+2 {{requires compatible types for non-predicate operands}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.select"(%p, %a, %b) : (tensor<i1>, tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @select_pred(%p: tensor<3xi1>, %a: tensor<2xf32>) {
  // expected-error@+2 {{requires the same shape for all operands}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.select"(%p, %a, %a) : (tensor<3xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @clamp_min(%m: tensor<3xf32>, %a: tensor<2xf32>) {
  // expected-error@+2 {{min shape [3] is not scalar and is not compatible to operand shape [2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.clamp"(%m, %a, %a) : (tensor<3xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @clamp_max(%m: tensor<3xf32>, %a: tensor<2xf32>) {
  // expected-error@+2 {{max shape [3] is not scalar and is not compatible to operand shape [2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.clamp"(%a, %a, %m) : (tensor<2xf32>, tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @bound_too_small(%a: tensor<?xf32, #stablehlo.bounds<3>>, %b: tensor<4xf32>) {
  // expected-error@+2 {{Mismatched dimension size 4 and bound 3 in dimension 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.add"(%a, %b) : (tensor<?xf32, #stablehlo.bounds<3>>, tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

// expected-error@+1 {{Bounds length is 1, expected to be equal to rank(2) of the tensor}}
func.func @bounds_length(%a: tensor<?x?xf32, #stablehlo.bounds<3>>) {
  return
}

// -----

// expected-error@+1 {{Static dimension 0 cannot have a bound}}
func.func @bound_of_static(%a: tensor<3xf32, #stablehlo.bounds<3>>) {
  return
}

// -----

func.func @accuracy_sign(%a: tensor<f32>) {
  // expected-error@+1 {{Negative tolerance}}
  %0 = "stablehlo.tanh"(%a) {result_accuracy = #stablehlo.result_accuracy<atol = -1.0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @accuracy_mode(%a: tensor<f32>) {
  // expected-error@+1 {{must be all zero}}
  %0 = "stablehlo.tanh"(%a) {result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : (tensor<f32>) -> tensor<f32>
  return
}
