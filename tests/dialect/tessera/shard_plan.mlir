// `tessera shard` plans Graph IR: what needs a collective is named.
// RUN: tessera shard %s | FileCheck %s
// CHECK: mesh @mesh: data=2, model=2 (4 devices)
// CHECK: %arg0 tensor<8x16xf32> [{"data"}, {"model"}] 4x8xf32
// CHECK: 1 collective, {{.*}}
// CHECK: all_reduce model 2 tensor<4x32xf32> {{.*}} tessera.matmul at shard_plan.mlir:10:8
tessera.mesh @mesh = <["data"=2, "model"=2]>
func.func @main(%x: tensor<8x16xf32>, %w: tensor<16x32xf32>) -> tensor<8x32xf32> {
  %0 = tessera.shard %x <@mesh, [{"data"}, {"model"}]> : tensor<8x16xf32> -> tensor<8x16xf32>
  %1 = tessera.matmul %0, %w : tensor<8x16xf32>, tensor<16x32xf32> -> tensor<8x32xf32>
  return %1 : tensor<8x32xf32>
}
