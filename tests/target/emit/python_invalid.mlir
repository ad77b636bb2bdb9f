// RUN: not ttmlir-translate --mlir-to-python --split-input-file %s 2>&1 | FileCheck %s
// What has no place in Python is refused; what an op's rules say is asked first.

// CHECK: [[@LINE+1]]:1: error: 'func.func' op has a name that is no identifier of Python
func.func @"f(): pass\nimport os"() {
  return
}
// -----
// CHECK: [[@LINE+1]]:1: error: 'emitpy.global' op variable name must not be a keyword
emitpy.global @while = #emitpy.opaque<"1">
// -----
// CHECK: [[@LINE+1]]:{{[0-9]+}}: error: custom op 'emitpy.global' expected '=' after symbol name
emitpy.global @x : i32
// -----
func.func @f() {
  // CHECK: [[@LINE+1]]:8: error: 'ttir.zeros' op unable to find printer for op
  %0 = "ttir.zeros"() <{shape = array<i32: 2>}> : () -> tensor<2xf32>
  return
}
// -----
func.func @f(%x: index) {
  // CHECK: [[@LINE+1]]:3: error: 'emitpy.call_opaque' op args and keyword_args must be specified together
  emitpy.call_opaque "f"(%x) {args = [0 : index]} : (index) -> ()
  return
}
// -----
func.func @f(%x: index) {
  // CHECK: [[@LINE+1]]:3: error: 'emitpy.call_opaque' op args index argument is out of range
  emitpy.call_opaque "f"(%x) {args = [2 : index], keyword_args = [""]} : (index) -> ()
  return
}
// -----
func.func @f(%x: index) {
  // CHECK: [[@LINE+1]]:3: error: 'emitpy.verbatim' op expected '}' after unescaped '{' at end of string
  emitpy.verbatim "{} {" args %x : index
  return
}
// -----
// CHECK: [[@LINE+1]]:1: error: 'emitpy.import' op cannot specify members to import with module alias
"emitpy.import"() <{module_name = "a", module_alias = "b", members_to_import = ["c"]}> : () -> ()
