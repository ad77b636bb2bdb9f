// RUN: tessera opt %s --symbol-dce --allow-unregistered-dialect | FileCheck %s --implicit-check-not=@dead
// RUN: not tessera opt %s --pass-pipeline='builtin.module(func.func(symbol-dce))' --allow-unregistered-dialect 2>&1 | FileCheck %s --check-prefix=ERR

// ERR: error: 'func.func' op  was scheduled to run under SymbolDCE, but does not define a symbol table
// CHECK: func.func private @called
// CHECK: func.func private @referred
// CHECK: func.func @public
// CHECK: module @inner
// CHECK-NEXT: func.func private @in_use
// CHECK-NEXT: }
// CHECK: func.func private @cycle_a
func.func private @called() {
  call @cycle_a() : () -> ()
  return
}
func.func private @referred()
func.func private @dead_declaration()
func.func private @dead() {
  call @dead_too() : () -> ()
  return
}
func.func private @dead_too() {
  call @dead() : () -> ()
  return
}
func.func @public() {
  call @called() : () -> ()
  "foo.ref"() {list = [{x = @referred}, @inner::@in_use]} : () -> ()
  return
}
module @inner {
  func.func private @in_use()
  func.func private @dead_inside()
}
func.func private @cycle_a() {
  return
}
