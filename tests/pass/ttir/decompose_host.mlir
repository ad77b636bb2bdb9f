// Decomposition for hosts.
// RUN: tessera opt %s --ttir-to-ttir-decomposition=config=cpu-fallback | FileCheck %s
// VALUES: --ttir-to-ttir-decomposition=config=cpu-fallback

// CHECK-LABEL: func.func @tt_or_sum_ne
// CHECK-NEXT: "ttir.zeros"() <{shape = array<i32: 2, 3>}> : () -> tensor<2x3xf32>
// CHECK-NEXT: "ttir.ne"({{.*}}) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: "ttir.sum"({{.*}}) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<2x3xf32>) -> tensor<2xf32>
// CHECK-NEXT: "ttir.constant"() <{value = dense<0.000000e+00> : tensor<2xf32>}> : () -> tensor<2xf32>
// CHECK-NEXT: "ttir.ne"({{.*}}) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: "ttir.typecast"({{.*}}) <{conservative_folding = false}> : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: return {{.*}} : tensor<2xf32>
func.func @tt_or_sum_ne(%a: tensor<2x3xf32>) -> tensor<2xf32> {
  %0 = "ttir.reduce_or"(%a) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<2x3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// CHECK-LABEL: func.func @tt_split_heads
// CHECK-NEXT: "ttir.slice_static"({{.*}}) <{begins = [0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 2 : i32, 4 : i32], step = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x2x12xf32>) -> tensor<1x2x4xf32>
// CHECK-NEXT: "ttir.slice_static"({{.*}}) <{begins = [0 : i32, 0 : i32, 4 : i32], ends = [1 : i32, 2 : i32, 8 : i32], step = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x2x12xf32>) -> tensor<1x2x4xf32>
// CHECK-NEXT: "ttir.slice_static"({{.*}}) <{begins = [0 : i32, 0 : i32, 8 : i32], ends = [1 : i32, 2 : i32, 12 : i32], step = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x2x12xf32>) -> tensor<1x2x4xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 2 : i32, 2 : i32, 2 : i32]}> : (tensor<1x2x4xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 2 : i32, 2 : i32, 2 : i32]}> : (tensor<1x2x4xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 2 : i32, 2 : i32, 2 : i32]}> : (tensor<1x2x4xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 2 : i32, 2 : i32, 4 : i32]}> : (tensor<1x2x8xf32>) -> tensor<1x2x2x4xf32>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
// CHECK-NEXT: "ttir.slice_static"({{.*}}) <{begins = [0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 2 : i32, 4 : i32], step = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x2x8xf32>) -> tensor<1x2x4xf32>
// CHECK-NEXT: "ttir.slice_static"({{.*}}) <{begins = [0 : i32, 0 : i32, 4 : i32], ends = [1 : i32, 2 : i32, 8 : i32], step = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x2x8xf32>) -> tensor<1x2x4xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 2 : i32, 1 : i32, 4 : i32]}> : (tensor<1x2x4xf32>) -> tensor<1x2x1x4xf32>
// CHECK-NEXT: "ttir.reshape"({{.*}}) <{shape = [1 : i32, 2 : i32, 1 : i32, 4 : i32]}> : (tensor<1x2x4xf32>) -> tensor<1x2x1x4xf32>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x2x1x4xf32>) -> tensor<1x1x2x4xf32>
// CHECK-NEXT: "ttir.permute"({{.*}}) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x2x1x4xf32>) -> tensor<1x1x2x4xf32>
// CHECK-NEXT: return {{.*}} : tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>, tensor<1x2x2x4xf32>, tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>
func.func @tt_split_heads(%a: tensor<1x2x12xf32>, %q: tensor<1x2x8xf32>, %kv: tensor<1x2x8xf32>) -> (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>, tensor<1x2x2x4xf32>, tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>) {
  %0:3 = "ttir.split_query_key_value_and_split_heads"(%a) <{num_heads = 2 : ui32, transpose_key = true}> : (tensor<1x2x12xf32>) -> (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>)
  %1:3 = "ttir.split_query_key_value_and_split_heads"(%q, %kv) <{num_heads = 2 : ui32, num_kv_heads = 1 : ui32, transpose_key = false}> : (tensor<1x2x8xf32>, tensor<1x2x8xf32>) -> (tensor<1x2x2x4xf32>, tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>)
  return %0#0, %0#1, %0#2, %1#0, %1#1, %1#2 : tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>, tensor<1x2x2x4xf32>, tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>
}
