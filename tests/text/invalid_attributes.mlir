// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Numbers, strings, arrays, dictionaries, layouts and what unknown dialects may not say.

// expected-error@below {{expected attribute value}}
"t.op"() {a = } : () -> ()

// -----

// expected-error@below {{expected attribute value}}
"t.op"() {a = foo} : () -> ()

// -----

// expected-error@below {{integer constant out of range for attribute}}
"t.op"() {a = 9223372036854775808 : index} : () -> ()

// -----

// expected-error@below {{integer constant out of range for attribute}}
"t.op"() {a = 18446744073709551616} : () -> ()

// -----

// expected-error@below {{integer constant out of range for attribute}}
"t.op"() {a = -9223372036854775809} : () -> ()

// -----

// expected-error@below {{integer constant out of range for attribute}}
"t.op"() {a = 256 : i8} : () -> ()

// -----

// expected-error@below {{integer constant out of range for attribute}}
"t.op"() {a = -129 : i8} : () -> ()

// -----

// expected-error@below {{integer constant out of range for attribute}}
"t.op"() {a = 128 : si8} : () -> ()

// -----

// expected-error@below {{negative integer literal not valid for unsigned integer type}}
"t.op"() {a = -1 : ui8} : () -> ()

// -----

// expected-error@below {{integer constant out of range for attribute}}
"t.op"() {a = 1 : i0} : () -> ()

// -----

// expected-error@below {{integer literal not valid for specified type}}
"t.op"() {a = 1 : none} : () -> ()

// -----

// expected-error@below {{integer literal not valid for specified type}}
"t.op"() {a = 1 : tensor<2xi32>} : () -> ()

// -----

// expected-error@below {{unexpected decimal integer literal for a floating point value}}
// expected-note@below {{add a trailing dot to make the literal a float}}
"t.op"() {a = 1 : f32} : () -> ()

// -----

// expected-error@below {{hexadecimal float literal should not have a leading minus}}
"t.op"() {a = -0x1 : f32} : () -> ()

// -----

// expected-error@below {{hexadecimal float constant out of range for type}}
"t.op"() {a = 0xFFFFFFFFF : f32} : () -> ()

// -----

// expected-error@below {{floating point value not valid for specified type}}
"t.op"() {a = 1.0 : i32} : () -> ()

// -----

// expected-error@below {{floating point value not valid for specified type}}
"t.op"() {a = 1.0 : tensor<f32>} : () -> ()

// -----

// expected-error@below {{integer constant out of range for attribute}}
"t.op"() {a = 340282366920938463463374607431768211456 : i128} : () -> ()

// -----

// expected-error@below {{integer constant out of range for attribute}}
"t.op"() {a = 170141183460469231731687303715884105728 : si128} : () -> ()

// -----

// expected-error@below {{expected ',' or ']'}}
"t.op"() {a = [1 2]} : () -> ()

// -----

// expected-error@below {{expected ',' or ']'}}
"t.op"() {a = [1} : () -> ()

// -----

// expected-error@below {{duplicate key 'a' in dictionary attribute}}
"t.op"() {a = {a = 1, a = 2}} : () -> ()

// -----

// expected-error@below {{duplicate key 'a' in dictionary attribute}}
"t.op"() {a = {a = 1, b = {a}, "a" = 2}} : () -> ()

// -----

// expected-error@below {{expected valid attribute name}}
"t.op"() {a = {"" = 1}} : () -> ()

// -----

// expected-error@below {{expected attribute name}}
"t.op"() {a = {1 = 1}} : () -> ()

// -----

// expected-error@below {{expected '}' in attribute dictionary}}
"t.op"() {a = {a-b = 1}} : () -> ()

// -----

// expected-error@below {{expected '}' in attribute dictionary}}
"t.op"() {a = {a 1}} : () -> ()

// -----

// expected-error@below {{expected '<' after 'strided'}}
"t.op"() {a = strided} : () -> ()

// -----

// expected-error@below {{expected '['}}
"t.op"() {a = strided<} : () -> ()

// -----

// expected-error@below {{expected ',' or ']'}}
"t.op"() {a = strided<[1} : () -> ()

// -----

// expected-error@below {{expected a 64-bit signed integer or '?'}}
"t.op"() {a = strided<[1,]>} : () -> ()

// -----

// expected-error@below {{expected 'offset' after comma}}
"t.op"() {a = strided<[1], } : () -> ()

// -----

// expected-error@below {{expected ':' after 'offset'}}
"t.op"() {a = strided<[1], offset} : () -> ()

// -----

// expected-error@below {{expected a 64-bit signed integer or '?'}}
"t.op"() {a = strided<[1], offset: } : () -> ()

// -----

// expected-error@below {{expected ','}}
"t.op"() {a = strided<[1]} : () -> ()

// -----

// expected-error@below {{expected a 64-bit signed integer or '?'}}
"t.op"() {a = strided<[9999999999999999999999]>} : () -> ()

// -----

// expected-error@below {{expected '[' after 'distinct'}}
"t.op"() {a = distinct} : () -> ()

// -----

// expected-error@below {{expected distinct ID}}
"t.op"() {a = distinct[} : () -> ()

// -----

// expected-error@below {{expected distinct ID}}
"t.op"() {a = distinct[-1]<>} : () -> ()

// -----

// expected-error@below {{expected ']' to close distinct ID}}
"t.op"() {a = distinct[1} : () -> ()

// -----

// expected-error@below {{expected '<' after distinct ID}}
"t.op"() {a = distinct[1]} : () -> ()

// -----

// expected-error@below {{expected '>' to close distinct attribute}}
"t.op"() {a = distinct[1]<1} : () -> ()

// -----

// expected-error@below {{expected an unsigned 64-bit integer}}
"t.op"() {a = distinct[99999999999999999999]<>} : () -> ()

// -----

// expected-error@below {{referenced attribute does not match previous definition: @a}}
"t.op"() {a = [distinct[0]<@a>, distinct[0]<@b>]} : () -> ()

// -----

// expected-error@below {{expected '<' after 'dense_resource'}}
"t.op"() {a = dense_resource} : () -> ()

// -----

// expected-error@below {{expected identifier key for 'resource' entry}}
"t.op"() {a = dense_resource<} : () -> ()

// -----

// expected-error@below {{expected identifier key for 'resource' entry}}
"t.op"() {a = dense_resource<1> : tensor<2xi32>} : () -> ()

// -----

// expected-error@below {{expected '>'}}
"t.op"() {a = dense_resource<a} : () -> ()

// -----

// expected-error@below {{expected ':'}}
"t.op"() {a = dense_resource<a>} : () -> ()

// -----

// expected-error@below {{expected non-function type}}
"t.op"() {a = dense_resource<a> : } : () -> ()

// -----

// expected-error@below {{`dense_resource` expected a shaped type}}
"t.op"() {a = dense_resource<a> : i32} : () -> ()

// -----

// expected-error@below {{undefined symbol alias id 'x'}}
"t.op"() {a = #x} : () -> ()

// -----

// expected-error@below {{unbalanced '(' character in pretty dialect name}}
"t.op"() {a = #x.bar<(>} : () -> ()

// -----

// expected-error@below {{unbalanced '[' character in pretty dialect name}}
"t.op"() {a = #x.bar<[}>} : () -> ()

// -----

// expected-error@below {{unbalanced '<' character in pretty dialect name}}
"t.op"() {a = #x.bar<} : () -> ()

// -----

// expected-error@below {{expected '"' in string literal}}
"t.op"() {a = #x.bar<"abc>} : () -> ()

// -----

// expected-error@below {{unbalanced '<' character in pretty dialect name}}
"t.op"() {a = #x.bar<abc)>} : () -> ()

// -----

// expected-error@below {{invalid dialect namespace '""'}}
"t.op"() {a = #.x} : () -> ()

// -----

// expected-error@below {{dialect 'func' provides no attribute parsing hook}}
"t.op"() {a = #func.x} : () -> ()

// -----

// expected-error@below {{invalid dialect namespace '"0"'}}
"t.op"() {a = #0<a>} : () -> ()

// -----

// expected-error@below {{nested too deeply (more than 256 levels)}}
"t.op"() {a = [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[} : () -> ()

// -----

// expected-error@below {{nested too deeply (more than 256 levels)}}
"t.op"() {a = #x.y<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<} : () -> ()

// -----

// expected-error@below {{expected '}' in attribute dictionary}}
"t.op"() {a = 1 b = 2} : () -> ()

// -----

// expected-error@below {{integer literal not valid for specified type}}
"t.op"() {a = 1 : () -> ()

// -----

// expected-error@below {{expected attribute name}}
"t.op"() {1} : () -> ()

// -----

// expected-error@below {{unbalanced '<' character in pretty dialect name}}
"t.op"() {a = #x.bar<abc
