// RUN: tessera opt %s --stablehlo-refine-arguments='types=tensor<2x3xf32>,tuple<tensor<i32>,tensor<f32>>' | FileCheck %s --check-prefix=WRAPPED
// RUN: tessera opt %s --stablehlo-refine-arguments='types=tensor<2x3xf32>,tuple<tensor<i32>,tensor<f32>>' --stablehlo-refine-shapes | FileCheck %s
// RUN: not tessera opt %s --stablehlo-refine-arguments='types=tensor<2x' 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not tessera opt %s --stablehlo-refine-arguments='types=tensor<2x3xf32>' 2>&1 | FileCheck %s --check-prefix=COUNT
// TYPE: 'builtin.module' op Invalid type string: tensor<2x
// COUNT: 'func.func' op number of refinements must match number of op operands 1 vs 2

// WRAPPED-LABEL: func.func @main(
// WRAPPED-SAME:    %arg0: tensor<2x3xf32>, %arg1: tuple<tensor<i32>, tensor<f32>>) -> tensor<*xf32>
// WRAPPED-NEXT:    %[[S:.*]] = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
// WRAPPED-NEXT:    stablehlo.custom_call @stablehlo.shape_refinement_operand_wrapper(%arg0, %[[S]]) {indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<*xf32>
// CHECK-LABEL:   func.func @main(
// CHECK-SAME:      -> tensor<2x3xf32>
// CHECK-NEXT:      return %arg0
func.func @main(%a: tensor<*xf32>, %b: tuple<tensor<i32>, tensor<f32>>) -> tensor<*xf32> {
  return %a : tensor<*xf32>
}
