// RUN: tessera opt %s --sdy-populate-op-sharding-rules | FileCheck %s
// The sharding rule of every family of ops. Factors have letters from i on; their order is that in which rules add them.

// ---- One factor a dimension ----
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
// CHECK-LABEL: func.func @constraint(
// CHECK: sdy.sharding_constraint{{.*}}op_sharding_rule<([i, j])->([i, j]) {i=8, j=8}>
func.func @constraint(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = sdy.sharding_constraint %x <mesh<["a"=2]>, [{"a"}, {?}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
// CHECK-LABEL: func.func @reverse(
// CHECK: stablehlo.reverse{{.*}}op_sharding_rule<([i, j, k])->([i, j, k]) {i=5, j=7, k=9} permutation={i, k}>
func.func @reverse(%x: tensor<5x7x9xf32>) -> tensor<5x7x9xf32> {
  %0 = stablehlo.reverse %x, dims = [0, 2] : tensor<5x7x9xf32>
  return %0 : tensor<5x7x9xf32>
}

// ---- Shapes ----
// CHECK-LABEL: func.func @broadcast_in_dim(
// CHECK: stablehlo.broadcast_in_dim{{.*}}op_sharding_rule<([j, k, i])->([i, j, l, m]) {i=3, j=7, k=1, l=4, m=2}>
func.func @broadcast_in_dim(%x: tensor<7x1x3xf32>) -> tensor<3x7x4x2xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 2, 0] : (tensor<7x1x3xf32>) -> tensor<3x7x4x2xf32>
  return %0 : tensor<3x7x4x2xf32>
}
// CHECK-LABEL: func.func @transpose(
// CHECK: stablehlo.transpose{{.*}}op_sharding_rule<([j, k, i])->([i, j, k]) {i=5, j=2, k=3}>
func.func @transpose(%x: tensor<2x3x5xf32>) -> tensor<5x2x3xf32> {
  %0 = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<2x3x5xf32>) -> tensor<5x2x3xf32>
  return %0 : tensor<5x2x3xf32>
}
// CHECK-LABEL: func.func @bitcast(
// CHECK: stablehlo.bitcast_convert{{.*}}op_sharding_rule<([i, j])->([i, j, k]) {i=4, j=2, k=4} need_replication={k}>
// CHECK: stablehlo.bitcast_convert{{.*}}op_sharding_rule<([i, j, k])->([i, j]) {i=4, j=2, k=4} need_replication={k}>
// CHECK: stablehlo.bitcast_convert{{.*}}op_sharding_rule<([i, j])->([i]) {i=4, j=2} need_replication={j}>
func.func @bitcast(%x: tensor<4x2xf32>) -> tensor<4xf64> {
  %0 = stablehlo.bitcast_convert %x : (tensor<4x2xf32>) -> tensor<4x2x4xi8>
  %1 = stablehlo.bitcast_convert %0 : (tensor<4x2x4xi8>) -> tensor<4x2xf32>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4x2xf32>) -> tensor<4xf64>
  return %2 : tensor<4xf64>
}
// Common divisors, from the major end.
// CHECK-LABEL: func.func @reshape_split(
// CHECK: stablehlo.reshape{{.*}}op_sharding_rule<([ij, kl])->([i, j, k, l]) {i=2, j=6, k=5, l=7}>
func.func @reshape_split(%x: tensor<12x35xf32>) -> tensor<2x6x5x7xf32> {
  %0 = stablehlo.reshape %x : (tensor<12x35xf32>) -> tensor<2x6x5x7xf32>
  return %0 : tensor<2x6x5x7xf32>
}
// CHECK-LABEL: func.func @reshape_across(
// CHECK: stablehlo.reshape{{.*}}op_sharding_rule<([i, jk])->([ij, k]) {i=4, j=2, k=3}>
func.func @reshape_across(%x: tensor<4x6xf32>) -> tensor<8x3xf32> {
  %0 = stablehlo.reshape %x : (tensor<4x6xf32>) -> tensor<8x3xf32>
  return %0 : tensor<8x3xf32>
}
// 2 and 3 have no divisor in common: factors part until both sides have 6.
// CHECK-LABEL: func.func @reshape_parting(
// CHECK: stablehlo.reshape{{.*}}op_sharding_rule<([i, k, m])->([j, l, m]) {i=2, j=3, k=3, l=2, m=5}>
func.func @reshape_parting(%x: tensor<2x3x5xf32>) -> tensor<3x2x5xf32> {
  %0 = stablehlo.reshape %x : (tensor<2x3x5xf32>) -> tensor<3x2x5xf32>
  return %0 : tensor<3x2x5xf32>
}
// CHECK-LABEL: func.func @reshape_units(
// CHECK: stablehlo.reshape{{.*}}op_sharding_rule<([i, jl, m])->([j, k, l, n, o]) {i=1, j=2, k=1, l=3, m=1, n=1, o=1}>
func.func @reshape_units(%x: tensor<1x6x1xf32>) -> tensor<2x1x3x1x1xf32> {
  %0 = stablehlo.reshape %x : (tensor<1x6x1xf32>) -> tensor<2x1x3x1x1xf32>
  return %0 : tensor<2x1x3x1x1xf32>
}
// CHECK-LABEL: func.func @reshape_scalar(
// CHECK: stablehlo.reshape{{.*}}op_sharding_rule<([])->([i, j]) {i=1, j=1}>
func.func @reshape_scalar(%x: tensor<f32>) -> tensor<1x1xf32> {
  %0 = stablehlo.reshape %x : (tensor<f32>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}
// CHECK-LABEL: func.func @reshape_empty(
// CHECK: stablehlo.reshape
// CHECK-NOT: sharding_rule
func.func @reshape_empty(%x: tensor<0x4xf32>) -> tensor<2x0xf32> {
  %0 = stablehlo.reshape %x : (tensor<0x4xf32>) -> tensor<2x0xf32>
  return %0 : tensor<2x0xf32>
}

// ---- Slices and the like ----
// CHECK-LABEL: func.func @slice_and_pad(
// CHECK: stablehlo.slice{{.*}}op_sharding_rule<([i, j])->([i, j]) {i=9, j=8} permutation={j}>
// CHECK: stablehlo.pad{{.*}}op_sharding_rule<([i, j], [])->([i, j]) {i=9, j=3} permutation={j}>
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
// CHECK: stablehlo.concatenate{{.*}}op_sharding_rule<([i, j], [i, j], [i, j])->([i, j]) {i=4, j=14} need_replication={j}>
func.func @concatenate(%x: tensor<4x6xf32>, %y: tensor<4x2xf32>) -> tensor<4x14xf32> {
  %0 = stablehlo.concatenate %x, %y, %x, dim = 1 : (tensor<4x6xf32>, tensor<4x2xf32>, tensor<4x6xf32>) -> tensor<4x14xf32>
  return %0 : tensor<4x14xf32>
}
// A rotation moves parts.
// CHECK-LABEL: func.func @rotate(
// CHECK: stablehlo.slice{{.*}}op_sharding_rule<([i, j])->([i, j]) {i=8, j=4} permutation={i}>
// CHECK: stablehlo.slice{{.*}}op_sharding_rule<([i, j])->([i, j]) {i=8, j=4} permutation={i}>
// CHECK: stablehlo.concatenate{{.*}}op_sharding_rule<([i, j], [i, j])->([i, j]) {i=8, j=4} permutation={i}>
func.func @rotate(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.slice %x [3:8, 0:4] : (tensor<8x4xf32>) -> tensor<5x4xf32>
  %1 = stablehlo.slice %x [0:3, 0:4] : (tensor<8x4xf32>) -> tensor<3x4xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<5x4xf32>, tensor<3x4xf32>) -> tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}
// CHECK-LABEL: func.func @wrap(
// CHECK: stablehlo.slice{{.*}}op_sharding_rule<([i, j])->([i, j]) {i=8, j=4} permutation={i}>
// CHECK: stablehlo.concatenate{{.*}}op_sharding_rule<([i, j], [i, j], [i, j])->([i, j]) {i=10, j=4} permutation={i}>
// CHECK: stablehlo.concatenate{{.*}}op_sharding_rule<([i, j], [i, j], [i, j])->([i, j]) {i=10, j=4} need_replication={i}>
func.func @wrap(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>) -> tensor<10x4xf32> {
  %0 = stablehlo.slice %x [7:8, 0:4] : (tensor<8x4xf32>) -> tensor<1x4xf32>
  %1 = stablehlo.concatenate %0, %x, %0, dim = 0 : (tensor<1x4xf32>, tensor<8x4xf32>, tensor<1x4xf32>) -> tensor<10x4xf32>
  %2 = stablehlo.concatenate %0, %y, %0, dim = 0 : (tensor<1x4xf32>, tensor<8x4xf32>, tensor<1x4xf32>) -> tensor<10x4xf32>
  return %2 : tensor<10x4xf32>
}

// ---- Products ----
// CHECK-LABEL: func.func @dots(
// CHECK: stablehlo.dot{{.*}}op_sharding_rule<([i, k], [k, j])->([i, j]) {i=4, j=8, k=6} reduction={k}>
// CHECK: stablehlo.dot{{.*}}op_sharding_rule<([i, j], [j])->([i]) {i=4, j=6} reduction={j}>
// CHECK: stablehlo.dot{{.*}}op_sharding_rule<([j], [j, i])->([i]) {i=8, j=6} reduction={j}>
// CHECK: stablehlo.dot{{.*}}op_sharding_rule<([i], [i])->([]) {i=6} reduction={i}>
func.func @dots(%m: tensor<4x6xf32>, %n: tensor<6x8xf32>, %v: tensor<6xf32>) -> tensor<f32> {
  %0 = stablehlo.dot %m, %n : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.dot %m, %v : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4xf32>
  %2 = stablehlo.dot %v, %n : (tensor<6xf32>, tensor<6x8xf32>) -> tensor<8xf32>
  %3 = stablehlo.dot %v, %v : (tensor<6xf32>, tensor<6xf32>) -> tensor<f32>
  return %3 : tensor<f32>
}
// CHECK-LABEL: func.func @dot_general(
// CHECK: stablehlo.dot_general{{.*}}op_sharding_rule<([m, i, l, j], [l, k, i, m])->([i, j, k]) {i=2, j=4, k=7, l=3, m=5} reduction={l, m}>
func.func @dot_general(%l: tensor<5x2x3x4xf32>, %r: tensor<3x7x2x5xf32>) -> tensor<2x4x7xf32> {
  %0 = stablehlo.dot_general %l, %r, batching_dims = [1] x [2], contracting_dims = [2, 0] x [0, 3] : (tensor<5x2x3x4xf32>, tensor<3x7x2x5xf32>) -> tensor<2x4x7xf32>
  return %0 : tensor<2x4x7xf32>
}
// CHECK-LABEL: func.func @convolution(
// CHECK: stablehlo.convolution{{.*}}op_sharding_rule<([i, jk, lm, n], [j, m, n, o])->([i, k, l, o]) {i=2, j=5, k=3, l=7, m=2, n=6, o=8} reduction={j, m, n} permutation={k, l}>
func.func @convolution(%x: tensor<2x16x16x6xf32>, %k: tensor<5x3x6x8xf32>) -> tensor<2x4x7x8xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [3, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x16x6xf32>, tensor<5x3x6x8xf32>) -> tensor<2x4x7x8xf32>
  return %0 : tensor<2x4x7x8xf32>
}
// CHECK-LABEL: func.func @convolution_groups(
// CHECK: stablehlo.convolution{{.*}}op_sharding_rule<([i, j, kl], [n, l, km])->([i, j, km]) {i=4, j=7, k=3, l=2, m=4, n=1} reduction={l} permutation={j}>
// CHECK: stablehlo.convolution{{.*}}op_sharding_rule<([ij, k, l], [n, l, im])->([j, k, im]) {i=2, j=2, k=7, l=6, m=4, n=1} reduction={l} permutation={k}>
func.func @convolution_groups(%x: tensor<4x9x6xf32>, %k: tensor<3x2x12xf32>, %l: tensor<3x6x8xf32>) -> tensor<2x7x8xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<4x9x6xf32>, tensor<3x2x12xf32>) -> tensor<4x7x12xf32>
  %1 = stablehlo.convolution(%x, %l) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<4x9x6xf32>, tensor<3x6x8xf32>) -> tensor<2x7x8xf32>
  return %1 : tensor<2x7x8xf32>
}

// ---- Along dimensions ----
// CHECK-LABEL: func.func @reduce(
// CHECK: stablehlo.reduce{{.*}}op_sharding_rule<([i, j, k], [i, j, k], [], [])->([j], [j]) {i=3, j=4, k=5} reduction={i, k}>
func.func @reduce(%x: tensor<3x4x5xf32>, %y: tensor<3x4x5xi32>, %a: tensor<f32>, %b: tensor<i32>) -> tensor<4xf32> {
  %0:2 = stablehlo.reduce(%x init: %a), (%y init: %b) across dimensions = [2, 0] : (tensor<3x4x5xf32>, tensor<3x4x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
   reducer(%p: tensor<f32>, %q: tensor<f32>) (%r: tensor<i32>, %s: tensor<i32>) {
    stablehlo.return %p, %r : tensor<f32>, tensor<i32>
  }
  return %0#0 : tensor<4xf32>
}
// CHECK-LABEL: func.func @windows(
// CHECK: stablehlo.add{{.*}}op_sharding_rule<([], [])->([])>
// CHECK: op_sharding_rule<([i, j], [])->([i, j]) {i=6, j=3} permutation={j}>
// CHECK: stablehlo.compare{{.*}}op_sharding_rule<([], [])->([])>
// CHECK: stablehlo.add{{.*}}op_sharding_rule<([], [])->([])>
// CHECK: op_sharding_rule<([i, k], [i, j], [])->([i, k]) {i=6, j=3, k=9} need_replication={j} permutation={k}>
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
// Where nothing else could be sharded, the sorted dimension takes no part.
// CHECK-LABEL: func.func @sort(
// CHECK: stablehlo.compare{{.*}}op_sharding_rule<([], [])->([])>
// CHECK: op_sharding_rule<([i, j])->([i, j]) {i=4, j=8} need_replication={j}>
// CHECK: stablehlo.compare{{.*}}op_sharding_rule<([], [])->([])>
// CHECK: op_sharding_rule<([i, j])->([i, j]) {i=1, j=8} need_replication={j} blocked_propagation={j}>
func.func @sort(%x: tensor<4x8xf32>, %y: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %2 = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = "stablehlo.sort"(%y) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %2 = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<1x8xf32>) -> tensor<1x8xf32>
  return %1 : tensor<1x8xf32>
}
// CHECK-LABEL: func.func @fft(
// CHECK: stablehlo.fft{{.*}}op_sharding_rule<([i, j, k])->([i, j, k]) {i=3, j=4, k=8} need_replication={j, k} blocked_propagation={k}>
// CHECK: stablehlo.fft{{.*}}op_sharding_rule<([i, j, k])->([i, j, k]) {i=3, j=4, k=5} need_replication={k}>
func.func @fft(%x: tensor<3x4x8xf32>) -> tensor<3x4x8xf32> {
  %0 = stablehlo.fft %x, type = RFFT, length = [4, 8] : (tensor<3x4x8xf32>) -> tensor<3x4x5xcomplex<f32>>
  %1 = stablehlo.fft %0, type = FFT, length = [5] : (tensor<3x4x5xcomplex<f32>>) -> tensor<3x4x5xcomplex<f32>>
  return %x : tensor<3x4x8xf32>
}
// CHECK-LABEL: func.func @solve(
// CHECK: stablehlo.cholesky{{.*}}op_sharding_rule<([i, j, k])->([i, j, k]) {i=2, j=5, k=5} need_replication={j, k}>
// CHECK: stablehlo.triangular_solve{{.*}}op_sharding_rule<([i, j, l], [i, j, k])->([i, l, k]) {i=2, j=5, k=3, l=5} need_replication={j, k, l}>
// CHECK: stablehlo.triangular_solve{{.*}}op_sharding_rule<([i, l, j], [i, j, k])->([i, l, k]) {i=2, j=5, k=3, l=5} need_replication={j, k, l}>
// CHECK: stablehlo.triangular_solve{{.*}}op_sharding_rule<([i, k, l], [i, j, k])->([i, j, l]) {i=2, j=3, k=5, l=5} need_replication={j, k, l}>
func.func @solve(%a: tensor<2x5x5xf32>, %b: tensor<2x5x3xf32>, %c: tensor<2x3x5xf32>) -> tensor<2x3x5xf32> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<2x5x5xf32>
  %1 = "stablehlo.triangular_solve"(%0, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x5x5xf32>, tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
  %2 = "stablehlo.triangular_solve"(%0, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<2x5x5xf32>, tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
  %3 = "stablehlo.triangular_solve"(%0, %c) {left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<2x5x5xf32>, tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  return %3 : tensor<2x3x5xf32>
}
// CHECK-LABEL: func.func @batch_norm_inference(
// CHECK: stablehlo.batch_norm_inference{{.*}}op_sharding_rule<([i, j, k], [j], [j], [j], [j])->([i, j, k]) {i=2, j=3, k=4}>
func.func @batch_norm_inference(%x: tensor<2x3x4xf32>, %s: tensor<3xf32>) -> tensor<2x3x4xf32> {
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %s, %s, %s) {epsilon = 1.0e-5 : f32, feature_index = 1 : i64} : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}
// CHECK-LABEL: func.func @random_bits(
// CHECK: stablehlo.rng_bit_generator{{.*}}op_sharding_rule<([i])->([i], [j, k]) {i=2, j=3, k=4} need_replication={i} blocked_propagation={i}>
func.func @random_bits(%s: tensor<2xui64>) -> tensor<3x4xui32> {
  %0, %1 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui32>)
  return %1 : tensor<3x4xui32>
}

// ---- Gather and scatter ----
// CHECK-LABEL: func.func @gather(
// CHECK: stablehlo.gather{{.*}}op_sharding_rule<([j, o, k, l, n], [i, j, p])->([i, j, k, m, n]) {i=7, j=2, k=6, l=5, m=1, n=4, o=9, p=2} reduction={l, o} need_replication={m, n, p} blocked_propagation={n}>
func.func @gather(%x: tensor<2x9x6x5x4xf32>, %i: tensor<7x2x2xi32>) -> tensor<7x2x6x1x3xf32> {
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1, 3], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 6, 1, 3>} : (tensor<2x9x6x5x4xf32>, tensor<7x2x2xi32>) -> tensor<7x2x6x1x3xf32>
  return %0 : tensor<7x2x6x1x3xf32>
}
// CHECK-LABEL: func.func @scatter(
// CHECK: stablehlo.maximum{{.*}}op_sharding_rule<([], [])->([])>
// CHECK: op_sharding_rule<([m, j, k], [i, n], [i, j, l])->([m, j, k]) {i=7, j=6, k=4, l=2, m=9, n=1} reduction={i} need_replication={k, l, n}>
// CHECK: op_sharding_rule<([m, j, k], [i, n], [i, j, l])->([m, j, k]) {i=7, j=6, k=4, l=2, m=9, n=1} need_replication={i, k, l, n}>
func.func @scatter(%x: tensor<9x6x4xf32>, %i: tensor<7x1xi32>, %u: tensor<7x6x2xf32>) -> tensor<9x6x4xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %2 = stablehlo.maximum %q, %p : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<9x6x4xf32>, tensor<7x1xi32>, tensor<7x6x2xf32>) -> tensor<9x6x4xf32>
  // The last update counts: parts cannot be joined.
  %1 = "stablehlo.scatter"(%0, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    stablehlo.return %q : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<9x6x4xf32>, tensor<7x1xi32>, tensor<7x6x2xf32>) -> tensor<9x6x4xf32>
  return %1 : tensor<9x6x4xf32>
}

// ---- Collectives ----
// CHECK-LABEL: func.func @collectives(
// CHECK: stablehlo.all_gather{{.*}}op_sharding_rule<([j, i])->([k, i]) {i=6, j=4, k=8} need_replication={j, k}>
// CHECK: stablehlo.add{{.*}}op_sharding_rule<([], [])->([])>
// CHECK: op_sharding_rule<([j, i])->([k, i]) {i=6, j=8, k=4} need_replication={j, k}>
// CHECK: stablehlo.all_to_all{{.*}}op_sharding_rule<([k, i])->([l, j]) {i=6, j=3, k=4, l=8} need_replication={i, j, k, l}>
// CHECK: stablehlo.collective_permute{{.*}}op_sharding_rule<([i, j])->([i, j]) {i=4, j=6}>
func.func @collectives(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<8x6xf32>
  %1 = "stablehlo.reduce_scatter"(%0) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %4 = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8x6xf32>) -> tensor<4x6xf32>
  %2 = "stablehlo.all_to_all"(%1) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<8x3xf32>
  %3 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %3 : tensor<4x6xf32>
}

// ---- Custom calls ----
// CHECK-LABEL: func.func @calls(
// CHECK: stablehlo.custom_call{{.*}}op_sharding_rule<([i, j, k])->([i, j, k]) {i=3, j=5, k=5}>
// CHECK: stablehlo.custom_call{{.*}}op_sharding_rule<([i, j, k])->([i, j, k], [i, k]) {i=3, j=5, k=5}>
// CHECK: stablehlo.custom_call{{.*}}op_sharding_rule<([i, j, k])->([i, j, k], [i, l]) {i=3, j=5, k=5, l=5} need_replication={j, k, l}>
// CHECK: stablehlo.custom_call{{.*}}op_sharding_rule<([i, j, k], [i, l])->([i, j, k]) {i=3, j=5, k=5, l=5} need_replication={j, k, l}>
// CHECK: stablehlo.custom_call{{.*}}op_sharding_rule<([i, j, k])->([i, j, k], [i, j, k]) {i=3, j=5, k=5} need_replication={k} blocked_propagation={k}>
// CHECK: stablehlo.custom_call{{.*}}op_sharding_rule<([i, j, k], [i, j, k], [], [])->([i, j, l], [i, j, l]) {i=3, j=5, k=5, l=2} need_replication={l} blocked_propagation={l}>
func.func @calls(%x: tensor<3x5x5xf32>, %i: tensor<3x5x5xi32>, %z: tensor<f32>, %k: tensor<i32>) -> tensor<3x5x5xf32> {
  %0 = stablehlo.custom_call @MoveToHost(%x) : (tensor<3x5x5xf32>) -> tensor<3x5x5xf32>
  %1:2 = stablehlo.custom_call @Eigh(%0) : (tensor<3x5x5xf32>) -> (tensor<3x5x5xf32>, tensor<3x5xf32>)
  %2:2 = stablehlo.custom_call @Qr(%x) : (tensor<3x5x5xf32>) -> (tensor<3x5x5xf32>, tensor<3x5xf32>)
  %3 = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%2#0, %2#1) : (tensor<3x5x5xf32>, tensor<3x5xf32>) -> tensor<3x5x5xf32>
  %4:2 = stablehlo.custom_call @mhlo.topk(%x) : (tensor<3x5x5xf32>) -> (tensor<3x5x2xf32>, tensor<3x5x2xi32>)
  %5:2 = stablehlo.custom_call @ApproxTopK(%x, %i, %z, %k) : (tensor<3x5x5xf32>, tensor<3x5x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<3x5x2xf32>, tensor<3x5x2xi32>)
  return %3 : tensor<3x5x5xf32>
}
// CHECK-LABEL: func.func @x64(
// CHECK: stablehlo.custom_call{{.*}}op_sharding_rule<([i], [i])->([i]) {i=2} need_replication={i} blocked_propagation={i}>
// CHECK: stablehlo.rng_bit_generator{{.*}}op_sharding_rule<([i])->([i], [j]) {i=2, j=4} need_replication={i} blocked_propagation={i}>
// CHECK: stablehlo.custom_call{{.*}}op_sharding_rule<([i], [i])->([i]) {i=4}>
func.func @x64(%a: tensor<2xui32>, %b: tensor<4xui32>) -> (tensor<2xui64>, tensor<4xui64>) {
  %0 = stablehlo.custom_call @X64Combine(%a, %a) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui64>
  %1, %2 = stablehlo.rng_bit_generator %0, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  %3 = stablehlo.custom_call @X64Combine(%b, %b) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui64>
  return %1, %3 : tensor<2xui64>, tensor<4xui64>
}
// These have not the form that their targets are known for.
// CHECK-LABEL: func.func @strange_calls(
// CHECK: stablehlo.custom_call
// CHECK-NOT: sharding_rule
// CHECK: stablehlo.custom_call
// CHECK-NOT: sharding_rule
// CHECK: stablehlo.custom_call
// CHECK-NOT: sharding_rule
// CHECK: stablehlo.custom_call
// CHECK-NOT: sharding_rule
func.func @strange_calls(%x: tensor<3x5xf32>) -> tensor<3xf32> {
  %0 = stablehlo.custom_call @Eigh(%x) : (tensor<3x5xf32>) -> tensor<3x5xf32>
  %1 = stablehlo.custom_call @mhlo.topk(%x, %x) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  %2 = stablehlo.custom_call @MoveToHost(%x) : (tensor<3x5xf32>) -> tensor<3xf32>
  stablehlo.custom_call @MoveToDevice(%x) : (tensor<3x5xf32>) -> ()
  return %2 : tensor<3xf32>
}

// ---- The user's rule stays; what has none gets none ----
// CHECK-LABEL: func.func @given(
// CHECK: stablehlo.custom_call{{.*}}op_sharding_rule<([i, j])->([j]) {i=4, j=6} need_replication={i}, custom>
// CHECK: stablehlo.iota
// CHECK-NOT: sharding_rule
// CHECK: stablehlo.custom_call
// CHECK-NOT: sharding_rule
// CHECK: stablehlo.optimization_barrier
// CHECK-NOT: sharding_rule
func.func @given(%x: tensor<4x6xf32>) -> tensor<6xf32> {
  %0 = stablehlo.custom_call @mine(%x) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([j]) {i=4, j=6} need_replication={i}, custom>} : (tensor<4x6xf32>) -> tensor<6xf32>
  %1 = stablehlo.iota dim = 0 : tensor<6xf32>
  %2 = stablehlo.custom_call @tpu_custom_call(%1) : (tensor<6xf32>) -> tensor<6xf32>
  %3 = stablehlo.optimization_barrier %2 : tensor<6xf32>
  return %0 : tensor<6xf32>
}
