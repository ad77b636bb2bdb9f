// RUN: tessera opt %s | FileCheck %s
// RUN: tessera opt %s -o %t && tessera opt %t -o %t.again && cmp %t %t.again
// Functions, calls and modules, printed as MLIR prints them.

func.func private @decl(tensor<4xf32> {t.a = 1}, i32) -> (tensor<f32> {t.b}, i32)
func.func private @decl2() 
func.func private @decl3(%x: i32, %y: i32 {t.z = "s"}) -> i32
func.func nested @n() { return }
func.func public @pub(%a: i32) -> i32 attributes {foo = 1, no_inline} { return %a : i32 }
func.func @main(%x: tensor<4xf32> {tf.a = 1}, %y: i32 loc("here")) -> (tensor<4xf32> {jax.r = "x"}) {
  %0:2 = call @two(%y) : (i32) -> (i32, i32)
  %1 = func.call @pub(%y) {no_inline} : (i32) -> i32
  %f = func.constant @pub : (i32) -> i32
  %2 = func.call_indirect %f(%y) : (i32) -> i32
  %3 = call_indirect %f(%y) {foo} : (i32) -> i32
  %4 = builtin.unrealized_conversion_cast %y : i32 to index
  %5 = builtin.unrealized_conversion_cast to i64 {a}
  %6:2 = builtin.unrealized_conversion_cast %y, %y : i32, i32 to i64, i64
  call @n() : () -> ()
  return %x : tensor<4xf32>
}
func.func @two(%a: i32) -> (i32, i32) { return %a, %a : i32, i32 }
func.func @ff(%a: (i32) -> i32) -> ((i32) -> i32) { return {foo} %a : (i32) -> i32 }
func.func @none() -> () { func.return }
func.func @"quo ted"() -> () { func.return }
module @inner attributes {t.x = 1} { module {} 
 module @p attributes {sym_visibility = "private"} {} }
builtin.module {}

// CHECK: module {
// CHECK-NEXT: func.func private @decl(tensor<4xf32> {t.a = 1 : i64}, i32) -> (tensor<f32> {t.b}, i32)
// CHECK-NEXT: func.func private @decl2()
// CHECK-NEXT: func.func private @decl3(i32, i32 {t.z = "s"}) -> i32
// CHECK-NEXT: func.func nested @n() {
// CHECK-NEXT: return
// CHECK-NEXT: }
// CHECK-NEXT: func.func public @pub(%arg0: i32) -> i32 attributes {foo = 1 : i64, no_inline} {
// CHECK-NEXT: return %arg0 : i32
// CHECK-NEXT: }
// CHECK-NEXT: func.func @main(%arg0: tensor<4xf32> {tf.a = 1 : i64}, %arg1: i32) -> (tensor<4xf32> {jax.r = "x"}) {
// CHECK-NEXT: %0:2 = call @two(%arg1) : (i32) -> (i32, i32)
// CHECK-NEXT: %1 = call @pub(%arg1) {no_inline} : (i32) -> i32
// CHECK-NEXT: %f = constant @pub : (i32) -> i32
// CHECK-NEXT: %2 = call_indirect %f(%arg1) : (i32) -> i32
// CHECK-NEXT: %3 = call_indirect %f(%arg1) {foo} : (i32) -> i32
// CHECK-NEXT: %4 = builtin.unrealized_conversion_cast %arg1 : i32 to index
// CHECK-NEXT: %5 = builtin.unrealized_conversion_cast to i64 {a}
// CHECK-NEXT: %6:2 = builtin.unrealized_conversion_cast %arg1, %arg1 : i32, i32 to i64, i64
// CHECK-NEXT: call @n() : () -> ()
// CHECK-NEXT: return %arg0 : tensor<4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: func.func @two(%arg0: i32) -> (i32, i32) {
// CHECK-NEXT: return %arg0, %arg0 : i32, i32
// CHECK-NEXT: }
// CHECK-NEXT: func.func @ff(%arg0: (i32) -> i32) -> ((i32) -> i32) {
// CHECK-NEXT: return {foo} %arg0 : (i32) -> i32
// CHECK-NEXT: }
// CHECK-NEXT: func.func @none() {
// CHECK-NEXT: return
// CHECK-NEXT: }
// CHECK-NEXT: func.func @"quo ted"() {
// CHECK-NEXT: return
// CHECK-NEXT: }
// CHECK-NEXT: module @inner attributes {t.x = 1 : i64} {
// CHECK-NEXT: module {
// CHECK-NEXT: }
// CHECK-NEXT: module @p attributes {sym_visibility = "private"} {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: module {
// CHECK-NEXT: }
// CHECK-NEXT: }
