// Results of calls have the shardings that the function gives them, and are resharded for those who use them.
// RUN: sdy_opt %s --sdy-insert-func-call-reshards | FileCheck %s

sdy.mesh @m = <["x"=2, "y"=2]>

// CHECK-LABEL: func @both(
func.func @both(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[C:.*]]:2 = call @two(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>, <@m, [{?}]>]>}
  // CHECK-NEXT: %[[B:.*]] = sdy.reshard %[[C]]#1 <@m, [{"x"}]>
  // CHECK-NEXT: %[[A:.*]] = sdy.reshard %[[C]]#0 <@m, [{"y"}]>
  // CHECK-NEXT: return %[[A]], %[[B]]
  %0:2 = call @two(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"y"}]>, <@m, [{"x"}]>]>} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func @call_says_nothing(
func.func @call_says_nothing(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[C:.*]]:2 = call @two(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>, <@m, [{?}]>]>}
  // CHECK-NEXT: %[[A:.*]] = sdy.reshard %[[C]]#0 <@m, [{}]>
  // CHECK-NEXT: return %[[A]]
  %0:2 = call @two(%arg0) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return %0#0 : tensor<8xf32>
}

// CHECK-LABEL: func @function_says_nothing(
func.func @function_says_nothing(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[C:.*]] = call @plain(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}]>]>}
  // CHECK-NEXT: %[[A:.*]] = sdy.reshard %[[C]] <@m, [{"y", ?}]>
  // CHECK-NEXT: return %[[A]]
  %0 = call @plain(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"y", ?}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func @nobody_says_anything(
func.func @nobody_says_anything(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[C:.*]] = call @plain(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = call @plain(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

func.func private @two(%arg0: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}, tensor<8xf32>) {
  return %arg0, %arg0 : tensor<8xf32>, tensor<8xf32>
}
func.func private @plain(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}
