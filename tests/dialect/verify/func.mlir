// RUN: tessera opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// Functions, calls and returns; what check and interpreter ops ask.

func.func @good(%a: tensor<2xf32> {t.a = 1}, %b: () -> i32) -> (tensor<2xf32> {t.b}) {
  %0 = call @good(%a, %b) : (tensor<2xf32>, () -> i32) -> tensor<2xf32>
  %1 = call_indirect %b() : () -> i32
  check.expect_close %a, %0, max_ulp_difference = 3 : tensor<2xf32>, tensor<2xf32>
  "interpreter.run_parallel"(%a, %a) {programs = [[@p, @p]], infeed = [@q]} : (tensor<2xf32>, tensor<2xf32>) -> ()
  return %0 : tensor<2xf32>
}
func.func @p(%a: tensor<2xf32>) { return }
func.func private @q() -> tensor<2xf32>
module @inner { func.func private @good() }

// -----

// expected-error@+1 {{'func.func' op expects argument attribute array to have the same number of elements as the number of function arguments, got 2, but expected 0}}
"func.func"() ({}) {sym_name = "f", function_type = () -> (), sym_visibility = "private", arg_attrs = [{}, {}]} : () -> ()

// -----

// expected-error@+1 {{'func.func' op expects result attribute array to have the same number of elements as the number of function results, got 0, but expected 1}}
"func.func"() ({}) {sym_name = "f", function_type = () -> (i32), sym_visibility = "private", res_attrs = []} : () -> ()

// -----

// expected-error@+1 {{'func.func' op attribute 'arg_attrs' failed to satisfy constraint: Array of dictionary attributes}}
"func.func"() ({}) {sym_name = "f", function_type = (i32) -> (), sym_visibility = "private", arg_attrs = [2]} : () -> ()

// -----

// expected-error@+1 {{'func.func' op arguments may only have dialect attributes}}
func.func private @f(i32 {a = 1})

// -----

// expected-error@+1 {{'func.func' op results may only have dialect attributes}}
func.func private @f() -> (i32 {a})

// -----

// expected-error@+1 {{'func.func' op entry block must have 1 arguments to match function signature}}
"func.func"() ({ func.return }) {sym_name = "f", function_type = (i32) -> ()} : () -> ()

// -----

// expected-error@+1 {{'func.func' op type of entry block argument #0('i64') must match the type of the corresponding argument in function signature('i32')}}
"func.func"() ({
^bb0(%a: i64):
  func.return
}) {sym_name = "f", function_type = (i32) -> ()} : () -> ()

// -----

// expected-error@+1 {{'func.func' op symbol declaration cannot have public visibility}}
func.func @f()

// -----

// expected-error@+1 {{visibility expected to be one of ["public", "private", "nested"], but got "secret"}}
"func.func"() ({}) {sym_name = "f", function_type = () -> (), sym_visibility = "secret"} : () -> ()

// -----

func.func @f() {
  // expected-error@+1 {{'func.call' op 'g' does not reference a valid function}}
  call @g() : () -> ()
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{'func.call' op incorrect number of operands for callee}}
  call @f() : () -> ()
  return
}

// -----

func.func @f(%a: i32, %b: i64) {
  // expected-error@+1 {{'func.call' op operand type mismatch: expected operand type 'i64', but provided 'i32' for operand number 1}}
  call @f(%a, %a) : (i32, i32) -> ()
  return
}

// -----

func.func private @g()
func.func @f() {
  // expected-error@+1 {{'func.call' op incorrect number of results for callee}}
  %0 = call @g() : () -> i32
  return
}

// -----

func.func private @g() -> (i32, i64)
func.func @f() {
  // expected-error@+3 {{'func.call' op result type mismatch at index 1}}
  // expected-note@+2 {{op result types: 'i32', 'i32'}}
  // expected-note@+1 {{function result types: 'i32', 'i64'}}
  %0:2 = call @g() : () -> (i32, i32)
  return
}

// -----

// Symbols are asked for when all ops are right, in the last region first.
func.func @f() {
  call @g() : () -> ()
  return
}
func.func @h() {
  // expected-error@+1 {{'func.call' op 'g' does not reference a valid function}}
  call @g() : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'func.constant' op reference to undefined function 'g'}}
  %0 = constant @g : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'func.constant' op reference to function with mismatched type}}
  %0 = constant @f : () -> i32
  return
}

// -----

func.func @f() -> i32 {
  // expected-error@+1 {{'func.return' op has 0 operands, but enclosing function (@f) returns 1}}
  return
}

// -----

func.func @f(%a: i64) -> i32 {
  // expected-error@+1 {{type of return operand 0 ('i64') doesn't match function result type ('i32') in function @f}}
  return %a : i64
}

// -----

%0 = "t.op"() : () -> i32
// expected-note@+1 {{required by region isolation constraints}}
func.func @f() {
  // Names from outside are seen, but must not be used.
  // expected-error@+1 {{'t.use' op using value defined outside the region}}
  "t.use"(%0) : (i32) -> ()
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %b: tensor<2xf64>) {
  // expected-error@+1 {{'check.expect_close' op failed to verify that all of {actual, expected} have same type}}
  check.expect_close %a, %b, max_ulp_difference = 3 : tensor<2xf32>, tensor<2xf64>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{'check.expect_eq_const' op failed to verify that all of {lhs, value} have same type}}
  "check.expect_eq_const"(%a) {value = dense<1.0> : tensor<3xf32>} : (tensor<2xf32>) -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{`programs` attribute cannot be empty}}
  "interpreter.run_parallel"() {programs = [[]]} : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{Sizes of second dimension of `programs` should all match 1 but got 2}}
  "interpreter.run_parallel"() {programs = [[@f], [@f, @f]]} : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{Function "g" not found}}
  "interpreter.run_parallel"() {programs = [[@f, @g]]} : () -> ()
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{Number of inputs (0) should match the sum of the number of inputs of all programs (2)}}
  "interpreter.run_parallel"() {programs = [[@f, @f]]} : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{Number of results (1) should match the sum of the number of results of all programs (0)}}
  %0 = "interpreter.run_parallel"() {programs = [[@f]]} : () -> tensor<2xf32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{infeed attribute is optional or should not be empty}}
  "interpreter.run_parallel"() {programs = [[@f]], infeed = []} : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{Function "g" not found}}
  "interpreter.run_parallel"() {programs = [[@f]], infeed = [@g]} : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{Function "f" should return 1 tensor but returns 0}}
  "interpreter.run_parallel"() {programs = [[@f]], infeed = [@f]} : () -> ()
  return
}

// -----

func.func private @g() -> !stablehlo.token
func.func @f() {
  // expected-error@+1 {{Function "g" should return a tensor type, but instead returns '!stablehlo.token'}}
  "interpreter.run_parallel"() {programs = [[@f]], infeed = [@g]} : () -> ()
  return
}
