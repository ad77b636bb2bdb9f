// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics
// dense<...>, array<...> and sparse<...>.

// expected-error@below {{expected '<' after 'dense'}}
"t.op"() {a = dense} : () -> ()

// -----

// expected-error@below {{expected '<' after 'dense'}}
"t.op"() {a = dense 1} : () -> ()

// -----

// expected-error@below {{expected '>'}}
"t.op"() {a = dense<1} : () -> ()

// -----

// expected-error@below {{expected ':'}}
"t.op"() {a = dense<1>} : () -> ()

// -----

// expected-error@below {{expected non-function type}}
"t.op"() {a = dense<1> : } : () -> ()

// -----

// expected-error@below {{expected '>'}}
"t.op"() {a = dense<1 2> : tensor<2xi32>} : () -> ()

// -----

// expected-error@below {{expected ']'}}
"t.op"() {a = dense<[1 2]> : tensor<2xi32>} : () -> ()

// -----

// expected-error@below {{expected ']'}}
"t.op"() {a = dense<[1, 2> : tensor<2xi32>} : () -> ()

// -----

// expected-error@below {{expected element literal of primitive type}}
"t.op"() {a = dense<[1, 2,]> : tensor<2xi32>} : () -> ()

// -----

// expected-error@below {{expected element literal of primitive type}}
"t.op"() {a = dense<a> : tensor<2xi32>} : () -> ()

// -----

// expected-error@below {{parsed zero elements, but type ('tensor<2xi32>') expected at least 1}}
"t.op"() {a = dense<> : tensor<2xi32>} : () -> ()

// -----

// expected-error@below {{elements literal must be a shaped type}}
"t.op"() {a = dense<1> : i32} : () -> ()

// -----

// expected-error@below {{elements literal type must have static shape}}
"t.op"() {a = dense<1> : tensor<?xi32>} : () -> ()

// -----

// expected-error@below {{elements literal type must have static shape}}
"t.op"() {a = dense<1> : tensor<*xi32>} : () -> ()

// -----

// expected-error@below {{elements of this type are not supported}}
"t.op"() {a = dense<1> : tensor<2xi0>} : () -> ()

// -----

// expected-error@below {{inferred shape of elements literal ([2]) does not match type ([3])}}
"t.op"() {a = dense<[1, 2]> : tensor<3xi32>} : () -> ()

// -----

// expected-error@below {{inferred shape of elements literal ([2]) does not match type ([9999999999999])}}
"t.op"() {a = dense<[1, 2]> : tensor<9999999999999xi8>} : () -> ()

// -----

// expected-error@below {{elements literal type has too many elements}}
"t.op"() {a = dense<1> : tensor<9999999x9999999x9999999xi8>} : () -> ()

// -----

// expected-error@below {{tensor literal is invalid; ranks are not consistent between elements}}
"t.op"() {a = dense<[[1], [2, 3]]> : tensor<2x2xi32>} : () -> ()

// -----

// expected-error@below {{tensor literal is invalid; ranks are not consistent between elements}}
"t.op"() {a = dense<[1, [2]]> : tensor<2xi32>} : () -> ()

// -----

// expected-error@below {{tensor literal is invalid; ranks are not consistent between elements}}
"t.op"() {a = dense<[[1], 2]> : tensor<2xi32>} : () -> ()

// -----

// expected-error@below {{tensor literal is invalid; ranks are not consistent between elements}}
"t.op"() {a = dense<[[], [1]]> : tensor<2x1xi32>} : () -> ()

// -----

// expected-error@below {{nested too deeply (more than 64 levels)}}
"t.op"() {a = dense<[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[> : tensor<1xi32>} : () -> ()

// -----

// expected-error@below {{unexpected decimal integer literal for a floating point value}}
// expected-note@below {{add a trailing dot to make the literal a float}}
"t.op"() {a = dense<1> : tensor<f32>} : () -> ()

// -----

// expected-error@below {{hexadecimal float literal should not have a leading minus}}
"t.op"() {a = dense<-0x1> : tensor<f32>} : () -> ()

// -----

// expected-error@below {{hexadecimal float constant out of range for type}}
"t.op"() {a = dense<0xFFFFFFFFF> : tensor<f32>} : () -> ()

// -----

// expected-error@below {{expected integer or floating point literal}}
"t.op"() {a = dense<true> : tensor<f32>} : () -> ()

// -----

// expected-error@below {{expected i1 type for 'true' or 'false' values}}
"t.op"() {a = dense<true> : tensor<1xi8>} : () -> ()

// -----

// expected-error@below {{expected integer elements, but parsed floating-point}}
"t.op"() {a = dense<1.5> : tensor<i32>} : () -> ()

// -----

// expected-error@below {{integer constant out of range for type}}
"t.op"() {a = dense<2> : tensor<2xi1>} : () -> ()

// -----

// expected-error@below {{integer constant out of range for type}}
"t.op"() {a = dense<256> : tensor<2xi8>} : () -> ()

// -----

// expected-error@below {{integer constant out of range for type}}
"t.op"() {a = dense<128> : tensor<2xsi8>} : () -> ()

// -----

// expected-error@below {{expected unsigned integer elements, but parsed negative value}}
"t.op"() {a = dense<-1> : tensor<2xui8>} : () -> ()

// -----

// expected-error@below {{integer constant out of range for type}}
"t.op"() {a = dense<99999999999999999999> : tensor<i64>} : () -> ()

// -----

// expected-error@below {{elements of this type are not supported}}
"t.op"() {a = dense<1.0> : tensor<f80>} : () -> ()

// -----

// expected-error@below {{expected string containing hex digits starting with `0x`}}
"t.op"() {a = dense<"a"> : tensor<f32>} : () -> ()

// -----

// expected-error@below {{expected string element literal}}
"t.op"() {a = dense<1> : tensor<2x!x.str>} : () -> ()

// -----

// expected-error@below {{expected string element literal}}
"t.op"() {a = dense<["a", 1]> : tensor<2x!x.str>} : () -> ()

// -----

// expected-error@below {{expected element literal of primitive type}}
"t.op"() {a = dense<[1, "a"]> : tensor<2xi32>} : () -> ()

// -----

// expected-error@below {{expected '(' between real and imaginary parts of a complex element}}
"t.op"() {a = dense<1> : tensor<complex<i32>>} : () -> ()

// -----

// expected-error@below {{expected ',' between complex elements}}
"t.op"() {a = dense<(1.0 2.0)> : tensor<complex<f32>>} : () -> ()

// -----

// expected-error@below {{expected ')' after complex elements}}
"t.op"() {a = dense<(1.0, 2.0, 3.0)> : tensor<complex<f32>>} : () -> ()

// -----

// expected-error@below {{expected element literal of primitive type}}
"t.op"() {a = dense<(1.0, 2.0)> : tensor<f32>} : () -> ()

// -----

// expected-error@below {{expected string containing hex digits starting with `0x`}}
"t.op"() {a = dense<"01"> : tensor<2xi32>} : () -> ()

// -----

// expected-error@below {{expected string containing hex digits starting with `0x`}}
"t.op"() {a = dense<"0xzz"> : tensor<2xi32>} : () -> ()

// -----

// expected-error@below {{elements hex data size is invalid for provided type: 'tensor<2xi32>'}}
"t.op"() {a = dense<"0x01"> : tensor<2xi32>} : () -> ()

// -----

// expected-error@below {{elements hex data size is invalid for provided type: 'tensor<2xi32>'}}
"t.op"() {a = dense<"0x"> : tensor<2xi32>} : () -> ()

// -----

// expected-error@below {{expected string containing hex digits starting with `0x`}}
"t.op"() {a = dense<"0x010"> : tensor<2xi8>} : () -> ()

// -----

// expected-error@below {{expected '<' after 'array'}}
"t.op"() {a = array} : () -> ()

// -----

// expected-error@below {{expected non-function type}}
"t.op"() {a = array<} : () -> ()

// -----

// expected-error@below {{expected ':' after dense array type}}
"t.op"() {a = array<i32} : () -> ()

// -----

// expected-error@below {{expected ':' after dense array type}}
"t.op"() {a = array<i32, 1>} : () -> ()

// -----

// expected-error@below {{expected integer literal}}
"t.op"() {a = array<i32: >} : () -> ()

// -----

// expected-error@below {{expected integer literal}}
"t.op"() {a = array<i32: 1,>} : () -> ()

// -----

// expected-error@below {{expected '>' to close an array attribute}}
"t.op"() {a = array<i32: 1} : () -> ()

// -----

// expected-error@below {{expected integer literal}}
"t.op"() {a = array<i32: 1.0>} : () -> ()

// -----

// expected-error@below {{integer constant out of range}}
"t.op"() {a = array<i8: 256>} : () -> ()

// -----

// expected-error@below {{expected i1 type for 'true' or 'false' values}}
"t.op"() {a = array<i8: true>} : () -> ()

// -----

// expected-error@below {{expected 'true' or 'false' values for i1 type}}
"t.op"() {a = array<i1: 2>} : () -> ()

// -----

// expected-error@below {{unexpected decimal integer literal for a floating point value}}
// expected-note@below {{add a trailing dot to make the literal a float}}
"t.op"() {a = array<f32: 1>} : () -> ()

// -----

// expected-error@below {{expected integer or floating point literal}}
"t.op"() {a = array<f32: a>} : () -> ()

// -----

// expected-error@below {{expected integer or float type, got: 'none'}}
"t.op"() {a = array<none: 1>} : () -> ()

// -----

// expected-error@below {{expected integer or float type, got: 'index'}}
"t.op"() {a = array<index: 1>} : () -> ()

// -----

// expected-error@below {{element type bitwidth must be a multiple of 8}}
"t.op"() {a = array<i4: 1>} : () -> ()

// -----

// expected-error@below {{element types of more than 64 bits are not supported in arrays}}
"t.op"() {a = array<i128: 1>} : () -> ()

// -----

// expected-error@below {{Expected '<' after 'sparse'}}
"t.op"() {a = sparse} : () -> ()

// -----

// expected-error@below {{expected '>'}}
"t.op"() {a = sparse<1} : () -> ()

// -----

// expected-error@below {{expected ':'}}
"t.op"() {a = sparse<1, 2>} : () -> ()

// -----

// expected-error@below {{elements literal must be a shaped type}}
"t.op"() {a = sparse<1, 2> : i32} : () -> ()

// -----

// expected-error@below {{elements literal type must have static shape}}
"t.op"() {a = sparse<1, 2> : tensor<?xi32>} : () -> ()

// -----

// expected-error@below {{expected ','}}
"t.op"() {a = sparse<1> : tensor<2xi32>} : () -> ()

// -----

// expected-error@below {{expected '>'}}
"t.op"() {a = sparse<1, 2, 3> : tensor<4xi32>} : () -> ()

// -----

// expected-error@below {{expected element literal of primitive type}}
"t.op"() {a = sparse<a, 2> : tensor<4xi32>} : () -> ()

// -----

// expected-error@below {{expected shape ([3, 4]); inferred shape of indices literal ([2, 2]); inferred shape of values literal ([1])}}
"t.op"() {a = sparse<[[0, 0], [1, 2]], [1]> : tensor<3x4xi32>} : () -> ()

// -----

// expected-error@below {{expected shape ([3, 4]); inferred shape of indices literal ([2, 1]); inferred shape of values literal ([2])}}
"t.op"() {a = sparse<[[0], [1]], [1, 2]> : tensor<3x4xi32>} : () -> ()

// -----

// expected-error@below {{expected shape ([4]); inferred shape of indices literal ([1, 1]); inferred shape of values literal ([2])}}
"t.op"() {a = sparse<0, [1, 2]> : tensor<4xi32>} : () -> ()

// -----

// expected-error@below {{sparse index #0 is not contained within the value shape, with index=[9, 0], and type='tensor<3x4xi32>'}}
"t.op"() {a = sparse<[[9, 0]], [1]> : tensor<3x4xi32>} : () -> ()

// -----

// expected-error@below {{sparse index #0 is not contained within the value shape, with index=[18446744073709551615, 0], and type='tensor<3x4xi32>'}}
"t.op"() {a = sparse<[[-1, 0]], [1]> : tensor<3x4xi32>} : () -> ()

// -----

// expected-error@below {{expected integer or float elements}}
"t.op"() {a = sparse<[[0, 0]], ["a"]> : tensor<3x4x!x.s>} : () -> ()
