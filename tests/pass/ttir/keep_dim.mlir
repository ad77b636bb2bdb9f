// Reductions keep their dimensions.
// RUN: tessera opt %s --ttir-reduction-force-keep-dim | FileCheck %s
// VALUES: --ttir-reduction-force-keep-dim

// CHECK-LABEL: func.func @tt_keep_dim
// CHECK-NEXT: "ttir.max"({{.*}}) <{dim_arg = [-2 : i32], keep_dim = true}> : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [2 : i32, 4 : i32]}> : (tensor<2x1x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x4xf32>
func.func @tt_keep_dim(%a: tensor<2x3x4xf32>) -> tensor<2x4xf32> {
  %0 = "ttir.max"(%a) <{dim_arg = [-2 : i32], keep_dim = false}> : (tensor<2x3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
