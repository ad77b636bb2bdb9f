// What kernels do not take is written in forms that they take: shapes, layouts, data types, places.
// RUN: tessera opt %s --ttcore-register-device --ttnn-layout --convert-ttir-to-ttnn --ttnn-workaround --mlir-print-local-scope -o %t && FileCheck %s --input-file %t
// RUN: tessera opt %s --ttcore-register-device --ttnn-layout --convert-ttir-to-ttnn --ttnn-workaround="ttnn-optimization-level=1" -o %t && FileCheck %s --input-file %t --check-prefix=OPTIMIZED
// RUN: tessera opt %s --ttcore-register-device --ttnn-layout --convert-ttir-to-ttnn --ttnn-workaround="ttnn-enable-layout-workaround-pass=false ttnn-enable-decomposition-workaround-pass=false" -o %t && FileCheck %s --input-file %t --check-prefix=OFF

// OFF-NOT: ttnn.to_tensor_spec

// CHECK-LABEL: func.func @tanh(
// CHECK: %[[X:.*]] = "ttnn.to_tensor_spec"(%arg0) : (tensor<64x32xf32, {{.*}}) -> tensor<64x32xbf16,
// CHECK: %[[Y:.*]] = "ttnn.tanh"(%[[X]])
// CHECK: "ttnn.to_tensor_spec"(%[[Y]]) : (tensor<64x32xbf16, {{.*}}) -> tensor<64x32xf32,
// OPTIMIZED-LABEL: func.func @tanh(
// OPTIMIZED-NEXT: "ttnn.tanh"(%arg0)
func.func @tanh(%x: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %0 = "ttir.tanh"(%x) : (tensor<64x32xf32>) -> tensor<64x32xf32>
  return %0 : tensor<64x32xf32>
}

// The optimizer would leave this one, too.
// CHECK-LABEL: func.func @lookup(
// CHECK: "ttnn.to_tensor_spec"(%arg0) : {{.*}} -> tensor<4x8xui32, {{.*}}memref<4x8xui32
// CHECK: "ttnn.to_tensor_spec"(%arg1) : {{.*}} -> tensor<32x64xbf16, {{.*}}memref<32x64xbf16
// CHECK: "ttnn.embedding"
// OPTIMIZED-LABEL: func.func @lookup(
// OPTIMIZED: "ttnn.to_tensor_spec"(%arg0)
func.func @lookup(%i: tensor<4x8xi32>, %w: tensor<32x64xf32>) -> tensor<4x8x64xf32> {
  %0 = "ttir.embedding"(%i, %w) : (tensor<4x8xi32>, tensor<32x64xf32>) -> tensor<4x8x64xf32>
  return %0 : tensor<4x8x64xf32>
}

// Conditions of another type than the values get theirs; integers are compared as floats.
// CHECK-LABEL: func.func @choose(
// CHECK: "ttnn.to_tensor_spec"(%arg0) : (tensor<8x8xf32, {{.*}} -> tensor<8x8xbf16,
// CHECK: "ttnn.where"
func.func @choose(%p: tensor<8x8xf32>, %a: tensor<8x8xbf16>, %b: tensor<8x8xbf16>) -> tensor<8x8xbf16> {
  %0 = "ttir.where"(%p, %a, %b) : (tensor<8x8xf32>, tensor<8x8xbf16>, tensor<8x8xbf16>) -> tensor<8x8xbf16>
  return %0 : tensor<8x8xbf16>
}

// Indices of many places need more bits than those of few.
// CHECK-LABEL: func.func @order(
// CHECK: "ttnn.sort"({{.*}}) -> (tensor<2x70000xbf16, {{.*}}>, tensor<2x70000xui32,
func.func @order(%x: tensor<2x70000xbf16>) -> (tensor<2x70000xbf16>, tensor<2x70000xi32>) {
  %0, %1 = "ttir.sort"(%x) <{dim = -1 : si32, descending = false, stable = false}> : (tensor<2x70000xbf16>) -> (tensor<2x70000xbf16>, tensor<2x70000xi32>)
  return %0, %1 : tensor<2x70000xbf16>, tensor<2x70000xi32>
}

// A pad in front of tiles is one of rows; one of six dimensions has three of them at once.
// CHECK-LABEL: func.func @longer(
// CHECK: "ttnn.permute"(%arg0) <{pad_value = 0.000000e+00 : f32, permutation = array<i64: 1, 3, 4, 0, 2>}>
// CHECK: "ttnn.reshape"({{.*}}) <{shape = [24 : i32, 2 : i32, 3 : i32]}>
// CHECK: "ttnn.pad"({{.*}}) <{padding = array<i32: 0, 0, 1, 0, 0, 2>
// CHECK: "ttnn.reshape"({{.*}}) <{shape = [2 : i32, 3 : i32, 4 : i32, 3 : i32, 5 : i32]}>
// CHECK: "ttnn.permute"({{.*}}) <{pad_value = 0.000000e+00 : f32, permutation = array<i64: 3, 0, 4, 1, 2>}>
func.func @longer(%x: tensor<2x2x3x3x4xf32>) -> tensor<3x2x5x3x4xf32> {
  %0 = "ttir.pad"(%x) <{padding = array<i32: 1, 0, 0, 0, 0, 2, 0, 0, 0, 0>, value = 0.5 : f32}> : (tensor<2x2x3x3x4xf32>) -> tensor<3x2x5x3x4xf32>
  return %0 : tensor<3x2x5x3x4xf32>
}

// CHECK-LABEL: func.func @product(
// CHECK-COUNT-3: "ttnn.slice_static"(%arg0)
// CHECK: "ttnn.multiply"
// CHECK: "ttnn.reshape"({{.*}}) <{shape = [4 : i32]}>
func.func @product(%x: tensor<4x3xi32>) -> tensor<4xi32> {
  %0 = "ttir.prod"(%x) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<4x3xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// Batched weights: a product, then a sum.
// CHECK-LABEL: func.func @batched(
// CHECK: %[[P:.*]] = "ttnn.matmul"(%arg0, %arg1)
// CHECK: "ttnn.add"(%[[P]], %arg2)
// CHECK-NOT: "ttnn.linear"
// CHECK-LABEL: func.func @plain(
// CHECK: "ttnn.linear"
func.func @batched(%x: tensor<2x4x8xf32>, %w: tensor<2x8x16xf32>, %b: tensor<16xf32>) -> tensor<2x4x16xf32> {
  %0 = "ttir.linear"(%x, %w, %b) : (tensor<2x4x8xf32>, tensor<2x8x16xf32>, tensor<16xf32>) -> tensor<2x4x16xf32>
  return %0 : tensor<2x4x16xf32>
}
func.func @plain(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %b: tensor<16xf32>) -> tensor<4x16xf32> {
  %0 = "ttir.linear"(%x, %w, %b) : (tensor<4x8xf32>, tensor<8x16xf32>, tensor<16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// CHECK-LABEL: func.func @attention(
// CHECK-COUNT-3: "ttnn.pad"({{.*}}) <{padding = array<i32: 0, 0, 0, 0, 0, 0, 0, 12>
// CHECK: "ttnn.scaled_dot_product_attention"
// CHECK: "ttnn.slice_static"
func.func @attention(%q: tensor<1x2x32x20xbf16>, %k: tensor<1x2x32x20xbf16>, %v: tensor<1x2x32x20xbf16>) -> tensor<1x2x32x20xbf16> {
  %0 = "ttir.scaled_dot_product_attention"(%q, %k, %v) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<1x2x32x20xbf16>, tensor<1x2x32x20xbf16>, tensor<1x2x32x20xbf16>) -> tensor<1x2x32x20xbf16>
  return %0 : tensor<1x2x32x20xbf16>
}
