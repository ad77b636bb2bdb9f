// Meshes and shardings become local tensors and collectives, and the values stay.
// RUN: tessera opt %s --tessera-distribute | FileCheck %s
// RUN: tessera opt %s --tessera-distribute=nccl=true | FileCheck %s --check-prefix=NCCL
// RUN: tessera opt %s --tessera-distribute=groups=mine:model,both:data+model | FileCheck %s --check-prefix=NAMED
// RUN: tessera opt %s --tessera-distribute -o %t.local.mlir
// RUN: tessera opt %s --tessera-distribute=nccl=true -o %t.nccl.mlir
// RUN: tessera opt %s --tessera-distribute=global=true --tessera-distribute -o %t.again.mlir
// RUN: tessera opt %s --tessera-fuse --tessera-distribute -o %t.fused.mlir
// RUN: for f in mlp rows columns inner batch attention norm odd kinds vocabulary; do \
// RUN:   tessera run %s --function=$f --input=random --output=%t.npz && \
// RUN:   for m in local nccl again fused; do \
// RUN:     tessera run %t.$m.mlir --function=$f --spmd --input=random --expect=%t.npz >/dev/null || exit 1; \
// RUN:   done; done

// CHECK: tessera.mesh @mesh = <["data"=2, "model"=2]> {groups = {data_parallel = ["data"], tensor_parallel = ["model"]}}
// NCCL-NOT: tessera.mesh
// NAMED: tessera.mesh @mesh = <["data"=2, "model"=2]> {groups = {both = ["data", "model"], data_parallel = ["data"], mine = ["model"], tensor_parallel = ["model"]}}
tessera.mesh @mesh = <["data"=2, "model"=2]> {groups = {data_parallel = ["data"], tensor_parallel = ["model"]}}

// Columns of the first product, rows of the second one: one sum.
// CHECK-LABEL: func.func @mlp(
// CHECK-SAME:    %arg0: tensor<4x16xf32> {tessera.global = tensor<8x16xf32>
// CHECK-SAME:    %arg1: tensor<16x16xf32> {tessera.global = tensor<16x32xf32>
// CHECK-SAME:    -> tensor<8x16xf32> {
// CHECK-NEXT:    %[[A:.*]] = tessera.matmul %arg0, %arg1 : tensor<4x16xf32>, tensor<16x16xf32> -> tensor<4x16xf32>
// CHECK-NEXT:    %[[B:.*]] = tessera.gelu %[[A]] : tensor<4x16xf32> -> tensor<4x16xf32>
// CHECK-NEXT:    %[[C:.*]] = tessera.matmul %[[B]], %arg2 : tensor<4x16xf32>, tensor<16x16xf32> -> tensor<4x16xf32>
// CHECK-NEXT:    %[[D:.*]] = tessera.allreduce %[[C]] {group = "tensor_parallel", mesh = @mesh} : tensor<4x16xf32> -> tensor<4x16xf32>
// CHECK-NEXT:    %[[E:.*]] = tessera.all_gather %[[D]] {group = "data_parallel", mesh = @mesh} : tensor<4x16xf32> -> tensor<8x16xf32>
// CHECK-NEXT:    return %[[E]]
// NCCL-LABEL: func.func @mlp(
// NCCL:         tessera.nccl_allreduce %{{.*}} {devices = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xi64>}
// NCCL:         tessera.nccl_all_gather %{{.*}} {devices = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>}
// NAMED-LABEL: func.func @mlp(
// NAMED:         tessera.allreduce %{{.*}} {group = "mine", mesh = @mesh}
func.func @mlp(%x: tensor<8x16xf32>, %w1: tensor<16x32xf32>, %w2: tensor<32x16xf32>) -> tensor<8x16xf32> {
  %0 = tessera.shard %x <@mesh, [{"data"}, {}]> : tensor<8x16xf32> -> tensor<8x16xf32>
  %1 = tessera.shard %w1 <@mesh, [{}, {"model"}]> : tensor<16x32xf32> -> tensor<16x32xf32>
  %2 = tessera.shard %w2 <@mesh, [{"model"}, {}]> : tensor<32x16xf32> -> tensor<32x16xf32>
  %3 = tessera.matmul %0, %1 : tensor<8x16xf32>, tensor<16x32xf32> -> tensor<8x32xf32>
  %4 = tessera.gelu %3 : tensor<8x32xf32> -> tensor<8x32xf32>
  %5 = tessera.matmul %4, %2 : tensor<8x32xf32>, tensor<32x16xf32> -> tensor<8x16xf32>
  %6 = tessera.replicate %5 on @mesh : tensor<8x16xf32> -> tensor<8x16xf32>
  return %6 : tensor<8x16xf32>
}

// Sharded rows, columns and batches need nothing.
// CHECK-LABEL: func.func @rows(
// CHECK-NOT:     tessera.all
// CHECK:         tessera.matmul %arg0, %arg1 : tensor<4x16xf32>, tensor<16x32xf32> -> tensor<4x32xf32>
// CHECK-NEXT:    return
func.func @rows(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %w: tensor<16x32xf32>) -> tensor<8x32xf32> {
  %0 = tessera.matmul %x, %w : tensor<8x16xf32>, tensor<16x32xf32> -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// CHECK-LABEL: func.func @columns(
// CHECK-NOT:     tessera.all
// CHECK:         tessera.matmul %arg0, %arg1 {rhs_transpose = true} : tensor<8x16xf32>, tensor<16x16xf32> -> tensor<8x16xf32>
// CHECK-NEXT:    return
func.func @columns(%x: tensor<8x16xf32>, %w: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}) -> tensor<8x32xf32> {
  %0 = tessera.matmul %x, %w {rhs_transpose = true} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// A sharded contraction is a sum; parts of it are enough where the result is sharded.
// CHECK-LABEL: func.func @inner(
// CHECK:         %[[A:.*]] = tessera.matmul %arg0, %arg1 : tensor<8x8xf32>, tensor<8x32xf32> -> tensor<8x32xf32>
// CHECK-NEXT:    %[[B:.*]] = tessera.reduce_scatter %[[A]] {dim = 1 : i64, group = "tensor_parallel", mesh = @mesh} : tensor<8x32xf32> -> tensor<8x16xf32>
// CHECK-NEXT:    return %[[B]]
// NCCL-LABEL: func.func @inner(
// NCCL:         tessera.nccl_reduce_scatter %{{.*}} {devices = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xi64>, dim = 1 : i64}
func.func @inner(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %w: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>})
    -> tensor<8x32xf32> {
  %0 = tessera.matmul %x, %w : tensor<8x16xf32>, tensor<16x32xf32> -> tensor<8x32xf32>
  %1 = tessera.shard %0 <@mesh, [{}, {"model"}]> : tensor<8x32xf32> -> tensor<8x32xf32>
  return %1 : tensor<8x32xf32>
}

// CHECK-LABEL: func.func @batch(
// CHECK-NOT:     tessera.all
// CHECK:         tessera.matmul %arg0, %arg1 : tensor<2x5x3xf32>, tensor<2x3x6xf32> -> tensor<2x5x6xf32>
// CHECK-NEXT:    return
func.func @batch(%x: tensor<4x5x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}, %w: tensor<4x3x6xf32>) -> tensor<4x5x6xf32> {
  %0 = tessera.matmul %x, %w : tensor<4x5x3xf32>, tensor<4x3x6xf32> -> tensor<4x5x6xf32>
  return %0 : tensor<4x5x6xf32>
}

// Heads along one axis, batches along the other: one sum behind the last product.
// CHECK-LABEL: func.func @attention(
// CHECK-COUNT-3: tessera.matmul
// CHECK:         tessera.flash_attention %{{.*}} {causal = true} : tensor<1x2x6x4xf32>
// CHECK:         %[[P:.*]] = tessera.matmul
// CHECK-NEXT:    %[[S:.*]] = tessera.allreduce %[[P]] {group = "tensor_parallel", mesh = @mesh} : tensor<1x6x16xf32>
// CHECK-NEXT:    tessera.add
// CHECK-NOT:     tessera.all
// CHECK:         return
func.func @attention(%x: tensor<2x6x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>},
    %wq: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>},
    %wk: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>},
    %wv: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>},
    %wo: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}) -> tensor<2x6x16xf32> {
  %q = tessera.matmul %x, %wq : tensor<2x6x16xf32>, tensor<16x16xf32> -> tensor<2x6x16xf32>
  %k = tessera.matmul %x, %wk : tensor<2x6x16xf32>, tensor<16x16xf32> -> tensor<2x6x16xf32>
  %v = tessera.matmul %x, %wv : tensor<2x6x16xf32>, tensor<16x16xf32> -> tensor<2x6x16xf32>
  %q1 = tessera.reshape %q : tensor<2x6x16xf32> -> tensor<2x6x4x4xf32>
  %k1 = tessera.reshape %k : tensor<2x6x16xf32> -> tensor<2x6x4x4xf32>
  %v1 = tessera.reshape %v : tensor<2x6x16xf32> -> tensor<2x6x4x4xf32>
  %q2 = tessera.transpose %q1, dims = [0, 2, 1, 3] : tensor<2x6x4x4xf32> -> tensor<2x4x6x4xf32>
  %k2 = tessera.transpose %k1, dims = [0, 2, 1, 3] : tensor<2x6x4x4xf32> -> tensor<2x4x6x4xf32>
  %v2 = tessera.transpose %v1, dims = [0, 2, 1, 3] : tensor<2x6x4x4xf32> -> tensor<2x4x6x4xf32>
  %a = tessera.flash_attention %q2, %k2, %v2 {causal = true} : tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32> -> tensor<2x4x6x4xf32>
  %b = tessera.transpose %a, dims = [0, 2, 1, 3] : tensor<2x4x6x4xf32> -> tensor<2x6x4x4xf32>
  %c = tessera.reshape %b : tensor<2x6x4x4xf32> -> tensor<2x6x16xf32>
  %d = tessera.matmul %c, %wo : tensor<2x6x16xf32>, tensor<16x16xf32> -> tensor<2x6x16xf32>
  %e = tessera.add %x, %d : tensor<2x6x16xf32>, tensor<2x6x16xf32> -> tensor<2x6x16xf32>
  return %e : tensor<2x6x16xf32>
}

// What is normalized is gathered; a mean is of all.
// CHECK-LABEL: func.func @norm(
// CHECK:         tessera.all_gather %arg0 {dim = 1 : i64, group = "tensor_parallel", mesh = @mesh} : tensor<8x8xf32> -> tensor<8x16xf32>
// CHECK:         tessera.layer_norm
// NCCL-LABEL: func.func @norm(
func.func @norm(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %g: tensor<16xf32>) -> tensor<8xf32> {
  %0 = tessera.layer_norm %x, %g : tensor<8x16xf32>, tensor<16xf32> -> tensor<8x16xf32>
  %1 = tessera.reduce "mean" %0, dims = [1] : tensor<8x16xf32> -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// Sizes that do not divide, in a product and a sum.
// CHECK-LABEL: func.func @odd(
func.func @odd(%x: tensor<5x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %w: tensor<7x3xf32>) -> (tensor<5x3xf32>, tensor<f32>) {
  %0 = tessera.matmul %x, %w : tensor<5x7xf32>, tensor<7x3xf32> -> tensor<5x3xf32>
  %1 = tessera.reduce "sum" %x : tensor<5x7xf32> -> tensor<f32>
  return %0, %1 : tensor<5x3xf32>, tensor<f32>
}

// Each device reduces its part, whatever the kind.
// CHECK-LABEL: func.func @kinds(
// CHECK-NOT:     tessera.all_gather
// CHECK:         tessera.reduce "mean" %{{.*}} : tensor<2x3xf32> -> tensor<f32>
// CHECK:         tessera.mul %{{.*}} : tensor<f32>, tensor<f32> -> tensor<f32>
// CHECK:         tessera.allreduce %{{.*}} {mesh = @mesh} : tensor<f32>
// CHECK:         tessera.reduce "max"
// CHECK:         tessera.allreduce %{{.*}} {group = "tensor_parallel", kind = "max", mesh = @mesh} : tensor<2xf32>
// CHECK:         tessera.allreduce %{{.*}} {group = "tensor_parallel", kind = "min", mesh = @mesh} : tensor<2x1xf32>
// CHECK:         tessera.allreduce %{{.*}} {group = "data_parallel", kind = "prod", mesh = @mesh} : tensor<3xf32>
func.func @kinds(%x: tensor<4x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>})
    -> (tensor<f32>, tensor<4xf32>, tensor<4x1xf32>, tensor<5xf32>) {
  %0 = tessera.reduce "mean" %x : tensor<4x5xf32> -> tensor<f32>
  %1 = tessera.reduce "max" %x, dims = [1] : tensor<4x5xf32> -> tensor<4xf32>
  %2 = tessera.reduce "min" %x, dims = [1] {keep_dims = true} : tensor<4x5xf32> -> tensor<4x1xf32>
  %3 = tessera.reduce "prod" %x, dims = [0] : tensor<4x5xf32> -> tensor<5xf32>
  return %0, %1, %2, %3 : tensor<f32>, tensor<4xf32>, tensor<4x1xf32>, tensor<5xf32>
}

// A table in parts by rows is not gathered; indices out of range are those of its ends.
// CHECK-LABEL: func.func @vocabulary(
// CHECK-NOT:     tessera.all_gather
// CHECK:         tessera.embedding %arg0, %{{.*}} : tensor<4x4xf32>, tensor<3x2xi64> -> tensor<3x2x4xf32>
// CHECK:         tessera.allreduce %{{.*}} {group = "tensor_parallel", mesh = @mesh} : tensor<3x2x4xf32>
func.func @vocabulary(%t: tensor<7x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %i: tensor<3x2xi32>) -> tensor<3x2x4xf32> {
  %two = tessera.constant dense<2> : tensor<i32>
  %0 = tessera.mul %i, %two : tensor<3x2xi32>, tensor<i32> -> tensor<3x2xi32>
  %1 = tessera.embedding %t, %0 : tensor<7x4xf32>, tensor<3x2xi32> -> tensor<3x2x4xf32>
  return %1 : tensor<3x2x4xf32>
}
