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

// -----

func.func @gtsv() {
  %d = stablehlo.constant dense<1.0> : tensor<3xf32>
  %b = stablehlo.constant dense<1.0> : tensor<4x1xf32>
  // expected-error @+1 {{has operands that do not fit each other}}
  %0:5 = stablehlo.custom_call @lapack_sgtsv_ffi(%d, %d, %d, %b) {mhlo.backend_config = {}} : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4x1xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4x1xf32>, tensor<i32>)
  return
}

// -----

func.func @geqp3() {
  %a = stablehlo.constant dense<1.0> : tensor<3x2xf32>
  %p = stablehlo.constant dense<0> : tensor<3xi32>
  // expected-error @+1 {{has operands that do not fit each other}}
  %0:3 = stablehlo.custom_call @lapack_sgeqp3_ffi(%a, %p) {mhlo.backend_config = {}} : (tensor<3x2xf32>, tensor<3xi32>) -> (tensor<3x2xf32>, tensor<3xi32>, tensor<2xf32>)
  return
}

// -----

func.func @ormqr() {
  %a = stablehlo.constant dense<1.0> : tensor<3x2xf32>
  %t = stablehlo.constant dense<1.0> : tensor<2xf32>
  // expected-error @+1 {{has operands that do not fit each other}}
  %0 = stablehlo.custom_call @lapack_sormqr_ffi(%a, %t, %a) {mhlo.backend_config = {left = false, transpose = false}} : (tensor<3x2xf32>, tensor<2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @ormqr_type() {
  %a = stablehlo.constant dense<1.0> : tensor<3x2xf32>
  %t = stablehlo.constant dense<1.0> : tensor<2xf64>
  // expected-error @+1 {{has operands that do not fit each other}}
  %0 = stablehlo.custom_call @lapack_sormqr_ffi(%a, %t, %a) {mhlo.backend_config = {left = true, transpose = false}} : (tensor<3x2xf32>, tensor<2xf64>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @no_such_old_form() {
  %a = stablehlo.constant dense<1.0> : tensor<3x2xf32>
  // expected-error @+1 {{calls '@lapack_sgeqp3', which is not known here}}
  %0 = stablehlo.custom_call @lapack_sgeqp3(%a) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}
