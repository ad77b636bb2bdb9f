// Effects in a distributed program: every device has the states, whole, and draws the same numbers.
// RUN: tessera opt %s --tessera-distribute=remarks=false | FileCheck %s
// RUN: tessera run %s --input=random --output=%t.npz
// RUN: tessera opt %s --tessera-distribute=remarks=false | tessera run - --spmd --input=random --expect=%t.npz
// RUN: tessera opt %s --tessera-effects --tessera-distribute=remarks=false | tessera run - --spmd --input=random --expect=%t.npz
// RUN: tessera opt %s --tessera-distribute=remarks=false --tessera-effects | tessera run - --spmd --input=random --expect=%t.npz

tessera.mesh @mesh = <["data"=2]>
tessera.state @steps = dense<1.0> : tensor<f32>
tessera.state @rng = dense<[7, 0]> : tensor<2xui64>

// CHECK: tessera.mesh @mesh = <["data"=2]> {groups = {data_parallel = ["data"]}}
// CHECK-LABEL: func.func @main(
// CHECK:         tessera.random @rng : tensor<8x4xf32>
// CHECK:         tessera.allreduce %{{.*}} {group = "data_parallel", mesh = @mesh} : tensor<f32>
// CHECK:         tessera.state_update @steps
func.func @main(%x: tensor<8x4xf32>, %p: i1) -> (tensor<8x4xf32>, tensor<f32>, tensor<f32>) {
  %0 = tessera.shard %x <@mesh, [{"data"}, {}]> : tensor<8x4xf32> -> tensor<8x4xf32>
  %noise = tessera.random @rng : tensor<8x4xf32>
  %1 = tessera.add %0, %noise : tensor<8x4xf32>, tensor<8x4xf32> -> tensor<8x4xf32>
  %s = tessera.state_read @steps : tensor<f32>
  %2 = tessera.mul %1, %s : tensor<8x4xf32>, tensor<f32> -> tensor<8x4xf32>
  %sum = tessera.reduce "sum" %2 : tensor<8x4xf32> -> tensor<f32>
  %t = tessera.add %s, %sum : tensor<f32>, tensor<f32> -> tensor<f32>
  tessera.state_update @steps, %t : tensor<f32>
  %3 = scf.if %p -> (tensor<f32>) {
    %4 = tessera.state_read @steps : tensor<f32>
    scf.yield %4 : tensor<f32>
  } else {
    scf.yield %s : tensor<f32>
  }
  return %2, %sum, %3 : tensor<8x4xf32>, tensor<f32>, tensor<f32>
}
