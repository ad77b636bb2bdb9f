// Constants of one number become scalars.
// RUN: tessera opt %s --ttir-fold-full-to-scalar | FileCheck %s
// VALUES: --ttir-fold-full-to-scalar

// CHECK-LABEL: func.func @tt_full_scalar
// CHECK-NEXT: "ttir.full"() <{fill_value = 4.000000e+00 : f32, shape = array<i32: 1, 1>}> : () -> tensor<1x1xf32>
// CHECK-NEXT: "ttir.add"({{.*}}) : (tensor<1x3xf32>, tensor<1x1xf32>) -> tensor<1x3xf32>
// CHECK-NEXT: "ttir.broadcast"({{.*}}) <{broadcast_dimensions = array<i64: 2, 1>}> : (tensor<1x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x3xf32>
func.func @tt_full_scalar(%a: tensor<1x3xf32>) -> tensor<2x3xf32> {
  %c = "ttir.full"() <{fill_value = 4.0 : f32, shape = array<i32: 2, 3>}> : () -> tensor<2x3xf32>
  %0 = "ttir.add"(%a, %c) : (tensor<1x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
