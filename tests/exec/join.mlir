// Collectives that the last of three devices makes for all: the bits of the reference, where each makes its own; with several operands, along any
// dimension, in chains that are no rings, of no elements. Where devices come with different ops, each makes its own, too, and fails as it does.
// RUN: sh -c 'for f in sum all part turned next ring one none branches; do tessera run %s --spmd --function=$f --input=random --engine=reference; done' >%t.want
// RUN: sh -c 'for f in sum all part turned next ring one none branches; do tessera run %s --spmd --function=$f --input=random --threads=1; done' | diff - %t.want
// RUN: sh -c 'for f in sum all part turned next ring one none branches; do tessera run %s --spmd --function=$f --input=random --threads=3 --dump-program; done' 2>%t.dump | diff - %t.want
// RUN: sh -c 'test $(grep -c "[0-9] collective" %t.dump) = 19'
// RUN: not tessera run %s --spmd --function=types --input=random --engine=reference 2>%t.reference
// RUN: not tessera run %s --spmd --function=types --input=random --threads=1 2>%t.compiled
// RUN: cmp %t.reference %t.compiled && FileCheck %s < %t.compiled
// CHECK: meets a process that brings a value of another type

module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 3 : i32} {
  func.func @sum(%a: tensor<3x6xf32>) -> (tensor<9x6xf32>, tensor<9x6xf32>) {
    %id = stablehlo.replica_id : tensor<ui32>
    %own = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
    %each = stablehlo.broadcast_in_dim %own, dims = [] : (tensor<f32>) -> tensor<3x6xf32>
    %b = stablehlo.add %a, %each : tensor<3x6xf32>
    %c = stablehlo.multiply %b, %b : tensor<3x6xf32>
    %sum:2 = "stablehlo.all_reduce"(%b, %c) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[2, 0, 1]]> : tensor<1x3xi64>} : (tensor<3x6xf32>, tensor<3x6xf32>) -> (tensor<3x6xf32>, tensor<3x6xf32>)
    %every:2 = "stablehlo.all_gather"(%sum#0, %sum#1) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<3x6xf32>, tensor<3x6xf32>) -> (tensor<9x6xf32>, tensor<9x6xf32>)
    return %every#0, %every#1 : tensor<9x6xf32>, tensor<9x6xf32>
  }

  func.func @all(%a: tensor<3x6xf32>) -> (tensor<9x18xf32>) {
    %id = stablehlo.replica_id : tensor<ui32>
    %own = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
    %each = stablehlo.broadcast_in_dim %own, dims = [] : (tensor<f32>) -> tensor<3x6xf32>
    %b = stablehlo.add %a, %each : tensor<3x6xf32>
    %c = stablehlo.multiply %b, %b : tensor<3x6xf32>
    %all = "stablehlo.all_gather"(%c) {all_gather_dim = 1 : i64, replica_groups = dense<[[1, 2, 0]]> : tensor<1x3xi64>} : (tensor<3x6xf32>) -> tensor<3x18xf32>
    %every = "stablehlo.all_gather"(%all) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<3x18xf32>) -> (tensor<9x18xf32>)
    return %every : tensor<9x18xf32>
  }

  func.func @part(%a: tensor<3x6xf32>) -> (tensor<9x2xf32>) {
    %id = stablehlo.replica_id : tensor<ui32>
    %own = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
    %each = stablehlo.broadcast_in_dim %own, dims = [] : (tensor<f32>) -> tensor<3x6xf32>
    %b = stablehlo.add %a, %each : tensor<3x6xf32>
    %c = stablehlo.multiply %b, %b : tensor<3x6xf32>
    %part = "stablehlo.reduce_scatter"(%c) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 2, 1]]> : tensor<1x3xi64>} : (tensor<3x6xf32>) -> tensor<3x2xf32>
    %every = "stablehlo.all_gather"(%part) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<3x2xf32>) -> (tensor<9x2xf32>)
    return %every : tensor<9x2xf32>
  }

  func.func @turned(%a: tensor<3x6xf32>) -> (tensor<27x2xf32>) {
    %id = stablehlo.replica_id : tensor<ui32>
    %own = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
    %each = stablehlo.broadcast_in_dim %own, dims = [] : (tensor<f32>) -> tensor<3x6xf32>
    %b = stablehlo.add %a, %each : tensor<3x6xf32>
    %c = stablehlo.multiply %b, %b : tensor<3x6xf32>
    %turned = "stablehlo.all_to_all"(%c) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 3 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<3x6xf32>) -> tensor<9x2xf32>
    %every = "stablehlo.all_gather"(%turned) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<9x2xf32>) -> (tensor<27x2xf32>)
    return %every : tensor<27x2xf32>
  }

  func.func @next(%a: tensor<3x6xf32>) -> (tensor<9x6xf32>) {
    %id = stablehlo.replica_id : tensor<ui32>
    %own = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
    %each = stablehlo.broadcast_in_dim %own, dims = [] : (tensor<f32>) -> tensor<3x6xf32>
    %b = stablehlo.add %a, %each : tensor<3x6xf32>
    %c = stablehlo.multiply %b, %b : tensor<3x6xf32>
    %next = "stablehlo.collective_permute"(%c) {source_target_pairs = dense<[[0, 2], [2, 1]]> : tensor<2x2xi64>} : (tensor<3x6xf32>) -> tensor<3x6xf32>
    %every = "stablehlo.all_gather"(%next) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<3x6xf32>) -> (tensor<9x6xf32>)
    return %every : tensor<9x6xf32>
  }

  func.func @one(%a: tensor<3x6xf32>) -> (tensor<9x6xf32>) {
    %id = stablehlo.replica_id : tensor<ui32>
    %own = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
    %each = stablehlo.broadcast_in_dim %own, dims = [] : (tensor<f32>) -> tensor<3x6xf32>
    %b = stablehlo.add %a, %each : tensor<3x6xf32>
    %c = stablehlo.multiply %b, %b : tensor<3x6xf32>
    %one = "stablehlo.collective_broadcast"(%c) {replica_groups = dense<[[2, 0]]> : tensor<1x2xi64>} : (tensor<3x6xf32>) -> tensor<3x6xf32>
    %every = "stablehlo.all_gather"(%one) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<3x6xf32>) -> (tensor<9x6xf32>)
    return %every : tensor<9x6xf32>
  }

  func.func @none(%e: tensor<0x6xf32>) -> (tensor<0x6xf32>) {
    %none = "stablehlo.all_reduce"(%e) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.maximum %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<0x6xf32>) -> tensor<0x6xf32>
    return %none : tensor<0x6xf32>
  }

  func.func @ring(%a: tensor<3x6xf32>) -> (tensor<9x6xf32>) {
    %id = stablehlo.replica_id : tensor<ui32>
    %own = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
    %each = stablehlo.broadcast_in_dim %own, dims = [] : (tensor<f32>) -> tensor<3x6xf32>
    %b = stablehlo.add %a, %each : tensor<3x6xf32>
    %c = stablehlo.multiply %b, %b : tensor<3x6xf32>
    %ring = "stablehlo.collective_permute"(%c) {source_target_pairs = dense<[[0, 2], [2, 1], [1, 0]]> : tensor<3x2xi64>} : (tensor<3x6xf32>) -> tensor<3x6xf32>
    %every = "stablehlo.all_gather"(%ring) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<3x6xf32>) -> (tensor<9x6xf32>)
    return %every : tensor<9x6xf32>
  }

  func.func @branches(%a: tensor<8xf32>) -> (tensor<24xf32>) {
    %id = stablehlo.replica_id : tensor<ui32>
    %i = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
    %own = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
    %each = stablehlo.broadcast_in_dim %own, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %b = stablehlo.add %a, %each : tensor<8xf32>
    %r = "stablehlo.case"(%i) ({
      %0 = "stablehlo.all_reduce"(%b) ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %s = stablehlo.add %p, %q : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) {replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<8xf32>) -> tensor<8xf32>
      stablehlo.return %0 : tensor<8xf32>
    }, {
      %0 = "stablehlo.all_reduce"(%b) ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %s = stablehlo.maximum %p, %q : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) {replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<8xf32>) -> tensor<8xf32>
      stablehlo.return %0 : tensor<8xf32>
    }, {
      %0 = "stablehlo.all_reduce"(%b) ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %s = stablehlo.multiply %p, %q : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) {replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<8xf32>) -> tensor<8xf32>
      stablehlo.return %0 : tensor<8xf32>
    }) : (tensor<i32>) -> tensor<8xf32>
    %every = "stablehlo.all_gather"(%r) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<8xf32>) -> (tensor<24xf32>)
    return %every : tensor<24xf32>
  }

  func.func @types(%a: tensor<8xf32>, %b: tensor<8xi32>) -> (tensor<8xf32>) {
    %id = stablehlo.replica_id : tensor<ui32>
    %i = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
    %r = "stablehlo.case"(%i) ({
      %0 = "stablehlo.all_reduce"(%a) ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %s = stablehlo.add %p, %q : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) {replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<8xf32>) -> tensor<8xf32>
      stablehlo.return %0 : tensor<8xf32>
    }, {
      %0 = "stablehlo.all_reduce"(%b) ({
      ^bb0(%p: tensor<i32>, %q: tensor<i32>):
        %s = stablehlo.add %p, %q : tensor<i32>
        stablehlo.return %s : tensor<i32>
      }) {replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<8xi32>) -> tensor<8xi32>
      %1 = stablehlo.convert %0 : (tensor<8xi32>) -> tensor<8xf32>
      stablehlo.return %1 : tensor<8xf32>
    }) : (tensor<i32>) -> tensor<8xf32>
    return %r : tensor<8xf32>
  }
}
