// Unused values go.
// RUN: tessera opt %s --remove-dead-values | FileCheck %s
// VALUES: --remove-dead-values

// CHECK-LABEL: func.func @dead
// CHECK-NEXT: "ttir.exp"({{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return {{.*}} : tensor<4xf32>
func.func @dead(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "ttir.exp"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "ttir.add"(%0, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
