// Composites in simple ops, one function per rule.
// RUN: tessera opt %s --ttir-decompose-composites | FileCheck %s
// VALUES: --ttir-decompose-composites

// CHECK-LABEL: func.func @tt_unfold_attention
// CHECK-NEXT: "ttir.full"() <{fill_value = 0xFF800000 : f32, shape = array<i32: 1, 1, 3, 3>}> : () -> tensor<1x1x3x3xf32>
// CHECK-NEXT: "ttir.full"() <{fill_value = 0.000000e+00 : f32, shape = array<i32: 1, 1, 3, 3>}> : () -> tensor<1x1x3x3xf32>
// CHECK-NEXT: "ttir.full"() <{fill_value = 0.707106769 : f32, shape = array<i32: 1, 4, 3, 3>}> : () -> tensor<1x4x3x3xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 2 : i32, 6 : i32, 2 : i32]}> : (tensor<1x4x3x2xf32>) -> tensor<1x2x6x2xf32>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<1x2x3x2xf32>) -> tensor<1x2x2x3xf32>
// CHECK-NEXT: "ttir.matmul"({{.*}}) <{transpose_a = false, transpose_b = false}> : (tensor<1x2x6x2xf32>, tensor<1x2x2x3xf32>) -> tensor<1x2x6x3xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 4 : i32, 3 : i32, 3 : i32]}> : (tensor<1x2x6x3xf32>) -> tensor<1x4x3x3xf32>
// CHECK-NEXT: "ttir.multiply"({{.*}}) : (tensor<1x4x3x3xf32>, tensor<1x4x3x3xf32>) -> tensor<1x4x3x3xf32>
// CHECK-NEXT: "ttir.arange"() <{arange_dimension = 2 : i64, end = 3 : si64, start = 0 : si64, step = 1 : si64}> : () -> tensor<1x1x3x3xsi32>
// CHECK-NEXT: "ttir.arange"() <{arange_dimension = 3 : i64, end = 3 : si64, start = 0 : si64, step = 1 : si64}> : () -> tensor<1x1x3x3xsi32>
// CHECK-NEXT: "ttir.ge"({{.*}}) : (tensor<1x1x3x3xsi32>, tensor<1x1x3x3xsi32>) -> tensor<1x1x3x3xsi32>
// CHECK-NEXT: "ttir.where"({{.*}}) : (tensor<1x1x3x3xsi32>, tensor<1x1x3x3xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x3x3xf32>
// CHECK-NEXT: "ttir.add"({{.*}}) : (tensor<1x4x3x3xf32>, tensor<1x1x3x3xf32>) -> tensor<1x4x3x3xf32>
// CHECK-NEXT: "ttir.max"({{.*}}) <{dim_arg = [3 : i32], keep_dim = true}> : (tensor<1x4x3x3xf32>) -> tensor<1x4x3x1xf32>
// CHECK-NEXT: "ttir.subtract"({{.*}}) : (tensor<1x4x3x3xf32>, tensor<1x4x3x1xf32>) -> tensor<1x4x3x3xf32>
// CHECK-NEXT: "ttir.exp"({{.*}}) : (tensor<1x4x3x3xf32>) -> tensor<1x4x3x3xf32>
// CHECK-NEXT: "ttir.sum"({{.*}}) <{dim_arg = [3 : i32], keep_dim = true}> : (tensor<1x4x3x3xf32>) -> tensor<1x4x3x1xf32>
// CHECK-NEXT: "ttir.div"({{.*}}) : (tensor<1x4x3x3xf32>, tensor<1x4x3x1xf32>) -> tensor<1x4x3x3xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 2 : i32, 6 : i32, 3 : i32]}> : (tensor<1x4x3x3xf32>) -> tensor<1x2x6x3xf32>
// CHECK-NEXT: "ttir.matmul"({{.*}}) <{transpose_a = false, transpose_b = false}> : (tensor<1x2x6x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x6x2xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 4 : i32, 3 : i32, 2 : i32]}> : (tensor<1x2x6x2xf32>) -> tensor<1x4x3x2xf32>
// CHECK-NEXT: return {{.*}} : tensor<1x4x3x2xf32>
func.func @tt_unfold_attention(%q: tensor<1x4x3x2xf32>, %k: tensor<1x2x3x2xf32>, %v: tensor<1x2x3x2xf32>) -> tensor<1x4x3x2xf32> {
  %0 = "ttir.scaled_dot_product_attention"(%q, %k, %v) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<1x4x3x2xf32>, tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x4x3x2xf32>
  return %0 : tensor<1x4x3x2xf32>
}
// CHECK-LABEL: func.func @tt_unfold_norm
// CHECK-NEXT: "ttir.full"() <{fill_value = 9.99999974E-6 : f32, shape = array<i32: 2, 1>}> : () -> tensor<2x1xf32>
// CHECK-NEXT: "ttir.multiply"({{.*}}) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: "ttir.mean"({{.*}}) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<2x4xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: "ttir.add"({{.*}}) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: "ttir.rsqrt"({{.*}}) : (tensor<2x1xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: "ttir.multiply"({{.*}}) : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 4 : i32]}> : (tensor<4xf32>) -> tensor<1x4xf32>
// CHECK-NEXT: "ttir.multiply"({{.*}}) : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: "ttir.mean"({{.*}}) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<2x4xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: "ttir.subtract"({{.*}}) : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: "ttir.multiply"({{.*}}) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: "ttir.mean"({{.*}}) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<2x4xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: "ttir.add"({{.*}}) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: "ttir.rsqrt"({{.*}}) : (tensor<2x1xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: "ttir.multiply"({{.*}}) : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 4 : i32]}> : (tensor<4xf32>) -> tensor<1x4xf32>
// CHECK-NEXT: "ttir.multiply"({{.*}}) : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 4 : i32]}> : (tensor<4xf32>) -> tensor<1x4xf32>
// CHECK-NEXT: "ttir.add"({{.*}}) : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x4xf32>, tensor<2x4xf32>
func.func @tt_unfold_norm(%a: tensor<2x4xf32>, %w: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %0 = "ttir.rms_norm"(%a, %w) <{normalized_shape = array<i64: 4>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %1 = "ttir.layer_norm"(%a, %w, %b) <{normalized_shape = array<i64: 4>, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %0, %1 : tensor<2x4xf32>, tensor<2x4xf32>
}
// CHECK-LABEL: func.func @tt_unfold_softmax
// CHECK-NEXT: "ttir.exp"({{.*}}) : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: "ttir.sum"({{.*}}) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<2x4xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: "ttir.div"({{.*}}) : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x4xf32>
func.func @tt_unfold_softmax(%a: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = "ttir.softmax"(%a) <{dimension = 1 : si32}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// CHECK-LABEL: func.func @tt_unfold_repeat
// CHECK-NEXT: "ttir.concat"({{.*}}) <{dim = 1 : si32}> : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: "ttir.concat"({{.*}}) <{dim = 1 : si32}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: "ttir.concat"({{.*}}) <{dim = 1 : si32}> : (tensor<2x1xf32>, tensor<2x4xf32>) -> tensor<2x5xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x5xf32>
func.func @tt_unfold_repeat(%a: tensor<2x1xf32>) -> tensor<2x5xf32> {
  %0 = "ttir.repeat"(%a) <{repeat_dimensions = array<i64: 1, 5>}> : (tensor<2x1xf32>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}
