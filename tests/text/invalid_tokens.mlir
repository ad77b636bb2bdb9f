// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics
// What the lexer refuses, and names that are none.

// expected-error@below {{expected '"' in string literal}}
"t.op"() {a = "abc} : () -> ()

// -----

// expected-error@below {{unknown escape in string literal}}
"t.op"() {a = "a\qc"} : () -> ()

// -----

// expected-error@below {{unknown escape in string literal}}
"t.op"() {a = "a\} : () -> ()

// -----

// expected-error@below {{expected constant integer or floating point value}}
"t.op"() {a = -} : () -> ()

// -----

// expected-error@below {{expected constant integer or floating point value}}
"t.op"() {a = -foo} : () -> ()

// -----

// expected-error@below {{@ identifier expected to start with letter or '_'}}
"t.op"() {a = @} : () -> ()

// -----

// expected-error@below {{@ identifier expected to start with letter or '_'}}
"t.op"() {a = @ a} : () -> ()

// -----

// expected-error@below {{expected nested symbol reference identifier}}
"t.op"() {a = @a::b} : () -> ()

// -----

// expected-error@below {{expected nested symbol reference identifier}}
"t.op"() {a = @a::} : () -> ()

// -----

// expected-error@below {{invalid attribute name}}
"t.op"() {a = #} : () -> ()

// -----

// expected-error@below {{invalid type identifier}}
"t.op"() {a = !} : () -> ()

// -----

// expected-error@below {{unexpected character}}
"t.op"() {a = $} : () -> ()

// -----

// expected-error@below {{expected three consecutive dots for an ellipsis}}
"t.op"() {a = ..} : () -> ()

// -----

// expected-error@below {{unexpected character}}
"t.op"() {a = &} : () -> ()

// -----

// expected-error@below {{expected '}' in attribute dictionary}}
"t.op"() {a = 0x} : () -> ()

// -----

// expected-error@below {{expected non-function type}}
"t.op"() {a = 1 : } : () -> ()

// -----

// expected-error@below {{expected non-function type}}
"t.op"() {a = 1 : foo} : () -> ()

// -----

// expected-error@below {{expected non-function type}}
"t.op"() {a = "x" : foo} : () -> ()

// -----

// expected-error@below {{invalid SSA name}}
%

// -----

// expected-error@below {{invalid block name}}
^

// -----

// expected-error@below {{expected operation name in quotes}}
%0 = 1

// -----

// expected-error@below {{expected '=' after SSA name}}
%0

// -----

// expected-error@below {{expected operation name in quotes}}
%0 =

// -----

// expected-error@below {{expected operation name in quotes}}
}

// -----

// expected-error@below {{expected ':' followed by operation type}}
"t.op"() /

// -----

// expected-error@below {{invalid SSA name}}
"t.op"(%) : () -> ()

// -----

// expected-error@below {{invalid block name}}
"t.op"()[^] : () -> ()

// -----

// expected-error@below {{invalid SSA value result number}}
"t.op"(%0#a) : (i32) -> ()

// -----

// expected-error@below {{invalid SSA value result number}}
"t.op"(%0#4294967296) : (i32) -> ()

// -----

// expected-error@below {{expected '"' in string literal}}
"t.op"() {a = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx} : () -> ()
