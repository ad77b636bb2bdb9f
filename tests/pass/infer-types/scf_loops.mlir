// What loops of scf carry is as precise as what every round keeps.
// RUN: tessera opt %s --tessera-infer-types | FileCheck %s

// CHECK-LABEL: func.func @kept(
// CHECK-SAME:    -> tensor<4x8xf32>
// CHECK:         scf.for {{.*}} iter_args(%[[V:.*]] = %{{.*}}) -> (tensor<4x8xf32>) {
// CHECK-NEXT:      tessera.tanh %[[V]] : tensor<4x8xf32> -> tensor<4x8xf32>
// CHECK-NOT:     tensor.cast
func.func @kept(%x: tensor<4x8xf32>, %n: index) -> tensor<?x?xf32> {
  %a = arith.constant 0 : index
  %s = arith.constant 1 : index
  %i = tessera.exp %x : tensor<4x8xf32> -> tensor<?x?xf32>
  %0 = scf.for %k = %a to %n step %s iter_args(%v = %i) -> (tensor<?x?xf32>) {
    %b = tessera.tanh %v : tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %b : tensor<?x?xf32>
  }
  return %0 : tensor<?x?xf32>
}

// One that grows keeps what does not change.
// CHECK-LABEL: func.func @grows(
// CHECK-SAME:    -> tensor<?x8xf32>
// CHECK:         %[[C:.*]] = tensor.cast %arg0 : tensor<4x8xf32> to tensor<?x8xf32>
// CHECK:         scf.for {{.*}} iter_args(%[[V:.*]] = %[[C]]) -> (tensor<?x8xf32>) {
// CHECK-NEXT:      stablehlo.concatenate %[[V]], %arg0, dim = 0 : (tensor<?x8xf32>, tensor<4x8xf32>) -> tensor<?x8xf32>
func.func @grows(%x: tensor<4x8xf32>, %n: index) -> tensor<?x?xf32> {
  %a = arith.constant 0 : index
  %s = arith.constant 1 : index
  %i = tensor.cast %x : tensor<4x8xf32> to tensor<?x?xf32>
  %0 = scf.for %k = %a to %n step %s iter_args(%v = %i) -> (tensor<?x?xf32>) {
    %b = stablehlo.concatenate %v, %x, dim = 0 : (tensor<?x?xf32>, tensor<4x8xf32>) -> tensor<?x?xf32>
    scf.yield %b : tensor<?x?xf32>
  }
  return %0 : tensor<?x?xf32>
}

// Values that change places have the types that both have.
// CHECK-LABEL: func.func @swaps(
// CHECK-SAME:    -> (tensor<?x8xf32>, tensor<?x8xf32>)
// CHECK:         scf.for {{.*}} -> (tensor<?x8xf32>, tensor<?x8xf32>)
func.func @swaps(%x: tensor<4x8xf32>, %y: tensor<2x8xf32>, %n: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %a = arith.constant 0 : index
  %s = arith.constant 1 : index
  %i = tensor.cast %x : tensor<4x8xf32> to tensor<?x?xf32>
  %j = tensor.cast %y : tensor<2x8xf32> to tensor<?x?xf32>
  %0:2 = scf.for %k = %a to %n step %s iter_args(%v = %i, %w = %j) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
    scf.yield %w, %v : tensor<?x?xf32>, tensor<?x?xf32>
  }
  return %0#0, %0#1 : tensor<?x?xf32>, tensor<?x?xf32>
}

// CHECK-LABEL: func.func @asked(
// CHECK-SAME:    -> tensor<4x8xf32>
// CHECK:         scf.while (%[[V:.*]] = %{{.*}}) : (tensor<4x8xf32>) -> tensor<4x8xf32> {
// CHECK:         ^bb0(%{{.*}}: tensor<4x8xf32>):
// CHECK:           scf.for {{.*}} -> (tensor<4x8xf32>)
func.func @asked(%x: tensor<4x8xf32>, %p: i1, %n: index) -> tensor<*xf32> {
  %a = arith.constant 0 : index
  %s = arith.constant 1 : index
  %i = tessera.exp %x : tensor<4x8xf32> -> tensor<*xf32>
  %0 = scf.while (%v = %i) : (tensor<*xf32>) -> tensor<*xf32> {
    scf.condition(%p) %v : tensor<*xf32>
  } do {
  ^bb0(%v: tensor<*xf32>):
    %1 = scf.for %k = %a to %n step %s iter_args(%w = %v) -> (tensor<*xf32>) {
      %b = tessera.add %w, %x : tensor<*xf32>, tensor<4x8xf32> -> tensor<*xf32>
      scf.yield %b : tensor<*xf32>
    }
    scf.yield %1 : tensor<*xf32>
  }
  return %0 : tensor<*xf32>
}
