// Collectives are nodes of their own; a reduction with a body that is none of the known ones runs on the evaluator's kernel. Neither counts as a kernel
// that devices wait for.
// RUN: tessera run %s --spmd --input=random --engine=reference >%t.want
// RUN: tessera run %s --spmd --input=random --dump-program 2>%t.dump | diff - %t.want
// RUN: FileCheck %s < %t.dump
// RUN: tessera run %s --spmd --input=random --threads=1 --strict-rounding | diff - %t.want
// RUN: tessera run %s --spmd --input=random --profile=%t.json | diff - %t.want
// RUN: grep -c '"kind": "collective"' %t.json
// RUN: tessera run %s --spmd --input=random --check=ops >%t.check
// RUN: tessera compile %s --spmd -o %t.tsrx && tessera run %t.tsrx --input=random | diff - %t.want
// RUN: not tessera compile %s --function=alone --emit=c -o %t.c 2>&1 | FileCheck %s --check-prefix=C

// CHECK: 0 by the evaluator's kernels
// CHECK-DAG: {{(collective|done)}} all_reduce
// CHECK-DAG: {{(collective|done)}} all_gather
// CHECK-DAG: {{(collective|done)}} reduce_scatter
// CHECK-DAG: {{(collective|done)}} all_to_all
// CHECK-DAG: {{(collective|done)}} collective_permute
// CHECK-DAG: {{(collective|done)}} collective_broadcast
// CHECK-DAG: {{(collective|done)}} cross-replica-sum
// CHECK-DAG: {{(other|done)}} all_reduce
// C: 'stablehlo.all_reduce' op cannot be written as C: it needs other devices

module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
  func.func @main(%a: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
    %id = stablehlo.replica_id : tensor<ui32>
    %own = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
    %each = stablehlo.broadcast_in_dim %own, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %b = stablehlo.add %a, %each : tensor<4x4xf32>
    %sum = "stablehlo.all_reduce"(%b) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %all = "stablehlo.all_gather"(%sum) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x4xf32>) -> tensor<8x4xf32>
    %part = "stablehlo.reduce_scatter"(%all) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.maximum %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8x4xf32>) -> tensor<4x4xf32>
    %turned = "stablehlo.all_to_all"(%part) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x4xf32>) -> tensor<8x2xf32>
    %other = "stablehlo.collective_permute"(%turned) {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} : (tensor<8x2xf32>) -> tensor<8x2xf32>
    %one = "stablehlo.collective_broadcast"(%other) {replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<8x2xf32>) -> tensor<8x2xf32>
    %old = "stablehlo.cross-replica-sum"(%one) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8x2xf32>) -> tensor<8x2xf32>
    %y = stablehlo.reshape %old : (tensor<8x2xf32>) -> tensor<4x4xf32>
    %x = stablehlo.add %y, %each : tensor<4x4xf32>
    %unknown = "stablehlo.all_reduce"(%x) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.subtract %p, %q : tensor<f32>
      %t = stablehlo.multiply %s, %p : tensor<f32>
      stablehlo.return %t : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    return %sum, %unknown : tensor<4x4xf32>, tensor<4x4xf32>
  }
  func.func @alone(%a: tensor<4xf32>) -> tensor<4xf32> {
    %sum = "stablehlo.all_reduce"(%a) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
    return %sum : tensor<4xf32>
  }
}
