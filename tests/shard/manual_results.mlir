// Main's result is told what a manual computation says about it, closed and not sharded included; what says nothing is not.
// RUN: sdy_opt %s --sdy-propagation-pipeline | FileCheck %s

sdy.mesh @m = <["x"=2]>
// CHECK: -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}, tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{}]>}, tensor<8xf32>)
func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0:2 = sdy.manual_computation(%arg0) in_shardings=[<@m, [{"x"}]>] out_shardings=[<@m, [{"x"}]>, <@m, [{}]>] manual_axes={"x"} (%arg2: tensor<4xf32>) {
    %1 = "stablehlo.all_gather"(%arg2) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
    sdy.return %arg2, %1 : tensor<4xf32>, tensor<8xf32>
  } : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %2 = stablehlo.negate %arg1 : tensor<8xf32>
  return %0#0, %0#1, %2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
