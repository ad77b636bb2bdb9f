// RUN: tessera opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file --verify-diagnostics | FileCheck %s
// Shapes of results as ops compute them: what is known is folded, constants are shared and stand first.

// CHECK-LABEL: @operands
func.func @operands(%a: tensor<?x2xf32>, %lo: tensor<f32>, %p: tensor<i1>) -> (tensor<2xindex>, tensor<2xindex>, tensor<2xindex>, tensor<2xindex>) {
  // CHECK: %[[TANH:.*]] = shape.shape_of %arg0 : tensor<?x2xf32> -> tensor<2xindex>
  %0 = stablehlo.tanh %a : tensor<?x2xf32>
  %1 = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x2xf32>) -> tensor<2xindex>
  // CHECK: %[[CLAMP:.*]] = shape.shape_of %arg0
  %2 = stablehlo.clamp %lo, %a, %lo : (tensor<f32>, tensor<?x2xf32>, tensor<f32>) -> tensor<?x2xf32>
  %3 = "hlo_test_infer.reify_return_type_shapes"(%2) : (tensor<?x2xf32>) -> tensor<2xindex>
  // CHECK: %[[SELECT:.*]] = shape.shape_of %arg0
  %4 = stablehlo.select %p, %a, %a : tensor<i1>, tensor<?x2xf32>
  %5 = "hlo_test_infer.reify_return_type_shapes"(%4) : (tensor<?x2xf32>) -> tensor<2xindex>
  // CHECK: %[[CAST:.*]] = shape.shape_of %arg0
  %6 = stablehlo.bitcast_convert %a : (tensor<?x2xf32>) -> tensor<?x2xi32>
  %7 = "hlo_test_infer.reify_return_type_shapes"(%6) : (tensor<?x2xi32>) -> tensor<2xindex>
  // CHECK: return %[[TANH]], %[[CLAMP]], %[[SELECT]], %[[CAST]]
  return %1, %3, %5, %7 : tensor<2xindex>, tensor<2xindex>, tensor<2xindex>, tensor<2xindex>
}

// -----

// CHECK-LABEL: @not_reified
func.func @not_reified(%a: tensor<?x2xf32>) -> tensor<3xindex> {
  // CHECK: "hlo_test_infer.reify_return_type_shapes"
  %0 = stablehlo.bitcast_convert %a : (tensor<?x2xf32>) -> tensor<?x2x4xi8>
  %1 = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x2x4xi8>) -> tensor<3xindex>
  return %1 : tensor<3xindex>
}

// -----

// CHECK-LABEL: @shape_operand
func.func @shape_operand(%a: tensor<?xf32>, %s: tensor<2xi32>) -> (tensor<2xindex>, tensor<2xindex>) {
  // CHECK: %[[A:.*]] = arith.index_cast %arg1 : tensor<2xi32> to tensor<2xindex>
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf32>) -> tensor<2xindex>
  // CHECK: %[[B:.*]] = arith.index_cast %arg1 : tensor<2xi32> to tensor<2xindex>
  %2 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %3 = "hlo_test_infer.reify_return_type_shapes"(%2) : (tensor<?x?xf32>) -> tensor<2xindex>
  // CHECK: return %[[A]], %[[B]]
  return %1, %3 : tensor<2xindex>, tensor<2xindex>
}

// -----

// CHECK-LABEL: @sums
func.func @sums(%a: tensor<?x2xf32>, %b: tensor<?x3xf32>, %z: tensor<f32>) -> (tensor<2xindex>, tensor<2xindex>) {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
  // CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
  // CHECK-DAG: %[[C5:.*]] = arith.constant 5 : index
  // CHECK: %[[D:.*]] = tensor.dim %arg0, %[[C0]]
  // CHECK: %[[CAT:.*]] = tensor.from_elements %[[D]], %[[C5]] : tensor<2xindex>
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<?x2xf32>, tensor<?x3xf32>) -> tensor<?x5xf32>
  %1 = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x5xf32>) -> tensor<2xindex>
  // CHECK: %[[E:.*]] = tensor.dim %arg0, %[[C0]]
  // CHECK: %[[NONE:.*]] = arith.cmpi slt, %[[E]], %[[C1]] : index
  // CHECK: %[[LESS:.*]] = arith.subi %[[E]], %[[C1]] : index
  // CHECK: %[[GAPS:.*]] = arith.select %[[NONE]], %[[C0]], %[[LESS]] : index
  // CHECK: %[[FILL:.*]] = arith.muli %[[GAPS]], %{{.*}} : index
  // CHECK: %[[WIDE:.*]] = arith.addi %[[E]], %[[FILL]] : index
  // CHECK: %[[ALL:.*]] = arith.addi %[[WIDE]], %[[C1]] : index
  // CHECK: %[[PAD:.*]] = tensor.from_elements %[[ALL]], %[[C4]] : tensor<2xindex>
  %2 = stablehlo.pad %a, %z, low = [1, 0], high = [0, 0], interior = [3, 2] : (tensor<?x2xf32>, tensor<f32>) -> tensor<?x4xf32>
  %3 = "hlo_test_infer.reify_return_type_shapes"(%2) : (tensor<?x4xf32>) -> tensor<2xindex>
  // CHECK: return %[[CAT]], %[[PAD]]
  return %1, %3 : tensor<2xindex>, tensor<2xindex>
}

// -----

// CHECK-LABEL: @gathers
func.func @gathers(%a: tensor<3x4x2xi32>, %i: tensor<?x3x2xi64>, %s: tensor<3xi64>) -> tensor<4xindex> {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
  // CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
  // CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
  // CHECK: %[[X:.*]] = tensor.extract %arg2[%[[C1]]] : tensor<3xi64>
  // CHECK: %[[B:.*]] = arith.index_cast %[[X]] : i64 to index
  // CHECK: %[[Y:.*]] = tensor.extract %arg2[%[[C2]]] : tensor<3xi64>
  // CHECK: %[[C:.*]] = arith.index_cast %[[Y]] : i64 to index
  // CHECK: %[[D:.*]] = tensor.dim %arg1, %[[C0]]
  // CHECK: tensor.from_elements %[[D]], %[[C3]], %[[B]], %[[C]] : tensor<4xindex>
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0],
                                          index_vector_dim = 2>,
    indices_are_sorted = false
  } : (tensor<3x4x2xi32>, tensor<?x3x2xi64>, tensor<3xi64>) -> tensor<?x3x?x?xi32>
  %1 = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x3x?x?xi32>) -> tensor<4xindex>
  return %1 : tensor<4xindex>
}

// -----

// CHECK-LABEL: @known_slice
func.func @known_slice(%a: tensor<?x8xf32>) -> tensor<2xi64> {
  // CHECK-DAG: %[[C3:.*]] = arith.constant 3 : i64
  // CHECK-DAG: %[[C4:.*]] = arith.constant 4 : i64
  // CHECK: tensor.from_elements %[[C3]], %[[C4]] : tensor<2xi64>
  %start = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %limit = stablehlo.constant dense<[4, 8]> : tensor<2xi64>
  %stride = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %0 = stablehlo.real_dynamic_slice %a, %start, %limit, %stride : (tensor<?x8xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  %1 = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf32>) -> tensor<2xi64>
  return %1 : tensor<2xi64>
}

// -----

// CHECK-LABEL: @broadcasts
func.func @broadcasts(%a: tensor<?xf32>, %b: tensor<?x?xf32>, %c: tensor<*xf32>) -> (tensor<2xindex>, tensor<?xindex>) {
  // CHECK: shape.broadcast %{{.*}}, %{{.*}} : tensor<1xindex>, tensor<2xindex> -> tensor<2xindex>
  %0 = chlo.broadcast_add %a, %b {broadcast_dimensions = array<i64: 1>} : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf32>) -> tensor<2xindex>
  // CHECK: shape.broadcast %{{.*}}, %{{.*}} : tensor<1xindex>, tensor<?xindex> -> tensor<?xindex>
  %2 = chlo.broadcast_add %a, %c : (tensor<?xf32>, tensor<*xf32>) -> tensor<*xf32>
  %3 = "hlo_test_infer.reify_return_type_shapes"(%2) : (tensor<*xf32>) -> tensor<?xindex>
  return %1, %3 : tensor<2xindex>, tensor<?xindex>
}

// -----

func.func @not_at_the_end(%a: tensor<?xf32>, %b: tensor<?x?xf32>) -> tensor<2xindex> {
  // expected-warning @+1 {{unsupported non prefix-padded dynamic rank broadcast_dimensions = array<i64: 0>}}
  %0 = chlo.broadcast_add %a, %b {broadcast_dimensions = array<i64: 0>} : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf32>) -> tensor<2xindex>
  return %1 : tensor<2xindex>
}
