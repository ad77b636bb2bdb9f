// RUN: tessera opt %s -split-input-file --sdy-populate-op-sharding-rules | FileCheck %s
// Rules of custom calls that are written as layouts.

// Four heads of queries for each of two of keys: heads are cut by those of keys first.
// CHECK-LABEL: @grouped
// CHECK: <([i, jk, l, m], [i, j, n, m], [i, j, n, o])->([i, jk, l, o]) {i=3, j=2, k=4, l=5, m=6, n=7, o=9} need_replication={l, m, n, o}>
func.func @grouped(%q: tensor<3x8x5x6xf32>, %k: tensor<3x2x7x6xf32>, %v: tensor<3x2x7x9xf32>) -> tensor<3x8x5x9xf32> {
  %0 = stablehlo.custom_call @tt.scaled_dot_product_attention(%q, %k, %v) : (tensor<3x8x5x6xf32>, tensor<3x2x7x6xf32>, tensor<3x2x7x9xf32>) -> tensor<3x8x5x9xf32>
  return %0 : tensor<3x8x5x9xf32>
}

// -----

// A mask has what it is not broadcast along; a sink is of all heads.
// CHECK-LABEL: @mask
// CHECK: <([i, j, k, l], [i, j, m, l], [i, j, m, n], [i, o, p, m], [q, j, r, s])->([i, j, k, n]) {i=3, j=2, {{.*}}}
func.func @mask(%q: tensor<3x2x5x6xf32>, %k: tensor<3x2x7x6xf32>, %m: tensor<3x1x1x7xf32>, %s: tensor<1x2x1x1xf32>) -> tensor<3x2x5x6xf32> {
  %0 = stablehlo.custom_call @tt.scaled_dot_product_attention(%q, %k, %k, %m, %s) {mhlo.frontend_attributes = {has_attention_mask = "True", has_attention_sink = "true"}} : (tensor<3x2x5x6xf32>, tensor<3x2x7x6xf32>, tensor<3x2x7x6xf32>, tensor<3x1x1x7xf32>, tensor<1x2x1x1xf32>) -> tensor<3x2x5x6xf32>
  return %0 : tensor<3x2x5x6xf32>
}

// -----

// Not of that form: heads that do not divide, an operand that no flag speaks of, other ranks. No rule, and no warning.
// CHECK-LABEL: @unfit
// CHECK-NOT: sharding_rule
func.func @unfit(%q: tensor<3x5x5x6xf32>, %k: tensor<3x2x5x6xf32>, %i: tensor<2xi32>) -> tensor<3x5x5x6xf32> {
  %0 = stablehlo.custom_call @tt.scaled_dot_product_attention(%q, %k, %k) : (tensor<3x5x5x6xf32>, tensor<3x2x5x6xf32>, tensor<3x2x5x6xf32>) -> tensor<3x5x5x6xf32>
  %1 = stablehlo.custom_call @tt.flash_mla_prefill(%q, %q, %q) : (tensor<3x5x5x6xf32>, tensor<3x5x5x6xf32>, tensor<3x5x5x6xf32>) -> tensor<3x5x5x6xf32>
  %2 = stablehlo.custom_call @tt.paged_fill_cache(%q, %i) : (tensor<3x5x5x6xf32>, tensor<2xi32>) -> tensor<3x5x5x6xf32>
  %3 = stablehlo.custom_call @tt.indexer_score_dsa(%q, %q, %q) : (tensor<3x5x5x6xf32>, tensor<3x5x5x6xf32>, tensor<3x5x5x6xf32>) -> tensor<3x5x5x6xf32>
  return %3 : tensor<3x5x5x6xf32>
}

// -----

// Flags say which operands there are: table, positions. One head of keys for all.
// CHECK-LABEL: @decode
// CHECK: <([l, i, j, m], [n, k, o, p], [i, q], [i])->([r, i, j, s]) {i=3, j=8, k=1,
func.func @decode(%q: tensor<1x3x8x6xf32>, %k: tensor<9x1x4x6xf32>, %t: tensor<3x2xi32>, %p: tensor<3xi32>) -> tensor<1x3x8x5xf32> {
  %0 = stablehlo.custom_call @tt.paged_flash_mla_decode(%q, %k, %t, %p) {mhlo.frontend_attributes = {has_value = "False", has_cur_pos_tensor = "True"}} : (tensor<1x3x8x6xf32>, tensor<9x1x4x6xf32>, tensor<3x2xi32>, tensor<3xi32>) -> tensor<1x3x8x5xf32>
  return %0 : tensor<1x3x8x5xf32>
}

// -----

// Who is whole is written whole: users of a cache are not divided.
// CHECK-LABEL: @cache
// CHECK: <([j, i, k, l], [m, n, i, o], [p], [q, r])->([s, i, t, u]) {i=4,
func.func @cache(%c: tensor<9x4x8x6xf32>, %n: tensor<1x3x4x6xf32>, %i: tensor<3xi32>, %t: tensor<3x2xi32>) -> tensor<9x4x8x6xf32> {
  %0 = stablehlo.custom_call @tt.paged_update_cache(%c, %n, %i, %t) : (tensor<9x4x8x6xf32>, tensor<1x3x4x6xf32>, tensor<3xi32>, tensor<3x2xi32>) -> tensor<9x4x8x6xf32>
  return %0 : tensor<9x4x8x6xf32>
}

// -----

// CHECK-LABEL: @experts
// CHECK: @tt.sparse_matmul{{.*}} reduction={
// CHECK-SAME: blocked_propagation={
// CHECK: @tt.sparse_matmul{{.*}} reduction={
// CHECK: @tt.indexer_score_dsa{{.*}}<([i, j, k, l], [i, {{.}}, m, l], [i, j, k, {{.}}])->([i, {{.}}, k, m]) {{.*}}reduction={j} need_replication={l, m}
func.func @experts(%x: tensor<2x3x5x6xf32>, %y: tensor<2x4x5x6xf32>, %w: tensor<1x4x6x7xf32>, %s: tensor<2x3x1x4xf32>, %t: tensor<1x1x2x4xf32>, %k: tensor<2x1x8x6xf32>, %g: tensor<2x3x5x1xf32>) -> (tensor<2x3x1x4x5x7xf32>, tensor<2x4x5x7xf32>, tensor<2x1x5x8xf32>) {
  %0 = stablehlo.custom_call @tt.sparse_matmul(%x, %w, %s) : (tensor<2x3x5x6xf32>, tensor<1x4x6x7xf32>, tensor<2x3x1x4xf32>) -> tensor<2x3x1x4x5x7xf32>
  %1 = stablehlo.custom_call @tt.sparse_matmul(%y, %w, %t) : (tensor<2x4x5x6xf32>, tensor<1x4x6x7xf32>, tensor<1x1x2x4xf32>) -> tensor<2x4x5x7xf32>
  %2 = stablehlo.custom_call @tt.indexer_score_dsa(%x, %k, %g) : (tensor<2x3x5x6xf32>, tensor<2x1x8x6xf32>, tensor<2x3x5x1xf32>) -> tensor<2x1x5x8xf32>
  return %0, %1, %2 : tensor<2x3x1x4x5x7xf32>, tensor<2x4x5x7xf32>, tensor<2x1x5x8xf32>
}
