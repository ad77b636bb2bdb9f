// A composite is partitioned as a call of its decomposition: shardings go through it.
// RUN: tessera run %s --spmd --check --input=random | FileCheck %s
// CHECK: 0 {{.*}}PASS
// RUN: tessera opt %s --tessera-partition | FileCheck %s --check-prefix=LOCAL
// LOCAL: call @{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
module {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%a: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> (tensor<4x6xf32>) {
    %0 = stablehlo.composite "my.softish" %a {decomposition = @impl} : (tensor<4x6xf32>) -> tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }
  func.func private @impl(%a: tensor<4x6xf32>) -> tensor<4x6xf32> {
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %r = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
    %b = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<4xf32>) -> tensor<4x6xf32>
    %d = stablehlo.divide %a, %b : tensor<4x6xf32>
    return %d : tensor<4x6xf32>
  }
}
