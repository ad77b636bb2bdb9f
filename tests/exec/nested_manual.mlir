// A manual computation in the body of another one: each device takes its parts, does the body as its own work, and those along the inner axes put results
// together. No kernel of the evaluator's does any of it; loops and calls around it are the device's, too.
// RUN: tessera run %s --input=random --check
// RUN: tessera run %s --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// RUN: tessera run %s --input=random --threads=1 >%t.one && tessera run %s --input=random --threads=3 | cmp - %t.one
// RUN: tessera compile %s -o %t.tsrx && tessera run %t.tsrx --input=random | cmp - %t.one
// CHECK: 0 by the evaluator's kernels
// CHECK: each device
// CHECK: while
// CHECK: other manual_computation
// CHECK: map sine
// CHECK: other manual_computation
sdy.mesh @mesh = <["a"=2, "b"=3]>
func.func @main(%x: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<2x3xf32>) {
  %0:2 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>, <@mesh, [{"a"}, {"b"}]>] manual_axes={"a", "b"} (%y: tensor<2x6xf32>) {
    %e = stablehlo.slice %y [0:1, 0:1] : (tensor<2x6xf32>) -> tensor<1x1xf32>
    sdy.return %y, %e : tensor<2x6xf32>, tensor<1x1xf32>
  } : (tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<2x3xf32>)
  %1 = sdy.manual_computation(%0#0) in_shardings=[<@mesh, [{"a", ?}, {?}]>] out_shardings=[<@mesh, [{"a", ?}, {?}]>] manual_axes={"a"} (%y: tensor<2x6xf32>) {
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %c1 = stablehlo.constant dense<1> : tensor<i32>
    %c3 = stablehlo.constant dense<3> : tensor<i32>
    %r:2 = stablehlo.while(%i = %c0, %v = %y) : tensor<i32>, tensor<2x6xf32>
    cond {
      %p = stablehlo.compare LT, %i, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %n = stablehlo.add %i, %c1 : tensor<i32>
      %s = func.call @inner(%v) : (tensor<2x6xf32>) -> tensor<2x6xf32>
      stablehlo.return %n, %s : tensor<i32>, tensor<2x6xf32>
    }
    sdy.return %r#1 : tensor<2x6xf32>
  } : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %1, %0#1 : tensor<4x6xf32>, tensor<2x3xf32>
}
// Without manual axes the body is all that there is.
func.func private @inner(%x: tensor<2x6xf32>) -> tensor<2x6xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{?}, {"b", ?}]>] out_shardings=[<@mesh, [{?}, {"b", ?}]>] manual_axes={"b"} (%y: tensor<2x2xf32>) {
    %s = stablehlo.sine %y : tensor<2x2xf32>
    %t = "stablehlo.all_reduce"(%s) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %5 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %5 : tensor<f32>
    }) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %u = stablehlo.subtract %t, %y : tensor<2x2xf32>
    %w = sdy.manual_computation(%u) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={} (%z: tensor<2x2xf32>) {
      %n = stablehlo.negate %z : tensor<2x2xf32>
      sdy.return %n : tensor<2x2xf32>
    } : (tensor<2x2xf32>) -> tensor<2x2xf32>
    sdy.return %w : tensor<2x2xf32>
  } : (tensor<2x6xf32>) -> tensor<2x6xf32>
  return %0 : tensor<2x6xf32>
}
