// RUN: tessera opt %s -o %t.mlir && tessera opt %t.mlir | diff %t.mlir -
// RUN: tessera opt --mlir-print-op-generic %s | tessera opt | diff %t.mlir -
// RUN: ttmlir-translate --mlir-to-python %s | FileCheck %s
// Statements of Python, and their own forms.

// CHECK: import ttnn as t
// CHECK-NEXT: from m import *
// CHECK-NEXT: from m import a, b as c
// CHECK-NEXT: g = {}
emitpy.import import "ttnn" as "t"
emitpy.import from "m" import *
emitpy.import from "m" import "a", "b" as "c"
emitpy.global @g = #emitpy.opaque<"{}">
// CHECK-NEXT: class Model(torch.nn.Module, Base):
// CHECK-NEXT:   def __init__(self):
// CHECK-NEXT:     self.w = load()
emitpy.class @Model(#emitpy.opaque<"torch.nn.Module">, @Base) {
  func.func @__init__(%self: !emitpy.class<"Model">) {
    %0 = emitpy.expression : -> !emitpy.opaque<"T"> {
      %1 = emitpy.call_opaque "load"() : () -> !emitpy.opaque<"T">
      emitpy.yield %1 : !emitpy.opaque<"T">
    }
    emitpy.set_attr %self, "w", %0 : (!emitpy.class<"Model">, !emitpy.opaque<"T">)
    return
  }
  // CHECK: @staticmethod
  // CHECK-NEXT: def util(x_y, inputs, inputs_0):
  // CHECK-NEXT:   return x_y.w
  func.func @util(%x: !emitpy.opaque<"int"> {emitpy.name = "x y"}, %y: index, %z: index) -> index attributes {emitpy.method_kind = "staticmethod"} {
    %0 = emitpy.expression(%x) : (!emitpy.opaque<"int">) -> index {
    ^bb0(%a: !emitpy.opaque<"int">):
      %1 = emitpy.get_attr %a, "w" : (!emitpy.opaque<"int">) -> index
      emitpy.yield %1 : index
    }
    return %0 : index
  }
}
// CHECK: class Empty:
// CHECK-NEXT:   pass
emitpy.class @Empty {
}
// CHECK-LABEL: def f(inputs, lambda_):
func.func @f(%x: !emitpy.opaque<"T">, %l: index {emitpy.name = "lambda"}) -> !emitpy.opaque<"T"> {
  // CHECK-NEXT: global g
  %d = emitpy.global_statement @g : !emitpy.dict
  %again = emitpy.global_statement @g : !emitpy.dict
  %k = emitpy.literal "\22k\22" : !emitpy.str
  // CHECK-NEXT: g["k"] = inputs
  %p = emitpy.expression(%d, %k) : (!emitpy.dict, !emitpy.str) -> !emitpy.opaque<"T"> {
  ^bb0(%a: !emitpy.dict, %b: !emitpy.str):
    %s = emitpy.subscript %a[%b] : (!emitpy.dict, !emitpy.str) -> !emitpy.opaque<"T">
    emitpy.yield %s : !emitpy.opaque<"T">
  }
  emitpy.assign %p = %x : (!emitpy.opaque<"T">, !emitpy.opaque<"T">)
  // CHECK-NEXT: y = t.f(lambda_, dim=inputs, flag=True, s="a\"b")
  %y = emitpy.call_opaque "t.f"(%x, %l) {args = [1 : index, 0 : index, true, "a\22b"], keyword_args = ["", "dim", "flag", "s"], emitpy.name = "y"} : (!emitpy.opaque<"T">, index) -> !emitpy.opaque<"T">
  // CHECK-NEXT: if y > lambda_:
  // CHECK-NEXT:   first([y, inputs])
  // CHECK-NEXT: elif {}:
  // CHECK-NEXT:   second()
  emitpy.if "{} > {}" args %y, %l : (!emitpy.opaque<"T">, index) {
    %list = emitpy.expression(%y, %x) : (!emitpy.opaque<"T">, !emitpy.opaque<"T">) -> !emitpy.opaque<"[T]"> {
    ^bb0(%a: !emitpy.opaque<"T">, %b: !emitpy.opaque<"T">):
      %1 = emitpy.call_opaque "util_create_list"(%a, %b) : (!emitpy.opaque<"T">, !emitpy.opaque<"T">) -> !emitpy.opaque<"[T]">
      emitpy.yield %1 : !emitpy.opaque<"[T]">
    }
    emitpy.call_opaque "first"(%list) : (!emitpy.opaque<"[T]">) -> ()
  } else {
    emitpy.if "{}" {
      emitpy.call_opaque "second"() : () -> ()
    }
  }
  // CHECK-NEXT: def inner(inputs_0):
  // CHECK-NEXT:   return inputs_0
  emitpy.nested_func "inner" {
  ^bb0(%i: index):
    emitpy.nested_func_return %i : index
  }
  // CHECK-NEXT: g = y
  emitpy.assign_global @g = %y : !emitpy.opaque<"T">
  // CHECK-NEXT: cache = {"k": y}
  %c = emitpy.create_dict "cache" (%k, %y) : (!emitpy.str, !emitpy.opaque<"T">) -> !emitpy.dict<!emitpy.str, !emitpy.opaque<"T">>
  // CHECK-NEXT: print(y, {)
  emitpy.verbatim "print({}, {{)" args %y : !emitpy.opaque<"T">
  // CHECK-NEXT: return y
  return %y : !emitpy.opaque<"T">
}
