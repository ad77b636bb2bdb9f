// Shardings spread, collectives come out: a sharded contraction needs an all-reduce, sharded rows and columns nothing.
// RUN: tessera opt %s --tessera-distribute=global=true | FileCheck %s
// RUN: tessera opt %s --tessera-distribute="global=true nccl=true" | FileCheck %s --check-prefix=NCCL
// RUN: tessera opt %s --tessera-distribute=global=true | tessera run - --input=random --output=%t.npz
// RUN: tessera run %s --input=random --expect=%t.npz
// RUN: tessera run %s --input=random --spmd --check

tessera.mesh @mesh = <["data"=2, "model"=2]> {groups = {data_parallel = ["data"], tensor_parallel = ["model"]}}
func.func @main(%x: tensor<8x16xf32>, %w1: tensor<16x32xf32>, %w2: tensor<32x16xf32>) -> tensor<8x16xf32> {
  // CHECK: %[[A:.*]] = tessera.matmul %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>}
  // CHECK: %[[G:.*]] = tessera.gelu %[[A]]
  // CHECK: %[[B:.*]] = tessera.matmul %[[G]], %arg2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>}
  // CHECK: %[[S:.*]] = tessera.allreduce %[[B]] {group = "tensor_parallel", mesh = @mesh, out_sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}
  // CHECK: %[[P:.*]] = tessera.softmax %[[S]]
  // CHECK: %[[R:.*]] = tessera.all_gather %[[P]] {group = "data_parallel", mesh = @mesh, out_sharding = #sdy.sharding<@mesh, [{}, {}]>}
  // CHECK: return %[[R]]
  // NCCL: tessera.nccl_allreduce %{{.*}} {devices = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xi64>
  // NCCL: tessera.nccl_all_gather %{{.*}} {devices = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>
  %0 = tessera.shard %x <@mesh, [{"data"}, {}]> : tensor<8x16xf32> -> tensor<8x16xf32>
  %1 = tessera.shard %w1 <@mesh, [{}, {"model"}]> : tensor<16x32xf32> -> tensor<16x32xf32>
  %2 = tessera.shard %w2 <@mesh, [{"model"}, {}]> : tensor<32x16xf32> -> tensor<32x16xf32>
  %3 = tessera.matmul %0, %1 : tensor<8x16xf32>, tensor<16x32xf32> -> tensor<8x32xf32>
  %4 = tessera.gelu %3 : tensor<8x32xf32> -> tensor<8x32xf32>
  %5 = tessera.matmul %4, %2 : tensor<8x32xf32>, tensor<32x16xf32> -> tensor<8x16xf32>
  %6 = tessera.softmax %5 : tensor<8x16xf32> -> tensor<8x16xf32>
  %7 = tessera.replicate %6 on @mesh : tensor<8x16xf32> -> tensor<8x16xf32>
  return %7 : tensor<8x16xf32>
}
