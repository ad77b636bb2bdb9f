// The notes of the partitioner are data: the name of an axis may have a comma in it.
// RUN: tessera opt %s --tessera-partition=notes=true --split-input-file | FileCheck %s
// RUN: tessera opt %s --tessera-distribute --split-input-file | FileCheck %s --check-prefix=GRAPH
sdy.mesh @mesh = <["a,b"=2, "c"=2, "d"=2]>
// CHECK: tessera.axes = #sdy<axis_ref_list{"a,b", "c"}>, tessera.cause = "stablehlo.dot_general"
// GRAPH: tessera.allreduce %{{.*}} {group = ["a,b", "c"], mesh = @mesh}
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a,b", "c"}]>}, %y: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a,b", "c"}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// An attribute of that name that is none of ours is left alone.
sdy.mesh @mesh = <["x"=2]>
// CHECK: stablehlo.negate %{{.*}} {tessera.axes = "mine"}
func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.negate %x {tessera.axes = "mine"} : tensor<8xf32>
  return %0 : tensor<8xf32>
}
