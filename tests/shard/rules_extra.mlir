// RUN: tessera opt %s --sdy-populate-op-sharding-rules=extra-rules=true 2>&1 | FileCheck %s
// RUN: tessera opt %s --sdy-populate-op-sharding-rules 2>&1 | FileCheck %s --check-prefix=OFF
// Rules for ops that Shardy has none for. Without the option they have none here either, and one warning says so.
// CHECK-NOT: warning
// OFF: warning: op 'stablehlo.batch_norm_training' is unknown to SDY sharding rule registry
// OFF-NOT: unknown to SDY
// CHECK-LABEL: func.func @batch_norm_training(
// CHECK: stablehlo.batch_norm_training{{.*}}op_sharding_rule<([i, j, k], [k], [k])->([i, j, k], [k], [k]) {i=8, j=16, k=32} need_replication={i, j}>
func.func @batch_norm_training(%x: tensor<8x16x32xf32>, %s: tensor<32xf32>) -> tensor<8x16x32xf32> {
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %s) {epsilon = 1.0e-3 : f32, feature_index = 2 : i64} : (tensor<8x16x32xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<8x16x32xf32>, tensor<32xf32>, tensor<32xf32>)
  return %0#0 : tensor<8x16x32xf32>
}
// CHECK-LABEL: func.func @batch_norm_grad(
// CHECK: stablehlo.batch_norm_grad{{.*}}op_sharding_rule<([i, j], [i], [i], [i], [i, j])->([i, j], [i], [i]) {i=8, j=6} need_replication={j}>
func.func @batch_norm_grad(%x: tensor<8x6xf32>, %s: tensor<8xf32>) -> tensor<8x6xf32> {
  %0:3 = "stablehlo.batch_norm_grad"(%x, %s, %s, %s, %x) {epsilon = 1.0e-3 : f32, feature_index = 0 : i64} : (tensor<8x6xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8xf32>, tensor<8xf32>)
  return %0#0 : tensor<8x6xf32>
}
// CHECK-LABEL: func.func @broadcast(
// CHECK: stablehlo.broadcast{{.*}}op_sharding_rule<([k, l])->([i, j, k, l]) {i=2, j=5, k=3, l=4}>
func.func @broadcast(%x: tensor<3x4xf32>) -> tensor<2x5x3x4xf32> {
  %0 = stablehlo.broadcast %x, sizes = [2, 5] : (tensor<3x4xf32>) -> tensor<2x5x3x4xf32>
  return %0 : tensor<2x5x3x4xf32>
}
// CHECK-LABEL: func.func @dynamic_broadcast_in_dim(
// CHECK: stablehlo.dynamic_broadcast_in_dim{{.*}}op_sharding_rule<([j, l], [m])->([i, k, l]) {i=2, j=1, k=5, l=4, m=3} need_replication={m}>
func.func @dynamic_broadcast_in_dim(%x: tensor<1x4xf32>, %d: tensor<3xi64>) -> tensor<2x5x4xf32> {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %d, dims = [1, 2] : (tensor<1x4xf32>, tensor<3xi64>) -> tensor<2x5x4xf32>
  return %0 : tensor<2x5x4xf32>
}
// CHECK-LABEL: func.func @dynamic_reshape(
// CHECK: stablehlo.dynamic_reshape{{.*}}op_sharding_rule<([ij, k], [l])->([i, j, k]) {i=2, j=4, k=4, l=3} need_replication={l}>
func.func @dynamic_reshape(%x: tensor<8x4xf32>, %d: tensor<3xi64>) -> tensor<2x4x4xf32> {
  %0 = stablehlo.dynamic_reshape %x, %d : (tensor<8x4xf32>, tensor<3xi64>) -> tensor<2x4x4xf32>
  return %0 : tensor<2x4x4xf32>
}
// CHECK-LABEL: func.func @real_dynamic_slice(
// CHECK: stablehlo.real_dynamic_slice{{.*}}op_sharding_rule<([i, j], [k], [l], [m])->([i, j]) {i=8, j=4, k=2, l=2, m=2} need_replication={j, k, l, m} blocked_propagation={j}>
func.func @real_dynamic_slice(%x: tensor<8x4xf32>, %s: tensor<2xi64>) -> tensor<8x2xf32> {
  %0 = stablehlo.real_dynamic_slice %x, %s, %s, %s : (tensor<8x4xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<8x2xf32>
  return %0 : tensor<8x2xf32>
}
// CHECK-LABEL: func.func @real_dynamic_slice_known(
// CHECK: stablehlo.real_dynamic_slice{{.*}}op_sharding_rule<([i, j], [k], [l], [m])->([i, j]) {i=8, j=4, k=2, l=2, m=2} need_replication={k, l, m} permutation={j}>
func.func @real_dynamic_slice_known(%x: tensor<8x4xf32>) -> tensor<8x2xf32> {
  %s = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %l = stablehlo.constant dense<[8, 3]> : tensor<2xi64>
  %t = stablehlo.constant dense<1> : tensor<2xi64>
  %0 = stablehlo.real_dynamic_slice %x, %s, %l, %t : (tensor<8x4xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<8x2xf32>
  return %0 : tensor<8x2xf32>
}
// CHECK-LABEL: func.func @dynamic_pad(
// CHECK: stablehlo.dynamic_pad{{.*}}op_sharding_rule<([i, j], [], [k], [l], [m])->([i, j]) {i=8, j=4, k=2, l=2, m=2} need_replication={j, k, l, m} blocked_propagation={j}>
func.func @dynamic_pad(%x: tensor<8x4xf32>, %v: tensor<f32>, %s: tensor<2xi64>) -> tensor<8x6xf32> {
  %0 = stablehlo.dynamic_pad %x, %v, %s, %s, %s : (tensor<8x4xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
// CHECK-LABEL: func.func @dynamic_gather(
// CHECK: stablehlo.dynamic_gather{{.*}}op_sharding_rule<([n, k, m], [i, j, o], [p])->([i, j, l, m]) {i=2, j=3, k=4, l=1, m=2, n=3, o=2, p=3} reduction={k, n} need_replication={l, o, p}>
func.func @dynamic_gather(%x: tensor<3x4x2xf32>, %i: tensor<2x3x2xi64>, %s: tensor<3xi64>) -> tensor<2x3x1x2xf32> {
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 2>, indices_are_sorted = false} : (tensor<3x4x2xf32>, tensor<2x3x2xi64>, tensor<3xi64>) -> tensor<2x3x1x2xf32>
  return %0 : tensor<2x3x1x2xf32>
}
// CHECK-LABEL: func.func @dynamic_conv(
// CHECK: stablehlo.dynamic_conv{{.*}}op_sharding_rule<([i, j, k, l], [p, q, l, m], [n, o])->([i, j, k, m]) {i=8, j=10, k=10, l=3, m=16, n=2, o=2, p=1, q=1} reduction={l} need_replication={n, o} permutation={j, k}>
func.func @dynamic_conv(%x: tensor<8x12x12x3xf32>, %k: tensor<3x3x3x16xf32>, %p: tensor<2x2xi64>) -> tensor<8x10x10x16xf32> {
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<8x12x12x3xf32>, tensor<3x3x3x16xf32>, tensor<2x2xi64>) -> tensor<8x10x10x16xf32>
  return %0 : tensor<8x10x10x16xf32>
}
// CHECK-LABEL: func.func @rng(
// CHECK: stablehlo.rng{{.*}}op_sharding_rule<([], [], [k])->([i, j]) {i=4, j=8, k=2} need_replication={k}>
func.func @rng(%a: tensor<f32>, %s: tensor<2xi64>) -> tensor<4x8xf32> {
  %0 = stablehlo.rng %a, %a, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
// CHECK-LABEL: func.func @dynamic_iota(
// CHECK: stablehlo.dynamic_iota{{.*}}op_sharding_rule<([k])->([i, j]) {i=4, j=8, k=2} need_replication={k}>
func.func @dynamic_iota(%s: tensor<2xi64>) -> tensor<4x8xf32> {
  %0 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi64>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
// CHECK-LABEL: func.func @get_dimension_size(
// CHECK: stablehlo.get_dimension_size{{.*}}op_sharding_rule<([i, j])->([]) {i=4, j=8} need_replication={j}>
func.func @get_dimension_size(%x: tensor<4x8xf32>) -> tensor<i32> {
  %0 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<4x8xf32>) -> tensor<i32>
  return %0 : tensor<i32>
}
// CHECK-LABEL: func.func @set_dimension_size(
// CHECK: stablehlo.set_dimension_size{{.*}}op_sharding_rule<([i, j], [])->([i, j]) {i=4, j=8} need_replication={j}>
func.func @set_dimension_size(%x: tensor<4x8xf32>, %n: tensor<i32>) -> tensor<4x8xf32> {
  %0 = stablehlo.set_dimension_size %x, %n, dim = 1 : (tensor<4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
// CHECK-LABEL: func.func @torch_index_select(
// CHECK: stablehlo.torch_index_select{{.*}}op_sharding_rule<([i, j, n, m], [i, k, l])->([i, j, k, l, m]) {i=2, j=5, k=3, l=4, m=9, n=7} reduction={n}>
func.func @torch_index_select(%x: tensor<2x5x7x9xf32>, %i: tensor<2x3x4xi32>) -> tensor<2x5x3x4x9xf32> {
  %0 = "stablehlo.torch_index_select"(%x, %i) {dim = 2 : i64, batch_dims = 1 : i64} : (tensor<2x5x7x9xf32>, tensor<2x3x4xi32>) -> tensor<2x5x3x4x9xf32>
  return %0 : tensor<2x5x3x4x9xf32>
}
// CHECK-LABEL: func.func @einsum(
// CHECK: stablehlo.einsum{{.*}}op_sharding_rule<([i, j, l], [i, l, k])->([i, j, k]) {i=2, j=8, k=16, l=4} reduction={l}>
func.func @einsum(%x: tensor<2x8x4xf32>, %y: tensor<2x4x16xf32>) -> tensor<2x8x16xf32> {
  %0 = stablehlo.einsum %x, %y, config = "bij,bjk->bik" : (tensor<2x8x4xf32>, tensor<2x4x16xf32>) -> tensor<2x8x16xf32>
  return %0 : tensor<2x8x16xf32>
}
// CHECK-LABEL: func.func @einsum_dots(
// CHECK: stablehlo.einsum{{.*}}op_sharding_rule<([i, j, l, m], [m, k])->([i, j, k, l]) {i=2, j=3, k=16, l=8, m=4} reduction={m}>
func.func @einsum_dots(%x: tensor<2x3x8x4xf32>, %y: tensor<4x16xf32>) -> tensor<2x3x16x8xf32> {
  %0 = stablehlo.einsum %x, %y, config = "...ij,jk->...ki" : (tensor<2x3x8x4xf32>, tensor<4x16xf32>) -> tensor<2x3x16x8xf32>
  return %0 : tensor<2x3x16x8xf32>
}
// CHECK-LABEL: func.func @einsum_diagonal(
// CHECK: stablehlo.unary_einsum{{.*}}op_sharding_rule<([j, k, i])->([i, j]) {i=4, j=8, k=8} need_replication={j, k}>
func.func @einsum_diagonal(%x: tensor<8x8x4xf32>) -> tensor<4x8xf32> {
  %0 = "stablehlo.unary_einsum"(%x) {einsum_config = "iij->ji"} : (tensor<8x8x4xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
// CHECK-LABEL: func.func @map(
// CHECK: stablehlo.add{{.*}}op_sharding_rule<([], [])->([])>
// CHECK: op_sharding_rule<([i, j], [i, j])->([i, j]) {i=4, j=8}>
func.func @map(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = "stablehlo.map"(%x, %x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
// CHECK-LABEL: func.func @quantize(
// CHECK: stablehlo.uniform_quantize{{.*}}op_sharding_rule<([i, j])->([i, j]) {i=4, j=8} need_replication={j}>
func.func @quantize(%x: tensor<4x8xf32>) -> tensor<4x8x!quant.uniform<i8:f32:1, {0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8}>> {
  %0 = stablehlo.uniform_quantize %x : (tensor<4x8xf32>) -> tensor<4x8x!quant.uniform<i8:f32:1, {0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8}>>
  return %0 : tensor<4x8x!quant.uniform<i8:f32:1, {0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8}>>
}
// CHECK-LABEL: func.func @chlo(
// CHECK: chlo.erf{{.*}}op_sharding_rule<([i, j])->([i, j]) {i=4, j=8}>
// CHECK: chlo.broadcast_add{{.*}}op_sharding_rule<([i, j], [j])->([i, j]) {i=4, j=8}>
// CHECK: chlo.broadcast_multiply{{.*}}op_sharding_rule<([i, j], [i, k])->([i, j]) {i=4, j=8, k=1}>
// CHECK: chlo.broadcast_select{{.*}}op_sharding_rule<([], [i, j], [j])->([i, j]) {i=4, j=8}>
func.func @chlo(%x: tensor<4x8xf32>, %y: tensor<8xf32>, %z: tensor<4x1xf32>, %p: tensor<i1>) -> tensor<4x8xf32> {
  %0 = chlo.erf %x : tensor<4x8xf32> -> tensor<4x8xf32>
  %1 = chlo.broadcast_add %0, %y : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %2 = chlo.broadcast_multiply %1, %z : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %3 = chlo.broadcast_select %p, %2, %y : (tensor<i1>, tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}
// CHECK-LABEL: func.func @chlo_dims(
// CHECK: chlo.broadcast_add{{.*}}op_sharding_rule<([i, j], [i])->([i, j]) {i=4, j=8}>
func.func @chlo_dims(%x: tensor<4x8xf32>, %y: tensor<4xf32>) -> tensor<4x8xf32> {
  %0 = chlo.broadcast_add %x, %y {broadcast_dimensions = array<i64: 0>} : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
// CHECK-LABEL: func.func @top_k(
// CHECK: chlo.top_k{{.*}}op_sharding_rule<([i, j])->([i, j], [i, j]) {i=4, j=8} need_replication={j} blocked_propagation={j}>
func.func @top_k(%x: tensor<4x8xf32>) -> tensor<4x2xf32> {
  %0:2 = chlo.top_k(%x, k = 2) : tensor<4x8xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
  return %0#0 : tensor<4x2xf32>
}
// CHECK-LABEL: func.func @ragged_dot(
// CHECK: chlo.ragged_dot{{.*}}op_sharding_rule<([i, j, l], [m, i, l, k], [i, n])->([i, j, k]) {i=2, j=11, k=7, l=5, m=3, n=3} reduction={l} need_replication={j, m, n}>
func.func @ragged_dot(%l: tensor<2x11x5xf32>, %r: tensor<3x2x5x7xf32>, %g: tensor<2x3xi64>) -> tensor<2x11x7xf32> {
  %0 = "chlo.ragged_dot"(%l, %r, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>} : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<2x3xi64>) -> tensor<2x11x7xf32>
  return %0 : tensor<2x11x7xf32>
}
// CHECK-LABEL: func.func @ragged_contracting(
// CHECK: chlo.ragged_dot{{.*}}op_sharding_rule<([j, k, m], [j, m, l], [n])->([i, j, k, l]) {i=3, j=2, k=11, l=7, m=5, n=3} need_replication={i, m, n}>
func.func @ragged_contracting(%l: tensor<2x11x5xf32>, %r: tensor<2x5x7xf32>, %g: tensor<3xi64>) -> tensor<3x2x11x7xf32> {
  %0 = "chlo.ragged_dot"(%l, %r, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [2], rhs_group_dimensions = []>} : (tensor<2x11x5xf32>, tensor<2x5x7xf32>, tensor<3xi64>) -> tensor<3x2x11x7xf32>
  return %0 : tensor<3x2x11x7xf32>
}
// CHECK-LABEL: func.func @scan(
// CHECK: chlo.scan{{.*}}op_sharding_rule<([i, j, k], [j])->([i, k, j], [j]) {i=9, j=4, k=8} need_replication={i, k}>
// CHECK: stablehlo.reduce{{.*}}op_sharding_rule<([i, j], [])->([i]) {i=4, j=8} reduction={j}>
// CHECK: stablehlo.add{{.*}}op_sharding_rule<([i], [i])->([i]) {i=4}>
// CHECK: stablehlo.transpose{{.*}}op_sharding_rule<([j, i])->([i, j]) {i=8, j=4}>
func.func @scan(%x: tensor<9x4x8xf32>, %c: tensor<4xf32>) -> (tensor<9x8x4xf32>, tensor<4xf32>) {
  %0:2 = "chlo.scan"(%x, %c) ({
  ^bb0(%s: tensor<4x8xf32>, %k: tensor<4xf32>):
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%s init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.add %1, %k : tensor<4xf32>
    %3 = stablehlo.transpose %s, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
    stablehlo.return %3, %2 : tensor<8x4xf32>, tensor<4xf32>
  }) {dimension = 0 : i64, is_reverse = false, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<9x4x8xf32>, tensor<4xf32>) -> (tensor<9x8x4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<9x8x4xf32>, tensor<4xf32>
}
// CHECK-LABEL: func.func @gelu(
// CHECK: chlo.erf{{.*}}op_sharding_rule<([i, j])->([i, j]) {i=4, j=8}>
// CHECK: stablehlo.multiply{{.*}}op_sharding_rule<([i, j], [i, j])->([i, j]) {i=4, j=8}>
// CHECK: stablehlo.multiply{{.*}}op_sharding_rule<([i, j], [i, j])->([i, j]) {i=4, j=8}>
func.func @gelu(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %h = stablehlo.constant dense<0.5> : tensor<4x8xf32>
  %0 = chlo.erf %x : tensor<4x8xf32> -> tensor<4x8xf32>
  %1 = stablehlo.multiply %0, %h : tensor<4x8xf32>
  %2 = stablehlo.multiply %1, %x : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
// CHECK-LABEL: func.func @softmax(
// CHECK: stablehlo.exponential{{.*}}op_sharding_rule<([i, j])->([i, j]) {i=4, j=8}>
// CHECK: stablehlo.reduce{{.*}}op_sharding_rule<([i, j], [])->([i]) {i=4, j=8} reduction={j}>
// CHECK: stablehlo.broadcast_in_dim{{.*}}op_sharding_rule<([i])->([i, j]) {i=4, j=8}>
// CHECK: stablehlo.divide{{.*}}op_sharding_rule<([i, j], [i, j])->([i, j]) {i=4, j=8}>
// CHECK: stablehlo.composite{{.*}}op_sharding_rule<([i, j])->([i, j]) {i=4, j=8}>
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.exponential %x : tensor<4x8xf32>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %3 = stablehlo.divide %0, %2 : tensor<4x8xf32>
  %4 = stablehlo.composite "m.gelu" %3 {decomposition = @gelu} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}
// CHECK-LABEL: func.func @symmetric(
// CHECK: stablehlo.transpose{{.*}}op_sharding_rule<([j, i])->([i, j]) {i=8, j=8}>
// CHECK: stablehlo.add{{.*}}op_sharding_rule<([i, j], [i, j])->([i, j]) {i=8, j=8}>
func.func @symmetric(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.add %0, %x : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
// CHECK-LABEL: func.func @itself(
// CHECK: stablehlo.composite{{.*}}op_sharding_rule<([i])->([j]) {i=8, j=8} need_replication={i, j}>
func.func @itself(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.composite "m.itself" %x {decomposition = @itself} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// CHECK-LABEL: func.func @composites(
// CHECK: stablehlo.composite{{.*}}op_sharding_rule<([i, j])->([i, j]) {i=4, j=8}>
// CHECK: stablehlo.composite{{.*}}op_sharding_rule<([i, j])->([i, j]) {i=4, j=8} need_replication={j}>
// CHECK: stablehlo.composite{{.*}}op_sharding_rule<([i, j])->([i, k]) {i=8, j=8, k=8} need_replication={i, j, k}>
func.func @composites(%x: tensor<4x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.composite "m.gelu" %x {decomposition = @gelu} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.composite "m.softmax" %0 {decomposition = @softmax} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = stablehlo.composite "m.symmetric" %y {decomposition = @symmetric} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
// Counted from the end, which Shardy takes for no dimension at all.
// CHECK-LABEL: func.func @sort_last(
// CHECK: stablehlo.compare{{.*}}op_sharding_rule<([], [])->([])>
// CHECK: op_sharding_rule<([i, j])->([i, j]) {i=4, j=8} need_replication={j}>
func.func @sort_last(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = -1 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
// CHECK-LABEL: func.func @none(
// CHECK: stablehlo.replica_id
// CHECK-NOT: sharding_rule
func.func @none(%p: tensor<i1>, %x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<4x8xf32>
  }, {
    stablehlo.return %x : tensor<4x8xf32>
  }) : (tensor<i1>) -> tensor<4x8xf32>
  %1 = stablehlo.replica_id : tensor<ui32>
  return %0 : tensor<4x8xf32>
}
// A loop inside a composite: its values stay whole, those that it only looks at, too.
// CHECK-LABEL: func.func @loop(
// CHECK: stablehlo.while
// CHECK-NOT: sharding_rule
// CHECK: stablehlo.compare{{.*}}op_sharding_rule<([], [])->([])>
// CHECK: stablehlo.broadcast_in_dim{{.*}}op_sharding_rule<([j])->([i, j]) {i=4, j=8}>
// CHECK: stablehlo.add{{.*}}op_sharding_rule<([i, j], [i, j])->([i, j]) {i=4, j=8}>
func.func @loop(%x: tensor<4x8xf32>, %n: tensor<i32>, %k: tensor<8xf32>) -> tensor<4x8xf32> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %z, %a = %x) : tensor<i32>, tensor<4x8xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %b = stablehlo.broadcast_in_dim %k, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
    %2 = stablehlo.add %a, %b : tensor<4x8xf32>
    stablehlo.return %i, %2 : tensor<i32>, tensor<4x8xf32>
  }
  return %0#1 : tensor<4x8xf32>
}
// CHECK-LABEL: func.func @composite_loop(
// CHECK: stablehlo.composite{{.*}}op_sharding_rule<([i, j], [], [k])->([l, m]) {i=4, j=8, k=8, l=4, m=8} need_replication={i, j, k, l, m}>
func.func @composite_loop(%x: tensor<4x8xf32>, %n: tensor<i32>, %k: tensor<8xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.composite "m.loop" %x, %n, %k {decomposition = @loop} : (tensor<4x8xf32>, tensor<i32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
