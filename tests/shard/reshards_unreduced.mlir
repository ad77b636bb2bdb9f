// The smaller version completes partial sums along reductions only where the result says that others stay partial.
// RUN: sdy_opt %s --sdy-insert-explicit-reshards -split-input-file -verify-diagnostics | FileCheck %s

sdy.mesh @m = <["x"=2, "y"=2]>

// CHECK-LABEL: func @some(
func.func @some(%arg0: tensor<8x16x4xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}, {"y"}]>}, %arg1: tensor<f32>)
    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{}], unreduced={"y"}>}) {
  // CHECK-NEXT: %[[S:.*]] = stablehlo.reduce
  // CHECK-NEXT: %[[A:.*]] = sdy.all_reduce {"x"} %[[S]] out_sharding=<@m, [{}], unreduced={"y"}>
  // CHECK-NEXT: return %[[A]]
  %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [1, 2] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}], unreduced={"y"}>]>} : (tensor<8x16x4xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @m = <["x"=2, "y"=2]>

func.func @disagree(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}]>}, %arg1: tensor<16x4xf32>) -> tensor<8x4xf32> {
  // expected-error @+1 {{'stablehlo.dot' op has a result with unreduced axes and operands that are not sharded alike along a reduction}}
  %0 = stablehlo.dot %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}], unreduced={"x"}>]>} : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

sdy.mesh @m = <["x"=2, "y"=2]>

func.func @both(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{}], unreduced={"x"}>}) -> tensor<8xf32> {
  // expected-error @+1 {{both input and output have unreduced axes that the other does not have}}
  %0 = sdy.reshard %arg0 <@m, [{}], unreduced={"y"}> : tensor<8xf32>
  return %0 : tensor<8xf32>
}
