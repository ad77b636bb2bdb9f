// VHLO has no verifiers: what does not make a StableHLO op is found on the way back.
// RUN: tessera opt %s --vhlo-legalize-to-stablehlo --split-input-file --verify-diagnostics

// expected-error @+1 {{failed to legalize operation 'vhlo.iota_v1' that was explicitly marked illegal}}
%0 = "vhlo.iota_v1"() <{iota_dimension = #vhlo.type_extensions_v1<bounds = [1]>}> : () -> !vhlo.tensor_v1<4x!vhlo.i32_v1>

// -----
// The older version of an op.
// expected-error @+2 {{failed to legalize operation 'vhlo.tan_v1' that was explicitly marked illegal}}
%0 = "vhlo.constant_v1"() <{value = #vhlo.tensor_v1<dense<1.0> : tensor<f32>>}> : () -> !vhlo.tensor_v1<!vhlo.f32_v1>
%1 = "vhlo.tan_v1"(%0) : (!vhlo.tensor_v1<!vhlo.f32_v1>) -> !vhlo.tensor_v1<!vhlo.f32_v1>

// -----
%0 = "vhlo.constant_v1"() <{value = #vhlo.tensor_v1<dense<1.0> : tensor<2xf32>>}> : () -> !vhlo.tensor_v1<2x!vhlo.f32_v1>
// expected-error @+1 {{failed to legalize operation 'vhlo.reverse_v1' that was explicitly marked illegal}}
%1 = "vhlo.reverse_v1"(%0) <{dimensions = #vhlo.tensor_v1<dense<0> : tensor<1xi32>>}> : (!vhlo.tensor_v1<2x!vhlo.f32_v1>) -> !vhlo.tensor_v1<2x!vhlo.f32_v1>

// -----
// Types that nothing in MLIR is.
// expected-error @+1 {{failed to legalize operation 'vhlo.constant_v1' that was explicitly marked illegal}}
%0 = "vhlo.constant_v1"() <{value = #vhlo.tensor_v1<dense<1.0> : tensor<f32>>}> : () -> !vhlo.complex_v1<!vhlo.token_v1>

// -----
// expected-error @+1 {{failed to legalize operation 'vhlo.constant_v1' that was explicitly marked illegal}}
%0 = "vhlo.constant_v1"() <{value = #vhlo.tensor_v1<dense<1.0> : tensor<f32>>}> : () -> !vhlo.tensor_v1<2x!vhlo.tuple_v1<>>

// -----
// expected-error @+1 {{failed to legalize operation 'vhlo.constant_v1' that was explicitly marked illegal}}
%0 = "vhlo.constant_v1"() <{value = #vhlo.tensor_v1<dense<1.0> : tensor<f32>>}> : () -> !vhlo.tensor_v1<!vhlo.quant_v1<!vhlo.f32_v1:!vhlo.f32_v1, 1.0:0, 0:1, 1>>

// -----
// expected-error @+1 {{failed to legalize operation 'vhlo.constant_v1' that was explicitly marked illegal}}
%0 = "vhlo.constant_v1"() <{value = #vhlo.tensor_v1<dense<1.0> : tensor<f32>>}> : () -> !vhlo.tensor_v1<!vhlo.quant_per_axis_v1<!vhlo.i8_v1:!vhlo.f32_v1, 0, [1.0, 2.0], [0], -128:127, 1>>

// -----
// expected-error @+1 {{failed to legalize operation 'vhlo.constant_v1' that was explicitly marked illegal}}
%0 = "vhlo.constant_v1"() <{value = #vhlo.dict_v1<{#vhlo.string_v1<"a"> = #vhlo.bool_v1<true>, #vhlo.string_v1<"a"> = #vhlo.bool_v1<true>}>}> : () -> !vhlo.tensor_v1<!vhlo.f32_v1>

// -----
// A dot algorithm of which only a part is there.
%0 = "vhlo.constant_v1"() <{value = #vhlo.tensor_v1<dense<1.0> : tensor<2x2xf32>>}> : () -> !vhlo.tensor_v1<2x2x!vhlo.f32_v1>
// expected-error @+1 {{failed to legalize operation 'vhlo.dot_general_v2' that was explicitly marked illegal}}
%1 = "vhlo.dot_general_v2"(%0, %0) <{accumulation_type = #vhlo.type_v1<!vhlo.none_v1>, allow_imprecise_accumulation = #vhlo.type_v1<!vhlo.none_v1>, lhs_batching_dimensions = #vhlo.tensor_v1<dense<> : tensor<0xi64>>, lhs_component_count = #vhlo.integer_v1<1 : i64>, lhs_contracting_dimensions = #vhlo.tensor_v1<dense<1> : tensor<1xi64>>, lhs_precision_type = #vhlo.type_v1<!vhlo.none_v1>, num_primitive_operations = #vhlo.type_v1<!vhlo.none_v1>, precision_config = #vhlo.array_v1<[]>, rhs_batching_dimensions = #vhlo.tensor_v1<dense<> : tensor<0xi64>>, rhs_component_count = #vhlo.type_v1<!vhlo.none_v1>, rhs_contracting_dimensions = #vhlo.tensor_v1<dense<0> : tensor<1xi64>>, rhs_precision_type = #vhlo.type_v1<!vhlo.none_v1>}> : (!vhlo.tensor_v1<2x2x!vhlo.f32_v1>, !vhlo.tensor_v1<2x2x!vhlo.f32_v1>) -> !vhlo.tensor_v1<2x2x!vhlo.f32_v1>

// -----
// Groups by axes that are no axes.
%0 = "vhlo.constant_v1"() <{value = #vhlo.tensor_v1<dense<1.0> : tensor<2x2xf32>>}> : () -> !vhlo.tensor_v1<2x2x!vhlo.f32_v1>
// expected-error @+1 {{failed to legalize operation 'vhlo.all_gather_v2' that was explicitly marked illegal}}
%1 = "vhlo.all_gather_v2"(%0) <{all_gather_dim = #vhlo.integer_v1<1 : i64>, channel_id = #vhlo.integer_v1<0 : i64>, replica_groups = #vhlo.replica_group_mesh_axes_v1<mesh = #vhlo.string_v1<"m">, axes = #vhlo.array_v1<[#vhlo.bool_v1<true>]>>, use_global_device_ids = #vhlo.bool_v1<false>}> : (!vhlo.tensor_v1<2x2x!vhlo.f32_v1>) -> !vhlo.tensor_v1<2x4x!vhlo.f32_v1>

// -----
// What converts is verified as StableHLO.
// expected-error @+1 {{'stablehlo.constant' op attribute 'value' failed to satisfy constraint: constant vector/tensor attribute}}
%0 = "vhlo.constant_v1"() <{value = #vhlo.bool_v1<true>}> : () -> !vhlo.tensor_v1<!vhlo.f32_v1>
