// A scan over layers as JAX lowers it: all weights are carried, and the body is in functions. Every report counts all
// turns, the weights once, and what the functions do; so it does after passes that move the constants of the loop.
// RUN: tessera shard %s | FileCheck %s
// RUN: tessera shard %s --json | FileCheck %s --check-prefix=JSON
// RUN: tessera simulate %s | FileCheck %s --check-prefix=TIME
// RUN: tessera simulate %s --json | FileCheck %s --check-prefix=TIME-JSON
// RUN: tessera explore %s --json | FileCheck %s --check-prefix=JSON
// RUN: tessera run %s --spmd --memory --json --input=random | FileCheck %s --check-prefix=ENGINE
// RUN: tessera opt %s --inline | tessera shard - | FileCheck %s
// RUN: tessera opt %s --inline --canonicalize --cse | tessera shard - | FileCheck %s
// RUN: tessera opt %s --inline --tessera-simplify | tessera shard - | FileCheck %s

// CHECK: 12 collectives, 43.0 KB (3.58 KB with one turn of each loop) received
// CHECK: all_reduce tp 8 tensor<16x32xf32> 43.0 KB (3.58 KB) 2.05 KB x12 stablehlo.dot_general
// CHECK: peak memory 113 KB, 793 KFLOP (66.1 KFLOP with one turn of each loop) on each device
// JSON: "turns": 12, "received_total": 43008, "other_branch": false
// JSON: "received_bytes": 43008,
// JSON-NEXT: "received_bytes_once": 3584,
// JSON-NEXT: "collective_count": 12,
// JSON-NEXT: "peak_bytes": 112648,
// JSON: "loops": 1,
// JSON-NEXT: "loops_of_unknown_length": 0,
// A slice that a product would read in short pieces is copied, which takes memory in every report.
// ENGINE: "peak": 112648,
// TIME: exposed communication {{.*}} with one turn of each loop) of {{.*}}, 12 collectives
// TIME-NEXT: received 43.0 KB (3.58 KB with one turn of each loop) a device
// TIME: peak memory 113 KB of 80.0 GB
// TIME-JSON: "collectives": 12,
// TIME-JSON-NEXT: "received_bytes": 43008,
// TIME-JSON: "received_bytes_once": 3584,
// TIME-JSON: "peak_bytes": 112648,
sdy.mesh @mesh = <["tp"=8]>
func.func public @main(%arg0: tensor<16x32xf32>, %arg1: tensor<12x32x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"tp"}]>}, %arg2: tensor<12x256x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}, {}]>}) -> tensor<16x32xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0:4 = stablehlo.while(%iterArg = %arg1, %iterArg_0 = %arg2, %iterArg_1 = %c, %iterArg_2 = %arg0) : tensor<12x32x256xf32>, tensor<12x256x32xf32>, tensor<i32>, tensor<16x32xf32>
  cond {
    %c_3 = stablehlo.constant dense<12> : tensor<i32>
    %1 = stablehlo.compare LT, %iterArg_1, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = func.call @first(%iterArg, %iterArg_1) : (tensor<12x32x256xf32>, tensor<i32>) -> tensor<32x256xf32>
    %2 = func.call @second(%iterArg_0, %iterArg_1) : (tensor<12x256x32xf32>, tensor<i32>) -> tensor<256x32xf32>
    %3 = func.call @layer(%iterArg_2, %1, %2) : (tensor<16x32xf32>, tensor<32x256xf32>, tensor<256x32xf32>) -> tensor<16x32xf32>
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %4 = stablehlo.add %iterArg_1, %c_3 : tensor<i32>
    stablehlo.return %iterArg, %iterArg_0, %4, %3 : tensor<12x32x256xf32>, tensor<12x256x32xf32>, tensor<i32>, tensor<16x32xf32>
  }
  return %0#3 : tensor<16x32xf32>
}
func.func private @first(%arg0: tensor<12x32x256xf32>, %arg1: tensor<i32>) -> tensor<32x256xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c, sizes = [1, 32, 256] : (tensor<12x32x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x256xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x32x256xf32>) -> tensor<32x256xf32>
  return %1 : tensor<32x256xf32>
}
func.func private @second(%arg0: tensor<12x256x32xf32>, %arg1: tensor<i32>) -> tensor<256x32xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c, sizes = [1, 256, 32] : (tensor<12x256x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x256x32xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x256x32xf32>) -> tensor<256x32xf32>
  return %1 : tensor<256x32xf32>
}
func.func private @layer(%arg0: tensor<16x32xf32>, %arg1: tensor<32x256xf32>, %arg2: tensor<256x32xf32>) -> tensor<16x32xf32> {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x256xf32>) -> tensor<16x256xf32>
  %1 = stablehlo.tanh %0 : tensor<16x256xf32>
  %2 = stablehlo.dot_general %1, %arg2, contracting_dims = [1] x [0] : (tensor<16x256xf32>, tensor<256x32xf32>) -> tensor<16x32xf32>
  return %2 : tensor<16x32xf32>
}
