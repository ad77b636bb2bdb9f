// Changes of layout: one op for each dimension; moves between dimensions; slices are no communication.
// RUN: tessera opt %s --tessera-distribute=global=true | FileCheck %s
// RUN: tessera opt %s --tessera-distribute="global=true nccl=true" | FileCheck %s --check-prefix=NCCL

tessera.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>)
    -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = tessera.shard %a <@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32> -> tensor<8x8xf32>
  %1 = tessera.shard %b <@mesh, [{"x"}, {}]> : tensor<8x8xf32> -> tensor<8x8xf32>
  %2 = tessera.replicate %c on @mesh : tensor<8x8xf32> -> tensor<8x8xf32>
  %3 = tessera.exp %0 : tensor<8x8xf32> -> tensor<8x8xf32>
  %4 = tessera.exp %1 : tensor<8x8xf32> -> tensor<8x8xf32>
  %5 = tessera.exp %2 : tensor<8x8xf32> -> tensor<8x8xf32>
  // CHECK: tessera.shard %arg2 <@mesh, [{"x"}, {"y"}]>
  // CHECK: tessera.all_gather %{{.*}} {group = "x", mesh = @mesh, out_sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}
  // CHECK: tessera.all_gather %{{.*}} {dim = 1 : i64, group = "y", mesh = @mesh, out_sharding = #sdy.sharding<@mesh, [{}, {}]>}
  // CHECK: tessera.collective %{{.*}} {dim = 1 : i64, group = "x", kind = "all_to_all", mesh = @mesh, out_sharding = #sdy.sharding<@mesh, [{}, {"x"}]>
  // NCCL: tessera.nccl_all_to_all %{{.*}} {devices = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>, dim = 1 : i64,
  %6 = tessera.replicate %3 on @mesh : tensor<8x8xf32> -> tensor<8x8xf32>
  %7 = tessera.shard %4 <@mesh, [{}, {"x"}]> : tensor<8x8xf32> -> tensor<8x8xf32>
  %8 = tessera.shard %5 <@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32> -> tensor<8x8xf32>
  return %6, %7, %8 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
