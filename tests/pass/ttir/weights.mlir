// Formats of weights reach the products.
// RUN: tessera opt %s --ttir-propagate-weight-dtype | FileCheck %s
// VALUES: --ttir-propagate-weight-dtype

// CHECK-LABEL: func.func @through
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 1, 0>}> : (tensor<4x3xbf16>) -> tensor<3x4xbf16>
// CHECK-NEXT: "ttir.matmul"({{.*}}) <{transpose_a = false, transpose_b = false}> {ttcore.weight_dtype = "bfp_bf8"} : (tensor<2x3xbf16>, tensor<3x4xbf16>) -> tensor<2x4xbf16>
// CHECK-NEXT: return {{.*}} : tensor<2x4xbf16>
func.func @through(%a: tensor<2x3xbf16>, %w: tensor<4x3xbf16> {ttcore.weight_dtype = "bfp_bf8"}) -> tensor<2x4xbf16> {
  %0 = "ttir.permute"(%w) <{permutation = array<i64: 1, 0>}> : (tensor<4x3xbf16>) -> tensor<3x4xbf16>
  %1 = "ttir.matmul"(%a, %0) : (tensor<2x3xbf16>, tensor<3x4xbf16>) -> tensor<2x4xbf16>
  return %1 : tensor<2x4xbf16>
}
// CHECK-LABEL: func.func @none
// CHECK-NEXT: "ttir.exp"({{.*}}) : (tensor<3x4xbf16>) -> tensor<3x4xbf16>
// CHECK-NEXT: "ttir.matmul"({{.*}}) <{transpose_a = false, transpose_b = false}> : (tensor<2x3xbf16>, tensor<3x4xbf16>) -> tensor<2x4xbf16>
// CHECK-NEXT: return {{.*}} : tensor<2x4xbf16>
func.func @none(%a: tensor<2x3xbf16>, %w: tensor<3x4xbf16> {ttcore.weight_dtype = "bfp_bf8"}) -> tensor<2x4xbf16> {
  %0 = "ttir.exp"(%w) : (tensor<3x4xbf16>) -> tensor<3x4xbf16>
  %1 = "ttir.matmul"(%a, %0) : (tensor<2x3xbf16>, tensor<3x4xbf16>) -> tensor<2x4xbf16>
  return %1 : tensor<2x4xbf16>
}
