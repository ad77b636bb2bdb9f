// In which layouts operations read their operands and give their results, step by step.
// RUN: tessera opt %s --tessera-partition=uses=true --split-input-file | FileCheck %s
sdy.mesh @mesh = <["x"=2, "y"=2]>
// The second operand is gathered along an axis, and the sum is scattered.
// CHECK: stablehlo.dot_general {{.*}} {tessera.uses = ["y,x", "x+y,_ > x,_", "y,_ > y,x"]}
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, %w: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// Where parts have padding, only the last layout is written.
sdy.mesh @mesh = <["x"=2, "y"=2]>
// CHECK: stablehlo.dot_general {{.*}} {tessera.uses = ["x,y", "y,_", "x,_"]}
func.func @main(%x: tensor<8x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %w: tensor<7x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x7xf32>, tensor<7x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// Without axes there is nothing to say.
sdy.mesh @mesh = <["x"=2]>
// CHECK-NOT: tessera.uses
func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.add %x, %x : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
