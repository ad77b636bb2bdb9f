// Constants that are computed or moved, one function per rule.
// RUN: tessera opt %s --canonicalize | FileCheck %s
// VALUES: --canonicalize

// CHECK-LABEL: func.func @tt_fold_unary
// CHECK-NEXT: "ttir.constant"() <{value = dense<[1.500000e+00, 2.000000e+00]> : tensor<2xf32>}> : () -> tensor<2xf32>
// CHECK-NEXT: return {{.*}} : tensor<2xf32>
func.func @tt_fold_unary() -> tensor<2xf32> {
  %c = "ttir.constant"() <{value = dense<[-1.5, 2.0]> : tensor<2xf32>}> : () -> tensor<2xf32>
  %0 = "ttir.abs"(%c) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// CHECK-LABEL: func.func @tt_fold_reciprocal
// CHECK-NEXT: "ttir.constant"() <{value = dense<[2.500000e-01, 5.000000e-01]> : tensor<2xf32>}> : () -> tensor<2xf32>
// CHECK-NEXT: "ttir.zeros"() <{shape = array<i32: 2>}> : () -> tensor<2xf32>
// CHECK-NEXT: "ttir.reciprocal"({{.*}}) : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: return {{.*}} : tensor<2xf32>, tensor<2xf32>
func.func @tt_fold_reciprocal() -> (tensor<2xf32>, tensor<2xf32>) {
  %c = "ttir.constant"() <{value = dense<[4.0, 2.0]> : tensor<2xf32>}> : () -> tensor<2xf32>
  %z = "ttir.zeros"() <{shape = array<i32: 2>}> : () -> tensor<2xf32>
  %0 = "ttir.reciprocal"(%c) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "ttir.reciprocal"(%z) : (tensor<2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}
// CHECK-LABEL: func.func @tt_fold_binary
// CHECK-NEXT: "ttir.constant"() <{value = dense<{{\[\[}}11, 21], [12, 22]]> : tensor<2x2xsi32>}> : () -> tensor<2x2xsi32>
// CHECK-NEXT: return {{.*}} : tensor<2x2xsi32>
func.func @tt_fold_binary() -> tensor<2x2xsi32> {
  %c = "ttir.constant"() <{value = dense<[[1], [2]]> : tensor<2x1xsi32>}> : () -> tensor<2x1xsi32>
  %d = "ttir.constant"() <{value = dense<[10, 20]> : tensor<2xsi32>}> : () -> tensor<2xsi32>
  %0 = "ttir.add"(%c, %d) : (tensor<2x1xsi32>, tensor<2xsi32>) -> tensor<2x2xsi32>
  return %0 : tensor<2x2xsi32>
}
// CHECK-LABEL: func.func @tt_fold_quotient
// CHECK-NEXT: "ttir.constant"() <{value = dense<[3.500000e+00, 4.500000e+00]> : tensor<2xf32>}> : () -> tensor<2xf32>
// CHECK-NEXT: return {{.*}} : tensor<2xf32>
func.func @tt_fold_quotient() -> tensor<2xf32> {
  %c = "ttir.constant"() <{value = dense<[7.0, 9.0]> : tensor<2xf32>}> : () -> tensor<2xf32>
  %d = "ttir.full"() <{fill_value = 2.0 : f32, shape = array<i32: 1>}> : () -> tensor<1xf32>
  %0 = "ttir.div"(%c, %d) : (tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// CHECK-LABEL: func.func @tt_fold_compare
// CHECK-NEXT: "ttir.ones"() <{shape = array<i32: 3>}> : () -> tensor<3xi1>
// CHECK-NEXT: return {{.*}} : tensor<3xi1>
func.func @tt_fold_compare() -> tensor<3xi1> {
  %c = "ttir.full"() <{fill_value = 2.0 : f32, shape = array<i32: 3>}> : () -> tensor<3xf32>
  %d = "ttir.ones"() <{shape = array<i32: 3>}> : () -> tensor<3xf32>
  %0 = "ttir.ne"(%c, %d) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  return %0 : tensor<3xi1>
}
// CHECK-LABEL: func.func @tt_fold_shift
// CHECK-NEXT: "ttir.zeros"() <{shape = array<i32: 2>}> : () -> tensor<2xui32>
// CHECK-NEXT: "ttir.constant"() <{value = dense<[2, 8]> : tensor<2xui32>}> : () -> tensor<2xui32>
// CHECK-NEXT: return {{.*}} : tensor<2xui32>, tensor<2xui32>
func.func @tt_fold_shift(%a: tensor<2xui32>) -> (tensor<2xui32>, tensor<2xui32>) {
  %c = "ttir.constant"() <{value = dense<[1, 2]> : tensor<2xui32>}> : () -> tensor<2xui32>
  %d = "ttir.full"() <{fill_value = 32 : i32, shape = array<i32: 2>}> : () -> tensor<2xui32>
  %0 = "ttir.logical_left_shift"(%c, %c) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
  %1 = "ttir.logical_right_shift"(%a, %d) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
  return %0, %1 : tensor<2xui32>, tensor<2xui32>
}
// CHECK-LABEL: func.func @tt_fold_typecast
// CHECK-NEXT: "ttir.constant"() <{value = dense<[1, -2]> : tensor<2xsi32>}> : () -> tensor<2xsi32>
// CHECK-NEXT: "ttir.full"() <{fill_value = 300 : i32, shape = array<i32: 1>}> : () -> tensor<1xsi32>
// CHECK-NEXT: "ttir.typecast"({{.*}}) <{conservative_folding = false}> : (tensor<1xsi32>) -> tensor<1xui8>
// CHECK-NEXT: return {{.*}} : tensor<2xsi32>, tensor<1xui8>
func.func @tt_fold_typecast() -> (tensor<2xsi32>, tensor<1xui8>) {
  %c = "ttir.constant"() <{value = dense<[1.5, -2.5]> : tensor<2xf32>}> : () -> tensor<2xf32>
  %d = "ttir.constant"() <{value = dense<300> : tensor<1xsi32>}> : () -> tensor<1xsi32>
  %0 = "ttir.typecast"(%c) : (tensor<2xf32>) -> tensor<2xsi32>
  %1 = "ttir.typecast"(%d) : (tensor<1xsi32>) -> tensor<1xui8>
  return %0, %1 : tensor<2xsi32>, tensor<1xui8>
}
// CHECK-LABEL: func.func @tt_fold_reshape
// CHECK-NEXT: "ttir.constant"() <{value = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>}> : () -> tensor<4xf32>
// CHECK-NEXT: return {{.*}} : tensor<4xf32>
func.func @tt_fold_reshape() -> tensor<4xf32> {
  %c = "ttir.constant"() <{value = dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
  %0 = "ttir.reshape"(%c) <{shape = [4 : i32]}> : (tensor<2x2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK-LABEL: func.func @tt_fold_permute
// CHECK-NEXT: "ttir.constant"() <{value = dense<{{\[\[}}1.000000e+00, 4.000000e+00], [2.000000e+00, 5.000000e+00], [3.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>}> : () -> tensor<3x2xf32>
// CHECK-NEXT: return {{.*}} : tensor<3x2xf32>
func.func @tt_fold_permute() -> tensor<3x2xf32> {
  %c = "ttir.constant"() <{value = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
  %0 = "ttir.permute"(%c) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
// CHECK-LABEL: func.func @tt_fold_slice
// CHECK-NEXT: "ttir.constant"() <{value = dense<{{\[\[}}2.000000e+00], [5.000000e+00]]> : tensor<2x1xf32>}> : () -> tensor<2x1xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x1xf32>
func.func @tt_fold_slice() -> tensor<2x1xf32> {
  %c = "ttir.constant"() <{value = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
  %0 = "ttir.slice_static"(%c) <{begins = [0 : i32, -2 : i32], ends = [2 : i32, 3 : i32], step = [1 : i32, 2 : i32]}> : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}
// CHECK-LABEL: func.func @tt_fold_repeat
// CHECK-NEXT: "ttir.constant"() <{value = dense<{{\[\[}}1.000000e+00, 2.000000e+00, 1.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00, 1.000000e+00, 2.000000e+00]]> : tensor<2x4xf32>}> : () -> tensor<2x4xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x4xf32>
func.func @tt_fold_repeat() -> tensor<2x4xf32> {
  %c = "ttir.constant"() <{value = dense<[[1.0, 2.0]]> : tensor<1x2xf32>}> : () -> tensor<1x2xf32>
  %0 = "ttir.repeat"(%c) <{repeat_dimensions = array<i64: 2, 2>}> : (tensor<1x2xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// CHECK-LABEL: func.func @tt_fold_repeat_interleave
// CHECK-NEXT: "ttir.constant"() <{value = dense<[1.000000e+00, 1.000000e+00, 2.000000e+00, 2.000000e+00]> : tensor<4xf32>}> : () -> tensor<4xf32>
// CHECK-NEXT: return {{.*}} : tensor<4xf32>
func.func @tt_fold_repeat_interleave() -> tensor<4xf32> {
  %c = "ttir.constant"() <{value = dense<[1.0, 2.0]> : tensor<2xf32>}> : () -> tensor<2xf32>
  %0 = "ttir.repeat_interleave"(%c) <{repeats = 2 : ui32, dim = -1 : si32}> : (tensor<2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK-LABEL: func.func @tt_fold_broadcast
// CHECK-NEXT: "ttir.full"() <{fill_value = 2.500000e-01 : f32, shape = array<i32: 2, 3>}> : () -> tensor<2x3xf32>
// CHECK-NEXT: return {{.*}} : tensor<2x3xf32>
func.func @tt_fold_broadcast() -> tensor<2x3xf32> {
  %c = "ttir.full"() <{fill_value = 0.25 : f32, shape = array<i32: 1, 3>}> : () -> tensor<1x3xf32>
  %0 = "ttir.broadcast"(%c) <{broadcast_dimensions = array<i64: 2, 1>}> : (tensor<1x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// CHECK-LABEL: func.func @tt_fold_sum
// CHECK-NEXT: "ttir.full"() <{fill_value = 3.000000e+00 : f32, shape = array<i32: 2>}> : () -> tensor<2xf32>
// CHECK-NEXT: return {{.*}} : tensor<2xf32>
func.func @tt_fold_sum() -> tensor<2xf32> {
  %c = "ttir.full"() <{fill_value = 0.5 : f32, shape = array<i32: 2, 6>}> : () -> tensor<2x6xf32>
  %0 = "ttir.sum"(%c) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<2x6xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
