// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file | FileCheck %s
// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file --mlir-print-local-scope | FileCheck %s --check-prefix=LOCAL
// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file -o %t && tessera opt %t --allow-unregistered-dialect --split-input-file -o %t.again && cmp %t %t.again
// Aliases: maps, sets, distinct attributes, locations and long tuples get their own; those of the source are resolved,
// but for what they name in unknown dialects, which keeps its name.

#map = affine_map<(d0) -> (d0 + 1)>
#set = affine_set<(d0) : (d0 >= 0)>
"t.op"() {a = #map, b = #set, c = affine_map<(d0) -> (d0)>, d = #map} : () -> ()
"t.op"() {a = affine_map<(d0, d1) -> (d1)>, b = [affine_map<(d0) -> (d0)>]} : () -> ()

// CHECK: #map = affine_map<(d0) -> (d0 + 1)>
// CHECK-NEXT: #map1 = affine_map<(d0) -> (d0)>
// CHECK-NEXT: #map2 = affine_map<(d0, d1) -> (d1)>
// CHECK-NEXT: #set = affine_set<(d0) : (d0 >= 0)>
// CHECK-NEXT: module {
// CHECK-NEXT: "t.op"() {a = #map, b = #set, c = #map1, d = #map} : () -> ()
// CHECK-NEXT: "t.op"() {a = #map2, b = [#map1]} : () -> ()
// CHECK-NEXT: }

// LOCAL: module {
// LOCAL-NEXT: "t.op"() {a = affine_map<(d0) -> (d0 + 1)>, b = affine_set<(d0) : (d0 >= 0)>, c = affine_map<(d0) -> (d0)>, d = affine_map<(d0) -> (d0 + 1)>} : () -> ()
// LOCAL-NEXT: "t.op"() {a = affine_map<(d0, d1) -> (d1)>, b = [affine_map<(d0) -> (d0)>]} : () -> ()
// LOCAL-NEXT: }


// -----

%0 = "t.op"() : () -> memref<4xf32, affine_map<(d0) -> (d0 + 3)>>
"t.op"() {a = affine_map<(d0) -> (d0)>, b = tensor<2xf32, affine_map<(d0) -> (d0)>>} : () -> ()

// CHECK: #map = affine_map<(d0) -> (d0 + 3)>
// CHECK-NEXT: #map1 = affine_map<(d0) -> (d0)>
// CHECK-NEXT: module {
// CHECK-NEXT: %0 = "t.op"() : () -> memref<4xf32, #map>
// CHECK-NEXT: "t.op"() {a = #map1, b = tensor<2xf32, #map1>} : () -> ()
// CHECK-NEXT: }

// LOCAL: module {
// LOCAL-NEXT: %0 = "t.op"() : () -> memref<4xf32, affine_map<(d0) -> (d0 + 3)>>
// LOCAL-NEXT: "t.op"() {a = affine_map<(d0) -> (d0)>, b = tensor<2xf32, affine_map<(d0) -> (d0)>>} : () -> ()
// LOCAL-NEXT: }


// -----

"t.op"() {t = tuple<i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32>, m = affine_map<(d0) -> (d0)>} : () -> ()
"t.op"() {t = tuple<tuple<f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32>, i32>, u = tuple<i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32>} : () -> ()

// CHECK: !tuple = tuple<i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32>
// CHECK-NEXT: !tuple1 = tuple<f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32>
// CHECK-NEXT: #map = affine_map<(d0) -> (d0)>
// CHECK-NEXT: module {
// CHECK-NEXT: "t.op"() {m = #map, t = !tuple} : () -> ()
// CHECK-NEXT: "t.op"() {t = tuple<!tuple1, i32>, u = tuple<i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32>} : () -> ()
// CHECK-NEXT: }

// LOCAL: module {
// LOCAL-NEXT: "t.op"() {m = affine_map<(d0) -> (d0)>, t = tuple<i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32>} : () -> ()
// LOCAL-NEXT: "t.op"() {t = tuple<tuple<f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32>, i32>, u = tuple<i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32>} : () -> ()
// LOCAL-NEXT: }


// -----

#number = 4 : i32
#list = [#number, #number]
!pair = tuple<i32, f32>
!nested = tensor<2xvector<4xf32>>
%0 = "t.op"() {a = #list, b = !pair} : () -> !nested

// CHECK: module {
// CHECK-NEXT: %0 = "t.op"() {a = [4 : i32, 4 : i32], b = tuple<i32, f32>} : () -> tensor<2xvector<4xf32>>
// CHECK-NEXT: }

// LOCAL: module {
// LOCAL-NEXT: %0 = "t.op"() {a = [4 : i32, 4 : i32], b = tuple<i32, f32>} : () -> tensor<2xvector<4xf32>>
// LOCAL-NEXT: }


// -----

#layout = #x.layout<1>
#other = #x.layout<2, #layout>
!tile = !x.tile<32x32, #layout>
"t.op"() {a = #other, b = !tile, c = #x.uses<#layout, !tile, "#layout", #not.an<alias>>, d = #layout} : () -> ()

// CHECK: #layout = #x.layout<1>
// CHECK-NEXT: !tile = !x.tile<32x32, #layout>
// CHECK-NEXT: #other = #x.layout<2, #layout>
// CHECK-NEXT: module {
// CHECK-NEXT: "t.op"() {a = #other, b = !tile, c = #x.uses<#layout, !tile, "#layout", #not.an<alias>>, d = #layout} : () -> ()
// CHECK-NEXT: }

// LOCAL: module {
// LOCAL-NEXT: "t.op"() {a = #x.layout<2, #x.layout<1>>, b = !x.tile<32x32, #x.layout<1>>, c = #x.uses<#x.layout<1>, !x.tile<32x32, #x.layout<1>>, "#layout", #not.an<alias>>, d = #x.layout<1>} : () -> ()
// LOCAL-NEXT: }


// -----

#a = "x"
#m = affine_map<(d0) -> (d0)>
!t = tuple<i32, f32>
"t.op"() {a = #x.bar<#a, !t, #m>, b = !x.bar<!t>} : () -> ()

// CHECK: #map = affine_map<(d0) -> (d0)>
// CHECK-NEXT: module {
// CHECK-NEXT: "t.op"() {a = #x.bar<"x", tuple<i32, f32>, #map>, b = !x.bar<tuple<i32, f32>>} : () -> ()
// CHECK-NEXT: }

// LOCAL: module {
// LOCAL-NEXT: "t.op"() {a = #x.bar<"x", tuple<i32, f32>, affine_map<(d0) -> (d0)>>, b = !x.bar<tuple<i32, f32>>} : () -> ()
// LOCAL-NEXT: }


// -----

#a-b = 1
#a$b = 2
#1 = 3
!a-b = i32
!1 = f32
"t.op"() {a = #a-b, b = #a$b, c = #1, d = !a-b, e = !1} : () -> ()

// CHECK: module {
// CHECK-NEXT: "t.op"() {a = 1 : i64, b = 2 : i64, c = 3 : i64, d = i32, e = f32} : () -> ()
// CHECK-NEXT: }

// LOCAL: module {
// LOCAL-NEXT: "t.op"() {a = 1 : i64, b = 2 : i64, c = 3 : i64, d = i32, e = f32} : () -> ()
// LOCAL-NEXT: }


// -----

"t.op"() {a = [distinct[7]<1>, distinct[3]<1>, distinct[7]<1>]} : () -> ()
"t.op"() {a = distinct[5]<>, b = distinct[6]<>, c = distinct[5]<>} : () -> ()
"t.op"() {a = distinct[0]<distinct[1]<distinct[2]<>>>} : () -> ()

// CHECK: #distinct = distinct[0]<1 : i64>
// CHECK-NEXT: #distinct1 = distinct[1]<1 : i64>
// CHECK-NEXT: #distinct2 = distinct[2]<distinct[3]<>>
// CHECK-NEXT: #distinct3 = distinct[4]<#distinct2>
// CHECK-NEXT: module {
// CHECK-NEXT: "t.op"() {a = [#distinct, #distinct1, #distinct]} : () -> ()
// CHECK-NEXT: "t.op"() {a = distinct[5]<>, b = distinct[6]<>, c = distinct[5]<>} : () -> ()
// CHECK-NEXT: "t.op"() {a = #distinct3} : () -> ()
// CHECK-NEXT: }

// LOCAL: module {
// LOCAL-NEXT: "t.op"() {a = [distinct[0]<1 : i64>, distinct[1]<1 : i64>, distinct[0]<1 : i64>]} : () -> ()
// LOCAL-NEXT: "t.op"() {a = distinct[2]<>, b = distinct[3]<>, c = distinct[2]<>} : () -> ()
// LOCAL-NEXT: "t.op"() {a = distinct[4]<distinct[5]<distinct[6]<>>>} : () -> ()
// LOCAL-NEXT: }


// -----

"t.op"() {a = loc("a"), b = loc(callsite("a" at "b.mlir":1:2)), c = loc(unknown)} : () -> ()
"t.op"() {a = loc(fused<"m">["a", fused["b", "c"]]), b = loc("a"("c"))} : () -> ()

// CHECK: #loc = loc("a")
// CHECK-NEXT: #loc1 = loc("b.mlir":1:2)
// CHECK-NEXT: #loc2 = loc(unknown)
// CHECK-NEXT: #loc3 = loc("b")
// CHECK-NEXT: #loc4 = loc("c")
// CHECK-NEXT: #loc5 = loc(callsite(#loc at #loc1))
// CHECK-NEXT: #loc6 = loc(fused[#loc3, #loc4])
// CHECK-NEXT: #loc7 = loc("a"(#loc4))
// CHECK-NEXT: #loc8 = loc(fused<"m">[#loc, #loc6])
// CHECK-NEXT: module {
// CHECK-NEXT: "t.op"() {a = #loc, b = #loc5, c = #loc2} : () -> ()
// CHECK-NEXT: "t.op"() {a = #loc8, b = #loc7} : () -> ()
// CHECK-NEXT: }

// LOCAL: module {
// LOCAL-NEXT: "t.op"() {a = loc("a"), b = loc(callsite("a" at "b.mlir":1:2)), c = loc(unknown)} : () -> ()
// LOCAL-NEXT: "t.op"() {a = loc(fused<"m">["a", fused["b", "c"]]), b = loc("a"("c"))} : () -> ()
// LOCAL-NEXT: }
