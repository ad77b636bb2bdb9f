// RUN: tessera opt %s --hlo-test-speculatability --allow-unregistered-dialect | FileCheck %s
// Claims that hold go, with the op they are about.

// Traits: what the result promises, static inputs, constant shapes; always; when the ops inside may.
// CHECK-LABEL: @traits
// CHECK-NEXT: return
func.func @traits(%s: tensor<2x3xf32>, %d: tensor<?x3xf32>, %n: tensor<2xi32>, %p: tensor<i1>) {
  %0 = stablehlo.tanh %d : (tensor<?x3xf32>) -> tensor<2x3xf32>
  "hlo_test_speculatability.is_not_speculatable"(%0) : (tensor<2x3xf32>) -> ()
  %1 = stablehlo.tanh %d : (tensor<?x3xf32>) -> tensor<?x3xf32>
  "hlo_test_speculatability.is_speculatable"(%1) : (tensor<?x3xf32>) -> ()
  %2 = stablehlo.add %d, %s : (tensor<?x3xf32>, tensor<2x3xf32>) -> tensor<?x3xf32>
  "hlo_test_speculatability.is_not_speculatable"(%2) : (tensor<?x3xf32>) -> ()
  %3 = stablehlo.reshape %s : (tensor<2x3xf32>) -> tensor<6xf32>
  "hlo_test_speculatability.is_speculatable"(%3) : (tensor<6xf32>) -> ()
  %c = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
  %4 = stablehlo.dynamic_reshape %s, %c : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x?xf32>) -> ()
  %5 = stablehlo.dynamic_reshape %s, %n : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_not_speculatable"(%5) : (tensor<?x?xf32>) -> ()
  %6 = chlo.broadcast_add %d, %s : (tensor<?x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  "hlo_test_speculatability.is_speculatable"(%6) : (tensor<2x3xf32>) -> ()
  %7 = "stablehlo.if"(%p) ({
    stablehlo.return %s : tensor<2x3xf32>
  }, {
    stablehlo.return %s : tensor<2x3xf32>
  }) : (tensor<i1>) -> tensor<2x3xf32>
  "hlo_test_speculatability.is_recursively_speculatable"(%7) : (tensor<2x3xf32>) -> ()
  return
}

// Conditions of single ops.
// CHECK-LABEL: @own
// CHECK-NEXT: return
func.func @own(%s: tensor<2x3xf32>, %d: tensor<2x?xf32>, %n: tensor<i32>) {
  %0 = stablehlo.transpose %d, dims = [1, 0] : (tensor<2x?xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<?x2xf32>) -> ()
  %1 = stablehlo.transpose %d, dims = [1, 0] : (tensor<2x?xf32>) -> tensor<4x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<4x2xf32>) -> ()
  %2 = stablehlo.concatenate %d, %s, dim = 1 : (tensor<2x?xf32>, tensor<2x3xf32>) -> tensor<2x?xf32>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<2x?xf32>) -> ()
  %3 = stablehlo.concatenate %d, %s, dim = 0 : (tensor<2x?xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<4x3xf32>) -> ()
  %4 = stablehlo.dot_general %s, %d, contracting_dims = [0] x [0] : (tensor<2x3xf32>, tensor<2x?xf32>) -> tensor<3x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<3x?xf32>) -> ()
  %5 = stablehlo.dot_general %s, %d, contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<2x?xf32>) -> tensor<2x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%5) : (tensor<2x2xf32>) -> ()
  %6 = stablehlo.set_dimension_size %s, %n, dim = 0 : (tensor<2x3xf32>, tensor<i32>) -> tensor<?x3xf32, #stablehlo.bounds<2, ?>>
  "hlo_test_speculatability.is_speculatable"(%6) : (tensor<?x3xf32, #stablehlo.bounds<2, ?>>) -> ()
  return
}

// Claims that do not hold, and claims about what says nothing or has another user, stay.
// CHECK-LABEL: @stay
// CHECK-NEXT: stablehlo.tanh
// CHECK-NEXT: hlo_test_speculatability.is_not_speculatable
// CHECK-NEXT: stablehlo.cholesky
// CHECK-NEXT: hlo_test_speculatability.is_not_speculatable
// CHECK-NEXT: stablehlo.sine
// CHECK-NEXT: hlo_test_speculatability.is_speculatable
// CHECK-NEXT: hlo_test_speculatability.is_not_speculatable"(%arg0)
func.func @stay(%s: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.tanh %s : tensor<2x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%0) : (tensor<2x2xf32>) -> ()
  %1 = stablehlo.cholesky %s : tensor<2x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<2x2xf32>) -> ()
  %2 = stablehlo.sine %s : tensor<2x2xf32>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<2x2xf32>) -> ()
  "hlo_test_speculatability.is_not_speculatable"(%s) : (tensor<2x2xf32>) -> ()
  return %2 : tensor<2x2xf32>
}
