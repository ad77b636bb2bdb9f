// Moves go down, one function per rule.
// RUN: tessera opt %s --ttir-erase-inverse-ops=enable-commute-upwards=false | FileCheck %s
// VALUES: --ttir-erase-inverse-ops=enable-commute-upwards=false

// CHECK-LABEL: func.func @tt_down_elementwise
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 1, 0>}> : (tensor<3x2xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: "ttir.multiply"({{.*}}) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: return {{.*}} : tensor<3x2xf32>
func.func @tt_down_elementwise(%a: tensor<2x3xf32>, %w: tensor<3x2xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<3x2xf32> {
  %0 = "ttir.permute"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = "ttir.multiply"(%0, %w) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}
// CHECK-LABEL: func.func @tt_down_elementwise_input
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: "ttir.multiply"({{.*}}) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: return {{.*}} : tensor<3x2xf32>
func.func @tt_down_elementwise_input(%a: tensor<2x3xf32>, %w: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %0 = "ttir.permute"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = "ttir.multiply"(%0, %w) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}
// CHECK-LABEL: func.func @tt_down_permute_concat
// CHECK-NEXT: "ttir.concat"({{.*}}) <{dim = 0 : si32}> : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<3x3xf32>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 1, 0>}> : (tensor<3x3xf32>) -> tensor<3x3xf32>
// CHECK-NEXT: return {{.*}} : tensor<3x3xf32>
func.func @tt_down_permute_concat(%a: tensor<2x3xf32>, %b: tensor<1x3xf32>) -> tensor<3x3xf32> {
  %0 = "ttir.permute"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = "ttir.permute"(%b) <{permutation = array<i64: 1, 0>}> : (tensor<1x3xf32>) -> tensor<3x1xf32>
  %2 = "ttir.concat"(%0, %1) <{dim = 1 : si32}> : (tensor<3x2xf32>, tensor<3x1xf32>) -> tensor<3x3xf32>
  return %2 : tensor<3x3xf32>
}
// CHECK-LABEL: func.func @tt_down_permute_slice
// CHECK-NEXT: "ttir.slice_static"({{.*}}) <{begins = [1 : i32, 0 : i32], ends = [3 : i32, 6 : i32], step = [1 : i32, 2 : i32]}> : (tensor<4x6xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: return {{.*}} : tensor<3x2xf32>
func.func @tt_down_permute_slice(%a: tensor<4x6xf32>) -> tensor<3x2xf32> {
  %0 = "ttir.permute"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %1 = "ttir.slice_static"(%0) <{begins = [0 : i32, 1 : i32], ends = [6 : i32, 3 : i32], step = [2 : i32, 1 : i32]}> : (tensor<6x4xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}
// CHECK-LABEL: func.func @tt_down_reshape_slice
// CHECK-NEXT: "ttir.slice_static"({{.*}}) <{begins = [0 : i32, 0 : i32, 1 : i32], ends = [2 : i32, 2 : i32, 4 : i32], step = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x2x6xf32>) -> tensor<2x2x3xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [4 : i32, 3 : i32]}> : (tensor<2x2x3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: return {{.*}} : tensor<4x3xf32>
func.func @tt_down_reshape_slice(%a: tensor<2x2x6xf32>) -> tensor<4x3xf32> {
  %0 = "ttir.reshape"(%a) <{shape = [4 : i32, 6 : i32]}> : (tensor<2x2x6xf32>) -> tensor<4x6xf32>
  %1 = "ttir.slice_static"(%0) <{begins = [0 : i32, 1 : i32], ends = [4 : i32, 4 : i32], step = [1 : i32, 1 : i32]}> : (tensor<4x6xf32>) -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}
// CHECK-LABEL: func.func @tt_down_permute_reduce
// CHECK-NEXT: "ttir.sum"({{.*}}) <{dim_arg = [0 : i32], keep_dim = false}> : (tensor<2x3x4xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 1, 0>}> : (tensor<3x4xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: return {{.*}} : tensor<4x3xf32>
func.func @tt_down_permute_reduce(%a: tensor<2x3x4xf32>) -> tensor<4x3xf32> {
  %0 = "ttir.permute"(%a) <{permutation = array<i64: 2, 0, 1>}> : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %1 = "ttir.sum"(%0) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<4x2x3xf32>) -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}
// CHECK-LABEL: func.func @tt_down_reshape_reduce
// CHECK-NEXT: "ttir.sum"({{.*}}) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<6x4xf32>) -> tensor<6xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [2 : i32, 3 : i32]}> : (tensor<6xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x3xf32>
func.func @tt_down_reshape_reduce(%a: tensor<6x4xf32>) -> tensor<2x3xf32> {
  %0 = "ttir.reshape"(%a) <{shape = [2 : i32, 3 : i32, 4 : i32]}> : (tensor<6x4xf32>) -> tensor<2x3x4xf32>
  %1 = "ttir.sum"(%0) <{dim_arg = [2 : i32], keep_dim = false}> : (tensor<2x3x4xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
// CHECK-LABEL: func.func @tt_down_reshape_softmax
// CHECK-NEXT: "ttir.softmax"({{.*}}) <{dimension = 1 : si32, numericStable = false}> : (tensor<6x4xf32>) -> tensor<6x4xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [2 : i32, 3 : i32, 4 : i32]}> : (tensor<6x4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x3x4xf32>
func.func @tt_down_reshape_softmax(%a: tensor<6x4xf32>) -> tensor<2x3x4xf32> {
  %0 = "ttir.reshape"(%a) <{shape = [2 : i32, 3 : i32, 4 : i32]}> : (tensor<6x4xf32>) -> tensor<2x3x4xf32>
  %1 = "ttir.softmax"(%0) <{dimension = 2 : si32}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}
