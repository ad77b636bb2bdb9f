// Products that name an algorithm are compiled where sums are as wide as it asks for; otherwise the evaluator's kernel runs.
// RUN: tessera run %s --input=random --check --function=narrow
// RUN: tessera run %s --input=random --dump-program --function=narrow 2>&1 >/dev/null | FileCheck %s
// CHECK: 0 by the evaluator's kernels
// CHECK: contract dot_general
// RUN: tessera run %s --input=random --check --function=several
// RUN: tessera run %s --input=random --dump-program --function=several 2>&1 >/dev/null | FileCheck %s
// RUN: tessera run %s --input=random --check --function=wide
// RUN: tessera run %s --input=random --dump-program --function=wide 2>&1 >/dev/null | FileCheck %s --check-prefix=WIDE
// WIDE: 1 by the evaluator's kernels: 1 stablehlo.dot_general
func.func @narrow(%a: tensor<33x40xbf16>, %b: tensor<40x70xbf16>) -> tensor<33x70xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<33x40xbf16>, tensor<40x70xbf16>) -> tensor<33x70xf32>
  return %0 : tensor<33x70xf32>
}
func.func @several(%a: tensor<33x40xf32>, %b: tensor<40x70xf32>) -> tensor<33x70xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<33x40xf32>, tensor<40x70xf32>) -> tensor<33x70xf32>
  return %0 : tensor<33x70xf32>
}
func.func @wide(%a: tensor<33x40xf32>, %b: tensor<40x70xf32>) -> tensor<33x70xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = f64, rhs_precision_type = f64, accumulation_type = f64, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<33x40xf32>, tensor<40x70xf32>) -> tensor<33x70xf32>
  return %0 : tensor<33x70xf32>
}
