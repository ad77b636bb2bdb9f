// Calls on their way through propagation: a function each, named computations, and back.
// RUN: sdy_opt %s --sdy-propagate-sharding-from-func-to-call | FileCheck %s --check-prefix=RESULT
// RUN: sdy_opt %s --sdy-flatten-call-graph | FileCheck %s --check-prefix=FLAT
// RUN: sdy_opt %s --sdy-pre-order-funcs | FileCheck %s --check-prefix=ORDER
// RUN: sdy_opt %s --sdy-flatten-call-graph --sdy-import-func-calls | FileCheck %s --check-prefix=NAMED
// RUN: sdy_opt %s --sdy-flatten-call-graph --sdy-import-func-calls --sdy-export-named-computations --sdy-unflatten-call-graph --symbol-dce | FileCheck %s --check-prefix=BACK
// RUN: sdy_opt %s --sdy-add-func-data-flow-edges | FileCheck %s --check-prefix=EDGE
// RUN: sdy_opt %s --sdy-add-func-data-flow-edges --sdy-sink-func-data-flow-edges | FileCheck %s --check-prefix=SUNK
// RUN: sdy_opt %s --sdy-propagate-to-func-results | FileCheck %s --check-prefix=RETURNED

sdy.mesh @mesh = <["x"=2]>

// ORDER: func @main
// ORDER: func private @two
// ORDER: func private @one
// ORDER: func private @leaf

// FLAT-LABEL: func @main
// NAMED-LABEL: func @main
// BACK-LABEL: func @main
// RETURNED: func @main(%arg0: tensor<8xf32>) -> tensor<8xf32>
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // RESULT: call @one(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}
  // FLAT: call @one(
  // NAMED: %1 = sdy.data_flow_edge %0
  // NAMED-NEXT: %2 = sdy.named_computation<"one">(%1) out_shardings=[<@mesh, [{?}]>] (%arg1: tensor<8xf32>) {
  // NAMED-NEXT: %6 = sdy.data_flow_edge %arg1
  // NAMED-NEXT: sdy.named_computation<"leaf">(%6)
  // NAMED: } {mhlo.tag} : (tensor<8xf32>) -> tensor<8xf32>
  // NAMED-NEXT: sdy.data_flow_edge %2 sharding=<@mesh, [{?}]>
  // BACK: %1 = call @one(%0) {mhlo.tag, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}]>]>}
  // EDGE: %2 = call @one(%1) {mhlo.tag, sdy.sharding
  // EDGE-NEXT: %3 = sdy.func_data_flow_edge %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}]>]>}
  // SUNK: %0 = call @one(%arg0)
  // SUNK-NEXT: %1 = call @one(%0)
  // SUNK-NEXT: call @two(%1)
  %0 = call @one(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @one(%0) {mhlo.tag, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  // FLAT: call @one_2(
  %2 = call @two(%1) : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
// FLAT: func private @one(
// FLAT: call @leaf(
// RETURNED: func private @one(%arg0: tensor<8xf32>) -> tensor<8xf32>
func.func private @one(%arg0: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = call @leaf(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// FLAT: func private @two(
// FLAT: call @leaf_0(
// EDGE: func private @two(%arg0: tensor<8xf32> {sdy.sharding
// EDGE-NEXT: sdy.func_data_flow_edge %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}
// RETURNED: func private @two(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
func.func private @two(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = call @leaf(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %arg0 : tensor<8xf32>
}
// BACK: func private @leaf(
// BACK-NOT: func private @leaf
func.func private @leaf(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}
// FLAT: func private @leaf_0(
// FLAT-SAME: sdy.original_func_name = "leaf"
// FLAT: func private @leaf_1(
// FLAT: func private @one_2(
