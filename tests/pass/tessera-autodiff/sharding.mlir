// RUN: tessera opt %s --tessera-autodiff | FileCheck %s

// Cotangents are sharded as what they belong to: those of arguments and results, and of values inside.
sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK-LABEL: func.func @f_grad(
// CHECK-SAME: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %{{.*}}: tensor<16x4xf32>,
// CHECK-SAME: %{{.*}}: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
// CHECK-SAME: -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<16x4xf32>)
// CHECK: stablehlo.multiply {{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : tensor<8x4xf32>
// CHECK: sdy.sharding_constraint {{.*}} <@mesh, [{}, {"y"}]> : tensor<16x4xf32>
func.func @f(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %w: tensor<16x4xf32>) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>, jax.result_info = "result"}) attributes {tessera.autodiff} {
  %0 = sdy.sharding_constraint %w <@mesh, [{}, {"y"}]> : tensor<16x4xf32>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  %2 = stablehlo.tanh %1 : tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}
