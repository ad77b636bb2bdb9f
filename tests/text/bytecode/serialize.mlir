// Artifacts of several versions, byte by byte as jaxlib writes them for this module, and read back. What is left of the
// module is all of it but attributes that say what is the default.
// RUN: stablehlo-translate --serialize --target=1.17.0 %s | cmp - %S/Inputs/serialize.1_17_0.bc
// RUN: stablehlo-translate --serialize --target=1.8.0 %s | cmp - %S/Inputs/serialize.1_8_0.bc
// RUN: stablehlo-translate --serialize --target=1.0.0 %s | cmp - %S/Inputs/serialize.1_0_0.bc
// RUN: stablehlo-translate --serialize --target=0.13.0 %s -o %t.13 && cmp %t.13 %S/Inputs/serialize.0_13_0.bc
// RUN: stablehlo-translate --serialize --target=minimum %s | cmp - %S/Inputs/serialize.0_9_0.bc
// RUN: stablehlo-translate --deserialize %S/Inputs/serialize.1_17_0.bc -o %t.17
// RUN: stablehlo-translate --deserialize %S/Inputs/serialize.1_8_0.bc | cmp - %t.17
// RUN: stablehlo-translate --deserialize < %S/Inputs/serialize.0_9_0.bc | cmp - %t.17
// RUN: FileCheck %s --input-file=%t.17
// RUN: stablehlo-translate --serialize --target=current %s | stablehlo-translate --deserialize | cmp - %t.17
// RUN: stablehlo-translate --deserialize %s | FileCheck %s --check-prefix=TEXT
// RUN: stablehlo-translate --serialize --target=1.17.0 --strip-debuginfo %s -o %t.bare
// RUN: stablehlo-opt %t.bare --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=BARE
// RUN: stablehlo-translate --deserialize --print-stablehlo-version %t.bare | FileCheck %s --check-prefix=SAYS
// RUN: stablehlo-translate --deserialize --print-stablehlo-version %s | FileCheck %s --check-prefix=NONE
// RUN: not stablehlo-translate --serialize --target=2.0.0 %s 2>&1 | FileCheck %s --check-prefix=FUTURE
// RUN: not stablehlo-translate --serialize --target=0.8.0 %s 2>&1 | FileCheck %s --check-prefix=PAST
// RUN: not stablehlo-translate --serialize --target=new %s 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not stablehlo-translate --serialize %s 2>&1 | FileCheck %s --check-prefix=WHICH
// RUN: head -c 200 %t.bare > %t.short
// RUN: not stablehlo-translate --deserialize %t.short 2>&1 | FileCheck %s --check-prefix=SHORT
// SAYS: // Reading portable artifact with StableHLO version: 1.17.0
// SAYS-NEXT: module @m
// NONE: // Failed parsing StableHLO version from portable artifact
// NONE-NEXT: module @m
// BARE: vhlo.func_v1 @main
// BARE-NOT: model.py
// FUTURE: error: target version 2.0.0 is greater than current version 1.20.0
// PAST: error: target version 0.8.0 is less than minimum supported 0.9.0
// WORD: error: Invalid target version argument 'new'
// WHICH: error: No target version specified.
// SHORT: error: bytecode
// SHORT: error: failed to deserialize portable artifact using StableHLO_v1.20.0
#here = loc("model.py":3:7)
#there = loc(callsite("f"(#here) at "model.py":4:1))
module @m attributes {mhlo.num_partitions = 1 : i32} {
  // CHECK: func.func public @main(%arg0: tensor<4x?xf32, #stablehlo.bounds<?, 8>>, %arg1: tensor<8xf32> {mhlo.sharding = "{replicated}"}) -> (tensor<8xf32> {jax.result_info = "r"}, tensor<i1>) {
  func.func public @main(%d: tensor<4x?xf32, #stablehlo.bounds<?, 8>> loc("d"), %a: tensor<8xf32> {mhlo.sharding = "{replicated}"} loc("a")) -> (tensor<8xf32> {jax.result_info = "r"}, tensor<i1>) {
    // CHECK-NEXT: %cst = stablehlo.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]> : tensor<8xf32>
    %c = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32> loc(#here)
    // CHECK-NEXT: stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
    %b = stablehlo.constant dense<[true, false, true]> : tensor<3xi1> loc(#here)
    %t = stablehlo.constant dense<true> : tensor<i1> loc(#here)
    // CHECK: %[[E:.*]] = stablehlo.exponential %cst : tensor<8xf32>
    // TEXT: stablehlo.exponential %cst
    %e = stablehlo.exponential %c {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>} : tensor<8xf32> loc(#there)
    %u = stablehlo.add %e, %e : tensor<8xf32> loc(#here)
    %v = stablehlo.multiply %u, %e : tensor<8xf32> loc(#here)
    // CHECK: "stablehlo.case"
    %i = stablehlo.constant dense<0> : tensor<i32> loc(#here)
    %k = "stablehlo.case"(%i) ({
      stablehlo.return %v : tensor<8xf32> loc(#here)
    }, {
      %s = stablehlo.subtract %v, %a : tensor<8xf32> loc(#here)
      stablehlo.return %s : tensor<8xf32> loc(#here)
    }) : (tensor<i32>) -> tensor<8xf32> loc(#there)
    // CHECK: stablehlo.dot_general %{{.*}}, %arg1, contracting_dims = [0] x [0] : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
    %g = stablehlo.dot_general %k, %a, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32> loc(#here)
    // CHECK: call @helper
    %h = func.call @helper(%g, %k) : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32> loc(#here)
    // CHECK: stablehlo.custom_call @target(%{{.*}}) {api_version = 2 : i32, backend_config = "c", has_side_effect = true, t.extra = [1, "two"]}
    %x = stablehlo.custom_call @target(%h) {api_version = 2 : i32, backend_config = "c", has_side_effect = true, t.extra = [1, "two"]} : (tensor<8xf32>) -> tensor<8xf32> loc(#here)
    return %x, %t : tensor<8xf32>, tensor<i1> loc(#here)
  } loc(#there)
  // CHECK: func.func private @helper
  func.func private @helper(%f: tensor<f32> loc(unknown), %w: tensor<8xf32> loc(unknown)) -> tensor<8xf32> {
    // CHECK: stablehlo.reduce(%arg1 init: %arg0) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %r = "stablehlo.reduce"(%w, %f) <{dimensions = array<i64: 0>}> ({
    ^bb0(%p: tensor<f32> loc("p"), %q: tensor<f32> loc("q")):
      %s = stablehlo.add %p, %q : tensor<f32> loc(#here)
      stablehlo.return %s : tensor<f32> loc(#here)
    }) : (tensor<8xf32>, tensor<f32>) -> tensor<f32> loc(#here)
    %o = stablehlo.broadcast_in_dim %r, dims = [] : (tensor<f32>) -> tensor<8xf32> loc(#here)
    return %o : tensor<8xf32> loc(#here)
  } loc(unknown)
} loc("model.py":0:0)
