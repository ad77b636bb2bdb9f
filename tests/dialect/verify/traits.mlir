// RUN: tessera opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// What traits ask of types, and inferred types against those that are written.

func.func @good(%a: tensor<2xf32>, %d: tensor<?xf32>, %b: tensor<?xf32, #stablehlo.bounds<4>>, %q: tensor<2x!quant.uniform<i8:f32, 0.5>>, %r: tensor<2x!quant.uniform<i8:f32, 0.25>>) {
  %0 = stablehlo.multiply %a, %d : (tensor<2xf32>, tensor<?xf32>) -> tensor<2xf32>
  %1 = stablehlo.multiply %a, %b : (tensor<2xf32>, tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xf32>
  %2 = stablehlo.multiply %q, %r : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<2x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x!quant.uniform<i8:f32, 0.125>>
  %3 = stablehlo.constant() <{value = dense<[1, 2]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @compatible(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{'stablehlo.multiply' op requires compatible types for all operands and results}}
  %0 = stablehlo.multiply %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @above_the_bound(%a: tensor<5xf32>, %b: tensor<?xf32, #stablehlo.bounds<4>>) {
  // expected-error@+1 {{op requires compatible types for all operands and results}}
  %0 = stablehlo.multiply %a, %b : (tensor<5xf32>, tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xf32>
  return
}

// -----

func.func @stored_otherwise(%q: tensor<2x!quant.uniform<i8:f32, 0.5>>, %r: tensor<2x!quant.uniform<i4:f32, 0.5>>) {
  // expected-error@+1 {{op requires compatible types for all operands and results}}
  %0 = stablehlo.multiply %q, %r : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<2x!quant.uniform<i4:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @compatible_elements(%a: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.transpose' op requires compatible element types for all operands and results}}
  %0 = stablehlo.transpose %a, dims = [0] : (tensor<2xf32>) -> tensor<2xf64>
  return
}

// -----

func.func @compatible_operands(%a: tensor<2xf32>, %b: tensor<2xi32>) {
  // expected-error@+1 {{'stablehlo.compare' op requires compatible element types for all operands}}
  %0 = stablehlo.compare LT, %a, %b : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xi1>
  return
}

// -----

func.func @same_shape(%a: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.convert' op requires the same shape for all operands and results}}
  %0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<3xf64>
  return
}

// -----

// What '?' of the first operand hides, the others show.
func.func @same_shape_later(%a: tensor<?xf32>, %b: tensor<2xf32>, %c: tensor<3xf32>) {
  // expected-error@+1 {{'stablehlo.map' op requires the same shape for all operands and results}}
  %0 = "stablehlo.map"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<?xf32>, tensor<2xf32>, tensor<3xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @elementwise_first(%a: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.abs' op all non-scalar operands/results must have the same shape and base type}}
  %0 = stablehlo.abs %a : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @scalar_and_tensor(%c: i1, %a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{'arith.addf' op requires the same type for all operands and results}}
  %0 = "arith.addf"(%a, %b) : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @encodings(%a: tensor<2xf32, 1 : i32>) {
  // expected-error@+1 {{'arith.negf' op requires the same encoding for all operands and results}}
  %0 = "arith.negf"(%a) : (tensor<2xf32, 1 : i32>) -> tensor<2xf32>
  return
}

// -----

func.func @operands_of_one_type(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{'arith.cmpf' op requires all operands to have the same type}}
  %0 = "arith.cmpf"(%a, %b) {predicate = 1 : i64} : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xi1>
  return
}

// -----

func.func @same_elements(%a: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.slice' op requires the same element type for all operands and results}}
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64: 0>, limit_indices = array<i64: 1>, strides = array<i64: 1>} : (tensor<2xf32>) -> tensor<1xi32>
  return
}

// -----

func.func @same_operand_elements(%a: tensor<2xf32>, %b: tensor<2xf64>) {
  // expected-error@+1 {{'stablehlo.complex' op requires the same element type for all operands}}
  %0 = "stablehlo.complex"(%a, %b) : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xcomplex<f32>>
  return
}

// -----

func.func @pairs(%a: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.optimization_barrier' op requires the same type for operand and result at index 0}}
  %0 = "stablehlo.optimization_barrier"(%a) : (tensor<2xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @pairs_count(%a: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.optimization_barrier' op requires the same number of operands and results}}
  "stablehlo.optimization_barrier"(%a) : (tensor<2xf32>) -> ()
  return
}

// -----

func.func @pairs_of_elements(%a: tensor<2x2xf32>) {
  // expected-error@+1 {{'stablehlo.all_gather' op requires the same element type for operand and result at index 0}}
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2x2xf32>) -> tensor<2x2xi32>
  return
}

// -----

func.func @sizes(%a: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.slice' op failed to verify that all of {start_indices, limit_indices, strides} have same size}}
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64: 0>, limit_indices = array<i64: 1>, strides = array<i64>} : (tensor<2xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @elements(%a: tensor<2xf32>, %b: tensor<1xf64>, %i: tensor<i32>) {
  // expected-error@+1 {{'stablehlo.dynamic_update_slice' op failed to verify that all of {operand, update, result} have same element type}}
  %0 = "stablehlo.dynamic_update_slice"(%a, %b, %i) : (tensor<2xf32>, tensor<1xf64>, tensor<i32>) -> tensor<2xf32>
  return
}

// -----

func.func @types(%a: tensor<2xf32>, %p: tensor<f32>, %i: tensor<1xi32>, %j: tensor<1xi64>) {
  // expected-error@+1 {{'stablehlo.dynamic_pad' op failed to verify that all of {edge_padding_low, edge_padding_high, interior_padding} have same type}}
  %0 = "stablehlo.dynamic_pad"(%a, %p, %i, %i, %j) : (tensor<2xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @ranks(%a: tensor<2xf32>, %p: tensor<f32>, %i: tensor<1xi32>) {
  // expected-error@+1 {{'stablehlo.dynamic_pad' op failed to verify that all of {operand, result} have same rank}}
  %0 = "stablehlo.dynamic_pad"(%a, %p, %i, %i, %i) : (tensor<2xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @inferred(%a: tensor<2xf32>) {
  // expected-error@+2 {{'stablehlo.slice' op inferred type(s) 'tensor<1xf32>' are incompatible with return type(s) of operation 'tensor<2xf32>'}}
  // expected-error@+1 {{'stablehlo.slice' op failed to infer returned types}}
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64: 0>, limit_indices = array<i64: 1>, strides = array<i64: 1>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @constant() {
  // expected-error@+2 {{'stablehlo.constant' op inferred type(s) 'tensor<2xi8>' are incompatible with return type(s) of operation 'tensor<2x!quant.uniform<i4:f32, 5.000000e-01>>'}}
  // expected-error@+1 {{'stablehlo.constant' op failed to infer returned types}}
  %0 = "stablehlo.constant"() {value = dense<[1, 2]> : tensor<2xi8>} : () -> tensor<2x!quant.uniform<i4:f32, 0.5>>
  return
}

// -----

// Symbols come last, when all ops are right.
func.func @symbols(%a: tensor<2xf32>) {
  call @nobody() : () -> ()
  // expected-error@+1 {{requires compatible types}}
  %0 = stablehlo.cosine %a : (tensor<2xf32>) -> tensor<3xf32>
  return
}
