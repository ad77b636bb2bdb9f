// Functions that hold Shardy's ops are inlined, too: a loop that calls one is searched, its weights are counted once, and
// so a program that fits is not refused.
// RUN: tessera shard %s --auto --mesh=x=2 --memory=90K -o - 2>/dev/null | FileCheck %s
// RUN: tessera shard %s --auto --mesh=x=2 --memory=90K --explain | FileCheck %s --check-prefix=TEXT
// RUN: tessera shard %s --auto --keep --memory=90K --json | FileCheck %s --check-prefix=KEPT
// RUN: not tessera shard %s --auto --mesh=x=2 --memory=30K 2>&1 | FileCheck %s --check-prefix=NOT

// Weights of 131 KB, divided in two: with a second copy in the loop they would take more than the limit.
// CHECK: stablehlo.while
// CHECK-NOT: call @
// TEXT: peak memory 81.9 KB of 90.0 KB
// KEPT: "fits": true
// NOT: does not fit into 30.0 KB
sdy.mesh @mesh = <["x"=2]>
func.func public @main(%arg0: tensor<16x64xf32>, %arg1: tensor<8x64x64xf32>) -> tensor<16x64xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.while(%i = %c, %x = %arg0, %w = %arg1) : tensor<i32>, tensor<16x64xf32>, tensor<8x64x64xf32>
  cond {
    %n = stablehlo.constant dense<8> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = func.call @layer(%x, %w, %i) : (tensor<16x64xf32>, tensor<8x64x64xf32>, tensor<i32>) -> tensor<16x64xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %2 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %2, %1, %w : tensor<i32>, tensor<16x64xf32>, tensor<8x64x64xf32>
  }
  return %0#1 : tensor<16x64xf32>
}
func.func private @layer(%arg0: tensor<16x64xf32>, %arg1: tensor<8x64x64xf32>, %arg2: tensor<i32>) -> tensor<16x64xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %arg1, %arg2, %c, %c, sizes = [1, 64, 64] : (tensor<8x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
  %2 = sdy.sharding_constraint %1 <@mesh, [{}, {"x"}]> : tensor<64x64xf32>
  %3 = stablehlo.dot_general %arg0, %2, contracting_dims = [1] x [0] : (tensor<16x64xf32>, tensor<64x64xf32>) -> tensor<16x64xf32>
  %4 = stablehlo.tanh %3 : tensor<16x64xf32>
  return %4 : tensor<16x64xf32>
}
