// Values of a sharding group that are kept must be sharded alike, unless something is open. The plan shows what was given.
// RUN: not tessera shard %s --auto --keep --function=bad 2>&1 | FileCheck %s
// CHECK: auto_group.mlir:[[#@LINE+6]]:3: error: 'sdy.sharding_group' op has a value whose sharding contradicts that of another one of its group
// CHECK: auto_group.mlir:[[#@LINE+4]]:3: note: the other one is here
// RUN: tessera shard %s --auto --keep --function=good -o /dev/null | FileCheck %s --check-prefix=GOOD
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @bad(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> tensor<8x8xf32> {
  sdy.sharding_group %a group_id=0 : tensor<8x8xf32>
  sdy.sharding_group %b group_id=0 : tensor<8x8xf32>
  %0 = stablehlo.add %a, %b : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
// GOOD: arguments
// GOOD-NEXT: x,_ {{.*}}: tensor<8x8xf32>
func.func @good(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}]>}) -> tensor<8x8xf32> {
  sdy.sharding_group %a group_id=0 : tensor<8x8xf32>
  sdy.sharding_group %b group_id=0 : tensor<8x8xf32>
  %0 = stablehlo.add %a, %b : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
