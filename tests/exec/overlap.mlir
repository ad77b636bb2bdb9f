// Collectives that nobody needs at once are pairs: a device brings its part (start), computes other things, and takes the result (done).
// RUN: tessera run %s --spmd --input=random --dump-program 2>&1 >%t.out | FileCheck %s --check-prefix=DUMP
// RUN: tessera run %s --spmd --input=random --engine=reference >%t.want && diff %t.out %t.want
// RUN: tessera run %s --spmd --input=random --threads=1 | diff - %t.want
// RUN: tessera run %s --spmd --input=random --threads=5 | diff - %t.want

// Both are in flight at a time, and end in their order. The third is needed at once.
// DUMP:      start all_reduce reads [[A:%[0-9]+]]
// DUMP:      map subtract
// DUMP-NEXT: start all_reduce reads [[B:%[0-9]+]]
// DUMP:      map multiply
// DUMP:      done all_reduce reads [[A]]
// DUMP-NEXT: done all_reduce reads [[B]]
// DUMP-NEXT: map add+maximum
// DUMP-NEXT: collective all_reduce

// The trace has them in flight.
// RUN: tessera run %s --spmd --input=random --profile=%t.json --output=%t.dir && FileCheck %s --check-prefix=TRACE < %t.json
// TRACE: "name": "all_reduce start", "cat": "collective"
// TRACE: "name": "all_reduce done", "cat": "collective"
// TRACE: "ph": "b", {{.*}} "name": "all_reduce done", "cat": "in flight"
// TRACE: "overlap_ms": {{0\.[0-9]*[1-9]|[1-9]}}

// In a loop, and from a saved program.
// RUN: tessera run %s --spmd --function=loop --input=random >%t.loop && tessera run %s --spmd --function=loop --input=random --engine=reference | diff - %t.loop
// RUN: tessera compile %s --spmd --function=loop -o %t.tsrx && tessera run %t.tsrx --input=random | diff - %t.loop
module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
  func.func @main(%a: tensor<8xi32>, %b: tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>) {
    %id = stablehlo.replica_id : tensor<ui32>
    %i = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
    %n = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %x = stablehlo.add %a, %n : tensor<8xi32>
    %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%p: tensor<i32>, %q: tensor<i32>):
      %s = stablehlo.add %p, %q : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<8xi32>) -> tensor<8xi32>
    %o = stablehlo.optimization_barrier %b : tensor<8xi32>
    %y = stablehlo.subtract %o, %n : tensor<8xi32>
    %1 = "stablehlo.all_reduce"(%y) ({
    ^bb0(%p: tensor<i32>, %q: tensor<i32>):
      %s = stablehlo.add %p, %q : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<8xi32>) -> tensor<8xi32>
    %ob = stablehlo.optimization_barrier %y : tensor<8xi32>
    %m = stablehlo.multiply %ob, %ob : tensor<8xi32>
    %om = stablehlo.optimization_barrier %m : tensor<8xi32>
    %u = stablehlo.add %om, %0 : tensor<8xi32>
    %v = stablehlo.maximum %u, %1 : tensor<8xi32>
    %2 = "stablehlo.all_reduce"(%v) ({
    ^bb0(%p: tensor<i32>, %q: tensor<i32>):
      %s = stablehlo.add %p, %q : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<8xi32>) -> tensor<8xi32>
    %w = stablehlo.add %2, %v : tensor<8xi32>
    return %w, %u : tensor<8xi32>, tensor<8xi32>
  }
  func.func @loop(%a: tensor<8xi32>) -> tensor<8xi32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %five = stablehlo.constant dense<5> : tensor<i32>
    %id = stablehlo.replica_id : tensor<ui32>
    %r = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
    %n = stablehlo.broadcast_in_dim %r, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %w:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<8xi32> cond {
      %t = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %t : tensor<i1>
    } do {
      %j = stablehlo.add %i, %one : tensor<i32>
      %e = stablehlo.add %x, %n : tensor<8xi32>
    %s0 = "stablehlo.all_reduce"(%e) ({
    ^bb0(%p: tensor<i32>, %q: tensor<i32>):
      %s = stablehlo.add %p, %q : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<8xi32>) -> tensor<8xi32>
    %s1 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%p: tensor<i32>, %q: tensor<i32>):
      %s = stablehlo.add %p, %q : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<8xi32>) -> tensor<8xi32>
      %f = stablehlo.optimization_barrier %e : tensor<8xi32>
      %g = stablehlo.xor %f, %n : tensor<8xi32>
      %h = stablehlo.subtract %s0, %s1 : tensor<8xi32>
      %k = stablehlo.add %h, %g : tensor<8xi32>
      stablehlo.return %j, %k : tensor<i32>, tensor<8xi32>
    }
    return %w#1 : tensor<8xi32>
  }
}
