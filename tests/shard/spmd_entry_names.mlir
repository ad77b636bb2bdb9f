// Whatever the entry is called, all functions keep their names, and attributes that look like ours are the user's.
// RUN: tessera opt %s --tessera-partition | FileCheck %s
// RUN: tessera run %s --function=f --spmd --check --input=random | FileCheck %s --check-prefix=SAME
// RUN: tessera shard %s --function=f --why=#0 | FileCheck %s --check-prefix=WHY
// CHECK: func.func @f(
// CHECK-SAME: attributes {tessera.name = "own", tessera.place = 7 : i64}
// CHECK: call @main(
// CHECK: func.func private @main(
// SAME: PASS (exact)
// WHY: dimension 0 is sharded by "x":
sdy.mesh @mesh = <["x"=2]>
func.func private @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @f(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> attributes {tessera.name = "own", tessera.place = 7 : i64} {
  %0 = call @main(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.composite "my.twice" %0 {decomposition = @twice} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @twice(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
