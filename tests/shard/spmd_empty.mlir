// A tensor without elements is not moved: no collective has it as an operand.
// RUN: tessera run %s --spmd --check --input=random | FileCheck %s --check-prefix=RUN
// RUN-COUNT-6: PASS (exact)
// RUN: tessera opt %s --tessera-partition | FileCheck %s
// CHECK-NOT: {{"stablehlo.[a-z_]*(all|collective|reduce_scatter)[a-z_]*".*}}: (tensor<{{.*}}0x
module {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%a: tensor<0xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<4xf32>, %c: tensor<0x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %d: tensor<4x0xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> (tensor<4xf32>, tensor<0x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<0x0xf32>, tensor<4x0xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<4xf32>) {
    %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<0xf32>, tensor<4xf32>) -> tensor<4xf32>
    %1 = stablehlo.dot_general %d, %c, contracting_dims = [1] x [0] : (tensor<4x0xf32>, tensor<0x4xf32>) -> tensor<4x4xf32>
    %2 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<0x4xf32>, tensor<4x0xf32>) -> tensor<0x0xf32>
    %3 = stablehlo.reverse %d, dims = [0] : tensor<4x0xf32>
    %z = stablehlo.constant dense<1.0> : tensor<f32>
    %4 = stablehlo.reduce(%d init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x0xf32>, tensor<f32>) -> tensor<4xf32>
    return %0, %c, %1, %2, %3, %4 : tensor<4xf32>, tensor<0x4xf32>, tensor<4x4xf32>, tensor<0x0xf32>, tensor<4x0xf32>, tensor<4xf32>
  }
}
