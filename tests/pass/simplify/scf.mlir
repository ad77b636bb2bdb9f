// RUN: tessera opt %s --tessera-simplify | FileCheck %s
//
// Control flow of scf whose way is known, one function for each rule.

tessera.state @s = dense<0.0> : tensor<f32>

// CHECK-LABEL: func.func @scf_if_known(
// CHECK-NEXT:    %[[E:.*]] = tessera.exp %arg0
// CHECK-NEXT:    tessera.state_update @s, %[[E]]
// CHECK-NEXT:    return %[[E]], %arg0 :
func.func @scf_if_known(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %t = arith.constant true
  %f = arith.constant false
  %0 = scf.if %t -> (tensor<f32>) {
    %1 = tessera.exp %x : tensor<f32> -> tensor<f32>
    tessera.state_update @s, %1 : tensor<f32>
    scf.yield %1 : tensor<f32>
  } else {
    scf.yield %x : tensor<f32>
  }
  %2 = scf.if %f -> (tensor<f32>) {
    %1 = tessera.exp %x : tensor<f32> -> tensor<f32>
    scf.yield %1 : tensor<f32>
  } else {
    scf.yield %x : tensor<f32>
  }
  scf.if %f {
    tessera.state_update @s, %x : tensor<f32>
  }
  return %0, %2 : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @scf_for_never(
// CHECK-NEXT:    return %arg0 :
func.func @scf_for_never(%x: tensor<f32>) -> tensor<f32> {
  %a = arith.constant 3 : index
  %b = arith.constant 3 : index
  %c = arith.constant 1 : index
  %0 = scf.for %i = %a to %b step %c iter_args(%v = %x) -> (tensor<f32>) {
    %1 = tessera.exp %v : tensor<f32> -> tensor<f32>
    scf.yield %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @scf_for_once(
// CHECK-NOT:     scf.for
// CHECK:         %[[E:.*]] = tensor.extract %arg0[%c2] : tensor<4xf32>
// CHECK:         tensor.from_elements %[[E]]
// CHECK-NOT:     scf.for
// CHECK-LABEL: func.func @twice(
// CHECK:         scf.for
func.func @scf_for_once(%x: tensor<4xf32>, %y: tensor<1xf32>) -> tensor<1xf32> {
  %a = arith.constant 2 : index
  %b = arith.constant 4 : index
  %c = arith.constant 2 : index
  %0 = scf.for %i = %a to %b step %c iter_args(%v = %y) -> (tensor<1xf32>) {
    %1 = tensor.extract %x[%i] : tensor<4xf32>
    %2 = tensor.from_elements %1 : tensor<1xf32>
    %3 = tessera.add %2, %v : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
    scf.yield %3 : tensor<1xf32>
  }
  return %0 : tensor<1xf32>
}
func.func @twice(%x: tensor<f32>) -> tensor<f32> {
  %a = arith.constant 2 : index
  %b = arith.constant 5 : index
  %c = arith.constant 2 : index
  %0 = scf.for %i = %a to %b step %c iter_args(%v = %x) -> (tensor<f32>) {
    %1 = tessera.exp %v : tensor<f32> -> tensor<f32>
    scf.yield %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}
