// A step of six layers on two devices that have half of the batch each: gradients are summed while those of layers before them are computed.
// RUN: tessera run %s --spmd --input=random --check --atol=0.01 | FileCheck %s --implicit-check-not=FAIL
// CHECK: PASS
sdy.mesh @mesh = <["x"=2]>
func.func @main(%w0: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %w1: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %w2: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %w3: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %w4: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %w5: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %x: tensor<256x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %rate = stablehlo.constant dense<0.001> : tensor<512x512xf32>
  %one = stablehlo.constant dense<1.0> : tensor<256x512xf32>
  %y0 = stablehlo.dot_general %x, %w0, contracting_dims = [1] x [0] : (tensor<256x512xf32>, tensor<512x512xf32>) -> tensor<256x512xf32>
  %h0 = stablehlo.tanh %y0 : tensor<256x512xf32>
  %y1 = stablehlo.dot_general %h0, %w1, contracting_dims = [1] x [0] : (tensor<256x512xf32>, tensor<512x512xf32>) -> tensor<256x512xf32>
  %h1 = stablehlo.tanh %y1 : tensor<256x512xf32>
  %y2 = stablehlo.dot_general %h1, %w2, contracting_dims = [1] x [0] : (tensor<256x512xf32>, tensor<512x512xf32>) -> tensor<256x512xf32>
  %h2 = stablehlo.tanh %y2 : tensor<256x512xf32>
  %y3 = stablehlo.dot_general %h2, %w3, contracting_dims = [1] x [0] : (tensor<256x512xf32>, tensor<512x512xf32>) -> tensor<256x512xf32>
  %h3 = stablehlo.tanh %y3 : tensor<256x512xf32>
  %y4 = stablehlo.dot_general %h3, %w4, contracting_dims = [1] x [0] : (tensor<256x512xf32>, tensor<512x512xf32>) -> tensor<256x512xf32>
  %h4 = stablehlo.tanh %y4 : tensor<256x512xf32>
  %y5 = stablehlo.dot_general %h4, %w5, contracting_dims = [1] x [0] : (tensor<256x512xf32>, tensor<512x512xf32>) -> tensor<256x512xf32>
  %h5 = stablehlo.tanh %y5 : tensor<256x512xf32>
  %s5 = stablehlo.multiply %h5, %h5 : tensor<256x512xf32>
  %c5 = stablehlo.subtract %one, %s5 : tensor<256x512xf32>
  %d5 = stablehlo.multiply %h5, %c5 : tensor<256x512xf32>
  %g5 = stablehlo.dot_general %h4, %d5, contracting_dims = [0] x [0] : (tensor<256x512xf32>, tensor<256x512xf32>) -> tensor<512x512xf32>
  %e5 = stablehlo.dot_general %d5, %w5, contracting_dims = [1] x [1] : (tensor<256x512xf32>, tensor<512x512xf32>) -> tensor<256x512xf32>
  %s4 = stablehlo.multiply %h4, %h4 : tensor<256x512xf32>
  %c4 = stablehlo.subtract %one, %s4 : tensor<256x512xf32>
  %d4 = stablehlo.multiply %e5, %c4 : tensor<256x512xf32>
  %g4 = stablehlo.dot_general %h3, %d4, contracting_dims = [0] x [0] : (tensor<256x512xf32>, tensor<256x512xf32>) -> tensor<512x512xf32>
  %e4 = stablehlo.dot_general %d4, %w4, contracting_dims = [1] x [1] : (tensor<256x512xf32>, tensor<512x512xf32>) -> tensor<256x512xf32>
  %s3 = stablehlo.multiply %h3, %h3 : tensor<256x512xf32>
  %c3 = stablehlo.subtract %one, %s3 : tensor<256x512xf32>
  %d3 = stablehlo.multiply %e4, %c3 : tensor<256x512xf32>
  %g3 = stablehlo.dot_general %h2, %d3, contracting_dims = [0] x [0] : (tensor<256x512xf32>, tensor<256x512xf32>) -> tensor<512x512xf32>
  %e3 = stablehlo.dot_general %d3, %w3, contracting_dims = [1] x [1] : (tensor<256x512xf32>, tensor<512x512xf32>) -> tensor<256x512xf32>
  %s2 = stablehlo.multiply %h2, %h2 : tensor<256x512xf32>
  %c2 = stablehlo.subtract %one, %s2 : tensor<256x512xf32>
  %d2 = stablehlo.multiply %e3, %c2 : tensor<256x512xf32>
  %g2 = stablehlo.dot_general %h1, %d2, contracting_dims = [0] x [0] : (tensor<256x512xf32>, tensor<256x512xf32>) -> tensor<512x512xf32>
  %e2 = stablehlo.dot_general %d2, %w2, contracting_dims = [1] x [1] : (tensor<256x512xf32>, tensor<512x512xf32>) -> tensor<256x512xf32>
  %s1 = stablehlo.multiply %h1, %h1 : tensor<256x512xf32>
  %c1 = stablehlo.subtract %one, %s1 : tensor<256x512xf32>
  %d1 = stablehlo.multiply %e2, %c1 : tensor<256x512xf32>
  %g1 = stablehlo.dot_general %h0, %d1, contracting_dims = [0] x [0] : (tensor<256x512xf32>, tensor<256x512xf32>) -> tensor<512x512xf32>
  %e1 = stablehlo.dot_general %d1, %w1, contracting_dims = [1] x [1] : (tensor<256x512xf32>, tensor<512x512xf32>) -> tensor<256x512xf32>
  %s0 = stablehlo.multiply %h0, %h0 : tensor<256x512xf32>
  %c0 = stablehlo.subtract %one, %s0 : tensor<256x512xf32>
  %d0 = stablehlo.multiply %e1, %c0 : tensor<256x512xf32>
  %g0 = stablehlo.dot_general %x, %d0, contracting_dims = [0] x [0] : (tensor<256x512xf32>, tensor<256x512xf32>) -> tensor<512x512xf32>
  %u0 = stablehlo.multiply %g0, %rate : tensor<512x512xf32>
  %v0 = stablehlo.subtract %w0, %u0 : tensor<512x512xf32>
  %u1 = stablehlo.multiply %g1, %rate : tensor<512x512xf32>
  %v1 = stablehlo.subtract %w1, %u1 : tensor<512x512xf32>
  %u2 = stablehlo.multiply %g2, %rate : tensor<512x512xf32>
  %v2 = stablehlo.subtract %w2, %u2 : tensor<512x512xf32>
  %u3 = stablehlo.multiply %g3, %rate : tensor<512x512xf32>
  %v3 = stablehlo.subtract %w3, %u3 : tensor<512x512xf32>
  %u4 = stablehlo.multiply %g4, %rate : tensor<512x512xf32>
  %v4 = stablehlo.subtract %w4, %u4 : tensor<512x512xf32>
  %u5 = stablehlo.multiply %g5, %rate : tensor<512x512xf32>
  %v5 = stablehlo.subtract %w5, %u5 : tensor<512x512xf32>
  return %v0, %v1, %v2, %v3, %v4, %v5 : tensor<512x512xf32>, tensor<512x512xf32>, tensor<512x512xf32>, tensor<512x512xf32>, tensor<512x512xf32>, tensor<512x512xf32>
}
