// Moves go up, one function per rule.
// RUN: tessera opt %s --ttir-erase-inverse-ops=enable-commute-downwards=false | FileCheck %s
// VALUES: --ttir-erase-inverse-ops=enable-commute-downwards=false

// CHECK-LABEL: func.func @tt_up_elementwise
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: "ttir.add"({{.*}}) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: "ttir.exp"({{.*}}) : (tensor<3x2xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: return {{.*}} : tensor<3x2xf32>
func.func @tt_up_elementwise(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = "ttir.add"(%a, %b) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = "ttir.exp"(%0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = "ttir.permute"(%1) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %2 : tensor<3x2xf32>
}
// CHECK-LABEL: func.func @tt_up_permute_broadcast
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 1, 0>}> : (tensor<2x1xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: "ttir.broadcast"({{.*}}) <{broadcast_dimensions = array<i64: 3, 1>}> : (tensor<1x2xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: return {{.*}} : tensor<3x2xf32>
func.func @tt_up_permute_broadcast(%a: tensor<2x1xf32>) -> tensor<3x2xf32> {
  %0 = "ttir.broadcast"(%a) <{broadcast_dimensions = array<i64: 1, 3>}> : (tensor<2x1xf32>) -> tensor<2x3xf32>
  %1 = "ttir.permute"(%0) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}
// CHECK-LABEL: func.func @tt_up_reshape_broadcast
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [2 : i32, 1 : i32, 3 : i32, 1 : i32]}> : (tensor<2x1x3xf32>) -> tensor<2x1x3x1xf32>
// CHECK-NEXT: "ttir.broadcast"({{.*}}) <{broadcast_dimensions = array<i64: 1, 4, 1, 1>}> : (tensor<2x1x3x1xf32>) -> tensor<2x4x3x1xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x4x3x1xf32>
func.func @tt_up_reshape_broadcast(%a: tensor<2x1x3xf32>) -> tensor<2x4x3x1xf32> {
  %0 = "ttir.broadcast"(%a) <{broadcast_dimensions = array<i64: 1, 4, 1>}> : (tensor<2x1x3xf32>) -> tensor<2x4x3xf32>
  %1 = "ttir.reshape"(%0) <{shape = [2 : i32, 4 : i32, 3 : i32, 1 : i32]}> : (tensor<2x4x3xf32>) -> tensor<2x4x3x1xf32>
  return %1 : tensor<2x4x3x1xf32>
}
// CHECK-LABEL: func.func @tt_up_reshape_broadcast_mixed
// CHECK-NEXT: "ttir.broadcast"({{.*}}) <{broadcast_dimensions = array<i64: 1, 4, 1>}> : (tensor<2x1x3xf32>) -> tensor<2x4x3xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [8 : i32, 3 : i32]}> : (tensor<2x4x3xf32>) -> tensor<8x3xf32>
// CHECK-NEXT: return {{.*}} : tensor<8x3xf32>
func.func @tt_up_reshape_broadcast_mixed(%a: tensor<2x1x3xf32>) -> tensor<8x3xf32> {
  %0 = "ttir.broadcast"(%a) <{broadcast_dimensions = array<i64: 1, 4, 1>}> : (tensor<2x1x3xf32>) -> tensor<2x4x3xf32>
  %1 = "ttir.reshape"(%0) <{shape = [8 : i32, 3 : i32]}> : (tensor<2x4x3xf32>) -> tensor<8x3xf32>
  return %1 : tensor<8x3xf32>
}
// CHECK-LABEL: func.func @tt_up_permute_concat
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 1, 0>}> : (tensor<2x1xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: "ttir.concat"({{.*}}) <{dim = 0 : si32}> : (tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<4x2xf32>
// CHECK-NEXT: return {{.*}} : tensor<4x2xf32>
func.func @tt_up_permute_concat(%a: tensor<2x3xf32>, %b: tensor<2x1xf32>) -> tensor<4x2xf32> {
  %0 = "ttir.concat"(%a, %b) <{dim = 1 : si32}> : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %1 = "ttir.permute"(%0) <{permutation = array<i64: 1, 0>}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}
// CHECK-LABEL: func.func @tt_up_reshape_concat
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [2 : i32, 3 : i32, 3 : i32]}> : (tensor<6x3xf32>) -> tensor<2x3x3xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [2 : i32, 3 : i32, 1 : i32]}> : (tensor<6x1xf32>) -> tensor<2x3x1xf32>
// CHECK-NEXT: "ttir.concat"({{.*}}) <{dim = 2 : si32}> : (tensor<2x3x3xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x3x4xf32>
func.func @tt_up_reshape_concat(%a: tensor<6x3xf32>, %b: tensor<6x1xf32>) -> tensor<2x3x4xf32> {
  %0 = "ttir.concat"(%a, %b) <{dim = 1 : si32}> : (tensor<6x3xf32>, tensor<6x1xf32>) -> tensor<6x4xf32>
  %1 = "ttir.reshape"(%0) <{shape = [2 : i32, 3 : i32, 4 : i32]}> : (tensor<6x4xf32>) -> tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}
// CHECK-LABEL: func.func @tt_up_permute_slice
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 1, 0>}> : (tensor<4x6xf32>) -> tensor<6x4xf32>
// CHECK-NEXT: "ttir.slice_static"({{.*}}) <{begins = [0 : i32, 1 : i32], ends = [6 : i32, 3 : i32], step = [2 : i32, 1 : i32]}> : (tensor<6x4xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: return {{.*}} : tensor<3x2xf32>
func.func @tt_up_permute_slice(%a: tensor<4x6xf32>) -> tensor<3x2xf32> {
  %0 = "ttir.slice_static"(%a) <{begins = [1 : i32, 0 : i32], ends = [3 : i32, 6 : i32], step = [1 : i32, 2 : i32]}> : (tensor<4x6xf32>) -> tensor<2x3xf32>
  %1 = "ttir.permute"(%0) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}
// CHECK-LABEL: func.func @tt_up_reshape_slice
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [2 : i32, 2 : i32, 6 : i32]}> : (tensor<4x6xf32>) -> tensor<2x2x6xf32>
// CHECK-NEXT: "ttir.slice_static"({{.*}}) <{begins = [0 : i32, 0 : i32, 1 : i32], ends = [2 : i32, 2 : i32, 4 : i32], step = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x2x6xf32>) -> tensor<2x2x3xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x2x3xf32>
func.func @tt_up_reshape_slice(%a: tensor<4x6xf32>) -> tensor<2x2x3xf32> {
  %0 = "ttir.slice_static"(%a) <{begins = [0 : i32, 1 : i32], ends = [4 : i32, 4 : i32], step = [1 : i32, 1 : i32]}> : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %1 = "ttir.reshape"(%0) <{shape = [2 : i32, 2 : i32, 3 : i32]}> : (tensor<4x3xf32>) -> tensor<2x2x3xf32>
  return %1 : tensor<2x2x3xf32>
}
// CHECK-LABEL: func.func @tt_up_permute_reduce
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 2, 1, 0>}> : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
// CHECK-NEXT: "ttir.sum"({{.*}}) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<4x3x2xf32>) -> tensor<4x2xf32>
// CHECK-NEXT: return {{.*}} : tensor<4x2xf32>
func.func @tt_up_permute_reduce(%a: tensor<2x3x4xf32>) -> tensor<4x2xf32> {
  %0 = "ttir.sum"(%a) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<2x3x4xf32>) -> tensor<2x4xf32>
  %1 = "ttir.permute"(%0) <{permutation = array<i64: 1, 0>}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}
// CHECK-LABEL: func.func @tt_up_reshape_reduce
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 2 : i32, 1 : i32, 4 : i32]}> : (tensor<2x1x4xf32>) -> tensor<1x2x1x4xf32>
// CHECK-NEXT: "ttir.mean"({{.*}}) <{dim_arg = [2 : i32], keep_dim = true}> : (tensor<1x2x1x4xf32>) -> tensor<1x2x1x4xf32>
// CHECK-NEXT: return {{.*}} : tensor<1x2x1x4xf32>
func.func @tt_up_reshape_reduce(%a: tensor<2x1x4xf32>) -> tensor<1x2x1x4xf32> {
  %0 = "ttir.mean"(%a) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<2x1x4xf32>) -> tensor<2x1x4xf32>
  %1 = "ttir.reshape"(%0) <{shape = [1 : i32, 2 : i32, 1 : i32, 4 : i32]}> : (tensor<2x1x4xf32>) -> tensor<1x2x1x4xf32>
  return %1 : tensor<1x2x1x4xf32>
}
// CHECK-LABEL: func.func @tt_up_reshape_softmax
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [6 : i32, 4 : i32]}> : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
// CHECK-NEXT: "ttir.softmax"({{.*}}) <{dimension = 1 : si32, numericStable = false}> : (tensor<6x4xf32>) -> tensor<6x4xf32>
// CHECK-NEXT: return {{.*}} : tensor<6x4xf32>
func.func @tt_up_reshape_softmax(%a: tensor<2x3x4xf32>) -> tensor<6x4xf32> {
  %0 = "ttir.softmax"(%a) <{dimension = -1 : si32}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %1 = "ttir.reshape"(%0) <{shape = [6 : i32, 4 : i32]}> : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  return %1 : tensor<6x4xf32>
}
// CHECK-LABEL: func.func @tt_up_reshape_rms_norm
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [6 : i32, 4 : i32]}> : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
// CHECK-NEXT: "ttir.rms_norm"({{.*}}) <{epsilon = 9.99999974E-6 : f32, normalized_shape = array<i64: 4>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<6x4xf32>, tensor<4xf32>) -> tensor<6x4xf32>
// CHECK-NEXT: return {{.*}} : tensor<6x4xf32>
func.func @tt_up_reshape_rms_norm(%a: tensor<2x3x4xf32>, %w: tensor<4xf32>) -> tensor<6x4xf32> {
  %0 = "ttir.rms_norm"(%a, %w) <{normalized_shape = array<i64: 4>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  %1 = "ttir.reshape"(%0) <{shape = [6 : i32, 4 : i32]}> : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  return %1 : tensor<6x4xf32>
}
// CHECK-LABEL: func.func @tt_permute_reshape_permute
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [2 : i32, 3 : i32, 1 : i32, 4 : i32]}> : (tensor<2x3x4xf32>) -> tensor<2x3x1x4xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x3x1x4xf32>
func.func @tt_permute_reshape_permute(%a: tensor<2x3x4xf32>) -> tensor<2x3x1x4xf32> {
  %0 = "ttir.permute"(%a) <{permutation = array<i64: 2, 0, 1>}> : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %1 = "ttir.reshape"(%0) <{shape = [4 : i32, 2 : i32, 3 : i32, 1 : i32]}> : (tensor<4x2x3xf32>) -> tensor<4x2x3x1xf32>
  %2 = "ttir.permute"(%1) <{permutation = array<i64: 1, 2, 3, 0>}> : (tensor<4x2x3x1xf32>) -> tensor<2x3x1x4xf32>
  return %2 : tensor<2x3x1x4xf32>
}
