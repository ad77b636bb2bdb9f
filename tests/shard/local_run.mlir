// A program of one device runs on all of its devices, also when nobody asks for --spmd: what tessera shard wrote, as text and
// as bytecode, and what was written for replicas or partitions. Inputs and results are whole.

// RUN: tessera run %S/../../examples/sharded.mlir --input=random --output=%t.npz
// RUN: tessera shard %S/../../examples/sharded.mlir -o %t.mlir
// RUN: tessera run %t.mlir --input=random --expect=%t.npz
// RUN: tessera run %t.mlir --input=random --spmd --expect=%t.npz
// RUN: tessera opt %t.mlir --emit-bytecode -o %t.mlirbc
// RUN: tessera run %t.mlirbc --input=random --expect=%t.npz

// RUN: tessera run %s --input=2xi32=3,5 | FileCheck %s
// CHECK: tensor<2xi32>
// CHECK: [12, 20]

// Groups that name what there is not stay an error.
// RUN: not tessera run %s --function=five --input=2xi32=3,5 2>&1 | FileCheck %s --check-prefix=FIVE
// FIVE: names replica 5, and there are 1

module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func @main(%arg0: tensor<2xi32>) -> tensor<2xi32> {
    %0 = "stablehlo.all_reduce"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %1 = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %1 : tensor<i32>
    }) : (tensor<2xi32>) -> tensor<2xi32>
    return %0 : tensor<2xi32>
  }
  func.func @five(%arg0: tensor<2xi32>) -> tensor<2xi32> {
    %0 = "stablehlo.collective_broadcast"(%arg0) <{replica_groups = dense<[[0, 5]]> : tensor<1x2xi64>}> : (tensor<2xi32>) -> tensor<2xi32>
    return %0 : tensor<2xi32>
  }
}
