// Recursion has no end when functions are copied: a diagnostic, where Shardy would not come back.
// RUN: not sdy_opt %s --sdy-flatten-call-graph 2>&1 | FileCheck %s
// RUN: not sdy_opt %s --sdy-import-func-calls 2>&1 | FileCheck %s
// RUN: not sdy_opt %s --sdy-propagation-pipeline 2>&1 | FileCheck %s
// RUN: not sdy_opt %s --sdy-propagate-to-func-results 2>&1 | FileCheck %s --check-prefix=MAIN

// MAIN: error: 'builtin.module' op Failed to lookup function: main
func.func @start(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @ping(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @ping(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @pong(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @pong(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: calls_invalid.mlir:[[@LINE+1]]:8: error: 'func.call' op calls a function that calls this one: recursion is not supported
  %0 = call @ping(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
