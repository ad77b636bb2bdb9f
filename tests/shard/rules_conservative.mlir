// RUN: tessera opt %s --sdy-populate-op-sharding-rules=conservative-propagation=true | FileCheck %s
// Conservative rules: nothing propagates along dimensions whose parts would have to move.
// CHECK-LABEL: func.func @elementwise(
// CHECK: stablehlo.multiply{{.*}}op_sharding_rule<([i, j], [i, j])->([i, j]) {i=6, j=10}>
// CHECK: stablehlo.tanh{{.*}}op_sharding_rule<([i, j])->([i, j]) {i=6, j=10}>
// CHECK: stablehlo.convert{{.*}}op_sharding_rule<([i, j])->([i, j]) {i=6, j=10}>
// CHECK: stablehlo.compare{{.*}}op_sharding_rule<([i, j], [i, j])->([i, j]) {i=6, j=10}>
// CHECK: stablehlo.select{{.*}}op_sharding_rule<([i, j], [i, j], [i, j])->([i, j]) {i=6, j=10}>
// CHECK: stablehlo.select{{.*}}op_sharding_rule<([], [i, j], [i, j])->([i, j]) {i=6, j=10}>
// CHECK: stablehlo.clamp{{.*}}op_sharding_rule<([], [i, j], [i, j])->([i, j]) {i=6, j=10}>
// CHECK: stablehlo.negate{{.*}}op_sharding_rule<([])->([])>
func.func @elementwise(%x: tensor<6x10xf32>, %y: tensor<6x10xf32>, %i: tensor<6x10xi32>, %p: tensor<i1>, %s: tensor<f32>) -> tensor<6x10xf32> {
  %0 = stablehlo.multiply %x, %y : tensor<6x10xf32>
  %1 = stablehlo.tanh %0 : tensor<6x10xf32>
  %2 = stablehlo.convert %i : (tensor<6x10xi32>) -> tensor<6x10xf32>
  %3 = stablehlo.compare LT, %1, %2 : (tensor<6x10xf32>, tensor<6x10xf32>) -> tensor<6x10xi1>
  %4 = stablehlo.select %3, %1, %2 : tensor<6x10xi1>, tensor<6x10xf32>
  %5 = stablehlo.select %p, %4, %2 : tensor<i1>, tensor<6x10xf32>
  %6 = stablehlo.clamp %s, %5, %x : (tensor<f32>, tensor<6x10xf32>, tensor<6x10xf32>) -> tensor<6x10xf32>
  %7 = stablehlo.negate %s : tensor<f32>
  return %6 : tensor<6x10xf32>
}
// CHECK-LABEL: func.func @slice_and_pad(
// CHECK: stablehlo.slice{{.*}}op_sharding_rule<([i, j])->([i, j]) {i=9, j=8} permutation={j} blocked_propagation={j}>
// CHECK: stablehlo.pad{{.*}}op_sharding_rule<([i, j], [])->([i, j]) {i=9, j=3} permutation={j} blocked_propagation={j}>
func.func @slice_and_pad(%x: tensor<9x8xf32>, %v: tensor<f32>) -> tensor<9x9xf32> {
  %0 = stablehlo.slice %x [0:9, 2:8:2] : (tensor<9x8xf32>) -> tensor<9x3xf32>
  %1 = stablehlo.pad %0, %v, low = [0, 1], high = [0, 1], interior = [0, 2] : (tensor<9x3xf32>, tensor<f32>) -> tensor<9x9xf32>
  return %1 : tensor<9x9xf32>
}
// CHECK-LABEL: func.func @dynamic_slice(
// CHECK: stablehlo.dynamic_slice{{.*}}op_sharding_rule<([i, j], [], [])->([i, j]) {i=9, j=8} need_replication={j} blocked_propagation={j}>
// CHECK: stablehlo.dynamic_update_slice{{.*}}op_sharding_rule<([i, j], [i, k], [], [])->([i, j]) {i=9, j=8, k=2} need_replication={k}>
// CHECK: stablehlo.dynamic_update_slice{{.*}}op_sharding_rule<([i, j], [i, k], [], [])->([i, j]) {i=9, j=8, k=2}>
func.func @dynamic_slice(%x: tensor<9x8xf32>, %i: tensor<i32>) -> tensor<9x8xf32> {
  %0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [9, 2] : (tensor<9x8xf32>, tensor<i32>, tensor<i32>) -> tensor<9x2xf32>
  %1 = stablehlo.dynamic_update_slice %x, %0, %i, %i : (tensor<9x8xf32>, tensor<9x2xf32>, tensor<i32>, tensor<i32>) -> tensor<9x8xf32>
  %c = stablehlo.constant dense<3> : tensor<i32>
  %2 = stablehlo.dynamic_update_slice %1, %0, %c, %c : (tensor<9x8xf32>, tensor<9x2xf32>, tensor<i32>, tensor<i32>) -> tensor<9x8xf32>
  return %2 : tensor<9x8xf32>
}
// CHECK-LABEL: func.func @concatenate(
// CHECK: stablehlo.concatenate{{.*}}op_sharding_rule<([i, j], [i, k], [i, l])->([i, m]) {i=4, j=1, k=1, l=1, m=1}>
func.func @concatenate(%x: tensor<4x6xf32>, %y: tensor<4x2xf32>) -> tensor<4x14xf32> {
  %0 = stablehlo.concatenate %x, %y, %x, dim = 1 : (tensor<4x6xf32>, tensor<4x2xf32>, tensor<4x6xf32>) -> tensor<4x14xf32>
  return %0 : tensor<4x14xf32>
}
// CHECK-LABEL: func.func @rotate(
// CHECK: stablehlo.slice{{.*}}op_sharding_rule<([i, j])->([i, j]) {i=8, j=4} permutation={i} blocked_propagation={i}>
// CHECK: stablehlo.slice{{.*}}op_sharding_rule<([i, j])->([i, j]) {i=8, j=4} permutation={i} blocked_propagation={i}>
// CHECK: stablehlo.concatenate{{.*}}op_sharding_rule<([j, i], [k, i])->([l, i]) {i=4, j=1, k=1, l=1}>
func.func @rotate(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.slice %x [3:8, 0:4] : (tensor<8x4xf32>) -> tensor<5x4xf32>
  %1 = stablehlo.slice %x [0:3, 0:4] : (tensor<8x4xf32>) -> tensor<3x4xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<5x4xf32>, tensor<3x4xf32>) -> tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}
// CHECK-LABEL: func.func @convolution(
// CHECK: stablehlo.convolution{{.*}}op_sharding_rule<([i, l, m, j], [n, o, j, k])->([i, p, q, k]) {i=2, j=6, k=8, l=1, m=1, n=1, o=1, p=1, q=1} reduction={j}>
func.func @convolution(%x: tensor<2x16x16x6xf32>, %k: tensor<5x3x6x8xf32>) -> tensor<2x4x7x8xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [3, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x16x6xf32>, tensor<5x3x6x8xf32>) -> tensor<2x4x7x8xf32>
  return %0 : tensor<2x4x7x8xf32>
}
// CHECK-LABEL: func.func @windows(
// CHECK: stablehlo.add{{.*}}op_sharding_rule<([], [])->([])>
// CHECK: op_sharding_rule<([i, j], [])->([i, j]) {i=6, j=3} permutation={j} blocked_propagation={j}>
// CHECK: stablehlo.compare{{.*}}op_sharding_rule<([], [])->([])>
// CHECK: stablehlo.add{{.*}}op_sharding_rule<([], [])->([])>
// CHECK: op_sharding_rule<([i, k], [i, j], [])->([i, k]) {i=6, j=3, k=9} need_replication={j} permutation={k} blocked_propagation={j, k}>
func.func @windows(%x: tensor<6x9xf32>, %a: tensor<f32>) -> tensor<6x9xf32> {
  %0 = "stablehlo.reduce_window"(%x, %a) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %2 = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 3>} : (tensor<6x9xf32>, tensor<f32>) -> tensor<6x3xf32>
  %1 = "stablehlo.select_and_scatter"(%x, %0, %a) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %3 = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }, {
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %4 = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 3>} : (tensor<6x9xf32>, tensor<6x3xf32>, tensor<f32>) -> tensor<6x9xf32>
  return %1 : tensor<6x9xf32>
}
