// StableHLO with Shardy's shardings is distributed the same way; groups have the names that axes usually stand for.
// RUN: tessera opt %s --tessera-distribute | FileCheck %s
// RUN: tessera opt %s --stablehlo-to-tessera --tessera-distribute | FileCheck %s --check-prefix=GRAPH
// RUN: tessera opt %s --tessera-distribute -o %t.mlir
// RUN: tessera run %s --input=random --output=%t.npz
// RUN: tessera run %t.mlir --spmd --input=random --expect=%t.npz

// CHECK: tessera.mesh @mesh = <["dp"=2, "fsdp"=2, "tp"=2, "z"=1]> {groups = {data_parallel = ["dp", "fsdp"], tensor_parallel = ["tp"]}}
sdy.mesh @mesh = <["dp"=2, "fsdp"=2, "tp"=2, "z"=1]>

// CHECK-LABEL: func.func @main(
// CHECK:         stablehlo.dot_general {{.*}} : (tensor<2x8xf32>, tensor<8x16xf32>) -> tensor<2x16xf32>
// CHECK:         tessera.allreduce %{{.*}} {group = "tensor_parallel", mesh = @mesh} : tensor<2x16xf32>
// CHECK:         stablehlo.reduce
// CHECK:         tessera.allreduce %{{.*}} {group = "data_parallel", kind = "max", mesh = @mesh} : tensor<16xf32>
// CHECK:         tessera.all_gather %{{.*}} {mesh = @mesh} : tensor<1x16xf32> -> tensor<8x16xf32>
// CHECK:         tessera.all_gather %{{.*}} {group = "fsdp", mesh = @mesh} : tensor<8xf32> -> tensor<16xf32>
// CHECK-NOT:     stablehlo.all
// GRAPH: tessera.matmul %{{.*}} : tensor<2x8xf32>, tensor<8x16xf32> -> tensor<2x16xf32>
// GRAPH: tessera.allreduce
func.func @main(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"dp", "fsdp"}, {"tp"}]>}, %w: tensor<16x16xf32>,
    %y: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"dp", "fsdp", "tp"}, {}]>}, %z: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}]>})
    -> (tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %c = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.maximum across dimensions = [0] : (tensor<8x16xf32>, tensor<f32>) -> tensor<16xf32>
  %2 = stablehlo.negate %y : tensor<8x16xf32>
  %3 = stablehlo.negate %z : tensor<16xf32>
  return %1, %2, %3 : tensor<16xf32>, tensor<8x16xf32>, tensor<16xf32>
}
