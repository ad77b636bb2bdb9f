// Attributes and types of VHLO that are written wrongly.
// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// expected-error @+1 {{expected VHLO key attribute}}
"a.b"() {a = #vhlo.dict_v1<{"x" = #vhlo.bool_v1<true>}>} : () -> ()
// -----
// expected-error @+1 {{expected VHLO result accuracy mode}}
"a.b"() {a = #vhlo.result_accuracy_v1<atol = 0.0, rtol = 0.0, ulps = 0, mode = #vhlo.bool_v1<true>>} : () -> ()
// -----
// expected-error @+1 {{expected ','}}
"a.b"() {a = #vhlo.result_accuracy_v1<atol = 0.0, rtol = 0.0, ulps = 0>} : () -> ()
// -----
// expected-error @+1 {{expected VHLO type}}
"a.b"() {a = #vhlo.type_v1<i32>} : () -> ()
// -----
// expected-error @+1 {{expected VHLO type}}
"a.b"() {a = #vhlo.integer_v1<1 : si32>} : () -> ()
// -----
// expected-error @+1 {{expected a floating-point VHLO type}}
"a.b"() {a = #vhlo.float_v1<1.0 : !vhlo.i32_v1>} : () -> ()
// -----
// expected-error @+1 {{expected 'true' or 'false'}}
"a.b"() {a = #vhlo.bool_v1<1>} : () -> ()
// -----
// expected-error @+1 {{invalid kind of attribute specified}}
"a.b"() {a = #vhlo.array_v1<1>} : () -> ()
// -----
// expected-error @+1 {{expected VHLO type}}
"a.b"() : () -> !vhlo.tensor_v1<2xf32>
// -----
// expected-error @+1 {{expected VHLO type or attribute}}
"a.b"() : () -> !vhlo.tensor_v1<2x!vhlo.f32_v1, #stablehlo.bounds<2>>
// -----
// expected-error @+1 {{expected VHLO types}}
vhlo.func_v1 @f(%x: i32) -> () {
}
// -----
// expected-error @+1 {{unknown type `f33_v1` in dialect `vhlo`}}
"a.b"() : () -> !vhlo.f33_v1
// -----
// expected-error @+1 {{'vhlo.abs_v1' op requires a single operand}}
%0 = "vhlo.abs_v1"() : () -> !vhlo.f32_v1
// -----
// expected-error @+1 {{'vhlo.iota_v1' op requires attribute 'iota_dimension'}}
%0 = "vhlo.iota_v1"() : () -> !vhlo.f32_v1
