// What goes wrong while a program runs has the op's place.
// RUN: stablehlo-translate --interpret -split-input-file -verify-diagnostics %s

func.func @unknown() {
  %a = stablehlo.constant dense<1.0> : tensor<2xf32>
  // expected-error @+1 {{calls '@nobody_knows', which is not known here}}
  %b = stablehlo.custom_call @nobody_knows(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @assertion() {
  %n = stablehlo.constant dense<5> : tensor<i32>
  %no = stablehlo.constant dense<false> : tensor<i1>
  // expected-error @+1 {{@shape_assertion does not hold: 5 is too many}}
  stablehlo.custom_call @shape_assertion(%no, %n) {error_message = "{0} is too many", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  return
}

// -----

func.func @differs() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  // expected-error @+1 {{failed: 1 of 2 elements differ}}
  check.expect_eq_const %a, dense<[1, 3]> : tensor<2xi32>
  return
}

// -----

func.func @size() {
  %n = stablehlo.constant dense<[5]> : tensor<1xi64>
  %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  // expected-error @+1 {{output_shape is incompatible with input type of operation: input has 4 elements, but output_shape has 5}}
  %b = stablehlo.dynamic_reshape %a, %n : (tensor<4xi32>, tensor<1xi64>) -> tensor<?xi32>
  return
}
