// A scan that returns the values of all turns: the stack is one buffer, each turn writes one slice of it, and the carried
// value is written where the next turn reads it.
// RUN: tessera shard %s --json 2>/dev/null | FileCheck %s
// RUN: tessera simulate %s --json 2>/dev/null | FileCheck %s
// RUN: tessera explore %s --json | FileCheck %s
// RUN: tessera run %s --memory --json --input=random | FileCheck %s --check-prefix=ENGINE
// RUN: tessera simulate %s --device=%S/slow.json 2>/dev/null | FileCheck %s --check-prefix=TIME

// The argument, the last value, 24 of them, a counter and a condition: 26 * 8192 + 4 + 1. The latter two are aligned.
// CHECK: "peak_bytes": 213000,
// ENGINE: "peak": 213000,
// At 1 KB/s a turn reads 8 KB and writes them twice: to the next turn and to the stack.
// TIME: step time 590 s
func.func public @main(%arg0: tensor<32x64xf32>) -> (tensor<32x64xf32>, tensor<24x32x64xf32>) {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<24x32x64xf32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1:3 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg0, %iterArg_1 = %0) : tensor<i32>, tensor<32x64xf32>, tensor<24x32x64xf32>
  cond {
    %c_2 = stablehlo.constant dense<24> : tensor<i32>
    %2 = stablehlo.compare LT, %iterArg, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    %2 = stablehlo.tanh %iterArg_0 : tensor<32x64xf32>
    %3 = func.call @put(%iterArg_1, %2, %iterArg) : (tensor<24x32x64xf32>, tensor<32x64xf32>, tensor<i32>) -> tensor<24x32x64xf32>
    %c_2 = stablehlo.constant dense<1> : tensor<i32>
    %4 = stablehlo.add %iterArg, %c_2 : tensor<i32>
    stablehlo.return %4, %2, %3 : tensor<i32>, tensor<32x64xf32>, tensor<24x32x64xf32>
  }
  return %1#1, %1#2 : tensor<32x64xf32>, tensor<24x32x64xf32>
}
func.func private @put(%arg0: tensor<24x32x64xf32>, %arg1: tensor<32x64xf32>, %arg2: tensor<i32>) -> tensor<24x32x64xf32> {
  %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<32x64xf32>) -> tensor<1x32x64xf32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c : (tensor<24x32x64xf32>, tensor<1x32x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<24x32x64xf32>
  return %1 : tensor<24x32x64xf32>
}
