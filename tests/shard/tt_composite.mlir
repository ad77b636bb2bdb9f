// RUN: ttmlir-opt %s --flatten-or-convert-composites | FileCheck %s --check-prefix=FLAT
// RUN: ttmlir-opt %s --flatten-or-convert-composites --reoutline-composite | FileCheck %s

sdy.mesh @mesh = <["x"=1, "y"=2]>

// FLAT-LABEL: func @main
// FLAT: stablehlo.constant {reoutline.comp_attrs = {a = 1 : i32}, reoutline.group = "composite_f", reoutline.orig_name = "my.f", reoutline.seed} dense<2.000000e+00>
// FLAT: stablehlo.multiply %arg1, %cst {reoutline.arg_operand_indices = array<i64: 0, -1>, reoutline.group = "composite_f"}
// FLAT: stablehlo.add %{{.*}}, %arg0 {reoutline.arg_operand_indices = array<i64: -1, 1>, reoutline.group = "composite_f", reoutline.result_pos = array<i64: 0>}
// FLAT: stablehlo.custom_call @tenstorrent.rms_norm(%{{.*}}) {tt.composite_attributes = {normalized_shape = dense<4> : tensor<1xi64>}, tt.has_custom_sharding}
// FLAT-NOT: func private

// Each composite is one again, with its operands in their order; both have a body of their own.
// CHECK-LABEL: func @main
// CHECK: %0 = stablehlo.composite "my.f" %arg1, %arg0 {composite_attributes = {a = 1 : i32}, decomposition = @outlined_composite_f}
// CHECK-NEXT: %1 = stablehlo.composite "my.f" %0, %arg1 {composite_attributes = {a = 1 : i32}, decomposition = @outlined_composite_f_0}
// CHECK-NEXT: %2 = stablehlo.custom_call @tenstorrent.rms_norm(%1)
// CHECK: func private @outlined_composite_f(%arg0: tensor<8x4xf32>, %arg1: tensor<8x4xf32>) -> tensor<8x4xf32> {
// CHECK-NEXT: %cst = stablehlo.constant dense<2.000000e+00>
// CHECK-NEXT: %0 = stablehlo.multiply %arg0, %cst :
// CHECK-NEXT: %1 = stablehlo.add %0, %arg1 :
func.func @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, %arg1: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.composite "my.f" %arg1, %arg0 {composite_attributes = {a = 1 : i32}, decomposition = @f} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.composite "my.f" %0, %arg1 {composite_attributes = {a = 1 : i32}, decomposition = @f} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  %2 = stablehlo.composite "tenstorrent.rms_norm" %1 {composite_attributes = {normalized_shape = dense<4> : tensor<1xi64>}, decomposition = @g} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}
func.func private @f(%arg0: tensor<8x4xf32>, %arg1: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %cst = stablehlo.constant dense<2.0> : tensor<8x4xf32>
  %0 = stablehlo.multiply %arg0, %cst : tensor<8x4xf32>
  %1 = stablehlo.add %0, %arg1 : tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}
func.func private @g(%arg0: tensor<8x4xf32>) -> tensor<8x4xf32> {
  return %arg0 : tensor<8x4xf32>
}
