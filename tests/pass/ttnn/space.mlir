// Tensors that a device stores get smaller: slices first, repeats and sums in shapes of few tiles, large moves by rows.
// RUN: tessera opt %s --ttcore-register-device --ttnn-layout --convert-ttir-to-ttnn --ttnn-memory-management -o %t && FileCheck %s --input-file %t
// RUN: tessera run %t --function=permuted --input=random --against=%s
// RUN: tessera run %t --function=reshaped --input=random --against=%s
// RUN: tessera run %t --function=repeated --input=random --against=%s
// RUN: tessera run %t --function=summed --input=random --against=%s
// RUN: tessera run %t --function=regrouped --input=random --against=%s
// RUN: tessera run %t --function=inside --input=random --against=%s
// RUN: tessera run %t --function=siblings --input=random --against=%s
// RUN: tessera opt %s --ttcore-register-device --ttnn-layout --convert-ttir-to-ttnn --ttnn-memory-management=aggressive-memory-saving=false -o %t && FileCheck %s --input-file %t --check-prefix=LESS

// CHECK-LABEL: func.func @permuted(
// CHECK: "ttnn.slice_static"(%arg0) <{begins = [1 : i32, 4 : i32, 0 : i32], ends = [3 : i32, 20 : i32, 8 : i32], step = [1 : i32, 2 : i32, 1 : i32]}>
// CHECK: "ttnn.permute"({{.*}}) -> tensor<8x2x8xf32
// LESS-LABEL: func.func @permuted(
// LESS: "ttnn.slice_static"(%arg0)
func.func @permuted(%x: tensor<4x24x8xf32>) -> tensor<8x2x8xf32> {
  %0 = "ttir.permute"(%x) <{permutation = array<i64: 2, 0, 1>}> : (tensor<4x24x8xf32>) -> tensor<8x4x24xf32>
  %1 = "ttir.slice_static"(%0) <{begins = [0 : i32, 1 : i32, 4 : i32], ends = [8 : i32, 3 : i32, 20 : i32], step = [1 : i32, 1 : i32, 2 : i32]}> : (tensor<8x4x24xf32>) -> tensor<8x2x8xf32>
  return %1 : tensor<8x2x8xf32>
}

// A dimension that is split is cut behind the reshape.
// CHECK-LABEL: func.func @reshaped(
// CHECK: "ttnn.slice_static"(%arg0) <{begins = [0 : i32, 2 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 6 : i32, 16 : i32, 1 : i32]
// CHECK: "ttnn.reshape"({{.*}}) -> tensor<1x4x16xf32
// CHECK: "ttnn.reshape"(%arg0) {{.*}} -> tensor<8x4x4xf32
// CHECK: "ttnn.slice_static"({{.*}}) -> tensor<8x2x4xf32
func.func @reshaped(%x: tensor<1x8x16x1xf32>) -> (tensor<1x4x16xf32>, tensor<8x2x4xf32>) {
  %0 = "ttir.reshape"(%x) <{shape = [1 : i32, 8 : i32, 16 : i32]}> : (tensor<1x8x16x1xf32>) -> tensor<1x8x16xf32>
  %1 = "ttir.slice_static"(%0) <{begins = [0 : i32, 2 : i32, 0 : i32], ends = [1 : i32, 6 : i32, 16 : i32], step = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x8x16xf32>) -> tensor<1x4x16xf32>
  %2 = "ttir.reshape"(%x) <{shape = [8 : i32, 4 : i32, 4 : i32]}> : (tensor<1x8x16x1xf32>) -> tensor<8x4x4xf32>
  %3 = "ttir.slice_static"(%2) <{begins = [0 : i32, 1 : i32, 0 : i32], ends = [8 : i32, 3 : i32, 4 : i32], step = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<8x4x4xf32>) -> tensor<8x2x4xf32>
  return %1, %3 : tensor<1x4x16xf32>, tensor<8x2x4xf32>
}

// CHECK-LABEL: func.func @repeated(
// CHECK: "ttnn.slice_static"(%arg0) {{.*}} -> tensor<2x3xf32
// CHECK: "ttnn.repeat"({{.*}}) <{repeat_dims = #ttnn.shape<3x1>}> {{.*}} -> tensor<6x3xf32
// CHECK: "ttnn.repeat"(%arg0) <{repeat_dims = #ttnn.shape<1x2>}>
// CHECK: "ttnn.slice_static"({{.*}}) -> tensor<2x9xf32
func.func @repeated(%x: tensor<2x8xf32>) -> (tensor<6x3xf32>, tensor<2x9xf32>) {
  %0 = "ttir.repeat"(%x) <{repeat_dimensions = array<i64: 3, 1>}> : (tensor<2x8xf32>) -> tensor<6x8xf32>
  %1 = "ttir.slice_static"(%0) <{begins = [0 : i32, 1 : i32], ends = [6 : i32, 4 : i32], step = [1 : i32, 1 : i32]}> : (tensor<6x8xf32>) -> tensor<6x3xf32>
  %2 = "ttir.repeat"(%x) <{repeat_dimensions = array<i64: 1, 2>}> : (tensor<2x8xf32>) -> tensor<2x16xf32>
  %3 = "ttir.slice_static"(%2) <{begins = [0 : i32, 1 : i32], ends = [2 : i32, 10 : i32], step = [1 : i32, 1 : i32]}> : (tensor<2x16xf32>) -> tensor<2x9xf32>
  return %1, %3 : tensor<6x3xf32>, tensor<2x9xf32>
}

// CHECK-LABEL: func.func @summed(
// CHECK: "ttnn.slice_static"(%arg0) {{.*}} -> tensor<3x8xf32
// CHECK: "ttnn.add"({{.*}}, %arg1) {{.*}} -> tensor<3x8xf32
// LESS-LABEL: func.func @summed(
// LESS: "ttnn.add"(%arg0, %arg1)
// LESS: "ttnn.slice_static"
func.func @summed(%x: tensor<6x8xf32>, %y: tensor<1x8xf32>) -> tensor<3x8xf32> {
  %0 = "ttir.add"(%x, %y) : (tensor<6x8xf32>, tensor<1x8xf32>) -> tensor<6x8xf32>
  %1 = "ttir.slice_static"(%0) <{begins = [1 : i32, 0 : i32], ends = [4 : i32, 8 : i32], step = [1 : i32, 1 : i32]}> : (tensor<6x8xf32>) -> tensor<3x8xf32>
  return %1 : tensor<3x8xf32>
}

// CHECK-LABEL: func.func @regrouped(
// CHECK: "ttnn.reshape"(%arg0) {{.*}} -> tensor<32x32xf32
// CHECK-NEXT: "ttnn.multiply"({{.*}}, %arg1) {{.*}} -> tensor<32x32xf32
// CHECK-NEXT: return
func.func @regrouped(%x: tensor<1024x1xf32>, %y: tensor<1x1xf32>) -> tensor<32x32xf32> {
  %0 = "ttir.multiply"(%x, %y) : (tensor<1024x1xf32>, tensor<1x1xf32>) -> tensor<1024x1xf32>
  %1 = "ttir.reshape"(%0) <{shape = [32 : i32, 32 : i32]}> : (tensor<1024x1xf32>) -> tensor<32x32xf32>
  return %1 : tensor<32x32xf32>
}

// CHECK-LABEL: func.func @inside(
// CHECK: "ttnn.repeat"(%arg0) <{repeat_dims = #ttnn.shape<1x1x8x1>}>
func.func @inside(%x: tensor<1x1x1x2xf32>) -> tensor<1x1x1x16xf32> {
  %0 = "ttir.repeat"(%x) <{repeat_dimensions = array<i64: 8, 1, 1, 1>}> : (tensor<1x1x1x2xf32>) -> tensor<8x1x1x2xf32>
  %1 = "ttir.reshape"(%0) <{shape = [1 : i32, 1 : i32, 1 : i32, 16 : i32]}> : (tensor<8x1x1x2xf32>) -> tensor<1x1x1x16xf32>
  return %1 : tensor<1x1x1x16xf32>
}

// CHECK-LABEL: func.func @siblings(
// CHECK: "ttnn.reshape"(%arg0) {{.*}} -> tensor<1x240x32xf32
// CHECK-DAG: begins = [0 : i32, 2 : i32, 0 : i32], ends = [1 : i32, 240 : i32, 32 : i32], step = [1 : i32, 6 : i32, 1 : i32]
// CHECK-DAG: begins = [0 : i32, 5 : i32, 0 : i32], ends = [1 : i32, 240 : i32, 32 : i32], step = [1 : i32, 6 : i32, 1 : i32]
func.func @siblings(%x: tensor<1x40x6x32xf32>) -> (tensor<1x40x32xf32>, tensor<1x40x32xf32>) {
  %0 = "ttir.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 2 : i32, 0 : i32], ends = [1 : i32, 40 : i32, 3 : i32, 32 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x40x6x32xf32>) -> tensor<1x40x1x32xf32>
  %1 = "ttir.reshape"(%0) <{shape = [1 : i32, 40 : i32, 32 : i32]}> : (tensor<1x40x1x32xf32>) -> tensor<1x40x32xf32>
  %2 = "ttir.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 5 : i32, 0 : i32], ends = [1 : i32, 40 : i32, 6 : i32, 32 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x40x6x32xf32>) -> tensor<1x40x1x32xf32>
  %3 = "ttir.reshape"(%2) <{shape = [1 : i32, 40 : i32, 32 : i32]}> : (tensor<1x40x1x32xf32>) -> tensor<1x40x32xf32>
  return %1, %3 : tensor<1x40x32xf32>, tensor<1x40x32xf32>
}

// CHECK-LABEL: func.func @large(
// CHECK: "ttnn.to_tensor_spec"(%arg0)
// CHECK: "ttnn.permute"({{.*}}) -> tensor<67108864x1xf32
// CHECK: "ttnn.reshape"({{.*}}) -> tensor<8192x8192xf32
// CHECK: "ttnn.to_tensor_spec"
// CHECK-NEXT: return
// LESS-LABEL: func.func @large(
// LESS-NOT: ttnn.to_tensor_spec
// LESS: return
func.func @large(%x: tensor<1x67108864xf32>) -> tensor<8192x8192xf32> {
  %0 = "ttir.permute"(%x) <{permutation = array<i64: 1, 0>}> : (tensor<1x67108864xf32>) -> tensor<67108864x1xf32>
  %1 = "ttir.reshape"(%0) <{shape = [8192 : i32, 8192 : i32]}> : (tensor<67108864x1xf32>) -> tensor<8192x8192xf32>
  return %1 : tensor<8192x8192xf32>
}
