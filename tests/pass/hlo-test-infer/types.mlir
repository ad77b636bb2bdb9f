// RUN: tessera opt %s --hlo-test-infer --allow-unregistered-dialect | FileCheck %s
// What inference says, and who cannot say anything.

// CHECK-LABEL: @types
func.func @types(%a: tensor<?x3xf32>, %b: tensor<2x?xf32>, %k: tensor<4x9xf32>) -> tensor<?x?xf32> {
  // CHECK: "hlo_test_infer.return_types"(%{{.*}}) {types0 = tensor<2x3xf32>}
  %0 = stablehlo.subtract %a, %b : (tensor<?x3xf32>, tensor<2x?xf32>) -> tensor<?x?xf32>
  %1 = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  // CHECK: {types0 = tensor<4x2xf32>, types1 = tensor<4x2xi32>}
  %2:2 = chlo.top_k(%k, k = 2) : tensor<4x9xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
  %3 = "hlo_test_infer.get_return_types"(%2#1) : (tensor<4x2xi32>) -> tensor<4x2xi32>
  // The element of a dot product does not follow from its operands.
  // CHECK: "hlo_test_infer.return_type_components"(%{{.*}}) {kept, types0 = tensor<2x9xindex>}
  %4 = stablehlo.dot_general %b, %k, contracting_dims = [1] x [0] : (tensor<2x?xf32>, tensor<4x9xf32>) -> tensor<?x9xf64>
  %5 = "hlo_test_infer.get_return_type_components"(%4) {kept} : (tensor<?x9xf64>) -> tensor<?x9xf64>
  // CHECK: "hlo_test_infer.get_return_types"(%{{.*}}) :
  %6 = "hlo_test_infer.get_return_types"(%4) : (tensor<?x9xf64>) -> tensor<?x9xf64>
  // CHECK: "hlo_test_infer.get_return_types"(%arg0) :
  %7 = "hlo_test_infer.get_return_types"(%a) : (tensor<?x3xf32>) -> tensor<?x3xf32>
  return %1 : tensor<?x?xf32>
}
