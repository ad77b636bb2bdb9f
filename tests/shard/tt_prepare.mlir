// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics --partially-convert-sdy-to-stablehlo --decouple-const-fanout --decompose-custom-call-tuples --register-custom-sharding-rule --register-user-sharding-rule | FileCheck %s

sdy.mesh @mesh = <["x"=1, "y"=2]>

// A broadcast for each user of a broadcast constant.
// CHECK-LABEL: func @fanout
// CHECK-NEXT: %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %0 = stablehlo.broadcast_in_dim %cst
// CHECK-NEXT: %1 = stablehlo.broadcast_in_dim %cst
// CHECK-NEXT: %2 = stablehlo.add %arg0, %1
// CHECK-NEXT: %3 = stablehlo.multiply %2, %0
func.func @fanout(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> tensor<4xf32> {
  %0 = sdy.constant dense<1.0> : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %2 = stablehlo.add %arg0, %1 : tensor<4xf32>
  %3 = stablehlo.multiply %2, %1 : tensor<4xf32>
  return %3 : tensor<4xf32>
}

// Nothing is sharded: one broadcast is enough.
// CHECK-LABEL: func @whole
// CHECK-COUNT-1: stablehlo.broadcast_in_dim
// CHECK-NOT: stablehlo.broadcast_in_dim
// CHECK-LABEL: func @tuple
func.func @whole(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %2 = stablehlo.add %arg0, %1 : tensor<4xf32>
  %3 = stablehlo.multiply %2, %1 : tensor<4xf32>
  return %3 : tensor<4xf32>
}

// CHECK-NEXT: %0:2 = stablehlo.custom_call @f(%arg0)
// CHECK-NEXT: stablehlo.add %0#1, %0#0
func.func @tuple(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0:2 = stablehlo.custom_call @f(%arg0) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %1 = stablehlo.tuple %0#0, %0#1 : tuple<tensor<4xf32>, tensor<4xf32>>
  %2 = stablehlo.get_tuple_element %1[1] : (tuple<tensor<4xf32>, tensor<4xf32>>) -> tensor<4xf32>
  %3 = stablehlo.get_tuple_element %1[0] : (tuple<tensor<4xf32>, tensor<4xf32>>) -> tensor<4xf32>
  %4 = stablehlo.add %2, %3 : tensor<4xf32>
  return %4 : tensor<4xf32>
}

// CHECK-LABEL: func @rule
// CHECK: sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=4}>
func.func @rule(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @f(%arg0) {mhlo.frontend_attributes = {xla.sdy.custom_sharding_rule = " #sdy.op_sharding_rule<([i])->([i]) {i=4}, custom>"}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @no_rule(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{failed to parse 'xla.sdy.custom_sharding_rule' frontend attribute as an #sdy.op_sharding_rule}}
  %0 = stablehlo.custom_call @f(%arg0) {mhlo.frontend_attributes = {xla.sdy.custom_sharding_rule = "#sdy.op_sharding_rule<"}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @wrong_rule(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{number of operands and mappings must match: 1 != 2}}
  %0 = stablehlo.custom_call @f(%arg0) {mhlo.frontend_attributes = {xla.sdy.custom_sharding_rule = "#sdy.op_sharding_rule<([i], [i])->([i]) {i=4}>"}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
