// The smaller version moves a product's result instead of an operand when that is better in all respects.
// RUN: sdy_opt %s --sdy-insert-explicit-reshards | FileCheck %s

sdy.mesh @m = <["x"=2, "y"=2]>

// The result wants the axis along which the product sums: the product is sharded by y, too, and its result resharded.
// CHECK-LABEL: func @result_moves(
func.func @result_moves(%arg0: tensor<4x32xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}]>},
                        %arg1: tensor<32x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {"y"}]>}) -> tensor<4x8xf32> {
  // CHECK-NEXT: %[[D:.*]] = stablehlo.dot %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"y"}]>]>}
  // CHECK-NEXT: %[[R:.*]] = sdy.reshard %[[D]] <@m, [{}, {"x"}]>
  // CHECK-NEXT: return %[[R]]
  %0 = stablehlo.dot %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"x"}]>]>} : (tensor<4x32xf32>, tensor<32x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func @result_is_larger(
func.func @result_is_larger(%arg0: tensor<64x4xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}]>},
                            %arg1: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {"y"}]>}) -> tensor<64x8xf32> {
  // CHECK-NEXT: %[[D:.*]] = stablehlo.dot %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"x"}]>]>}
  // CHECK-NEXT: return %[[D]]
  %0 = stablehlo.dot %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"x"}]>]>} : (tensor<64x4xf32>, tensor<4x8xf32>) -> tensor<64x8xf32>
  return %0 : tensor<64x8xf32>
}

// CHECK-LABEL: func @other_axis(
func.func @other_axis(%arg0: tensor<4x32xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>},
                      %arg1: tensor<32x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"y"}]>}) -> tensor<4x8xf32> {
  // CHECK-NEXT: %[[D:.*]] = stablehlo.dot %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"x"}]>]>}
  // CHECK-NEXT: return %[[D]]
  %0 = stablehlo.dot %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"x"}]>]>} : (tensor<4x32xf32>, tensor<32x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// Operands of a concatenation that are sharded otherwise than its result are resharded even here.
// CHECK-LABEL: func @concatenate(
func.func @concatenate(%arg0: tensor<4x32xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}]>},
                       %arg1: tensor<4x32xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"y"}]>}) -> tensor<8x32xf32> {
  // CHECK-NEXT: %[[R:.*]] = sdy.reshard %arg0 <@m, [{}, {"y"}]>
  // CHECK-NEXT: stablehlo.concatenate %[[R]], %arg1
  %0 = stablehlo.concatenate %arg0, %arg1, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"y"}]>]>} : (tensor<4x32xf32>, tensor<4x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}
