// RUN: not ttmlir-translate --mlir-to-cpp --split-input-file %s 2>&1 | FileCheck %s
// RUN: not ttmlir-translate --file-id=x --mlir-to-python %s 2>&1 | FileCheck %s --check-prefix=FLAG
// What has no place in C++ is refused, names that are no identifiers first of all.

// FLAG: file-id
// CHECK: [[@LINE+1]]:1: error: 'func.func' op has a name that is no identifier of C++
func.func @"f() { system(); } int g"() {
  return
}
// -----
// CHECK: [[@LINE+1]]:1: error: 'emitc.global' op has a name that is no identifier of C++
emitc.global @"a b" : i32
// -----
// CHECK: [[@LINE+1]]:1: error: 'emitc.include' op names a file that no include can name
emitc.include "a\22\0A#define x"
// -----
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
// CHECK: [[@LINE-3]]:1: error: 'func.func' op has a type that C++ has not
// -----
func.func @f() {
  // CHECK: [[@LINE+1]]:8: error: 'ttir.zeros' op unable to find printer for op
  %0 = "ttir.zeros"() <{shape = array<i32: 2>}> : () -> tensor<2xf32>
  return
}
// -----
func.func @f(%x: i32) {
  // CHECK: [[@LINE+1]]:3: error: 'emitc.call_opaque' op args index argument is out of range
  emitc.call_opaque "f"(%x) {args = [1 : index]} : (i32) -> ()
  return
}
// -----
func.func @f(%x: i32) {
  // CHECK: [[@LINE+1]]:3: error: 'emitc.verbatim' op requires operands for each placeholder
  emitc.verbatim "{} {}" args %x : i32
  return
}
// -----
func.func @f() {
  // CHECK: [[@LINE+1]]:8: error: 'emitc.get_global' op 'g' does not reference a valid emitc.global
  %0 = emitc.get_global @g : !emitc.lvalue<i32>
  return
}
// -----
func.func @f(%x: !emitc.lvalue<i32>, %y: f32) {
  // CHECK: [[@LINE+1]]:3: error: 'emitc.assign' op requires value's type to match variable's type
  emitc.assign %y : f32 to %x : <i32>
  return
}
