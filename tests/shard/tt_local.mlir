// RUN: ttmlir-opt %s --stablehlo-pipeline | FileCheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>

// What goes round a loop is cut with its results.
// CHECK-LABEL: func @loop
// CHECK: sdy.manual_computation(%arg0)
// CHECK: stablehlo.while(%iterArg = %arg1, %iterArg_{{.*}} = %c{{.*}}) : tensor<4x8xf32>, tensor<i32>
// CHECK: stablehlo.negate %iterArg : tensor<4x8xf32>
func.func @loop(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%a = %arg0, %i = %c) : tensor<8x8xf32>, tensor<i32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>, <@mesh, []>]>}
  cond {
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.negate %a : tensor<8x8xf32>
    %2 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %1, %2 : tensor<8x8xf32>, tensor<i32>
  }
  return %0#0 : tensor<8x8xf32>
}

// Nobody knows how to compute a part of this: it gets all.
// CHECK-LABEL: func @unknown
// CHECK: %[[ALL:.*]] = "stablehlo.all_gather"(%arg1)
// CHECK: stablehlo.custom_call @mystery(%[[ALL]]) : (tensor<8x8xf32>) -> tensor<8x8xf32>
func.func @unknown(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.custom_call @mystery(%arg0) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Groups of channels are shared out.
// CHECK-LABEL: func @depthwise
// CHECK: feature_group_count = 4 : i64
// CHECK-SAME: (tensor<1x8x8x4xf32>, tensor<3x3x1x4xf32>) -> tensor<1x6x6x4xf32>
func.func @depthwise(%arg0: tensor<1x8x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {"y"}]>}, %arg1: tensor<3x3x1x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {"y"}]>}) -> tensor<1x6x6x8xf32> {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 8 : i64} : (tensor<1x8x8x8xf32>, tensor<3x3x1x8xf32>) -> tensor<1x6x6x8xf32>
  return %0 : tensor<1x6x6x8xf32>
}

// One device, too, ends up in a manual computation: who reads this finds one, whatever the mesh.
// CHECK-LABEL: func @unsharded
// CHECK: sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}]>] out_shardings=[<@mesh, [{}]>] manual_axes={"x", "y"}
func.func @unsharded(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %arg0 : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Nor has Shardy a rule for this one, but we have, and devices need nothing of each other.
// CHECK-LABEL: func @rule_of_ours
// CHECK: chlo.square %arg1 : tensor<2xf32> -> tensor<2xf32>
func.func @rule_of_ours(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
  %0 = chlo.square %arg0 : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func @no_rule
// CHECK: %[[ALL:.*]] = "stablehlo.all_gather"(%arg1)
// CHECK: chlo.top_k(%[[ALL]], k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
func.func @no_rule(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<2xf32> {
  %0:2 = chlo.top_k(%arg0, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
  return %0#0 : tensor<2xf32>
}
