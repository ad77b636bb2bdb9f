// One function for each rule that refines types; a module has one function, or main.
// RUN: tessera opt %s --stablehlo-refine-shapes -split-input-file -allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: func.func @refine_inferred(
// CHECK-SAME:    -> tensor<4xf32>
func.func @refine_inferred(%a: tensor<4xf32>) -> tensor<?xf32> {
  %0 = stablehlo.negate %a : (tensor<4xf32>) -> tensor<?xf32>
  %1 = sdy.propagation_barrier %0 allowed_direction=NONE : tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

// Results that are buffers of operands have their types.
// CHECK-LABEL: func.func @refine_aliases(
// CHECK-SAME:    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<?xf32>, tensor<2xf32>)
func.func @refine_aliases(%arg0: tensor<4xf32>, %arg1: tensor<?xf32>, %arg2: tensor<2xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %size = stablehlo.constant dense<4> : tensor<1xi64>
  %0 = stablehlo.convert %arg0 : (tensor<4xf32>) -> tensor<?xf32>
  // Forward, and through a chain.
  %1 = stablehlo.custom_call @x(%0) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<?xf32>) -> tensor<?xf32>
  %2 = stablehlo.custom_call @x(%1) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<?xf32>) -> tensor<?xf32>
  // The second of two results; the first one is not known.
  %3:2 = stablehlo.custom_call @x(%0, %arg1) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 0, operand_tuple_indices = []>]} : (tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
  // Backward: an operand says the size of the result.
  %4 = stablehlo.negate %arg1 : tensor<?xf32>
  %5 = stablehlo.custom_call @x(%4, %size) {indices_of_shape_operands = dense<1> : tensor<1xi64>, output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<?xf32>, tensor<1xi64>) -> tensor<?xf32>
  // Callers know the argument's type: it stays, and so does the result's.
  %6 = stablehlo.custom_call @x(%arg1, %size) {indices_of_shape_operands = dense<1> : tensor<1xi64>, output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<?xf32>, tensor<1xi64>) -> tensor<?xf32>
  // Parts of tuples.
  %7 = stablehlo.convert %arg2 : (tensor<2xf32>) -> tensor<?xf32>
  %8 = stablehlo.tuple %arg1, %7 : tuple<tensor<?xf32>, tensor<?xf32>>
  %9 = stablehlo.custom_call @x(%8) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = [1]>]} : (tuple<tensor<?xf32>, tensor<?xf32>>) -> tuple<tensor<?xf32>, tensor<i32>>
  %10 = stablehlo.get_tuple_element %9[0] : (tuple<tensor<?xf32>, tensor<i32>>) -> tensor<?xf32>
  return %2, %3#1, %5, %6, %10 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// -----

// What an op of another dialect insists on stays, and so does the operand that it is the buffer of.
// CHECK-LABEL: func.func @refine_aliases_others(
// CHECK:         stablehlo.convert {{.*}} -> tensor<?xf32>
// CHECK:         "other.op"({{.*}}) : (tensor<?xf32>) -> ()
func.func @refine_aliases_others(%arg0: tensor<4xf32>) {
  %0 = stablehlo.convert %arg0 : (tensor<4xf32>) -> tensor<?xf32>
  %1 = stablehlo.custom_call @x(%0) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<?xf32>) -> tensor<?xf32>
  "other.op"(%1) : (tensor<?xf32>) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @refine_all_gather(
// CHECK-SAME:    -> (tensor<8x4xf32>, tensor<?x4xf32>)
func.func @refine_all_gather(%a: tensor<4x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x4xf32>) -> tensor<?x4xf32>
  %1 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<4x4xf32>) -> tensor<?x4xf32>
  return %0, %1 : tensor<?x4xf32>, tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func.func @refine_reduce_scatter(
// CHECK-SAME:    -> tensor<2x4xf32>
func.func @refine_reduce_scatter(%a: tensor<4x4xf32>) -> tensor<?x4xf32> {
  %0 = "stablehlo.reduce_scatter"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64} : (tensor<4x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func.func @refine_bitcast(
// CHECK-SAME:    -> (tensor<4xi32>, tensor<?x?xi8>)
func.func @refine_bitcast(%a: tensor<4xf32>) -> (tensor<?xi32>, tensor<?x?xi8>) {
  %0 = stablehlo.bitcast_convert %a : (tensor<4xf32>) -> tensor<?xi32>
  %1 = stablehlo.bitcast_convert %a : (tensor<4xf32>) -> tensor<?x?xi8>
  return %0, %1 : tensor<?xi32>, tensor<?x?xi8>
}

// -----

// CHECK-LABEL: func.func @refine_by_shape(
// CHECK-SAME:    -> (tensor<2x6xf32>, tensor<2x6xf32>, tensor<?x?xf32>)
func.func @refine_by_shape(%a: tensor<3x4xf32>, %s: tensor<2xi32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = stablehlo.constant dense<[1, 3]> : tensor<2xi32>
  %1 = stablehlo.add %0, %0 : tensor<2xi32>
  %2 = stablehlo.dynamic_reshape %a, %1 : (tensor<3x4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %3 = stablehlo.dynamic_iota %1, dim = 0 : (tensor<2xi32>) -> tensor<?x?xf32>
  %4 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi32>) -> tensor<?x?xf32>
  return %2, %3, %4 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func.func @refine_dynamic_pad(
// CHECK-SAME:    -> tensor<10xf32>
func.func @refine_dynamic_pad(%a: tensor<4xf32>, %b: tensor<f32>) -> tensor<?xf32> {
  %0 = stablehlo.constant dense<1> : tensor<1xi64>
  %1 = stablehlo.constant dense<2> : tensor<1xi64>
  %2 = stablehlo.dynamic_pad %a, %b, %0, %1, %0 : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @refine_real_dynamic_slice(
// CHECK-SAME:    -> (tensor<2xf32>, tensor<3xf32>, tensor<?xf32>)
func.func @refine_real_dynamic_slice(%a: tensor<8xf32>, %at: tensor<1xi64>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %1 = stablehlo.constant dense<1> : tensor<1xi64>
  %2 = stablehlo.constant dense<2> : tensor<1xi64>
  %3 = stablehlo.constant dense<3> : tensor<1xi64>
  %5 = stablehlo.constant dense<5> : tensor<1xi64>
  %end = stablehlo.add %at, %3 : tensor<1xi64>
  %6 = stablehlo.real_dynamic_slice %a, %1, %5, %2 : (tensor<8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  %7 = stablehlo.real_dynamic_slice %a, %at, %end, %1 : (tensor<8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  %8 = stablehlo.real_dynamic_slice %a, %at, %end, %2 : (tensor<8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return %6, %7, %8 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @refine_custom_call(
// CHECK-SAME:    -> (tensor<2x3xf32>, tuple<tensor<3x2xf32>>)
// CHECK-NOT:     shape_refinement_operand_wrapper
func.func @refine_custom_call(%a: tensor<2x3xf32>) -> (tensor<?x?xf32>, tuple<tensor<?x?xf32>>) {
  %0 = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %1 = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
  %2 = stablehlo.custom_call @stablehlo.shape_refinement_operand_wrapper(%a, %0) {indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %3 = stablehlo.custom_call @foo(%a, %1) {indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<2x3xf32>, tensor<2xi64>) -> tuple<tensor<?x?xf32>>
  return %2, %3 : tensor<?x?xf32>, tuple<tensor<?x?xf32>>
}

// -----

// CHECK-LABEL: func.func @refine_dynamic_call(
// CHECK-SAME:    -> (tensor<4x2xf32>, tensor<4x2xi32>, tensor<3x5xui32>)
func.func @refine_dynamic_call(%a: tensor<4x6xf32>, %s: tensor<2xui64>) -> (tensor<?x?xf32>, tensor<?x?xi32>, tensor<?x?xui32>) {
  %0 = stablehlo.constant dense<2> : tensor<i32>
  %1 = stablehlo.constant dense<[3, 5]> : tensor<2xi32>
  %2:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%a, %0) {api_version = 2 : i32} : (tensor<4x6xf32>, tensor<i32>) -> (tensor<?x?xf32>, tensor<?x?xi32>)
  %3:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %1) {api_version = 2 : i32, rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>, tensor<2xi32>) -> (tensor<2xui64>, tensor<?x?xui32>)
  return %2#0, %2#1, %3#1 : tensor<?x?xf32>, tensor<?x?xi32>, tensor<?x?xui32>
}

// -----

// CHECK-LABEL: func.func @refine_region_args(
// CHECK-SAME:    -> tensor<4xf32>
// CHECK:         stablehlo.add {{.*}} : tensor<4xf32>
func.func @refine_region_args(%a: tensor<4xf32>, %c: tensor<i1>) -> tensor<?xf32> {
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<?xf32>):
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%x: tensor<?xf32>):
    %1 = stablehlo.add %x, %x : tensor<?xf32>
    stablehlo.return %1 : tensor<?xf32>
  }) : (tensor<4xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @refine_region_return(
// CHECK-SAME:    -> tensor<4xf32>
func.func @refine_region_return(%a: tensor<4xf32>, %c: tensor<i1>) -> tensor<?xf32> {
  %0 = "stablehlo.if"(%c) ({
    %1 = stablehlo.abs %a : (tensor<4xf32>) -> tensor<?xf32>
    stablehlo.return %1 : tensor<?xf32>
  }, {
    %1 = stablehlo.negate %a : (tensor<4xf32>) -> tensor<?xf32>
    stablehlo.return %1 : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @refine_return(
// CHECK-SAME:    -> tensor<4xf32>
// CHECK-NEXT:    return %arg0 : tensor<4xf32>
func.func @refine_return(%a: tensor<4xf32>) -> tensor<?xf32> {
  %0 = builtin.unrealized_conversion_cast %a : tensor<4xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// Sizes become constants of the callee; the call loses them, also where a later operand turns out to be known.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    -> (tensor<8xf32>, tensor<i32>)
// CHECK:         call @refine_call(%arg0, {{.*}}) : (tensor<4xf32>, tensor<i32>) -> tensor<8xf32>
func.func @main(%a: tensor<4xf32>) -> (tensor<?xf32>, tensor<i32>) {
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<4xf32>) -> tensor<i32>
  %1 = call @refine_call(%0, %a, %0) : (tensor<i32>, tensor<4xf32>, tensor<i32>) -> tensor<?xf32>
  %2 = call @three() : () -> tensor<i32>
  return %1, %2 : tensor<?xf32>, tensor<i32>
}
// CHECK-LABEL: func.func private @refine_call(
// CHECK-SAME:    %arg0: tensor<4xf32> {a.b = 1 : i64}, %arg1: tensor<i32>) -> tensor<8xf32>
func.func private @refine_call(%n: tensor<i32>, %x: tensor<4xf32> {a.b = 1 : i64}, %m: tensor<i32>) -> tensor<?xf32> {
  %0 = stablehlo.add %n, %n : tensor<i32>
  %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.dynamic_iota %1, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}
func.func private @three() -> tensor<i32> {
  %0 = stablehlo.constant dense<3> : tensor<i32>
  return %0 : tensor<i32>
}

// -----

// CHECK-LABEL: func.func @main(
// CHECK-SAME:    -> tensor<4xf32>
func.func @main(%a: tensor<4xf32>) -> tensor<?xf32> {
  %0 = stablehlo.negate %a : (tensor<4xf32>) -> tensor<?xf32>
  %1 = stablehlo.composite "my.op" %0 {decomposition = @refine_composite} : (tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
// CHECK-LABEL: func.func private @refine_composite(
// CHECK-SAME:    tensor<4xf32>) -> tensor<4xf32>
func.func private @refine_composite(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
