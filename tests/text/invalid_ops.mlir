// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics
// The parts of an op, its names and its regions.

// expected-error@below {{expected named operation to have at least 1 result}}
%0:0 = "t.op"() : () -> ()

// -----

// expected-error@below {{operation defines 1 results but was provided 2 to bind}}
%0:2 = "t.op"() : () -> i32

// -----

// expected-error@below {{expected integer number of results}}
%0:a = "t.op"() : () -> i32

// -----

// expected-error@below {{operation defines 1 results but was provided 4294967295 to bind}}
%0:4294967295 = "t.op"() : () -> i32

// -----

// expected-error@below {{expected named operation to have at least 1 result}}
%0:99999999999999999999 = "t.op"() : () -> i32

// -----

// expected-error@below {{operation defines 1 results but was provided 2 to bind}}
%0, %1 = "t.op"() : () -> i32

// -----

// expected-error@below {{cannot name an operation with no results}}
%0 = "t.op"() : () -> ()

// -----

// expected-error@below {{expected valid ssa identifier}}
%0, = "t.op"() : () -> i32

// -----

// expected-error@below {{expected '=' after SSA name}}
%0 "t.op"() : () -> i32

// -----

// expected-note@below {{previously defined here}}
%0 = "t.op"() : () -> i32
// expected-error@below {{redefinition of SSA value '%0'}}
%0 = "t.op"() : () -> i32

// -----

// expected-error@below {{use of undeclared SSA value name}}
"t.op"(%0) : (i32) -> ()

// -----

// expected-error@below {{use of undeclared SSA value name}}
"t.op"(%0#1) : (i32) -> ()
%0 = "t.op"() : () -> i32

// -----

%0 = "t.op"() : () -> i32
// expected-error@below {{reference to invalid result number}}
"t.op"(%0#1) : (i32) -> ()

// -----

// expected-note@below {{prior use here}}
%0 = "t.op"() : () -> i32
// expected-error@below {{use of value '%0' expects different type than prior uses: 'f32' vs 'i32'}}
"t.op"(%0) : (f32) -> ()

// -----

// expected-note@below {{previously used here with type 'f32'}}
"t.op"(%0) : (f32) -> ()
// expected-error@below {{definition of SSA value '%0#0' has type 'i32'}}
%0 = "t.op"() : () -> i32

// -----

// expected-note@below {{prior use here}}
"t.op"(%0) : (f32) -> ()
// expected-error@below {{use of value '%0' expects different type than prior uses: 'i32' vs 'f32'}}
"t.op"(%0) : (i32) -> ()

// -----

// expected-error@below {{expected 1 operand type but had 0}}
"t.op"(%0) : () -> ()

// -----

// expected-error@below {{expected 2 operand types but had 1}}
"t.op"(%0, %1) : (i32) -> ()

// -----

// expected-error@below {{expected 0 operand types but had 1}}
"t.op"() : (i32) -> ()

// -----

// expected-error@below {{expected ')' to end operand list}}
"t.op"(%0 : (i32) -> ()

// -----

// expected-error@below {{expected SSA operand}}
"t.op"(%0,) : (i32) -> ()

// -----

// expected-error@below {{expected ')' to end operand list}}
"t.op"(0) : (i32) -> ()

// -----

// expected-error@below {{expected '(' to start operand list}}
"t.op" : () -> ()

// -----

// expected-error@below {{expected '{' to begin a region}}
"t.op"() () -> ()

// -----

// expected-error@below {{expected ':' followed by operation type}}
"t.op"()

// -----

// expected-error@below {{expected operation name in quotes}}
"t.op"() ({ : () -> ()

// -----

// expected-error@below {{expected ')' to end region list}}
"t.op"() ({} : () -> ()

// -----

// expected-error@below {{expected '{' to begin a region}}
"t.op"() (1) : () -> ()

// -----

// expected-error@below {{expected operation name in quotes}}
"t.op"() ({ "t.x"() : () -> ()

// -----

// expected-error@below {{expected block name}}
"t.op"()[] : () -> ()

// -----

// expected-error@below {{expected ',' or ']'}}
"t.op"()[^a : () -> ()

// -----

// expected-error@below {{reference to an undefined block}}
"t.op"() ({ "t.y"()[^a] : () -> () }) : () -> ()

// -----

"t.op"() ({
^a:
  "t.y"()[^a] : () -> ()
// expected-error@below {{redefinition of block '^a'}}
^a:
  "t.y"() : () -> ()
}) : () -> ()

// -----

"t.op"() ({
// expected-error@below {{expected ':' after block name}}
^a
  "t.y"() : () -> ()
}) : () -> ()

// -----

"t.op"() ({
// expected-error@below {{expected ':' and type for SSA operand}}
^a(%x):
}) : () -> ()

// -----

"t.op"() ({
// expected-error@below {{expected SSA operand}}
^a(x: i32):
}) : () -> ()

// -----

"t.op"() ({
// expected-error@below {{expected ')'}}
^a(%x: i32:
}) : () -> ()

// -----

"t.op"() ({
// expected-error@below {{redefinition of SSA value '%x'}}
// expected-note@below {{previously defined here}}
^a(%x: i32, %x: i32):
}) : () -> ()

// -----

// expected-error@below {{successors in non-terminator}}
"t.op"() ({ %0 = "arith.constant"()[^a] {value = 1 : i32} : () -> i32
^a: }) : () -> ()

// -----

// expected-error@below {{expected '>' to close properties}}
"t.op"() <{a = 1} : () -> ()

// -----

// expected-error@below {{duplicate key 'a' in dictionary attribute}}
"t.op"() <{a = 1, a = 2}> : () -> ()

// -----

// expected-error@below {{invalid properties 1 : i64 for op arith.constant: expected DictionaryAttr to set properties}}
%0 = "arith.constant"() <1> : () -> i32

// -----

// expected-error@below {{'arith.constant' op has no property 'valu'}}
%0 = "arith.constant"() <{valu = 1 : i32}> : () -> i32

// -----

// expected-error@below {{'arith.constant' op has attribute 'value' twice}}
%0 = "arith.constant"() <{value = 1 : i32}> {value = 2 : i32} : () -> i32

// -----

// expected-error@below {{empty operation name is invalid}}
""() : () -> ()

// -----

// expected-error@below {{null character not allowed in operation name}}
"t.\00x"() : () -> ()

// -----

// expected-error@below {{Dialect `foo' not found for custom op 'foo.bar'}}
foo.bar

// -----

// expected-error@below {{custom op 'foo' is unknown (tried 'builtin.foo' as well)}}
foo

// -----

// expected-error@below {{custom op 'func.foo' is unknown}}
func.foo

// -----

// expected-error@below {{custom op 'foo' is unknown (tried 'builtin.foo' as well)}}
module { foo }

// -----

// expected-error@below {{custom op 'foo' is unknown (tried 'func.foo' as well)}}
func.func @f() { foo }

// -----

// expected-error@below {{expected operation name in quotes}}
^bb0:

// -----

// expected-error@below {{expected operation name in quotes}}
module {

// -----

module {
// expected-error@below {{expected operation name in quotes}}
}}

// -----

// expected-error@below {{@ identifier expected to start with letter or '_'}}
module @ {}

// -----

// expected-error@below {{expected '{' in attribute dictionary}}
module attributes 1 {}

// -----

// expected-error@below {{expected operation name in quotes}}
module {} {}

// -----

// expected-error@below {{custom op 'func.func' expected valid '@'-identifier for symbol name}}
func.func f()

// -----

// expected-error@below {{expected non-function type}}
func.func @f(

// -----

// expected-error@below {{expected ':'}}
func.func @f(%a)

// -----

// expected-error@below {{custom op 'func.func' expected SSA identifier}}
func.func @f(%a: i32, f32)

// -----

// expected-error@below {{custom op 'func.func' expected type instead of SSA identifier}}
func.func @f(i32, %a: i32)

// -----

// expected-error@below {{region entry argument '%a' is already in use}}
// expected-note@below {{previously referenced here}}
func.func @f(%a: i32, %a: i32) { return }

// -----

func.func @f(%a: i32) {
// expected-error@below {{invalid block name in region with named arguments}}
^bb0(%b: i32):
  return
}

// -----

// expected-error@below {{custom op 'func.func' expected non-empty function body}}
func.func @f() { }

// -----

// expected-error@below {{expected operation name in quotes}}
func.func @f() { return

// -----

// expected-error@below {{expected '{' in attribute dictionary}}
func.func private @f() attributes 1

// -----

// expected-error@below {{custom op 'func.call' number of operands and types do not match: got 0 operands and 1 types}}
func.func @f() { call @f() : (i32) -> () return }

// -----

// expected-error@below {{expected '('}}
func.func @f() { call @f : () -> () return }

// -----

// expected-error@below {{nested too deeply (more than 256 levels)}}
"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({"t.op"() ({

// -----

// expected-error@below {{nested too deeply (more than 256 levels)}}
module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {module {
