// RUN: tessera opt %s | FileCheck %s
// RUN: tessera opt %s | tessera opt - | FileCheck %s
// A name of an open dialect may hold a dash; behind '<' it is read to the same end as behind a dot, so that what begins
// like a known attribute is not taken for one. Only a name with one pair of brackets round the rest can stand behind a dot.

// CHECK: ttcore.a = #ttcore<mesh-es<[<"mesh" = 1x1>]>>
// CHECK-SAME: ttcore.b = #ttcore<mesh-es>
// CHECK-SAME: ttcore.c = #ttcore.meshes<[<"mesh" = 1x1>]>
// CHECK-SAME: ttcore.d = #ttcore<aa<1>bb<2>>
// CHECK-SAME: ttcore.e = #ttcore.aa<<1>bb<2>>
module attributes {ttcore.a = #ttcore.mesh-es<[<"mesh" = 1x1>]>, ttcore.b = #ttcore<mesh-es>,
                   ttcore.c = #ttcore<meshes<[<"mesh" = 1x1>]>>,
                   ttcore.d = #ttcore<aa<1>bb<2>>, ttcore.e = #ttcore<aa<<1>bb<2>>>} {}
