// Ops that look alike share a rule, unless it depends on where their operands come from.
// RUN: sdy_opt %s --sdy-basic-propagate=keep-sharding-rules=true | FileCheck %s

sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}, %b: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %0 = stablehlo.slice %a [0:4, 0:4] : (tensor<8x4xf32>) -> tensor<4x4xf32>
  %1 = stablehlo.slice %a [4:8, 0:4] : (tensor<8x4xf32>) -> tensor<4x4xf32>
  // CHECK: concatenate %1, %0, {{.*}} permutation={i}>
  %2 = stablehlo.concatenate %1, %0, dim = 0 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %3 = stablehlo.negate %0 : tensor<4x4xf32>
  %4 = stablehlo.abs %1 : tensor<4x4xf32>
  // CHECK: concatenate %3, %4, {{.*}} need_replication={i}>
  %5 = stablehlo.concatenate %3, %4, dim = 0 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  return %2, %5 : tensor<8x4xf32>, tensor<8x4xf32>
}

func.func @known(%a: tensor<8xf32>, %b: tensor<2xf32>, %i: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  // CHECK: dynamic_update_slice %arg0, %arg1, %c {{.*}} {i=8, j=2}>}
  %0 = stablehlo.dynamic_update_slice %a, %b, %c : (tensor<8xf32>, tensor<2xf32>, tensor<i32>) -> tensor<8xf32>
  // CHECK: dynamic_update_slice %arg0, %arg1, %arg2 {{.*}} need_replication={j}>
  %1 = stablehlo.dynamic_update_slice %a, %b, %i : (tensor<8xf32>, tensor<2xf32>, tensor<i32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
