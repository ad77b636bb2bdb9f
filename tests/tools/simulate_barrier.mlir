// An optimization barrier takes no time and no memory: its results are its operands, also where the function returns them.
// RUN: tessera simulate %s --json | FileCheck %s
// CHECK: "step_seconds": 0.00118788386,
// CHECK: "peak_bytes": 335544320,
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4096x4096xf32>, %b: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %0 = stablehlo.dot %a, %b : (tensor<4096x4096xf32>, tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %1 = stablehlo.dot %b, %a : (tensor<4096x4096xf32>, tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %2:2 = stablehlo.optimization_barrier %0, %1 : tensor<4096x4096xf32>, tensor<4096x4096xf32>
  %3 = stablehlo.dot %2#0, %2#1 : (tensor<4096x4096xf32>, tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %4:2 = stablehlo.optimization_barrier %3, %2#0 : tensor<4096x4096xf32>, tensor<4096x4096xf32>
  return %4#0 : tensor<4096x4096xf32>
}
