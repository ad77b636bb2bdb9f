// RUN: tessera opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// Rules of stablehlo.dot and stablehlo.dot_general, quantized ones included.

func.func @good(%v: tensor<3xf32>, %m: tensor<3x4xf32>, %b: tensor<?x3xf32, #stablehlo.bounds<8, ?>>, %h: tensor<2x3x4xf32>, %k: tensor<2x4x?xf32>) {
  %0 = stablehlo.dot %v, %v : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  %1 = stablehlo.dot %v, %m : (tensor<3xf32>, tensor<3x4xf32>) -> tensor<4xf64>
  %2 = stablehlo.dot %b, %m : (tensor<?x3xf32, #stablehlo.bounds<8, ?>>, tensor<3x4xf32>) -> tensor<?x4xf32, #stablehlo.bounds<8, ?>>
  %3 = stablehlo.dot_general %h, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x?xf32>) -> tensor<2x3x?xf32>
  %4 = stablehlo.dot_general %h, %h, contracting_dims = [0, 1, 2] x [0, 1, 2], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 6, allow_imprecise_accumulation = false> : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<f32>
  return
}

// -----

func.func @dot(%l: tensor<3xf32>, %r: tensor<3xf32>) {
  // expected-error @+1 {{expects precision config to be empty or have <= 2 elements, got 3}}
  %0 = "stablehlo.dot"(%l, %r) {precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  return
}

// -----

func.func @dot(%l: tensor<f32>, %r: tensor<3xf32>) {
  // expected-error @+1 {{expected both lhs/rhs ranks to be either 1 or 2}}
  %0 = "stablehlo.dot"(%l, %r) {} : (tensor<f32>, tensor<3xf32>) -> tensor<f32>
  return
}

// -----

func.func @dot(%l: tensor<2x3xf32>, %r: tensor<4x3xf32>) {
  // expected-error @+1 {{expected both lhs/rhs ranks to be either 1 or 2}}
  %0 = "stablehlo.dot"(%l, %r) {} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @dot(%l: tensor<2x3xf32>, %r: tensor<3x?xf32>) {
  // expected-error @+1 {{inferred shape '[2, ?]' is incompatible with return type of operation 'tensor<3x4xf32>'}}
  %0 = "stablehlo.dot"(%l, %r) {} : (tensor<2x3xf32>, tensor<3x?xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @dot_general(%l: tensor<2x3x4xf32>, %r: tensor<2x4x5xf32>) {
  // expected-error @+1 {{expects precision config to be empty or have <= 2 elements, got 3}}
  %0 = "stablehlo.dot_general"(%l, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general(%l: tensor<2x3x4xf32>, %r: tensor<2x4x5xf32>) {
  // expected-error @+1 {{lhs and rhs should have the same number of batching dimensions}}
  %0 = "stablehlo.dot_general"(%l, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general(%l: tensor<2x3x4xf32>, %r: tensor<2x4x5xf32>) {
  // expected-error @+1 {{lhs and rhs should have the same number of contracting dimensions}}
  %0 = "stablehlo.dot_general"(%l, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2]>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general(%l: tensor<2x3x4xf32>, %r: tensor<2x4x5xf32>) {
  // expected-error @+1 {{has duplicated dimension from lhs_batching_dimensions and lhs_contracting_dimensions: 0}}
  %0 = "stablehlo.dot_general"(%l, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general(%l: tensor<2x3x4xf32>, %r: tensor<2x4x5xf32>) {
  // expected-error @+1 {{has duplicated dimension from rhs_batching_dimensions and rhs_contracting_dimensions: 0}}
  %0 = "stablehlo.dot_general"(%l, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general(%l: tensor<2x3x4xf32>, %r: tensor<2x4x5xf32>) {
  // expected-error @+1 {{lhs_contracting_dimensions value: 3 is out of range: [0, 3)}}
  %0 = "stablehlo.dot_general"(%l, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general(%l: tensor<2x3x4xf32>, %r: tensor<2x4x5xf32>) {
  // expected-error @+1 {{lhs_batching_dimensions value: -1 is out of range: [0, 3)}}
  %0 = "stablehlo.dot_general"(%l, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [-1], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general(%l: tensor<2x3x4xf32>, %r: tensor<2x4x5xf32>) {
  // expected-error @+1 {{rhs_contracting_dimensions value: 4 is out of range: [0, 3)}}
  %0 = "stablehlo.dot_general"(%l, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [4]>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general(%l: tensor<2x3x4xf32>, %r: tensor<2x4x5xf32>) {
  // expected-error @+1 {{rhs_batching_dimensions value: 3 is out of range: [0, 3)}}
  %0 = "stablehlo.dot_general"(%l, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [3], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general(%l: tensor<3x3x4xf32>, %r: tensor<2x4x5xf32>) {
  // expected-error @+1 {{batching dimension sizes must match for lhs/rhs}}
  %0 = "stablehlo.dot_general"(%l, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<3x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general(%l: tensor<2x3x6xf32>, %r: tensor<2x4x5xf32>) {
  // expected-error @+1 {{contracting dimension sizes must match for lhs/rhs}}
  %0 = "stablehlo.dot_general"(%l, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x6xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general(%l: tensor<2x3x4xf32>, %r: tensor<2x4x5xf32>) {
  // expected-error @+1 {{inferred shape '[2, 3, 5]' is incompatible with return type of operation 'tensor<2x5x3xf32>'}}
  %0 = "stablehlo.dot_general"(%l, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x5x3xf32>
  return
}

// -----

func.func @dot_general(%l: tensor<2x3x4xf32>, %r: tensor<2x4x5xf32>) {
  // expected-error @+1 {{lhs component count must be positive}}
  %0 = "stablehlo.dot_general"(%l, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 0, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general(%l: tensor<2x3x4xf32>, %r: tensor<2x4x5xf32>) {
  // expected-error @+1 {{rhs component count must be positive}}
  %0 = "stablehlo.dot_general"(%l, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = -1, num_primitive_operations = 1, allow_imprecise_accumulation = false>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general(%l: tensor<2x3x4xf32>, %r: tensor<2x4x5xf32>) {
  // expected-error @+1 {{num primitive operations must be positive}}
  %0 = "stablehlo.dot_general"(%l, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 0, allow_imprecise_accumulation = false>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general(%l: tensor<2x3x4xf32>, %r: tensor<2x4x5xf32>) {
  // expected-error @+1 {{dot algorithm not known to be supported on any hardware: {lhs:'bf16', rhs:'bf16', accum:'f32', lhs_components:1, rhs_components:1, primitive_ops:2, imprecise:0}}}
  %0 = "stablehlo.dot_general"(%l, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 2, allow_imprecise_accumulation = false>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general(%l: tensor<2x3x4xf32>, %r: tensor<2x4x5xf32>) {
  // expected-error @+1 {{dot algorithm not known to be supported on any hardware}}
  %0 = "stablehlo.dot_general"(%l, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = true>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general(%l: tensor<2x3x4xf32>, %r: tensor<2x4x5xf32>) {
  %0 = "stablehlo.dot_general"(%l, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f8E5M2, rhs_precision_type = f8E5M2, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = true>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general(%l: tensor<2x3x4xf32>, %r: tensor<2x4x5xf32>) {
  // expected-error @+1 {{must specify DEFAULT precision config when algorithm is set.}}
  %0 = "stablehlo.dot_general"(%l, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general(%l: tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, %r: tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>) {
  %0 = "stablehlo.dot_general"(%l, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x3x5x!quant.uniform<i32:f32, 0.25>>
  return
}

// -----

func.func @dot_general(%l: tensor<2x3x4xf32>, %r: tensor<2x4x5x!quant.uniform<i8:f32:2, {0.5, 0.5, 0.5, 0.5, 0.5}>>) {
  %0 = "stablehlo.dot_general"(%l, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xf32>, tensor<2x4x5x!quant.uniform<i8:f32:2, {0.5, 0.5, 0.5, 0.5, 0.5}>>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general(%l: tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, %r: tensor<2x4x5x!quant.uniform<i8:f32, 0.5:1>>) {
  // expected-error @+1 {{Zero point of rhs should be 0}}
  %0 = "stablehlo.dot_general"(%l, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, tensor<2x4x5x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x3x5x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @dot_general(%l: tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, %r: tensor<2x4x5x!quant.uniform<i8:f32:2, {0.5:1, 0.5:1, 0.5:1, 0.5:1, 0.5:1}>>) {
  // expected-error @+1 {{Zero points of rhs should be 0}}
  %0 = "stablehlo.dot_general"(%l, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, tensor<2x4x5x!quant.uniform<i8:f32:2, {0.5:1, 0.5:1, 0.5:1, 0.5:1, 0.5:1}>>) -> tensor<2x3x5x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @dot_general(%l: tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, %r: tensor<2x4x5x!quant.uniform<i8:f32:1, {0.5, 0.5, 0.5, 0.5}>>) {
  // expected-error @+1 {{Quantization dimension of rhs should not be in the contracting dimension of rhs}}
  %0 = "stablehlo.dot_general"(%l, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, tensor<2x4x5x!quant.uniform<i8:f32:1, {0.5, 0.5, 0.5, 0.5}>>) -> tensor<2x3x5x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @dot_general(%l: tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, %r: tensor<2x4x5xf32>) {
  // expected-error @+1 {{rhs should be quantized for quantized operations and is_quantized(lhs)=is_quantized(result) should hold}}
  %0 = "stablehlo.dot_general"(%l, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, tensor<2x4x5xf32>) -> tensor<2x3x5x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @dot_general(%l: tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, %r: tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @+1 {{rhs should be quantized for quantized operations and is_quantized(lhs)=is_quantized(result) should hold}}
  %0 = "stablehlo.dot_general"(%l, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general(%l: tensor<2x3x4x!quant.uniform<i4:f32, 0.5>>, %r: tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @+1 {{mismatched lhs and rhs quantization storage types}}
  %0 = "stablehlo.dot_general"(%l, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4x!quant.uniform<i4:f32, 0.5>>, tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x3x5x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @dot_general(%l: tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, %r: tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @+1 {{mismatched lhs, rhs and result quantization expressed types}}
  %0 = "stablehlo.dot_general"(%l, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x3x5x!quant.uniform<i8:f64, 0.5>>
  return
}

// -----

func.func @dot_general(%l: tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, %r: tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @+1 {{mismatched rhs and result quantization granularity}}
  %0 = "stablehlo.dot_general"(%l, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x3x5x!quant.uniform<i8:f32:2, {0.5, 0.5, 0.5, 0.5, 0.5}>>
  return
}

// -----

func.func @dot_general(%l: tensor<2x3x4xf32>, %r: tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @+1 {{mismatched rhs quantization expressed type and lhs and result element type}}
  %0 = "stablehlo.dot_general"(%l, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xf32>, tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x3x5xf64>
  return
}
