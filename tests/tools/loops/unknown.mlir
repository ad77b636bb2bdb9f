// A loop that runs nobody knows how often, around one that runs three times: figures are those of one turn of it, and
// say so.
// RUN: tessera shard %s | FileCheck %s
// RUN: tessera shard %s --json | FileCheck %s --check-prefix=JSON
// RUN: tessera simulate %s | FileCheck %s --check-prefix=TIME

// CHECK: 4 collectives, 256 B (128 B with one turn of each loop) received
// CHECK: all_reduce x 2 tensor<4x4xf32> 192 B (64 B) 64 B x3 per turn
// CHECK: all_reduce x 2 tensor<4x4xf32> 64 B 64 B per turn
// CHECK: peak {{.*}} (324 FLOP with one turn of each loop) on each device
// CHECK-NEXT: 1 loop of unknown length: figures are per turn of it
// JSON: "turns": null, "received_total": 192,
// JSON: "turns": null, "received_total": 64,
// JSON: "loops": 2,
// JSON-NEXT: "loops_of_unknown_length": 1,
// TIME: 4 collectives
// TIME: 1 loop of unknown length: figures are per turn of it
sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %arg1: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg2: tensor<i32>) -> tensor<4x4xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %z = stablehlo.constant dense<0.0> : tensor<4x4xf32>
  %0:2 = stablehlo.while(%i = %c, %x = %z) : tensor<i32>, tensor<4x4xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %arg2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1:2 = stablehlo.while(%j = %three, %y = %x) : tensor<i32>, tensor<4x4xf32>
    cond {
      %2 = stablehlo.compare GT, %j, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %2 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
      %3 = stablehlo.tanh %2 : tensor<4x4xf32>
      %4 = stablehlo.add %3, %y : tensor<4x4xf32>
      %5 = stablehlo.subtract %j, %one : tensor<i32>
      stablehlo.return %5, %4 : tensor<i32>, tensor<4x4xf32>
    }
    %2 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    %3 = stablehlo.sine %2 : tensor<4x4xf32>
    %4 = stablehlo.add %3, %1#1 : tensor<4x4xf32>
    %5 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %5, %4 : tensor<i32>, tensor<4x4xf32>
  }
  return %0#1 : tensor<4x4xf32>
}
