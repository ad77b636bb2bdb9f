// RUN: tessera opt %s -o %t.mlir && tessera opt %t.mlir | diff %t.mlir -
// RUN: tessera opt --mlir-print-op-generic %s | tessera opt | diff %t.mlir -
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=IR
// RUN: ttmlir-translate --mlir-to-cpp %s | FileCheck %s
// RUN: ttmlir-translate --mlir-to-cpp --file-id=two %s | FileCheck %s --check-prefix=TWO
// Statements of C++, and their own forms.

// TWO-NOT: include
// TWO: int64_t second() {
// CHECK: #include "a.hpp"
// CHECK-NEXT: #include <vector>
// CHECK-NEXT: static ::T g;
// CHECK-NEXT: const int32_t h = 7;
// CHECK-NEXT: using X = int;
// IR: emitc.include <"vector">
emitc.include "a.hpp"
emitc.include <"vector">
// IR: emitc.global static @g : !emitc.opaque<"::T">
emitc.global static @g : !emitc.opaque<"::T">
// IR: emitc.global const @h : i32 = 7
emitc.global const @h : i32 = 7
emitc.verbatim "using X = int;"
// CHECK-LABEL: ::T f(::T v1, bool v2, X* v3) {
func.func @f(%a: !emitc.opaque<"::T">, %c: i1, %p: !emitc.ptr<!emitc.opaque<"X">>) -> !emitc.opaque<"::T"> {
  %i = emitc.literal "0" : index
  // CHECK-NEXT: ::T [[V:v[0-9]+]] = v1[0];
  // IR: emitc.load %{{.*}} : <!emitc.opaque<"::T">>
  %s = emitc.subscript %a[%i] : (!emitc.opaque<"::T">, index) -> !emitc.lvalue<!emitc.opaque<"::T">>
  %l = emitc.load %s : <!emitc.opaque<"::T">>
  // CHECK-NEXT: ::T [[W:v[0-9]+]] = ::T();
  %v = "emitc.variable"() <{value = #emitc.opaque<"::T()">}> : () -> !emitc.lvalue<!emitc.opaque<"::T">>
  // CHECK-NEXT: [[W]] = [[V]];
  // IR: emitc.assign %{{.*}} : !emitc.opaque<"::T"> to %{{.*}} : <!emitc.opaque<"::T">>
  emitc.assign %l : !emitc.opaque<"::T"> to %v : <!emitc.opaque<"::T">>
  // CHECK-NEXT: if (v2) {
  // CHECK-NEXT:   g = [[V]];
  // CHECK-NEXT: } else {
  // CHECK-NEXT:   call<3, int32_t>([[V]], "x", 1, true);
  // CHECK-NEXT: }
  emitc.if %c {
    %g = emitc.get_global @g : !emitc.lvalue<!emitc.opaque<"::T">>
    emitc.assign %l : !emitc.opaque<"::T"> to %g : !emitc.lvalue<!emitc.opaque<"::T">>
  } else {
    emitc.call_opaque "call"(%l) {args = [0 : index, #emitc.opaque<"\22x\22">, 1 : i32, true], template_args = [3 : i32, i32]} : (!emitc.opaque<"::T">) -> ()
  }
  // CHECK-NEXT: X [[D:v[0-9]+]] = *v3;
  %d = emitc.apply "*"(%p) : (!emitc.ptr<!emitc.opaque<"X">>) -> !emitc.opaque<"X">
  // CHECK-NEXT: int32_t [[A:v[0-9]+]];
  // CHECK-NEXT: uint8_t [[B:v[0-9]+]];
  // CHECK-NEXT: std::tie([[A]], [[B]]) = two([[D]]);
  %two:2 = emitc.call_opaque "two"(%d) : (!emitc.opaque<"X">) -> (i32, ui8)
  // CHECK-NEXT: use([[A]], {[[B]]});
  emitc.verbatim "use({}, {{{}});" args %two#0, %two#1 : i32, ui8
  // CHECK-NEXT: float {{v[0-9]+}} = (float)1.5
  %k = "emitc.constant"() <{value = 1.5 : f32}> : () -> f32
  // CHECK: return [[V]];
  return %l : !emitc.opaque<"::T">
}
// CHECK-LABEL: size_t g1(size_t v1) {
// IR: emitc.func @g1
emitc.func @g1(%x: !emitc.size_t) -> !emitc.size_t {
  emitc.return %x : !emitc.size_t
}
// CHECK-LABEL: void g2() {
func.func @g2() {
  %x = emitc.call_opaque "n"() : () -> !emitc.size_t
  // CHECK: size_t v2 = g1(v1);
  %y = emitc.call @g1(%x) : (!emitc.size_t) -> !emitc.size_t
  return
}
emitc.file "two" {
  func.func @second() -> i64 {
    %x = emitc.call_opaque "n"() : () -> i64
    return %x : i64
  }
}
