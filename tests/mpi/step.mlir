// A step of gradient descent with momentum, on four devices; the momentum comes out divided otherwise than it goes in.
// RUN: tessera run %s --spmd --input=random --loop=3 --feed=out0:in0,out1:in1 --check | FileCheck %s
// CHECK: 0 {{.*}} PASS
// CHECK-NEXT: 1 {{.*}} PASS
// CHECK-NEXT: 2 {{.*}} PASS
sdy.mesh @mesh = <["x"=4]>
func.func @main(%w: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %v: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %x: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<f32>) {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
  %t = stablehlo.tanh %y : tensor<16x4xf32>
  %g = stablehlo.dot_general %x, %t, contracting_dims = [0] x [0] : (tensor<16x8xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  %rate = stablehlo.constant dense<0.01> : tensor<8x4xf32>
  %keep = stablehlo.constant dense<0.9> : tensor<8x4xf32>
  %v0 = stablehlo.multiply %v, %keep : tensor<8x4xf32>
  %v1 = stablehlo.add %v0, %g : tensor<8x4xf32>
  %d = stablehlo.multiply %v1, %rate : tensor<8x4xf32>
  %w1 = stablehlo.subtract %w, %d : tensor<8x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sq = stablehlo.multiply %t, %t : tensor<16x4xf32>
  %loss = stablehlo.reduce(%sq init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x4xf32>, tensor<f32>) -> tensor<f32>
  return %w1, %v1, %loss : tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>
}
