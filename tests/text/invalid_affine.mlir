// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Affine maps and integer sets.

// expected-error@below {{expected '<' in affine map}}
"t.op"() {a = affine_map} : () -> ()

// -----

// expected-error@below {{expected '<' in integer set}}
"t.op"() {a = affine_set} : () -> ()

// -----

// expected-error@below {{expected '>'}}
"t.op"() {a = affine_map<() -> ()} : () -> ()

// -----

// expected-error@below {{expected '(' in dimensional identifier list}}
"t.op"() {a = affine_map<>} : () -> ()

// -----

// expected-error@below {{expected bare identifier}}
"t.op"() {a = affine_map<(>} : () -> ()

// -----

// expected-error@below {{expected '(' in dimensional identifier list}}
"t.op"() {a = affine_map<d0>} : () -> ()

// -----

// expected-error@below {{expected ')' in dimensional identifier list}}
"t.op"() {a = affine_map<(d0>} : () -> ()

// -----

// expected-error@below {{expected bare identifier}}
"t.op"() {a = affine_map<(d0,) -> (d0)>} : () -> ()

// -----

// expected-error@below {{expected bare identifier}}
"t.op"() {a = affine_map<(0) -> (d0)>} : () -> ()

// -----

// expected-error@below {{redefinition of identifier 'd0'}}
"t.op"() {a = affine_map<(d0, d0) -> (d0)>} : () -> ()

// -----

// expected-error@below {{redefinition of identifier 'd0'}}
"t.op"() {a = affine_map<(d0)[d0] -> (d0)>} : () -> ()

// -----

// expected-error@below {{expected ']' in symbol list}}
"t.op"() {a = affine_map<(d0)[s0 -> (d0)>} : () -> ()

// -----

// expected-error@below {{expected '->' or ':'}}
"t.op"() {a = affine_map<(d0)>} : () -> ()

// -----

// expected-error@below {{expected '->' or ':'}}
"t.op"() {a = affine_map<(d0) d0>} : () -> ()

// -----

// expected-error@below {{expected '(' in affine map range}}
"t.op"() {a = affine_map<(d0) ->>} : () -> ()

// -----

// expected-error@below {{expected '(' in affine map range}}
"t.op"() {a = affine_map<(d0) -> d0>} : () -> ()

// -----

// expected-error@below {{expected ')' in affine map range}}
"t.op"() {a = affine_map<(d0) -> (d0>} : () -> ()

// -----

// expected-error@below {{expected affine expression}}
"t.op"() {a = affine_map<(d0) -> (d0,)>} : () -> ()

// -----

// expected-error@below {{expected ')' in affine map range}}
"t.op"() {a = affine_map<(d0) -> (d0 d0)>} : () -> ()

// -----

// expected-error@below {{no expression inside parentheses}}
"t.op"() {a = affine_map<(d0) -> (())>} : () -> ()

// -----

// expected-error@below {{expected ')'}}
"t.op"() {a = affine_map<(d0) -> ((d0>} : () -> ()

// -----

// expected-error@below {{use of undeclared identifier}}
"t.op"() {a = affine_map<(d0) -> (d1)>} : () -> ()

// -----

// expected-error@below {{unexpected ssa identifier}}
"t.op"() {a = affine_map<(d0) -> (%x)>} : () -> ()

// -----

// expected-error@below {{missing right operand of binary operator}}
"t.op"() {a = affine_map<(d0) -> (d0 +)>} : () -> ()

// -----

// expected-error@below {{missing left operand of binary operator}}
"t.op"() {a = affine_map<(d0) -> (+ d0)>} : () -> ()

// -----

// expected-error@below {{missing left operand of binary operator}}
"t.op"() {a = affine_map<(d0) -> (* d0)>} : () -> ()

// -----

// expected-error@below {{missing right operand of binary operator}}
"t.op"() {a = affine_map<(d0) -> (d0 mod)>} : () -> ()

// -----

// expected-error@below {{expected affine expression}}
// expected-error@below {{missing operand of negation}}
"t.op"() {a = affine_map<(d0) -> (-)>} : () -> ()

// -----

// expected-error@below {{constant too large for index}}
"t.op"() {a = affine_map<(d0) -> (99999999999999999999)>} : () -> ()

// -----

// expected-error@below {{constant too large for index}}
// expected-error@below {{missing operand of negation}}
"t.op"() {a = affine_map<(d0) -> (-9223372036854775808)>} : () -> ()

// -----

// expected-error@below {{non-affine expression: at least one of the multiply operands has to be either a constant or symbolic}}
"t.op"() {a = affine_map<(d0) -> (d0 * d0)>} : () -> ()

// -----

// expected-error@below {{non-affine expression: right operand of mod has to be either a constant or symbolic}}
"t.op"() {a = affine_map<(d0) -> (d0 mod d0)>} : () -> ()

// -----

// expected-error@below {{non-affine expression: right operand of floordiv has to be either a constant or symbolic}}
"t.op"() {a = affine_map<(d0) -> (d0 floordiv d0)>} : () -> ()

// -----

// expected-error@below {{non-affine expression: right operand of ceildiv has to be either a constant or symbolic}}
"t.op"() {a = affine_map<(d0) -> (d0 ceildiv d0)>} : () -> ()

// -----

// expected-error@below {{expected AffineMap, but got IntegerSet}}
"t.op"() {a = affine_map<(d0) : (d0 >= 0)>} : () -> ()

// -----

// expected-error@below {{more than 2048 operands in affine expressions}}
"t.op"() {a = affine_map<(d0) -> (d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0 + d0)>} : () -> ()

// -----

// expected-error@below {{more than 1024 identifiers}}
"t.op"() {a = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, d20, d21, d22, d23, d24, d25, d26, d27, d28, d29, d30, d31, d32, d33, d34, d35, d36, d37, d38, d39, d40, d41, d42, d43, d44, d45, d46, d47, d48, d49, d50, d51, d52, d53, d54, d55, d56, d57, d58, d59, d60, d61, d62, d63, d64, d65, d66, d67, d68, d69, d70, d71, d72, d73, d74, d75, d76, d77, d78, d79, d80, d81, d82, d83, d84, d85, d86, d87, d88, d89, d90, d91, d92, d93, d94, d95, d96, d97, d98, d99, d100, d101, d102, d103, d104, d105, d106, d107, d108, d109, d110, d111, d112, d113, d114, d115, d116, d117, d118, d119, d120, d121, d122, d123, d124, d125, d126, d127, d128, d129, d130, d131, d132, d133, d134, d135, d136, d137, d138, d139, d140, d141, d142, d143, d144, d145, d146, d147, d148, d149, d150, d151, d152, d153, d154, d155, d156, d157, d158, d159, d160, d161, d162, d163, d164, d165, d166, d167, d168, d169, d170, d171, d172, d173, d174, d175, d176, d177, d178, d179, d180, d181, d182, d183, d184, d185, d186, d187, d188, d189, d190, d191, d192, d193, d194, d195, d196, d197, d198, d199, d200, d201, d202, d203, d204, d205, d206, d207, d208, d209, d210, d211, d212, d213, d214, d215, d216, d217, d218, d219, d220, d221, d222, d223, d224, d225, d226, d227, d228, d229, d230, d231, d232, d233, d234, d235, d236, d237, d238, d239, d240, d241, d242, d243, d244, d245, d246, d247, d248, d249, d250, d251, d252, d253, d254, d255, d256, d257, d258, d259, d260, d261, d262, d263, d264, d265, d266, d267, d268, d269, d270, d271, d272, d273, d274, d275, d276, d277, d278, d279, d280, d281, d282, d283, d284, d285, d286, d287, d288, d289, d290, d291, d292, d293, d294, d295, d296, d297, d298, d299, d300, d301, d302, d303, d304, d305, d306, d307, d308, d309, d310, d311, d312, d313, d314, d315, d316, d317, d318, d319, d320, d321, d322, d323, d324, d325, d326, d327, d328, d329, d330, d331, d332, d333, d334, d335, d336, d337, d338, d339, d340, d341, d342, d343, d344, d345, d346, d347, d348, d349, d350, d351, d352, d353, d354, d355, d356, d357, d358, d359, d360, d361, d362, d363, d364, d365, d366, d367, d368, d369, d370, d371, d372, d373, d374, d375, d376, d377, d378, d379, d380, d381, d382, d383, d384, d385, d386, d387, d388, d389, d390, d391, d392, d393, d394, d395, d396, d397, d398, d399, d400, d401, d402, d403, d404, d405, d406, d407, d408, d409, d410, d411, d412, d413, d414, d415, d416, d417, d418, d419, d420, d421, d422, d423, d424, d425, d426, d427, d428, d429, d430, d431, d432, d433, d434, d435, d436, d437, d438, d439, d440, d441, d442, d443, d444, d445, d446, d447, d448, d449, d450, d451, d452, d453, d454, d455, d456, d457, d458, d459, d460, d461, d462, d463, d464, d465, d466, d467, d468, d469, d470, d471, d472, d473, d474, d475, d476, d477, d478, d479, d480, d481, d482, d483, d484, d485, d486, d487, d488, d489, d490, d491, d492, d493, d494, d495, d496, d497, d498, d499, d500, d501, d502, d503, d504, d505, d506, d507, d508, d509, d510, d511, d512, d513, d514, d515, d516, d517, d518, d519, d520, d521, d522, d523, d524, d525, d526, d527, d528, d529, d530, d531, d532, d533, d534, d535, d536, d537, d538, d539, d540, d541, d542, d543, d544, d545, d546, d547, d548, d549, d550, d551, d552, d553, d554, d555, d556, d557, d558, d559, d560, d561, d562, d563, d564, d565, d566, d567, d568, d569, d570, d571, d572, d573, d574, d575, d576, d577, d578, d579, d580, d581, d582, d583, d584, d585, d586, d587, d588, d589, d590, d591, d592, d593, d594, d595, d596, d597, d598, d599, d600, d601, d602, d603, d604, d605, d606, d607, d608, d609, d610, d611, d612, d613, d614, d615, d616, d617, d618, d619, d620, d621, d622, d623, d624, d625, d626, d627, d628, d629, d630, d631, d632, d633, d634, d635, d636, d637, d638, d639, d640, d641, d642, d643, d644, d645, d646, d647, d648, d649, d650, d651, d652, d653, d654, d655, d656, d657, d658, d659, d660, d661, d662, d663, d664, d665, d666, d667, d668, d669, d670, d671, d672, d673, d674, d675, d676, d677, d678, d679, d680, d681, d682, d683, d684, d685, d686, d687, d688, d689, d690, d691, d692, d693, d694, d695, d696, d697, d698, d699, d700, d701, d702, d703, d704, d705, d706, d707, d708, d709, d710, d711, d712, d713, d714, d715, d716, d717, d718, d719, d720, d721, d722, d723, d724, d725, d726, d727, d728, d729, d730, d731, d732, d733, d734, d735, d736, d737, d738, d739, d740, d741, d742, d743, d744, d745, d746, d747, d748, d749, d750, d751, d752, d753, d754, d755, d756, d757, d758, d759, d760, d761, d762, d763, d764, d765, d766, d767, d768, d769, d770, d771, d772, d773, d774, d775, d776, d777, d778, d779, d780, d781, d782, d783, d784, d785, d786, d787, d788, d789, d790, d791, d792, d793, d794, d795, d796, d797, d798, d799, d800, d801, d802, d803, d804, d805, d806, d807, d808, d809, d810, d811, d812, d813, d814, d815, d816, d817, d818, d819, d820, d821, d822, d823, d824, d825, d826, d827, d828, d829, d830, d831, d832, d833, d834, d835, d836, d837, d838, d839, d840, d841, d842, d843, d844, d845, d846, d847, d848, d849, d850, d851, d852, d853, d854, d855, d856, d857, d858, d859, d860, d861, d862, d863, d864, d865, d866, d867, d868, d869, d870, d871, d872, d873, d874, d875, d876, d877, d878, d879, d880, d881, d882, d883, d884, d885, d886, d887, d888, d889, d890, d891, d892, d893, d894, d895, d896, d897, d898, d899, d900, d901, d902, d903, d904, d905, d906, d907, d908, d909, d910, d911, d912, d913, d914, d915, d916, d917, d918, d919, d920, d921, d922, d923, d924, d925, d926, d927, d928, d929, d930, d931, d932, d933, d934, d935, d936, d937, d938, d939, d940, d941, d942, d943, d944, d945, d946, d947, d948, d949, d950, d951, d952, d953, d954, d955, d956, d957, d958, d959, d960, d961, d962, d963, d964, d965, d966, d967, d968, d969, d970, d971, d972, d973, d974, d975, d976, d977, d978, d979, d980, d981, d982, d983, d984, d985, d986, d987, d988, d989, d990, d991, d992, d993, d994, d995, d996, d997, d998, d999, d1000, d1001, d1002, d1003, d1004, d1005, d1006, d1007, d1008, d1009, d1010, d1011, d1012, d1013, d1014, d1015, d1016, d1017, d1018, d1019, d1020, d1021, d1022, d1023, d1024) -> ()>} : () -> ()

// -----

// expected-error@below {{nested too deeply (more than 256 levels)}}
"t.op"() {a = affine_map<(d0) -> (((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((>} : () -> ()

// -----

// expected-error@below {{expected IntegerSet, but got AffineMap}}
"t.op"() {a = affine_set<(d0) -> (d0)>} : () -> ()

// -----

// expected-error@below {{expected '(' in integer set constraint list}}
"t.op"() {a = affine_set<(d0) : d0>} : () -> ()

// -----

// expected-error@below {{expected '== affine-expr' or '>= affine-expr' at end of affine constraint}}
"t.op"() {a = affine_set<(d0) : (d0)>} : () -> ()

// -----

// expected-error@below {{expected '== affine-expr' or '>= affine-expr' at end of affine constraint}}
"t.op"() {a = affine_set<(d0) : (d0 > 0)>} : () -> ()

// -----

// expected-error@below {{expected affine expression}}
"t.op"() {a = affine_set<(d0) : (d0 >= )>} : () -> ()

// -----

// expected-error@below {{expected ')' in integer set constraint list}}
"t.op"() {a = affine_set<(d0) : (d0 >= 0>} : () -> ()

// -----

// expected-error@below {{expected affine expression}}
"t.op"() {a = affine_set<(d0) : (d0 >= 0,)>} : () -> ()
