// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics
// What rows and traits of registered ops ask for.

%0 = "t.x"() : () -> i32
// expected-error@below {{'arith.addui_extended' op if a result is non-scalar, then at least one operand must be non-scalar}}
%1:2 = "arith.addui_extended"(%0, %0) : (i32, i32) -> (tensor<4xi32>, tensor<4xi1>)

// -----

%0 = "t.x"() : () -> tensor<4xi32>
// expected-error@below {{'arith.addui_extended' op if an operand is non-scalar, then there must be at least one non-scalar result}}
%1:2 = "arith.addui_extended"(%0, %0) : (tensor<4xi32>, tensor<4xi32>) -> (i32, i1)

// -----

%0 = "t.x"() : () -> i32
"t.y"() ({
// expected-error@below {{'func.return' op requires 0 successors but found 1}}
  "func.return"(%0)[^a] : (i32) -> ()
^a:
  "t.z"() : () -> ()
}) : () -> ()

// -----

// expected-error@below {{'stablehlo.abs' op requires a single operand}}
%0 = "stablehlo.abs"() : () -> tensor<f32>

// -----

// expected-error@below {{'stablehlo.while' op expected 2 regions}}
%0 = "stablehlo.while"() : () -> tensor<f32>

// -----

%0 = "t.x"() : () -> tensor<i32>
// expected-error@below {{expect at least one branch}}
// expected-error@below {{'stablehlo.case' op failed to infer returned types}}
%1 = "stablehlo.case"(%0) : (tensor<i32>) -> tensor<f32>

// -----

%0 = "t.x"() : () -> tensor<i32>
// expected-error@below {{'stablehlo.if' op expected 2 regions}}
"stablehlo.if"(%0) ({}) : (tensor<i32>) -> ()

// -----

%0 = "t.x"() : () -> tensor<4xf32>
// expected-error@below {{'tensor.extract_slice' op requires dense i32 array attribute 'operandSegmentSizes'}}
%1 = "tensor.extract_slice"(%0) {static_offsets = array<i64: 0>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<4xf32>

// -----

%0 = "t.x"() : () -> tensor<4xf32>
// expected-error@below {{'tensor.extract_slice' op operand count (1) does not match with the total size (2) specified in attribute 'operandSegmentSizes'}}
%1 = "tensor.extract_slice"(%0) {operandSegmentSizes = array<i32: 1, 0, 0, 1>, static_offsets = array<i64: 0>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<4xf32>

// -----

%0 = "t.x"() : () -> tensor<4xf32>
// expected-error@below {{'tensor.extract_slice' op 'operandSegmentSizes' attribute for specifying operand segments must have 4 elements, but got 3}}
%1 = "tensor.extract_slice"(%0) {operandSegmentSizes = array<i32: 1, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<4xf32>

// -----

%0 = "t.x"() : () -> tensor<4xf32>
// expected-error@below {{'tensor.extract_slice' op 'operandSegmentSizes' attribute cannot have negative elements}}
%1 = "tensor.extract_slice"(%0) {operandSegmentSizes = array<i32: 2, -1, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<4xf32>

// -----

%0 = "t.x"() : () -> tensor<4xi32>
// expected-error@below {{'arith.sitofp' op requires the same shape for all operands and results}}
%1 = "arith.sitofp"(%0) : (tensor<4xi32>) -> f32

// -----

%0 = "t.x"() : () -> i32
// expected-error@below {{'arith.sitofp' op requires the same shape for all operands and results}}
%1 = "arith.sitofp"(%0) : (i32) -> tensor<4xf32>

// -----

%0 = "t.x"() : () -> tensor<4xi32>
// expected-error@below {{'arith.sitofp' op requires the same shape for all operands and results}}
%1 = "arith.sitofp"(%0) : (tensor<4xi32>) -> tensor<5xf32>

// -----

%0 = "t.x"() : () -> tensor<4xi32>
// expected-error@below {{'arith.addui_extended' op if an operand is non-scalar, then all results must be non-scalar}}
%1:2 = "arith.addui_extended"(%0, %0) : (tensor<4xi32>, tensor<4xi32>) -> (tensor<4xi32>, i1)

// -----

// expected-error@below {{attribute 'iota_dimension' occurs more than once in the attribute list}}
%0 = stablehlo.iota dim = 0 {iota_dimension = 1 : i64} : tensor<4xf32>

// -----

// expected-error@below {{expected ')' in callsite location}}
"t.op"() {a = loc(callsite("a" at "b" "c"))} : () -> ()

// -----

// expected-error@below {{expected '<' and a name in dialect attribute}}
"t.op"() {a = #stablehlo<1>} : () -> ()

// -----

// expected-error@below {{unknown StableHLO attribute}}
"t.op"() {a = #stablehlo<foo>} : () -> ()

// -----

// expected-error@below {{expected '<' and a name in dialect type}}
"t.op"() {a = !stablehlo<1>} : () -> ()

// -----

// expected-error@below {{'ttcore.device_module' op requires one region}}
"ttcore.device_module"() ({}, {}) : () -> ()

// -----

// expected-error@below {{'ttcore.device_module' op Operations with a 'SymbolTable' must have exactly one block}}
"ttcore.device_module"() ({}) : () -> ()

// -----

%0 = "t.x"() : () -> i1
// expected-error@below {{empty block: expect at least a terminator}}
"scf.if"(%0) ({^bb0:}, {}) : (i1) -> ()

// -----

%0 = "t.x"() : () -> i1
// expected-error@below {{'scf.if' op expects regions to end with 'scf.yield', found 't.y'}}
// expected-note@below {{in custom textual format, the absence of terminator implies 'scf.yield'}}
"scf.if"(%0) ({"t.y"() : () -> ()}, {}) : (i1) -> ()

// -----

%0 = "t.x"() : () -> i1
// expected-error@below {{block with no terminator, has %1 = "arith.constant"() <{value = 1 : i32}> : () -> i32}}
"scf.if"(%0) ({"arith.constant"() {value = 1 : i32} : () -> i32}, {}) : (i1) -> ()

// -----

%0 = "t.x"() : () -> i1
scf.if %0 {
// expected-error@below {{'func.return' op expects parent op 'func.func'}}
  func.return
}

// -----

// expected-error@below {{'arith.addui_extended' op expected 2 results}}
"arith.addui_extended"() : () -> ()

// -----

// expected-error@below {{'chlo.scan' op result count (0) does not match with the total size (1) specified in attribute 'resultSegmentSizes'}}
"chlo.scan"() ({}) {operandSegmentSizes = array<i32: 0, 0>, resultSegmentSizes = array<i32: 0, 1>} : () -> ()

// -----

// expected-error@below {{'stablehlo.sort' op expected 1 or more operands, but found 0}}
%0 = "stablehlo.sort"() ({^a: "stablehlo.return"() : () -> ()}) : () -> tensor<f32>

// -----

// expected-error@below {{requires at least 1 input value}}
"stablehlo.reduce"() ({^a: "stablehlo.return"() : () -> ()}) {dimensions = array<i64: 0>} : () -> ()

// -----

%0 = "t.x"() : () -> tensor<f32>
// expected-error@below {{requires at least 1 input value}}
%1 = "stablehlo.reduce"(%0) ({^a: "stablehlo.return"() : () -> ()}) {dimensions = array<i64: 0>} : (tensor<f32>) -> tensor<f32>

// -----

func.func @f() {
// expected-error@below {{'func.func' op symbol's parent must have the SymbolTable trait}}
  func.func @g() {
    return
  }
  return
}

// -----

func.func @f() {
  "t.x"() ({
    %1 = "t.x"() : () -> i32
  }, {
// expected-error@below {{use of undeclared SSA value name}}
    "t.use"(%1) : (i32) -> ()
  }) : () -> ()
  return
}

// -----

"t.x"() ({
// expected-error@below {{operand #0 does not dominate this use}}
    "t.use"(%1) : (i32) -> ()
  "t.br"()[^a] : () -> ()
^a:
  "t.x"() ({
    "t.use"(%1) : (i32) -> ()
  }) : () -> ()
  "t.br"()[^b] : () -> ()
^b:
// expected-note@below {{operand defined here (op in the same region)}}
  %1 = "t.x"() : () -> i32
}) : () -> ()
