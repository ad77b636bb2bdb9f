// Pairs of collectives on devices that run different groups, or fail between a start and its done.
// RUN: tessera run %s --spmd --function=branches --input=random --engine=reference >%t.want
// RUN: tessera run %s --spmd --function=branches --input=random --dump-program 2>%t.dump | diff - %t.want
// RUN: FileCheck %s --check-prefix=DUMP < %t.dump
// RUN: tessera run %s --spmd --function=branches --input=random --threads=1 --strict-rounding | diff - %t.want
// RUN: tessera run %s --spmd --function=branches --input=random --profile=%t.json | diff - %t.want
// RUN: tessera run %s --spmd --function=branches --input=random --check=ops >%t.check
// RUN: tessera compile %s --spmd --function=branches -o %t.tsrx && tessera run %t.tsrx --input=random | diff - %t.want

// Collectives of different branches meet in the order in which devices come: in a branch a start passes no other collective, though its operand is
// there. Nothing of main passes a branch with collectives.
// DUMP:      case case
// DUMP:      map multiply
// DUMP:      start all_reduce reads [[A:%[0-9]+]]
// DUMP:      start all_reduce reads %1:
// DUMP-NEXT: map add
// DUMP:      done all_reduce reads [[A]]
// DUMP:      region 1
// DUMP:      all_reduce reads %1:

// RUN: not tessera run %s --spmd --function=fails --input=random --division-by-zero=error --engine=reference 2>%t.reference
// RUN: not tessera run %s --spmd --function=fails --input=random --division-by-zero=error 2>%t.compiled
// RUN: cmp %t.reference %t.compiled && FileCheck %s --check-prefix=FAILS < %t.compiled
// RUN: tessera run %s --spmd --function=fails --input=random --division-by-zero=ignore --dump-program 2>&1 >%t.out | FileCheck %s --check-prefix=BETWEEN
// FAILS: error: process (0, 0): 'stablehlo.divide' op
// BETWEEN:      start all_reduce
// BETWEEN:      zeros divide
// BETWEEN:      done all_reduce
module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
  func.func @branches(%a: tensor<8xi32>, %b: tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>, tensor<8xi32>) {
    %id = stablehlo.replica_id : tensor<ui32>
    %i = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
    %r:2 = "stablehlo.case"(%i) ({
      %x = stablehlo.multiply %a, %a : tensor<8xi32>
      %xo = stablehlo.optimization_barrier %x : tensor<8xi32>
      %0 = "stablehlo.all_reduce"(%xo) ({
      ^bb0(%p: tensor<i32>, %q: tensor<i32>):
        %s = stablehlo.add %p, %q : tensor<i32>
        stablehlo.return %s : tensor<i32>
      }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xi32>) -> tensor<8xi32>
      %1 = "stablehlo.all_reduce"(%b) ({
      ^bb0(%p: tensor<i32>, %q: tensor<i32>):
        %s = stablehlo.add %p, %q : tensor<i32>
        stablehlo.return %s : tensor<i32>
      }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xi32>) -> tensor<8xi32>
      %y = stablehlo.add %xo, %b : tensor<8xi32>
      %yo = stablehlo.optimization_barrier %y : tensor<8xi32>
      %z = stablehlo.xor %1, %yo : tensor<8xi32>
      stablehlo.return %0, %z : tensor<8xi32>, tensor<8xi32>
    }, {
      %0 = "stablehlo.all_reduce"(%a) ({
      ^bb0(%p: tensor<i32>, %q: tensor<i32>):
        %s = stablehlo.add %p, %q : tensor<i32>
        stablehlo.return %s : tensor<i32>
      }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xi32>) -> tensor<8xi32>
      %1 = "stablehlo.all_reduce"(%b) ({
      ^bb0(%p: tensor<i32>, %q: tensor<i32>):
        %s = stablehlo.add %p, %q : tensor<i32>
        stablehlo.return %s : tensor<i32>
      }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xi32>) -> tensor<8xi32>
      stablehlo.return %0, %1 : tensor<8xi32>, tensor<8xi32>
    }) : (tensor<i32>) -> (tensor<8xi32>, tensor<8xi32>)
    %2 = "stablehlo.all_reduce"(%b) ({
    ^bb0(%p: tensor<i32>, %q: tensor<i32>):
      %s = stablehlo.maximum %p, %q : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xi32>) -> tensor<8xi32>
    return %r#0, %r#1, %2 : tensor<8xi32>, tensor<8xi32>, tensor<8xi32>
  }
  func.func @fails(%a: tensor<8xi32>) -> tensor<8xi32> {
    %id = stablehlo.replica_id : tensor<ui32>
    %i = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
    %n = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %0 = "stablehlo.all_reduce"(%a) ({
    ^bb0(%p: tensor<i32>, %q: tensor<i32>):
      %s = stablehlo.add %p, %q : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xi32>) -> tensor<8xi32>
    %d = stablehlo.divide %a, %n : tensor<8xi32>
    %o = stablehlo.optimization_barrier %d : tensor<8xi32>
    %1 = stablehlo.add %0, %o : tensor<8xi32>
    return %1 : tensor<8xi32>
  }
}
