// What has no elements is sent to nobody: as JAX's associative_scan ends.
// RUN: tessera opt %s --tessera-partition | FileCheck %s
// RUN: tessera run %s --spmd --check --input=random | FileCheck %s --check-prefix=SAME
// CHECK-NOT: all_gather
// CHECK: return
// SAME: PASS
sdy.mesh @mesh = <["x"=8]>
func.func @main(%a: tensor<1x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<1x8xf32>, tensor<0x8xf32>) {
  %0 = stablehlo.slice %a [0:0, 0:8] : (tensor<1x8xf32>) -> tensor<0x8xf32>
  %1 = stablehlo.concatenate %0, %a, %0, dim = 0 : (tensor<0x8xf32>, tensor<1x8xf32>, tensor<0x8xf32>) -> tensor<1x8xf32>
  %2 = stablehlo.multiply %0, %0 : tensor<0x8xf32>
  // No constant has such elements.
  %3 = stablehlo.uniform_quantize %0 : (tensor<0x8xf32>) -> tensor<0x8x!quant.uniform<i8:f32, 5.000000e-01:3>>
  return %1, %2 : tensor<1x8xf32>, tensor<0x8xf32>
}
