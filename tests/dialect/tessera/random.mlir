// Random numbers from a value are the same in StableHLO; tokens go with the ops that have them.
// RUN: tessera run %s --input=2xui64=42,5 --output=%t.npz
// RUN: tessera opt %s --tessera-to-stablehlo -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera run %t.mlir --input=2xui64=42,5 --expect=%t.npz
// CHECK: stablehlo.rng_bit_generator
// CHECK-NOT: tessera.

func.func @main(%key: tensor<2xui64>) -> (tensor<3x5xf32>, tensor<7xf64>, tensor<64xf32>, tensor<4xbf16>, tensor<2xui64>) {
  %0, %k0 = tessera.random %key : tensor<2xui64> -> tensor<3x5xf32>, tensor<2xui64>
  %1, %k1, %t = tessera.random %k0 : tensor<2xui64> -> tensor<7xf64>, tensor<2xui64>, !tessera.effect_token
  %d = tessera.effect_dependency(%0, %t) : tensor<3x5xf32>, !tessera.effect_token
  %2, %k2 = tessera.random %k1 after(%d, %t) {distribution = "normal"} : tensor<2xui64> -> tensor<64xf32>, tensor<2xui64>
  %3, %k3 = tessera.random %k2 {distribution = "normal"} : tensor<2xui64> -> tensor<4xbf16>, tensor<2xui64>
  return %0, %1, %2, %3, %k3 : tensor<3x5xf32>, tensor<7xf64>, tensor<64xf32>, tensor<4xbf16>, tensor<2xui64>
}
