// Graph IR: ranks, sizes and names of dimensions.
// RUN: tessera opt %s --tessera-infer-types | FileCheck %s

// CHECK-LABEL: func.func @graph(
// CHECK-SAME:    -> tensor<2x5xf32>
// CHECK-NEXT:    tessera.matmul {{.*}} -> tensor<2x5xf32>
// CHECK-NEXT:    tessera.add {{.*}} : tensor<2x5xf32>, tensor<5xf32> -> tensor<2x5xf32>
// CHECK-NEXT:    tessera.softmax {{.*}} : tensor<2x5xf32> -> tensor<2x5xf32>
func.func @graph(%a: tensor<2x3xf32>, %b: tensor<3x5xf32>, %w: tensor<5xf32>) -> tensor<*xf32> {
  %0 = tessera.matmul %a, %b : tensor<2x3xf32>, tensor<3x5xf32> -> tensor<*xf32>
  %1 = tessera.add %0, %w : tensor<*xf32>, tensor<5xf32> -> tensor<*xf32>
  %2 = tessera.softmax %1 : tensor<*xf32> -> tensor<*xf32>
  return %2 : tensor<*xf32>
}

// Names go along, as far as sizes are not known.
// CHECK-LABEL: func.func @names(
// CHECK-SAME:    -> tensor<?x5xf32, #tessera.dims<["b", ?]>>
// CHECK:         tessera.relu {{.*}} -> tensor<?x5xf32, #tessera.dims<["b", ?]>>
func.func @names(%a: tensor<?x3xf32, #tessera.dims<["b", ?]>>, %b: tensor<3x5xf32>) -> tensor<?x?xf32> {
  %0 = tessera.matmul %a, %b : tensor<?x3xf32, #tessera.dims<["b", ?]>>, tensor<3x5xf32> -> tensor<?x?xf32>
  %1 = tessera.relu %0 : tensor<?x?xf32> -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// A name gives way to a size.
// CHECK-LABEL: func.func @sized(
// CHECK-SAME:    -> tensor<2x3xf32>
func.func @sized(%a: tensor<2x3xf32>) -> tensor<?x?xf32, #tessera.dims<["b", ?]>> {
  %0 = tessera.relu %a : tensor<2x3xf32> -> tensor<?x?xf32>
  %1 = tessera.neg %0 : tensor<?x?xf32> -> tensor<?x?xf32, #tessera.dims<["b", ?]>>
  return %1 : tensor<?x?xf32, #tessera.dims<["b", ?]>>
}

// CHECK-LABEL: func.func @main(
// CHECK-SAME:    -> tensor<4x8xf32>
func.func @main(%a: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<*xf32> {
  %0 = call @layer(%a, %w) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}
// CHECK-LABEL: func.func private @layer(
// CHECK-SAME:    tensor<8x8xf32>) -> tensor<4x8xf32>
func.func private @layer(%a: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<*xf32> {
  %0 = tessera.matmul %a, %w {rhs_transpose = true} : tensor<4x8xf32>, tensor<8x8xf32> -> tensor<*xf32>
  %1 = tessera.gelu %0 : tensor<*xf32> -> tensor<*xf32>
  return %1 : tensor<*xf32>
}
