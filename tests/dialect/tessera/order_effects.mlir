// Effects that depend on each other are ordered by tokens; independent ones are not.
// RUN: tessera opt %s --tessera-effects | FileCheck %s

tessera.state @a = dense<0.0> : tensor<4xf32>
tessera.state @b = dense<0.0> : tensor<4xf32>

// Write, read, read, write: both reads wait for the first write, the second write for both reads.
// CHECK-LABEL: func.func @raw_war
// CHECK: %[[T0:.*]] = tessera.state_update
// CHECK: %[[R1:.*]]:2 = tessera.state_read{{.*}}%[[T0]]
// CHECK: %[[R2:.*]]:2 = tessera.state_read{{.*}}%[[T0]]
// CHECK: tessera.state_update{{.*}}%[[R1]]#1, %[[R2]]#1
func.func @raw_war(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  tessera.state_update @a, %x : tensor<4xf32>
  %0 = tessera.state_read @a : tensor<4xf32>
  %1 = tessera.state_read @a : tensor<4xf32>
  tessera.state_update @a, %1 : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// Different states: no token anywhere.
// CHECK-LABEL: func.func @independent
// CHECK-NOT: token
// CHECK: return
func.func @independent(%x: tensor<4xf32>) -> tensor<4xf32> {
  tessera.state_update @a, %x : tensor<4xf32>
  %0 = tessera.state_read @b : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Collectives that share a device stay in order; those that do not are free.
// CHECK-LABEL: func.func @collectives
// CHECK: %[[A:.*]] = "stablehlo.collective_permute"(%arg0)
// CHECK: %[[B:.*]] = "stablehlo.collective_permute"(%arg1)
// CHECK: %[[C:.*]]:2 = stablehlo.optimization_barrier %arg2, %[[A]]
// CHECK: "stablehlo.collective_permute"(%[[C]]#0)
func.func @collectives(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.collective_permute"(%y) <{source_target_pairs = dense<[[2, 3]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "stablehlo.collective_permute"(%z) <{source_target_pairs = dense<[[1, 4]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// What happens deep inside counts at every level: an op with regions, inside one and around one.
// CHECK-LABEL: func.func @nest
// CHECK: %[[T0:.*]] = tessera.state_update @a, %arg0
// CHECK: %[[IF:.*]] = "stablehlo.if"
// CHECK: tessera.state_update @a
// CHECK: %[[D:.*]] = tessera.effect_dependency(%[[IF]])
// CHECK: tessera.state_read @a{{.*}}%[[D]]
// CHECK: tessera.state_read @b : tensor<4xf32>
func.func @nest(%x: tensor<4xf32>, %p: tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  tessera.state_update @a, %x : tensor<4xf32>
  %0 = "stablehlo.if"(%p) ({
    %1 = "stablehlo.if"(%p) ({
      %2 = "stablehlo.if"(%p) ({
        tessera.state_update @a, %x : tensor<4xf32>
        stablehlo.return %x : tensor<4xf32>
      }, {
        stablehlo.return %x : tensor<4xf32>
      }) : (tensor<i1>) -> tensor<4xf32>
      stablehlo.return %2 : tensor<4xf32>
    }, {
      stablehlo.return %x : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }, {
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  %3 = tessera.state_read @a : tensor<4xf32>
  %4 = tessera.state_read @b : tensor<4xf32>
  return %0, %3, %4 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
