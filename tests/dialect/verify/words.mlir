// RUN: tessera opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// Words about text that is wrong: what custom forms say begins with the op, punctuation does not.

func.func @keyword(%a: tensor<2x2xf32>) {
  // expected-error@+1 {{custom op 'stablehlo.transpose' expected 'dims'}}
  %0 = stablehlo.transpose %a, [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
}

// -----

func.func @punctuation(%a: tensor<2x2xf32>) {
  // expected-error@+1 {{expected '='}}
  %0 = stablehlo.transpose %a, dims [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
}

// -----

func.func @number(%a: tensor<2x2xf32>) {
  // expected-error@+2 {{custom op 'stablehlo.transpose' expected integer value}}
  // expected-error@+1 {{expected ']'}}
  %0 = stablehlo.transpose %a, dims = [1, x] : (tensor<2x2xf32>) -> tensor<2x2xf32>
}

// -----

func.func @number_too_large(%a: tensor<2x2xf32>) {
  // expected-error@+1 {{custom op 'stablehlo.transpose' integer value too large}}
  %0 = stablehlo.transpose %a, dims = [18446744073709551616] : (tensor<2x2xf32>) -> tensor<2x2xf32>
}

// -----

func.func @symbol() {
  // expected-error@+1 {{custom op 'stablehlo.custom_call' expected valid '@'-identifier for symbol name}}
  stablehlo.custom_call 7() : () -> ()
}

// -----

func.func @operands(%a: tensor<2x2xf32>) {
  // expected-error@+1 {{custom op 'stablehlo.add' 2 operands present, but expected 1}}
  %0 = stablehlo.add %a, %a : (tensor<2x2xf32>) -> tensor<2x2xf32>
}

// -----

func.func @results(%a: tensor<2x2xf32>) {
  // expected-error@+1 {{custom op 'stablehlo.negate' expected single output}}
  %0 = stablehlo.negate %a : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>)
}

// -----

func.func @case_of_enum(%a: tensor<2x2xf32>) {
  // expected-error@+2 {{custom op 'stablehlo.dot' expected ::mlir::stablehlo::Precision to be one of: DEFAULT, HIGH, HIGHEST}}
  // expected-error@+1 {{custom op 'stablehlo.dot' failed to parse StableHLO_PrecisionAttr parameter 'value' which is to be a `::mlir::stablehlo::Precision`}}
  %0 = stablehlo.dot %a, %a, precision = [LOW] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
}

// -----

func.func @no_case_of_enum(%a: tensor<2x2xf32>) {
  // expected-error@+2 {{expected valid keyword or string}}
  // expected-error@+1 {{failed to parse CHLO_ComparisonTypeAttr parameter 'value' which is to be a `::mlir::chlo::ComparisonType`}}
  "some.op"() {a = #chlo<comparison_type 1>} : () -> ()
}

// -----

func.func @types(%a: tensor<2x2xf32>) {
  // expected-error@+1 {{custom op 'func.return' number of operands and types do not match: got 2 operands and 1 types}}
  return %a, %a : tensor<2x2xf32>
}

// -----

func.func @kind_of_attribute() {
  // expected-error@+1 {{custom op 'stablehlo.iota' invalid kind of attribute specified}}
  %0 = stablehlo.iota dim = "x" : tensor<2xf32>
}

// -----

func.func @no_attribute() {
  // expected-error@+1 {{expected attribute value}}
  %0 = stablehlo.iota dim = ] : tensor<2xf32>
}

// -----

func.func @no_form(%a: tensor<2x2xf32>) {
  // expected-error@+1 {{custom op 'stablehlo.gather' has no custom assembly form}}
  stablehlo.gather %a
}

// -----

// What a dictionary says is checked as it is read.
func.func @dictionary(%a: tensor<2x2xf32>) {
  // expected-error@+1 {{'stablehlo.transpose' op attribute 'permutation' failed to satisfy constraint: i64 dense array attribute}}
  %0 = "stablehlo.transpose"(%a) {permutation = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  not an op
}

// -----

func.func @dictionary_of_custom_form() {
  // expected-error@+1 {{custom op 'stablehlo.custom_call' 'stablehlo.custom_call' op attribute 'backend_config' failed to satisfy constraint: string attribute or dictionary of named attribute values}}
  stablehlo.custom_call @f() {backend_config = 7 : i64} : () -> ()
  not an op
}

// -----

func.func @properties(%a: tensor<2x2xf32>) {
  // expected-error@+1 {{invalid properties {permutation = 1 : i64} for op stablehlo.transpose: Invalid attribute `permutation` in property conversion: 1 : i64}}
  %0 = "stablehlo.transpose"(%a) <{permutation = 1 : i64}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
}

// -----

// expected-error@+1 {{expected ','}}
func.func private @field_missing() attributes {a = #stablehlo.channel_handle<handle = 1>}

// -----

// expected-error@+1 {{duplicate or unknown struct parameter name: handle}}
func.func private @field_twice() attributes {a = #stablehlo.channel_handle<handle = 1, handle = 1>}

// -----

// expected-error@+1 {{expected a parameter name in struct}}
func.func private @field_without_name() attributes {a = #stablehlo.channel_handle<1, 2>}

// -----

// expected-error@+1 {{struct is missing required parameter: name}}
func.func private @field_missing() attributes {a = #stablehlo.axis_ref<>}

// -----

// expected-error@+1 {{unknown stablehlo type: nothing}}
func.func private @type() -> !stablehlo.nothing

// -----

// expected-error@+1 {{unknown StableHLO attribute}}
func.func private @attribute() attributes {a = #stablehlo.nothing<1>}

// -----

// expected-error@+1 {{unknown attribute `nothing` in dialect `chlo`}}
func.func private @attribute() attributes {a = #chlo.nothing<1>}

// -----

// expected-error@+1 {{future element type must be a ranked tensor, but got 'tensor<*xf32>'}}
func.func private @future() -> !stablehlo.future<tensor<2xf32>, tensor<*xf32>>

// -----

// expected-error@+1 {{lhs component count must be positive}}
func.func private @f() attributes {a = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 0, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>}

// -----

// expected-error@+1 {{rhs component count must be positive}}
func.func private @f() attributes {a = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = -1, num_primitive_operations = 1, allow_imprecise_accumulation = false>}

// -----

// expected-error@+1 {{num primitive operations must be positive}}
func.func private @f() attributes {a = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 0, allow_imprecise_accumulation = false>}

// -----

// expected-error@+1 {{dot algorithm not known to be supported on any hardware: {lhs:'bf16', rhs:'bf16', accum:'f32', lhs_components:1, rhs_components:1, primitive_ops:4, imprecise:0}}}
func.func private @f() attributes {a = #stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 4, allow_imprecise_accumulation = false>}

// -----

// Eight bits may be summed imprecisely, others may not.
func.func private @good() attributes {a = #stablehlo.dot_algorithm<lhs_precision_type = f8E5M2, rhs_precision_type = f8E4M3FN, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = true>}
// expected-error@+1 {{imprecise:1}}
func.func private @f() attributes {a = #stablehlo.dot_algorithm<lhs_precision_type = f16, rhs_precision_type = f16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = true>}

// -----

// expected-error@+1 {{Negative tolerance}}
func.func private @f() attributes {a = #stablehlo.result_accuracy<ulps = -1, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}

// -----

// expected-error@+1 {{Invalid tolerances for ResultAccuracyAttr with mode DEFAULT, must be all zero.}}
func.func private @f() attributes {a = #stablehlo.result_accuracy<rtol = 1.0, mode = #stablehlo.result_accuracy_mode<DEFAULT>>}

// -----

// expected-error@+1 {{unknown level format: thick}}
func.func private @f(tensor<2xf32, #sparse_tensor.encoding<{ map = (i) -> (i : thick) }>>)

// -----

// expected-error@+1 {{unknown level property: thick}}
func.func private @f(tensor<2xf32, #sparse_tensor.encoding<{ map = (i) -> (i : dense(thick)) }>>)

// -----

// expected-error@+1 {{use of undeclared identifier 'j'}}
func.func private @f(tensor<2xf32, #sparse_tensor.encoding<{ map = (i) -> (j : dense) }>>)

// -----

// expected-error@+1 {{unexpected key: thick}}
func.func private @f(tensor<2xf32, #sparse_tensor.encoding<{ thick = 1 }>>)

// -----

// expected-error@+1 {{unexpected position bitwidth: 7}}
func.func private @f(tensor<2xf32, #sparse_tensor.encoding<{ map = (i) -> (i : dense), posWidth = 7 }>>)

// -----

// expected-error@+1 {{expected a map in the encoding}}
func.func private @f(tensor<2xf32, #sparse_tensor.encoding<{ posWidth = 8 }>>)
