// Ops that insist on the types they were written with get them, by casts.
// RUN: tessera opt %s --tessera-infer-types --allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: func.func @foreign(
// CHECK:         %[[X:.*]] = stablehlo.negate {{.*}} tensor<4xf32>
// CHECK-NEXT:    %[[C:.*]] = tensor.cast %[[X]] : tensor<4xf32> to tensor<?xf32>
// CHECK-NEXT:    "other.op"(%[[C]]) : (tensor<?xf32>) -> ()
// CHECK:         tensor.dim %[[X]], {{.*}} : tensor<4xf32>
func.func @foreign(%a: tensor<4xf32>) -> index {
  %0 = stablehlo.negate %a : (tensor<4xf32>) -> tensor<?xf32>
  "other.op"(%0) : (tensor<?xf32>) -> ()
  %1 = arith.constant 0 : index
  %2 = tensor.dim %0, %1 : tensor<?xf32>
  return %2 : index
}

// CHECK-LABEL: func.func @structured(
// CHECK-SAME:    -> tensor<4x?xf32>
// CHECK:         scf.if {{.*}} -> (tensor<4x?xf32>)
// CHECK:         tensor.cast {{.*}} : tensor<4x2xf32> to tensor<4x?xf32>
// CHECK:         scf.yield {{.*}} : tensor<4x?xf32>
// CHECK:         tensor.cast {{.*}} : tensor<4x3xf32> to tensor<4x?xf32>
func.func @structured(%c: i1, %a: tensor<4x2xf32>, %b: tensor<4x3xf32>) -> tensor<?x?xf32> {
  %0 = scf.if %c -> (tensor<?x?xf32>) {
    %1 = stablehlo.negate %a : (tensor<4x2xf32>) -> tensor<?x?xf32>
    scf.yield %1 : tensor<?x?xf32>
  } else {
    %1 = stablehlo.negate %b : (tensor<4x3xf32>) -> tensor<?x?xf32>
    scf.yield %1 : tensor<?x?xf32>
  }
  return %0 : tensor<?x?xf32>
}

// What a loop of scf carries may change from round to round.
// CHECK-LABEL: func.func @rounds(
// CHECK-SAME:    -> tensor<?xf32>
// CHECK:         tensor.cast {{.*}} : tensor<4xf32> to tensor<?xf32>
// CHECK-NEXT:    scf.for
func.func @rounds(%n: index, %a: tensor<4xf32>) -> tensor<?xf32> {
  %0 = stablehlo.negate %a : (tensor<4xf32>) -> tensor<?xf32>
  %1 = scf.for %i = %n to %n step %n iter_args(%x = %0) -> (tensor<?xf32>) {
    %2 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %2 : tensor<?xf32>
  }
  return %1 : tensor<?xf32>
}

// CHECK-LABEL: func.func @blocks(
// CHECK-SAME:    -> tensor<?xf32>
// CHECK:         %[[C:.*]] = tensor.cast {{.*}} : tensor<4xf32> to tensor<?xf32>
// CHECK-NEXT:    cf.br ^bb1(%[[C]] : tensor<?xf32>)
func.func @blocks(%a: tensor<4xf32>) -> tensor<?xf32> {
  %0 = stablehlo.negate %a : (tensor<4xf32>) -> tensor<?xf32>
  cf.br ^bb1(%0 : tensor<?xf32>)
^bb1(%x: tensor<?xf32>):
  return %x : tensor<?xf32>
}
