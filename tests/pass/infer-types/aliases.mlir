// A result of a custom call that is the buffer of an operand has its type, whichever of them is known first.
// RUN: tessera opt %s --tessera-infer-types -allow-unregistered-dialect | FileCheck %s

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

// An op of another dialect gets what it was written with.
// CHECK-LABEL: func.func @others(
// CHECK:         stablehlo.custom_call @x({{.*}}) {{.*}} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK:         "other.op"({{.*}}) : (tensor<?xf32>) -> ()
func.func @others(%arg0: tensor<4xf32>) {
  %0 = stablehlo.convert %arg0 : (tensor<4xf32>) -> tensor<?xf32>
  %1 = stablehlo.custom_call @x(%0) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<?xf32>) -> tensor<?xf32>
  "other.op"(%1) : (tensor<?xf32>) -> ()
  return
}
