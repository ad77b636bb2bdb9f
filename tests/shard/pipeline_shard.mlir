// tessera-shard: collectives of sdy on global types. A value that two products want whole is gathered once, which Shardy's own
// pipeline does for each.
// RUN: tessera opt %s --tessera-shard | FileCheck %s
// RUN: sdy_opt %s --sdy-propagation-pipeline="enable-insert-explicit-collectives=true" | FileCheck %s --check-prefix=SHARDY

sdy.mesh @m = <["x"=2, "y"=2]>
// CHECK-LABEL: func.func @main
// CHECK-COUNT-1: sdy.all_gather
// CHECK-NOT: sdy.all_gather
// SHARDY-LABEL: func.func @main
// SHARDY-COUNT-2: sdy.all_gather
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}]>},
                %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}]>},
                %c: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}]>})
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}]>}, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}]>}) {
  %0 = stablehlo.dot %a, %b : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.dot %a, %c : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}
