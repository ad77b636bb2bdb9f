// Cumulative windows carry one number from part to part; top_k chooses among what parts have chosen; both gather a few
// elements, not the operand.
// RUN: tessera run %s --spmd --check --input=random --input=random | FileCheck %s --check-prefix=RUN
// RUN-COUNT-3: PASS
// RUN: tessera opt %s --tessera-partition | FileCheck %s
// CHECK: "stablehlo.all_gather"{{.*}} : (tensor<3x1xf32>, tensor<3x2xf32>, tensor<3x2xi32>) -> (tensor<3x4xf32>, tensor<3x8xf32>, tensor<3x8xi32>)
// CHECK: chlo.top_k(%{{.*}}, k = 2) : tensor<3x8xf32>
// CHECK: "stablehlo.gather"
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<3x13xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<3x13xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<3x13xf32>, tensor<3x2xf32>, tensor<3x2xi32>) {
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 1, 13>, padding = dense<[[0, 0], [12, 0]]> : tensor<2x2xi64>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %r = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<3x13xf32>, tensor<f32>) -> tensor<3x13xf32>
    %v, %i = chlo.top_k(%b, k = 2) : tensor<3x13xf32> -> (tensor<3x2xf32>, tensor<3x2xi32>)
    return %0, %v, %i : tensor<3x13xf32>, tensor<3x2xf32>, tensor<3x2xi32>
  }
}
