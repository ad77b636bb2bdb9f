// RUN: sdy_opt %s --sdy-drop-sharding-rules | FileCheck %s

// Rules that we wrote go, those that a user marked as custom stay.
// CHECK-LABEL: func @f
func.func @f(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: stablehlo.negate %arg0 : tensor<8xf32>
  // CHECK-NEXT: stablehlo.custom_call @g(%0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}, custom>}
  %0 = stablehlo.negate %arg0 {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}>} : tensor<8xf32>
  %1 = stablehlo.custom_call @g(%0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}, custom>} : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
