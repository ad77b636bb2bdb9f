// States keep what was written; random numbers follow from a key and a counter alone.
// RUN: tessera run %s | FileCheck %s
// RUN: not tessera opt %s --tessera-to-stablehlo 2>&1 | FileCheck %s --check-prefix=LOWER
// LOWER: error: 'tessera.state_read' op has no form in StableHLO: StableHLO has no states

tessera.state @counter = dense<1.0> : tensor<2xf32>
tessera.state @rng = dense<[7, 0]> : tensor<2xui64>
func.func @main() -> (tensor<2xf32>, tensor<2xf32>, tensor<i1>, tensor<2xui64>, tensor<2xui64>) {
  %0 = tessera.state_read @counter : tensor<2xf32>
  %1 = tessera.add %0, %0 : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  %t = tessera.state_update @counter, %1 : tensor<2xf32> -> !tessera.effect_token
  %2 = tessera.state_read @counter after(%t) : tensor<2xf32>
  %key = tessera.constant dense<[7, 0]> : tensor<2xui64>
  %a = tessera.random @rng : tensor<6xf32>
  %b = tessera.random @rng {distribution = "normal"} : tensor<3xbf16>
  %c, %k1 = tessera.random %key : tensor<2xui64> -> tensor<6xf32>, tensor<2xui64>
  %d, %k2 = tessera.random %k1 {distribution = "normal"} : tensor<2xui64> -> tensor<3xbf16>, tensor<2xui64>
  %same = stablehlo.compare EQ, %a, %c : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %one = stablehlo.constant dense<true> : tensor<i1>
  %all = stablehlo.reduce(%same init: %one) applies stablehlo.and across dimensions = [0] : (tensor<6xi1>, tensor<i1>) -> tensor<i1>
  %left = tessera.state_read @rng : tensor<2xui64>
  return %0, %2, %all, %left, %k2 : tensor<2xf32>, tensor<2xf32>, tensor<i1>, tensor<2xui64>, tensor<2xui64>
}
// CHECK: [1.000000e+00, 1.000000e+00]
// CHECK: [2.000000e+00, 2.000000e+00]
// CHECK: tensor<i1> {true}
// CHECK: [7, 3]
// CHECK: [7, 3]
