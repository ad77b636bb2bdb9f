// What the host runs is by itself.
// RUN: not tessera opt %s --split-input-file --ttcore-wrap-device-module --cpu-hoist-non-lowerable-shlo-ops -o %t 2>&1 | FileCheck %s

// CHECK: cpu_hoist_refused.mlir:[[#@LINE+8]]:10: error: 'func.call' op is in what the host is to run, which neither calls functions nor talks to other devices
func.func private @f(%x: tensor<i32>) -> tensor<i32>
func.func @calls(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.while(%i = %x) : tensor<i32>
  cond {
    %p = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = func.call @f(%i) : (tensor<i32>) -> tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }
  return %0 : tensor<i32>
}

// -----

// CHECK: error: 'stablehlo.while' op has values that hosts do not compute with: it cannot be hoisted
func.func @unknown(%x: tensor<?xf32>, %n: tensor<i1>) -> tensor<?xf32> {
  %0 = stablehlo.while(%i = %x) : tensor<?xf32>
  cond {
    stablehlo.return %n : tensor<i1>
  } do {
    stablehlo.return %i : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
