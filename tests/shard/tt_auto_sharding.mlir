// auto-sharding: arguments are cut where that takes no collectives; the larger one wins; without an axis nothing happens.
// RUN: ttmlir-opt %s --split-input-file --auto-sharding 2>/dev/null | FileCheck %s
// RUN: ttmlir-opt %s --split-input-file --auto-sharding 2>&1 >/dev/null | FileCheck %s --check-prefix=WARNING

// Both alike, so that nothing moves.
// CHECK-LABEL: func.func @add(
// CHECK-SAME: %arg0: tensor<2048x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {?}]>}, %arg1: tensor<2048x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {?}]>}
sdy.mesh @mesh = <["one"=1, "x"=2]>
func.func @add(%a: tensor<2048x1024xf32>, %b: tensor<2048x1024xf32>) -> tensor<2048x1024xf32> {
  %0 = stablehlo.add %a, %b : tensor<2048x1024xf32>
  return %0 : tensor<2048x1024xf32>
}

// -----

// Rows of the larger factor: sums along the inner dimension, or columns as well, would have to be moved.
// CHECK-LABEL: func.func @product(
// CHECK-SAME: [{"x", ?}, {?}]>}, %arg1: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}]>}
sdy.mesh @mesh = <["x"=2]>
func.func @product(%a: tensor<2048x512xf32>, %b: tensor<512x512xf32>) -> tensor<2048x512xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2048x512xf32>, tensor<512x512xf32>) -> tensor<2048x512xf32>
  return %0 : tensor<2048x512xf32>
}

// -----

// WARNING: warning: AutoSharding: no mesh or no shardable axes found, skipping
// CHECK-LABEL: func.func @alone(
// CHECK-NOT: sdy.sharding
sdy.mesh @mesh = <["x"=1]>
func.func @alone(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.abs %a : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// WARNING: warning: AutoSharding: multiple FuncOps found (e.g. from composite ops); only the first will be used for sharding enumeration
// CHECK-LABEL: func.func @first(
// CHECK-SAME: [{"x", ?}, {?}]
sdy.mesh @mesh = <["x"=2]>
func.func @first(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.abs %a : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
func.func @second(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  return %a : tensor<4x4xf32>
}
