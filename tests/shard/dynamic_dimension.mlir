// RUN: tessera shard %s 2>&1 | FileCheck %s
// A sharding that cannot be carried out is named: a dimension of unknown size is not divided.

// CHECK: [[@LINE+5]]:19: remark: argument 0: dimension 0 is sharded and has no known size: every device gets all of it (--stablehlo-refine-arguments gives it one)
// CHECK: result 0: dimension 0 is sharded and has no known size
// CHECK: %arg0 tensor<?x4xf32> replicated
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<?x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<?x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = stablehlo.add %a, %a : tensor<?x4xf32>
    return %0 : tensor<?x4xf32>
  }
}
