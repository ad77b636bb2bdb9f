// Values before their definition, from inside regions too; successors; empty regions; several blocks; in every version.
// RUN: tessera opt %s --allow-unregistered-dialect -o %t.text && FileCheck %s --input-file=%t.text
// RUN: tessera opt %s --allow-unregistered-dialect --emit-bytecode=0 | tessera opt - --allow-unregistered-dialect | cmp - %t.text
// RUN: tessera opt %s --allow-unregistered-dialect --emit-bytecode=2 | tessera opt - --allow-unregistered-dialect | cmp - %t.text
// RUN: tessera opt %s --allow-unregistered-dialect --emit-bytecode=3 | tessera opt - --allow-unregistered-dialect | cmp - %t.text
// RUN: tessera opt %s --allow-unregistered-dialect --emit-bytecode=4 | tessera opt - --allow-unregistered-dialect | cmp - %t.text
// RUN: tessera opt %s --allow-unregistered-dialect --emit-bytecode=6 | tessera opt - --allow-unregistered-dialect | cmp - %t.text
module {
  // CHECK: "t.graph"
  // CHECK-NEXT: "t.use"(%1, %2#0)
  "t.graph"() ({
    %0 = "t.use"(%1, %2) : (i32, i64) -> i1
    %1 = "t.def"() : () -> i32
    "t.inner"(%2) ({
      "t.x"(%1, %3, %0) : (i32, f32, i1) -> ()
      %4 = "t.y"() : () -> f32
      "t.inner2"() ({
      ^bb0(%q: f32):
        "t.z"(%4, %3, %q) : (f32, f32, f32) -> ()
      }) : () -> ()
    }) : (i64) -> ()
    %2:2 = "t.def2"() : () -> (i64, i64)
    %3 = "t.def3"(%2#1) : (i64) -> f32
  }) : () -> ()
  // CHECK: "t.br"(%{{.*}})[^bb2]
  "t.cfg"() ({
  ^bb0(%a: i32, %b: i1):
    "t.br"(%a)[^bb2] : (i32) -> ()
  ^bb1:
    "t.br"(%c, %a, %a)[^bb1, ^bb2] {x = @s} : (i64, i32, i32) -> ()
  ^bb2(%d: i32):
    %c = "t.c"(%a, %d) : (i32, i32) -> i64
    "t.br"()[^bb1] : () -> ()
  }, {}) : () -> ()
}
