// Who waits for a process that never comes is told so, and does not hang.
// RUN: not stablehlo-translate --interpret %s 2>&1 | FileCheck %s
// CHECK: collectives_invalid.mlir:9:10: error: 'stablehlo.all_gather' op waits for what never comes:
// CHECK-NEXT: process (0, 0) waits in 'stablehlo.all_gather' at {{.*}}collectives_invalid.mlir:9:10 for (1, 0)
// CHECK-NEXT: process (1, 0) has ended

module {
  func.func @comes(%a: tensor<1xi32>) -> tensor<2xi32> {
    %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<1xi32>) -> tensor<2xi32>
    return %0 : tensor<2xi32>
  }
  func.func @stays(%a: tensor<1xi32>) -> tensor<2xi32> {
    %0 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    return %0 : tensor<2xi32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<8> : tensor<1xi32>
    %r:2 = "interpreter.run_parallel"(%a, %a) {programs = [[@comes], [@stays]]} : (tensor<1xi32>, tensor<1xi32>) -> (tensor<2xi32>, tensor<2xi32>)
    return
  }
}
