// What crosses a boundary is sharded evenly: functions, calls, manual computations; nothing else is touched.
// RUN: sdy_opt %s --sdy-update-non-divisible-input-output-shardings | FileCheck %s

sdy.mesh @m = <["x"=4, "y"=2]>

// Six by x (4) and y: the part of x that divides six is 2, and what is behind a part is lost.
// CHECK: func.func @main(%arg0: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x":(1)2}, {"y"}]>},
// CHECK-SAME: %arg1: tensor<7xf32> {sdy.sharding = #sdy.sharding<@m, [{?}]>}) -> (tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y", ?}, {"x"}]>}) {
func.func @main(%arg0: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {"y"}]>},
                %arg1: tensor<7xf32> {sdy.sharding = #sdy.sharding<@m, [{"y", ?}p2]>})
    -> (tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y", ?}, {"x"}]>}) {
  // CHECK-NEXT: stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}, {}]>]>}
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}, {}]>]>} : tensor<6x8xf32>
  // CHECK-NEXT: call @f(%0) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x":(1)2}, {}]>]>}
  %1 = call @f(%0) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}, {}]>]>} : (tensor<6x8xf32>) -> tensor<6x8xf32>
  // CHECK-NEXT: sdy.manual_computation(%1) in_shardings=[<@m, [{"y"}, {}]>] out_shardings=[<@m, [{"y"}, {}]>]
  %2 = sdy.manual_computation(%1) in_shardings=[<@m, [{"y", "x"}, {}]>] out_shardings=[<@m, [{"y", "x"}, {}]>] manual_axes={"y"} (%arg2: tensor<3x8xf32>) {
    sdy.return %arg2 : tensor<3x8xf32>
  } : (tensor<6x8xf32>) -> tensor<6x8xf32>
  return %2 : tensor<6x8xf32>
}
func.func private @f(%arg0: tensor<6x8xf32>) -> tensor<6x8xf32> {
  return %arg0 : tensor<6x8xf32>
}
