// Collectives that a program has itself: on local tensors, they stay; or list devices.
// RUN: tessera opt %s --tessera-distribute | FileCheck %s
// RUN: tessera opt %s --tessera-distribute=nccl=true | FileCheck %s --check-prefix=NCCL
// RUN: tessera opt %s --tessera-distribute="nccl=true global=true" | FileCheck %s --check-prefix=NCCL
// RUN: tessera opt %s --tessera-distribute | tessera run - --spmd --input=4xf32=1,2,3,4 --expect=8xf32=2,4,6,8,2,4,6,8
// RUN: tessera opt %s --tessera-distribute=nccl=true | tessera run - --spmd --input=4xf32=1,2,3,4 --expect=8xf32=2,4,6,8,2,4,6,8

// CHECK: tessera.mesh @mesh
tessera.mesh @mesh = <["x"=2, "y"=2]> {groups = {tensor_parallel = ["y"]}}
// CHECK: tessera.allreduce %arg0 {group = "tensor_parallel", kind = "max", mesh = @mesh}
// CHECK: tessera.all_gather %{{.*}} {group = "x", mesh = @mesh}
// NCCL: tessera.nccl_allreduce %arg0 {devices = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xi64>, kind = "max"}
// NCCL: tessera.collective %{{.*}} {devices = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>, kind = "broadcast"}
// NCCL: tessera.nccl_allreduce %{{.*}} {devices = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xi64>}
// NCCL: tessera.nccl_all_gather %{{.*}} {devices = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>}
func.func @main(%x: tensor<4xf32>) -> tensor<8xf32> {
  %0 = tessera.allreduce %x {mesh = @mesh, group = "tensor_parallel", kind = "max"} : tensor<4xf32> -> tensor<4xf32>
  %1 = tessera.collective %0 {mesh = @mesh, group = "x", kind = "broadcast"} : tensor<4xf32> -> tensor<4xf32>
  %2 = tessera.collective %1 {mesh = @mesh, group = "tensor_parallel", kind = "all_reduce"} : tensor<4xf32> -> tensor<4xf32>
  %3 = tessera.all_gather %2 {mesh = @mesh, group = "x"} : tensor<4xf32> -> tensor<8xf32>
  return %3 : tensor<8xf32>
}
