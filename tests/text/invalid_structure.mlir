// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics
// What the verifier says about blocks, terminators, dominance, symbols, counts and attributes.

func.func @f() {
// expected-error@below {{operand #0 does not dominate this use}}
  %0 = "t.x"(%1) : (i32) -> i32
// expected-note@below {{operand defined here (op in the same block)}}
  %1 = "t.x"() : () -> i32
  return
}

// -----

func.func @f() {
  "t.br"()[^a] : () -> ()
^a:
// expected-error@below {{operand #0 does not dominate this use}}
  "t.use"(%1) : (i32) -> ()
  "t.br"()[^c] : () -> ()
^c:
// expected-note@below {{operand defined here (op in the same region)}}
  %1 = "t.x"() : () -> i32
  return
}

// -----

func.func @f() {
  "t.br"()[^a, ^b] : () -> ()
^a:
  "t.br"()[^b] : () -> ()
^b:
  "t.x"() ({
// expected-error@below {{operand #0 does not dominate this use}}
    "t.use"(%1) : (i32) -> ()
  }) : () -> ()
  "t.br"()[^c] : () -> ()
^c:
// expected-note@below {{operand defined here (op in a parent region)}}
  %1 = "t.x"() : () -> i32
  return
}

// -----

func.func @f() {
  "t.br"()[^a, ^b] : () -> ()
^a:
// expected-note@below {{operand defined here (op in the same region)}}
  %1 = "t.x"() : () -> i32
  "t.br"()[^b] : () -> ()
^b:
// expected-error@below {{operand #0 does not dominate this use}}
  "t.use"(%1) : (i32) -> ()
  return
}

// -----

func.func @f() {
  "t.br"()[^a, ^b] : () -> ()
^b:
// expected-error@below {{operand #0 does not dominate this use}}
  "t.use"(%1) : (i32) -> ()
  return
^a:
// expected-note@below {{operand defined here (op in the same region)}}
  %1 = "t.x"() : () -> i32
  return
}

// -----

func.func @f(%a: i32) {
  %0 = "t.a"() ({
    %1 = "t.b"() : () -> i32
  }) : () -> i32
// expected-error@below {{use of undeclared SSA value name}}
  "t.use"(%1) : (i32) -> ()
  return
}

// -----

func.func @f(%a: i32) {
  "t.b"() ({
    module {
// expected-note@below {{required by region isolation constraints}}
      func.func @g() {
// expected-error@below {{'t.use' op using value defined outside the region}}
        "t.use"(%a) : (i32) -> ()
        return
      }
    }
  }) : () -> ()
  return
}

// -----

// expected-error@below {{entry block of region may not have predecessors}}
func.func @f() {
^a:
  "t.br"()[^a] : () -> ()
}

// -----

func.func @f() {
// expected-error@below {{operation with block successors must terminate its parent block}}
  "t.br"()[^a] : () -> ()
  "t.x"() : () -> ()
^a:
  return
}

// -----

func.func @f() {
// expected-error@below {{'func.return' op must be the last operation in the parent block}}
  return
  "t.x"() : () -> ()
}

// -----

// expected-error@below {{empty block: expect at least a terminator}}
func.func @f() {
^a:
^b:
  return
}

// -----

func.func @f() {
// expected-error@below {{block with no terminator, has %0 = "arith.constant"() <{value = 1 : i32}> : () -> i32}}
  %0 = arith.constant 1 : i32
}

// -----

// expected-note@below {{see existing symbol definition here}}
func.func @f() { return }
// expected-error@below {{redefinition of symbol named 'f'}}
func.func @f() { return }

// -----

// expected-error@below {{'func.return' op expects parent op 'func.func'}}
return

// -----

// expected-error@below {{'func.return' op expects parent op 'func.func'}}
"t.x"() ({ return }) : () -> ()

// -----

// expected-error@below {{'func.return' op expects parent op 'func.func'}}
module { return }

// -----

// expected-error@below {{'func.func' op requires one region}}
"func.func"() : () -> ()

// -----

// expected-error@below {{'func.func' op requires attribute 'sym_name'}}
"func.func"() ({}) : () -> ()

// -----

// expected-error@below {{'func.func' op requires one region}}
"func.func"() ({}, {}) {sym_name = "f", function_type = (f32) -> ()} : () -> ()

// -----

// expected-error@below {{'func.func' op requires zero results}}
%0 = "func.func"() ({}) {sym_name = "f", function_type = (f32) -> ()} : () -> i32

// -----

%0 = "t.x"() : () -> i32
// expected-error@below {{'func.func' op requires zero operands}}
"func.func"(%0) ({}) {sym_name = "f", function_type = (f32) -> ()} : (i32) -> ()

// -----

// expected-error@below {{'func.func' op attribute 'sym_name' failed to satisfy constraint: string attribute}}
"func.func"() ({}) {sym_name = 1 : i32, function_type = () -> ()} : () -> ()

// -----

// expected-error@below {{'func.func' op attribute 'function_type' failed to satisfy constraint: type attribute of function type}}
"func.func"() ({}) {sym_name = "f", function_type = 1 : i32} : () -> ()

// -----

// expected-error@below {{'func.func' op attribute 'function_type' failed to satisfy constraint: type attribute of function type}}
"func.func"() ({}) {sym_name = "f", function_type = i32} : () -> ()

// -----

// expected-error@below {{'func.func' op symbol declaration cannot have public visibility}}
"func.func"() ({}) {sym_name = "f", function_type = () -> ()} : () -> ()

// -----

// expected-error@below {{'func.func' op visibility expected to be one of ["public", "private", "nested"], but got "foo"}}
"func.func"() ({}) {sym_name = "f", function_type = () -> (), sym_visibility = "foo"} : () -> ()

// -----

// expected-error@below {{'func.func' op attribute 'sym_visibility' failed to satisfy constraint: string attribute}}
"func.func"() ({}) {sym_name = "f", function_type = () -> (), sym_visibility = 1} : () -> ()

// -----

// expected-error@below {{'func.func' op expects argument attribute array to have the same number of elements as the number of function arguments, got 1, but expected 0}}
"func.func"() ({}) {sym_name = "f", function_type = () -> (), sym_visibility = "private", arg_attrs = [{}]} : () -> ()

// -----

// expected-error@below {{'func.func' op attribute 'arg_attrs' failed to satisfy constraint: Array of dictionary attributes}}
"func.func"() ({}) {sym_name = "f", function_type = (i32) -> (), sym_visibility = "private", arg_attrs = [1]} : () -> ()

// -----

// expected-error@below {{'func.func' op arguments may only have dialect attributes}}
"func.func"() ({}) {sym_name = "f", function_type = (i32) -> (), sym_visibility = "private", arg_attrs = [{a}]} : () -> ()

// -----

// expected-error@below {{'func.func' op attribute 'arg_attrs' failed to satisfy constraint: Array of dictionary attributes}}
"func.func"() ({}) {sym_name = "f", function_type = (i32) -> (), sym_visibility = "private", arg_attrs = 1} : () -> ()

// -----

// expected-error@below {{'func.func' op results may only have dialect attributes}}
"func.func"() ({}) {sym_name = "f", function_type = () -> (i32), sym_visibility = "private", res_attrs = [{a}]} : () -> ()

// -----

// expected-error@below {{'func.func' op expects result attribute array to have the same number of elements as the number of function results, got 0, but expected 1}}
"func.func"() ({}) {sym_name = "f", function_type = () -> (i32), sym_visibility = "private", res_attrs = []} : () -> ()

// -----

// expected-error@below {{'func.func' op entry block must have 0 arguments to match function signature}}
"func.func"() ({^bb0(%a: i32): "func.return"() : () -> ()}) {sym_name = "f", function_type = () -> ()} : () -> ()

// -----

// expected-error@below {{'func.func' op type of entry block argument #0('i32') must match the type of the corresponding argument in function signature('f32')}}
"func.func"() ({^bb0(%a: i32): "func.return"() : () -> ()}) {sym_name = "f", function_type = (f32) -> ()} : () -> ()

// -----

// expected-error@below {{'func.func' op symbol's parent must have the SymbolTable trait}}
func.func @f() { func.func @g() { return } return }

// -----

// expected-error@below {{'arith.constant' op requires attribute 'value'}}
%0 = "arith.constant"() : () -> i32

// -----

// expected-error@below {{'arith.constant' op requires one result}}
%0:2 = "arith.constant"() {value = 1 : i32} : () -> (i32, i32)

// -----

// expected-error@below {{'arith.constant' op requires one result}}
"arith.constant"() {value = 1 : i32} : () -> ()

// -----

// expected-error@below {{'arith.constant' op requires zero regions}}
%0 = "arith.constant"() ({}) {value = 1 : i32} : () -> i32

// -----

// expected-error@below {{'arith.addi' op expected 2 operands, but found 0}}
%0 = "arith.addi"() : () -> i32

// -----

%0 = "t.x"() : () -> f32
// expected-error@below {{'arith.addi' op operand #0 must be signless-integer-like, but got 'f32'}}
%1 = "arith.addi"(%0, %0) : (f32, f32) -> f32

// -----

%0 = "t.x"() : () -> i32
// expected-error@below {{'arith.addi' op requires the same type for all operands and results}}
%1 = "arith.addi"(%0, %0) : (i32, i32) -> i64

// -----

// expected-note@below {{prior use here}}
%0 = "t.x"() : () -> i32
// expected-error@below {{use of value '%0' expects different type than prior uses: 'f32' vs 'i32'}}
%1 = arith.addi %0, %0 : f32

// -----

// expected-error@below {{'builtin.module' op requires one region}}
"builtin.module"() : () -> ()

// -----

// expected-error@below {{'builtin.module' op region #0 ('bodyRegion') failed to verify constraint: region with 1 blocks}}
"builtin.module"() ({}) : () -> ()

// -----

// expected-error@below {{'builtin.module' op expects region #0 to have 0 or 1 blocks}}
"builtin.module"() ({ ^a: "t.br"()[^b] : () -> () ^b: }) : () -> ()

// -----

// expected-error@below {{'builtin.module' op can only contain attributes with dialect-prefixed names, found: 'foo'}}
module attributes {foo} {}
