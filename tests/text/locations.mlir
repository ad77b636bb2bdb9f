// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file --mlir-print-debuginfo | FileCheck %s
// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=LOCAL
// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file | FileCheck %s --check-prefix=PLAIN
// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file -o %t && tessera opt %t --allow-unregistered-dialect --split-input-file -o %t.again && cmp %t %t.again
// Locations of every kind, with aliases that are defined before and after the module.

#loc1 = loc("x")
module {
  func.func @f(%a: i32 loc("arg")) -> i32 {
    %0 = "t.op"(%a) ({
    ^bb0(%b: i32 loc("inner"), %c: f32 loc(#loc1)):
      "t.x"() : () -> () loc(#loc1)
    }) : (i32) -> i32 loc(#loc9)
    return %0 : i32 loc(#loc8)
  } loc(#loc7)
} loc(#loc)
#loc = loc(unknown)
#loc7 = loc("f"(#loc1))
#loc8 = loc("ret.mlir":3:4)
#loc9 = loc(callsite(#loc8 at #loc7))

// CHECK: #loc1 = loc("x")
// CHECK-NEXT: #loc2 = loc("arg")
// CHECK-NEXT: #loc4 = loc("inner")
// CHECK-NEXT: module {
// CHECK-NEXT: func.func @f(%arg0: i32 loc("arg")) -> i32 {
// CHECK-NEXT: %0 = "t.op"(%arg0) ({
// CHECK-NEXT: ^bb0(%arg1: i32 loc("inner"), %arg2: f32 loc("x")):
// CHECK-NEXT: "t.x"() : () -> () loc(#loc1)
// CHECK-NEXT: }) : (i32) -> i32 loc(#loc6)
// CHECK-NEXT: return %0 : i32 loc(#loc3)
// CHECK-NEXT: } loc(#loc5)
// CHECK-NEXT: } loc(#loc)
// CHECK-NEXT: #loc = loc(unknown)
// CHECK-NEXT: #loc3 = loc("ret.mlir":3:4)
// CHECK-NEXT: #loc5 = loc("f"(#loc1))
// CHECK-NEXT: #loc6 = loc(callsite(#loc3 at #loc5))

// LOCAL: module {
// LOCAL-NEXT: func.func @f(%arg0: i32 loc("arg")) -> i32 {
// LOCAL-NEXT: %0 = "t.op"(%arg0) ({
// LOCAL-NEXT: ^bb0(%arg1: i32 loc("inner"), %arg2: f32 loc("x")):
// LOCAL-NEXT: "t.x"() : () -> () loc("x")
// LOCAL-NEXT: }) : (i32) -> i32 loc(callsite("ret.mlir":3:4 at "f"("x")))
// LOCAL-NEXT: return %0 : i32 loc("ret.mlir":3:4)
// LOCAL-NEXT: } loc("f"("x"))
// LOCAL-NEXT: } loc(unknown)

// PLAIN: module {
// PLAIN-NEXT: func.func @f(%arg0: i32) -> i32 {
// PLAIN-NEXT: %0 = "t.op"(%arg0) ({
// PLAIN-NEXT: ^bb0(%arg1: i32, %arg2: f32):
// PLAIN-NEXT: "t.x"() : () -> ()
// PLAIN-NEXT: }) : (i32) -> i32
// PLAIN-NEXT: return %0 : i32
// PLAIN-NEXT: }
// PLAIN-NEXT: }


// -----

module {
  "t.op"() : () -> () loc("a")
  "t.op"() : () -> () loc("b.mlir":10:20)
  "t.op"() : () -> () loc("b.mlir":10)
  "t.op"() : () -> () loc("b.mlir":10:20 to :30)
  "t.op"() : () -> () loc("b.mlir":10:20 to 11:30)
  "t.op"() : () -> () loc("b.mlir":10:20 to 10:30)
  "t.op"() : () -> () loc("b.mlir":10:20 to 10:20)
  "t.op"() : () -> () loc(callsite("a" at "b.mlir":10:20))
  "t.op"() : () -> () loc(callsite(callsite("a" at "b") at "c"))
  "t.op"() : () -> () loc(fused["a", "b.mlir":10:20])
  "t.op"() : () -> () loc(fused<"meta">["a", "b"])
  "t.op"() : () -> () loc(fused<{a = 1 : i32}>["a"])
  "t.op"() : () -> () loc(fused<affine_map<(d0) -> (d0)>>["a"])
  "t.op"() : () -> () loc(fused<"m">["a", fused["b", "c"]])
  "t.op"() : () -> () loc(fused["a", fused["b", "c"], "a", unknown])
  "t.op"() : () -> () loc(fused["a"])
  "t.op"() : () -> () loc(fused[])
  "t.op"() : () -> () loc(fused<"x">[])
  "t.op"() : () -> () loc("n"("b.mlir":10:20))
  "t.op"() : () -> () loc("n"(unknown))
  "t.op"() : () -> () loc("quo\22te")
  "t.op"() : () -> () loc(unknown)
} loc(unknown)

// CHECK: module {
// CHECK-NEXT: "t.op"() : () -> () loc(#loc1)
// CHECK-NEXT: "t.op"() : () -> () loc(#loc2)
// CHECK-NEXT: "t.op"() : () -> () loc(#loc3)
// CHECK-NEXT: "t.op"() : () -> () loc(#loc4)
// CHECK-NEXT: "t.op"() : () -> () loc(#loc5)
// CHECK-NEXT: "t.op"() : () -> () loc(#loc4)
// CHECK-NEXT: "t.op"() : () -> () loc(#loc2)
// CHECK-NEXT: "t.op"() : () -> () loc(#loc10)
// CHECK-NEXT: "t.op"() : () -> () loc(#loc20)
// CHECK-NEXT: "t.op"() : () -> () loc(#loc12)
// CHECK-NEXT: "t.op"() : () -> () loc(#loc13)
// CHECK-NEXT: "t.op"() : () -> () loc(#loc14)
// CHECK-NEXT: "t.op"() : () -> () loc(#loc15)
// CHECK-NEXT: "t.op"() : () -> () loc(#loc21)
// CHECK-NEXT: "t.op"() : () -> () loc(#loc17)
// CHECK-NEXT: "t.op"() : () -> () loc(#loc1)
// CHECK-NEXT: "t.op"() : () -> () loc(#loc)
// CHECK-NEXT: "t.op"() : () -> () loc(#loc18)
// CHECK-NEXT: "t.op"() : () -> () loc(#loc19)
// CHECK-NEXT: "t.op"() : () -> () loc(#loc8)
// CHECK-NEXT: "t.op"() : () -> () loc(#loc9)
// CHECK-NEXT: "t.op"() : () -> () loc(#loc)
// CHECK-NEXT: } loc(#loc)
// CHECK-NEXT: #loc = loc(unknown)
// CHECK-NEXT: #loc1 = loc("a")
// CHECK-NEXT: #loc2 = loc("b.mlir":10:20)
// CHECK-NEXT: #loc3 = loc("b.mlir":10:0)
// CHECK-NEXT: #loc4 = loc("b.mlir":10:20 to :30)
// CHECK-NEXT: #loc5 = loc("b.mlir":10:20 to 11:30)
// CHECK-NEXT: #loc6 = loc("b")
// CHECK-NEXT: #loc7 = loc("c")
// CHECK-NEXT: #loc8 = loc("n")
// CHECK-NEXT: #loc9 = loc("quo\22te")
// CHECK-NEXT: #map = affine_map<(d0) -> (d0)>
// CHECK-NEXT: #loc10 = loc(callsite(#loc1 at #loc2))
// CHECK-NEXT: #loc11 = loc(callsite(#loc1 at #loc6))
// CHECK-NEXT: #loc12 = loc(fused[#loc1, #loc2])
// CHECK-NEXT: #loc13 = loc(fused<"meta">[#loc1, #loc6])
// CHECK-NEXT: #loc14 = loc(fused<{a = 1 : i32}>[#loc1])
// CHECK-NEXT: #loc15 = loc(fused<#map>[#loc1])
// CHECK-NEXT: #loc16 = loc(fused[#loc6, #loc7])
// CHECK-NEXT: #loc17 = loc(fused[#loc1, #loc6, #loc7])
// CHECK-NEXT: #loc18 = loc(fused<"x">[#loc])
// CHECK-NEXT: #loc19 = loc("n"(#loc2))
// CHECK-NEXT: #loc20 = loc(callsite(#loc11 at #loc7))
// CHECK-NEXT: #loc21 = loc(fused<"m">[#loc1, #loc16])

// LOCAL: module {
// LOCAL-NEXT: "t.op"() : () -> () loc("a")
// LOCAL-NEXT: "t.op"() : () -> () loc("b.mlir":10:20)
// LOCAL-NEXT: "t.op"() : () -> () loc("b.mlir":10:0)
// LOCAL-NEXT: "t.op"() : () -> () loc("b.mlir":10:20 to :30)
// LOCAL-NEXT: "t.op"() : () -> () loc("b.mlir":10:20 to 11:30)
// LOCAL-NEXT: "t.op"() : () -> () loc("b.mlir":10:20 to :30)
// LOCAL-NEXT: "t.op"() : () -> () loc("b.mlir":10:20)
// LOCAL-NEXT: "t.op"() : () -> () loc(callsite("a" at "b.mlir":10:20))
// LOCAL-NEXT: "t.op"() : () -> () loc(callsite(callsite("a" at "b") at "c"))
// LOCAL-NEXT: "t.op"() : () -> () loc(fused["a", "b.mlir":10:20])
// LOCAL-NEXT: "t.op"() : () -> () loc(fused<"meta">["a", "b"])
// LOCAL-NEXT: "t.op"() : () -> () loc(fused<{a = 1 : i32}>["a"])
// LOCAL-NEXT: "t.op"() : () -> () loc(fused<affine_map<(d0) -> (d0)>>["a"])
// LOCAL-NEXT: "t.op"() : () -> () loc(fused<"m">["a", fused["b", "c"]])
// LOCAL-NEXT: "t.op"() : () -> () loc(fused["a", "b", "c"])
// LOCAL-NEXT: "t.op"() : () -> () loc("a")
// LOCAL-NEXT: "t.op"() : () -> () loc(unknown)
// LOCAL-NEXT: "t.op"() : () -> () loc(fused<"x">[unknown])
// LOCAL-NEXT: "t.op"() : () -> () loc("n"("b.mlir":10:20))
// LOCAL-NEXT: "t.op"() : () -> () loc("n")
// LOCAL-NEXT: "t.op"() : () -> () loc("quo\22te")
// LOCAL-NEXT: "t.op"() : () -> () loc(unknown)
// LOCAL-NEXT: } loc(unknown)

// PLAIN: module {
// PLAIN-NEXT: "t.op"() : () -> ()
// PLAIN-NEXT: "t.op"() : () -> ()
// PLAIN-NEXT: "t.op"() : () -> ()
// PLAIN-NEXT: "t.op"() : () -> ()
// PLAIN-NEXT: "t.op"() : () -> ()
// PLAIN-NEXT: "t.op"() : () -> ()
// PLAIN-NEXT: "t.op"() : () -> ()
// PLAIN-NEXT: "t.op"() : () -> ()
// PLAIN-NEXT: "t.op"() : () -> ()
// PLAIN-NEXT: "t.op"() : () -> ()
// PLAIN-NEXT: "t.op"() : () -> ()
// PLAIN-NEXT: "t.op"() : () -> ()
// PLAIN-NEXT: "t.op"() : () -> ()
// PLAIN-NEXT: "t.op"() : () -> ()
// PLAIN-NEXT: "t.op"() : () -> ()
// PLAIN-NEXT: "t.op"() : () -> ()
// PLAIN-NEXT: "t.op"() : () -> ()
// PLAIN-NEXT: "t.op"() : () -> ()
// PLAIN-NEXT: "t.op"() : () -> ()
// PLAIN-NEXT: "t.op"() : () -> ()
// PLAIN-NEXT: "t.op"() : () -> ()
// PLAIN-NEXT: "t.op"() : () -> ()
// PLAIN-NEXT: }
