// A result that is written in the place of an argument has its sharding: where both are kept and differ, that is an error at the argument.
// RUN: not tessera shard %s --auto --keep 2>&1 | FileCheck %s
// CHECK: auto_alias.mlir:[[#@LINE+2]]:17: error: argument 0 and result 0, which takes its place, have shardings that contradict each other
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, tf.aliasing_output = 0 : i32}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = stablehlo.add %a, %a : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
