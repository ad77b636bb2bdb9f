// RUN: tessera opt %s --stablehlo-check-shape-assertions -split-input-file -verify-diagnostics
// RUN: tessera opt %s --stablehlo-check-shape-assertions=enable-shape-assertions=false -split-input-file | FileCheck %s
// CHECK-NOT: shape_assertion

func.func @words() {
  %0 = stablehlo.constant dense<false> : tensor<i1>
  %1 = stablehlo.constant dense<7> : tensor<i32>
  %2 = stablehlo.constant dense<-3> : tensor<i64>
  // expected-error@+1 {{want 7 == -3 {0} 7 of {a}}}
  stablehlo.custom_call @shape_assertion(%0, %1, %2) {api_version = 2 : i32, error_message = "want {0} == {1} {{0} {0,5:x} of {a}", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i64>) -> ()
  return
}

// -----

func.func @index() {
  %0 = stablehlo.constant dense<true> : tensor<i1>
  // expected-error@+1 {{expects error_message to contain format specifiers with error_message_input index less than 0. Found specifier {0}}}
  stablehlo.custom_call @shape_assertion(%0) {error_message = "{0}", has_side_effect = true} : (tensor<i1>) -> ()
  return
}

// -----

func.func @inputs(%a: tensor<i32>) {
  %0 = stablehlo.constant dense<false> : tensor<i1>
  // expected-error@+1 {{expects static error_message_input (operand #1)}}
  stablehlo.custom_call @shape_assertion(%0, %a) {error_message = "{0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  return
}

// -----

func.func @types(%a: tensor<2xi1>, %b: tensor<f32>) {
  // expected-error@+1 {{expects assert_what (operand #0) to be a constant of type tensor<i1>}}
  stablehlo.custom_call @shape_assertion(%a) {error_message = "", has_side_effect = true} : (tensor<2xi1>) -> ()
  %0 = stablehlo.constant dense<false> : tensor<i1>
  // expected-error@+1 {{expects error_message_input (operand #1) to be a constant of type tensor<i32> or tensor<i64>}}
  stablehlo.custom_call @shape_assertion(%0, %b) {error_message = "", has_side_effect = true} : (tensor<i1>, tensor<f32>) -> ()
  // expected-error@+1 {{expects an error_message attribute}}
  stablehlo.custom_call @shape_assertion(%0) {has_side_effect = true} : (tensor<i1>) -> ()
  // expected-error@+1 {{expects an empty backend_config}}
  stablehlo.custom_call @shape_assertion(%0) {backend_config = "x", error_message = "", has_side_effect = true} : (tensor<i1>) -> ()
  // expected-error@+1 {{"a" is not a supported attribute}}
  stablehlo.custom_call @shape_assertion(%0) {a = 1 : i32, error_message = "", has_side_effect = true} : (tensor<i1>) -> ()
  // expected-error@+1 {{expects 1 <= size(operands) <= 33}}
  stablehlo.custom_call @shape_assertion() {error_message = "", has_side_effect = true} : () -> ()
  return
}
