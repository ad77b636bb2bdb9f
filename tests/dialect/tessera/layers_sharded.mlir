// Attention with several masks and rotary embedding on a mesh: batches and heads are sharded, nothing is exchanged.
// RUN: tessera opt %s --sdy-propagation-pipeline | FileCheck %s
// RUN: tessera run %s --input=random --spmd --check

sdy.mesh @mesh = <["x"=2, "y"=2]>
// CHECK: %arg3: tensor<2x6x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {}]>}
// CHECK-SAME: %arg4: tensor<4x1x6x6xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}, {}]>}
func.func @main(%q: tensor<4x2x6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}, {}]>}, %k: tensor<4x2x6x8xf32>,
                %v: tensor<4x2x6x8xf32>, %b: tensor<2x6x6xf32>, %m: tensor<4x1x6x6xi1>, %c: tensor<6x4xf32>, %s: tensor<6x4xf32>) -> tensor<4x2x6x8xf32> {
  // CHECK: tessera.rotary %arg0, %arg5, %arg6 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}, {}, {}]>]>}
  %0 = tessera.rotary %q, %c, %s : tensor<4x2x6x8xf32>, tensor<6x4xf32>, tensor<6x4xf32> -> tensor<4x2x6x8xf32>
  // CHECK: tessera.flash_attention {{.*}} {causal = true, fill = -1.000000e+00 : f32, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}, {}, {}]>]>}
  %1 = tessera.flash_attention %0, %k, %v, %b, %m {causal = true, fill = -1.0 : f32} : tensor<4x2x6x8xf32>, tensor<4x2x6x8xf32>, tensor<4x2x6x8xf32>, tensor<2x6x6xf32>, tensor<4x1x6x6xi1> -> tensor<4x2x6x8xf32>
  return %1 : tensor<4x2x6x8xf32>
}
