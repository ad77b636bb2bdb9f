// Programs compute on parts of their batch what they compute undivided: on 2, 4 and 8 devices, and on 3, where batches are
// filled up. A device more along another axis changes nothing.
// RUN: tessera run %s --function=reductions --input=random --spmd --mesh-shape=1,2 --check
// RUN: tessera run %s --function=reductions --input=random --spmd --mesh-shape=1,8 --check
// RUN: tessera run %s --function=reductions --input=random --spmd --mesh-shape=1,3 --check
// RUN: tessera run %s --function=reductions --input=random --spmd --mesh-shape=4,2 --check
// RUN: tessera run %s --function=shapes --input=random --spmd --mesh-shape=1,2 --check
// RUN: tessera run %s --function=shapes --input=random --spmd --mesh-shape=1,8 --check
// RUN: tessera run %s --function=shapes --input=random --spmd --mesh-shape=1,3 --check
// RUN: tessera run %s --function=shapes --input=random --spmd --mesh-shape=4,2 --check
// RUN: tessera run %s --function=mixing --input=random --spmd --mesh-shape=1,2 --check
// RUN: tessera run %s --function=mixing --input=random --spmd --mesh-shape=1,8 --check
// RUN: tessera run %s --function=mixing --input=random --spmd --mesh-shape=1,3 --check
// RUN: tessera run %s --function=mixing --input=random --spmd --mesh-shape=4,2 --check
// RUN: tessera run %s --function=training --input=random --spmd --mesh-shape=1,2 --check
// RUN: tessera run %s --function=training --input=random --spmd --mesh-shape=1,8 --check
// RUN: tessera run %s --function=training --input=random --spmd --mesh-shape=1,3 --check
// RUN: tessera run %s --function=training --input=random --spmd --mesh-shape=4,2 --check
// RUN: tessera run %s --function=attention --input=random --spmd --mesh-shape=1,2 --check
// RUN: tessera run %s --function=attention --input=random --spmd --mesh-shape=1,8 --check
// RUN: tessera run %s --function=attention --input=random --spmd --mesh-shape=1,3 --check
// RUN: tessera run %s --function=attention --input=random --spmd --mesh-shape=4,2 --check
// RUN: tessera run %s --function=embedding --input=random --spmd --mesh-shape=1,2 --check
// RUN: tessera run %s --function=embedding --input=random --spmd --mesh-shape=1,8 --check
// RUN: tessera run %s --function=embedding --input=random --spmd --mesh-shape=1,3 --check
// RUN: tessera run %s --function=embedding --input=random --spmd --mesh-shape=4,2 --check
// RUN: tessera run %s --function=cache --input=random --input=random --input=random --input=1xi32=2 --input=random --spmd --mesh-shape=1,2 --check
// RUN: tessera run %s --function=cache --input=random --input=random --input=random --input=1xi32=2 --input=random --spmd --mesh-shape=1,8 --check
// RUN: tessera run %s --function=cache --input=random --input=random --input=random --input=1xi32=2 --input=random --spmd --mesh-shape=1,3 --check
// RUN: tessera run %s --function=cache --input=random --input=random --input=random --input=1xi32=2 --input=random --spmd --mesh-shape=4,2 --check
// RUN: tessera run %s --function=norms --input=random --spmd --mesh-shape=1,2 --check
// RUN: tessera run %s --function=norms --input=random --spmd --mesh-shape=1,8 --check
// RUN: tessera run %s --function=norms --input=random --spmd --mesh-shape=1,3 --check
// RUN: tessera run %s --function=norms --input=random --spmd --mesh-shape=4,2 --check
// RUN: tessera run %s --function=outer --input=random --spmd --mesh-shape=1,2 --check
// RUN: tessera run %s --function=outer --input=random --spmd --mesh-shape=1,8 --check
// RUN: tessera run %s --function=outer --input=random --spmd --mesh-shape=1,3 --check
// RUN: tessera run %s --function=outer --input=random --spmd --mesh-shape=4,2 --check
// RUN: tessera run %s --function=one_sample --input=random --spmd --mesh-shape=1,2 --check
// RUN: tessera run %s --function=one_sample --input=random --spmd --mesh-shape=1,8 --check
// RUN: tessera run %s --function=one_sample --input=random --spmd --mesh-shape=1,3 --check
// RUN: tessera run %s --function=one_sample --input=random --spmd --mesh-shape=4,2 --check
// RUN: tessera run %s --function=repeated --input=random --spmd --mesh-shape=1,2 --check
// RUN: tessera run %s --function=repeated --input=random --spmd --mesh-shape=1,8 --check
// RUN: tessera run %s --function=repeated --input=random --spmd --mesh-shape=1,3 --check
// RUN: tessera run %s --function=repeated --input=random --spmd --mesh-shape=4,2 --check
// RUN: tessera run %s --function=drawn --input=random --spmd --mesh-shape=1,2 --check
// RUN: tessera run %s --function=drawn --input=random --spmd --mesh-shape=1,8 --check
// RUN: tessera run %s --function=drawn --input=random --spmd --mesh-shape=1,3 --check
// RUN: tessera run %s --function=drawn --input=random --spmd --mesh-shape=4,2 --check
// RUN: tessera run %s --function=mixed_by_reshape --input=random --spmd --mesh-shape=1,2 --check
// RUN: tessera run %s --function=mixed_by_reshape --input=random --spmd --mesh-shape=1,8 --check
// RUN: tessera run %s --function=mixed_by_reshape --input=random --spmd --mesh-shape=1,3 --check
// RUN: tessera run %s --function=mixed_by_reshape --input=random --spmd --mesh-shape=4,2 --check
// RUN: tessera run %s --function=coprime_reshape --input=random --spmd --mesh-shape=1,2 --check
// RUN: tessera run %s --function=coprime_reshape --input=random --spmd --mesh-shape=1,8 --check
// RUN: tessera run %s --function=coprime_reshape --input=random --spmd --mesh-shape=1,3 --check
// RUN: tessera run %s --function=coprime_reshape --input=random --spmd --mesh-shape=4,2 --check
// RUN: tessera run %s --function=conv --input=random --spmd --mesh-shape=1,2 --check
// RUN: tessera run %s --function=conv --input=random --spmd --mesh-shape=1,8 --check
// RUN: tessera run %s --function=conv --input=random --spmd --mesh-shape=1,3 --check
// RUN: tessera run %s --function=conv --input=random --spmd --mesh-shape=4,2 --check

// Means and extrema over the batch, over all, and over none of it; a loss.
func.func @reductions(%x: tensor<16x6xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %t: tensor<16x6xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %w: tensor<6x5xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b: tensor<5xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<16x5xf32>, tensor<5xf32>, tensor<1x5xf32>, tensor<f32>, tensor<16x1xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xi1>, tensor<5xi1>, tensor<16xi32>, tensor<5xi32>, tensor<f32>) {
  %0 = "ttir.linear"(%x, %w, %b) : (tensor<16x6xf32>, tensor<6x5xf32>, tensor<5xf32>) -> tensor<16x5xf32>
  %1 = "ttir.softmax"(%0) <{dimension = -1 : si32}> : (tensor<16x5xf32>) -> tensor<16x5xf32>
  %2 = "ttir.sum"(%1) <{dim_arg = [0 : i32], keep_dim = false}> : (tensor<16x5xf32>) -> tensor<5xf32>
  %3 = "ttir.mean"(%1) <{dim_arg = [0 : i32], keep_dim = true}> : (tensor<16x5xf32>) -> tensor<1x5xf32>
  %4 = "ttir.mean"(%1) <{keep_dim = false}> : (tensor<16x5xf32>) -> tensor<f32>
  %5 = "ttir.max"(%1) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<16x5xf32>) -> tensor<16x1xf32>
  %6 = "ttir.max"(%0) <{dim_arg = [0 : i32], keep_dim = false}> : (tensor<16x5xf32>) -> tensor<5xf32>
  %7 = "ttir.prod"(%0) <{dim_arg = [0 : i32], keep_dim = false}> : (tensor<16x5xf32>) -> tensor<5xf32>
  %z = "ttir.zeros"() <{shape = array<i32: 16, 5>}> : () -> tensor<16x5xf32>
  %8 = "ttir.gt"(%0, %z) : (tensor<16x5xf32>, tensor<16x5xf32>) -> tensor<16x5xi1>
  %9 = "ttir.reduce_or"(%8) <{dim_arg = [0 : i32], keep_dim = false}> : (tensor<16x5xi1>) -> tensor<5xi1>
  %10 = "ttir.reduce_and"(%8) <{dim_arg = [0 : i32], keep_dim = false}> : (tensor<16x5xi1>) -> tensor<5xi1>
  %11 = "ttir.argmax"(%0) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<16x5xf32>) -> tensor<16xi32>
  %12 = "ttir.argmax"(%0) <{dim_arg = [0 : i32], keep_dim = false}> : (tensor<16x5xf32>) -> tensor<5xi32>
  %13 = "ttir.subtract"(%x, %t) : (tensor<16x6xf32>, tensor<16x6xf32>) -> tensor<16x6xf32>
  %14 = "ttir.multiply"(%13, %13) : (tensor<16x6xf32>, tensor<16x6xf32>) -> tensor<16x6xf32>
  %15 = "ttir.sum"(%14) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<16x6xf32>) -> tensor<16xf32>
  %16 = "ttir.mean"(%15) <{dim_arg = [0 : i32], keep_dim = false}> : (tensor<16xf32>) -> tensor<f32>
  return %1, %2, %3, %4, %5, %6, %7, %9, %10, %11, %12, %16 : tensor<16x5xf32>, tensor<5xf32>, tensor<1x5xf32>, tensor<f32>, tensor<16x1xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xi1>, tensor<5xi1>, tensor<16xi32>, tensor<5xi32>, tensor<f32>
}

// The batch merges with other dimensions, parts again, and moves.
func.func @shapes(%x: tensor<16x6x8xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %w: tensor<8x4xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<16x6x4xf32>, tensor<6x16x4xf32>, tensor<4x96xf32>, tensor<2x8x24xf32>, tensor<24x16xf32>, tensor<32x6x4xf32>, tensor<1x16x24xf32>, tensor<48x2x4xf32>, tensor<16x5x4xf32>) {
  %0 = "ttir.reshape"(%x) <{shape = [96 : i32, 8 : i32]}> : (tensor<16x6x8xf32>) -> tensor<96x8xf32>
  %1 = "ttir.matmul"(%0, %w) : (tensor<96x8xf32>, tensor<8x4xf32>) -> tensor<96x4xf32>
  %2 = "ttir.reshape"(%1) <{shape = [16 : i32, -1 : i32, 4 : i32]}> : (tensor<96x4xf32>) -> tensor<16x6x4xf32>
  %3 = "ttir.permute"(%2) <{permutation = array<i64: 1, 0, 2>}> : (tensor<16x6x4xf32>) -> tensor<6x16x4xf32>
  %4 = "ttir.transpose"(%1) <{dim0 = 0 : si32, dim1 = -1 : si32}> : (tensor<96x4xf32>) -> tensor<4x96xf32>
  %5 = "ttir.reshape"(%2) <{shape = [2 : i32, 8 : i32, 24 : i32]}> : (tensor<16x6x4xf32>) -> tensor<2x8x24xf32>
  %6 = "ttir.rearrange"(%2) <{pattern = "b s d -> (s d) b"}> : (tensor<16x6x4xf32>) -> tensor<24x16xf32>
  %7 = "ttir.repeat_interleave"(%2) <{repeats = 2 : ui32, dim = 0 : si32}> : (tensor<16x6x4xf32>) -> tensor<32x6x4xf32>
  %8 = "ttir.reshape"(%2) <{shape = [16 : i32, 24 : i32]}> : (tensor<16x6x4xf32>) -> tensor<16x24xf32>
  %9 = "ttir.unsqueeze"(%8) <{dim = 0 : si32}> : (tensor<16x24xf32>) -> tensor<1x16x24xf32>
  %10 = "ttir.reshape"(%3) <{shape = [48 : i32, 2 : i32, 4 : i32]}> : (tensor<6x16x4xf32>) -> tensor<48x2x4xf32>
  %11 = "ttir.slice_static"(%2) <{begins = [0 : i32, 1 : i32, 0 : i32], ends = [16 : i32, 6 : i32, 4 : i32], step = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<16x6x4xf32>) -> tensor<16x5x4xf32>
  return %2, %3, %4, %5, %6, %7, %9, %10, %11 : tensor<16x6x4xf32>, tensor<6x16x4xf32>, tensor<4x96xf32>, tensor<2x8x24xf32>, tensor<24x16xf32>, tensor<32x6x4xf32>, tensor<1x16x24xf32>, tensor<48x2x4xf32>, tensor<16x5x4xf32>
}

// Ops that need the whole batch: sorts and sums along it, slices, concatenation, reversal, products with itself.
func.func @mixing(%x: tensor<16x4xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %w: tensor<4xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<16x4xf32>, tensor<16x4xf32>, tensor<3x4xf32>, tensor<32x4xf32>, tensor<16x4xf32>, tensor<16x16xf32>, tensor<4x4xf32>, tensor<16x4xf32>, tensor<32x4xf32>, tensor<20x4xf32>) {
  %0 = "ttir.multiply"(%x, %w) : (tensor<16x4xf32>, tensor<4xf32>) -> tensor<16x4xf32>
  %1 = "ttir.cumsum"(%0) <{dim = 0 : i64}> : (tensor<16x4xf32>) -> tensor<16x4xf32>
  %2, %3 = "ttir.sort"(%0) <{dim = 0 : si32}> : (tensor<16x4xf32>) -> (tensor<16x4xf32>, tensor<16x4xi32>)
  %4 = "ttir.slice_static"(%0) <{begins = [5 : i32, 0 : i32], ends = [8 : i32, 4 : i32], step = [1 : i32, 1 : i32]}> : (tensor<16x4xf32>) -> tensor<3x4xf32>
  %5 = "ttir.concat"(%0, %1) <{dim = 0 : si32}> : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<32x4xf32>
  %6 = "ttir.reverse"(%0) <{dimensions = array<i64: 0>}> : (tensor<16x4xf32>) -> tensor<16x4xf32>
  %7 = "ttir.matmul"(%0, %0) <{transpose_b = true}> : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x16xf32>
  %8 = "ttir.matmul"(%0, %x) <{transpose_a = true}> : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<4x4xf32>
  %9 = "ttir.matmul"(%7, %0) : (tensor<16x16xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
  %10 = "ttir.repeat"(%0) <{repeat_dimensions = array<i64: 2, 1>}> : (tensor<16x4xf32>) -> tensor<32x4xf32>
  %11 = "ttir.pad"(%0) <{padding = array<i32: 3, 1, 0, 0>, value = 1.0 : f32}> : (tensor<16x4xf32>) -> tensor<20x4xf32>
  return %1, %2, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<16x4xf32>, tensor<16x4xf32>, tensor<3x4xf32>, tensor<32x4xf32>, tensor<16x4xf32>, tensor<16x16xf32>, tensor<4x4xf32>, tensor<16x4xf32>, tensor<32x4xf32>, tensor<20x4xf32>
}

// A step of training: gradients of weights are sums over the batch, updates are whole.
func.func @training(%x: tensor<16x6xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %y: tensor<16x3xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %w: tensor<6x3xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b: tensor<1x3xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %m: tensor<6x3xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %v: tensor<6x3xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<f32>, tensor<6x3xf32>, tensor<1x3xf32>, tensor<6x3xf32>) {
  %0 = "ttir.matmul"(%x, %w) : (tensor<16x6xf32>, tensor<6x3xf32>) -> tensor<16x3xf32>
  %1 = "ttir.add"(%0, %b) : (tensor<16x3xf32>, tensor<1x3xf32>) -> tensor<16x3xf32>
  %2 = "ttir.subtract"(%1, %y) : (tensor<16x3xf32>, tensor<16x3xf32>) -> tensor<16x3xf32>
  %3 = "ttir.square"(%2) : (tensor<16x3xf32>) -> tensor<16x3xf32>
  %4 = "ttir.mean"(%3) <{keep_dim = false}> : (tensor<16x3xf32>) -> tensor<f32>
  %5 = "ttir.matmul"(%x, %2) <{transpose_a = true}> : (tensor<16x6xf32>, tensor<16x3xf32>) -> tensor<6x3xf32>
  %6 = "ttir.sum"(%2) <{dim_arg = [0 : i32], keep_dim = true}> : (tensor<16x3xf32>) -> tensor<1x3xf32>
  %7, %8, %9 = "ttir.adamw"(%w, %5, %m, %v) <{lr = 1.0e-3 : f32, beta1 = 0.9 : f32, beta2 = 0.999 : f32, beta1_pow = 0.9 : f32, beta2_pow = 0.999 : f32, epsilon = 1.0e-8 : f32, weight_decay = 0.01 : f32}> : (tensor<6x3xf32>, tensor<6x3xf32>, tensor<6x3xf32>, tensor<6x3xf32>) -> (tensor<6x3xf32>, tensor<6x3xf32>, tensor<6x3xf32>)
  %10 = "ttir.subtract"(%b, %6) : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
  return %4, %7, %10, %5 : tensor<f32>, tensor<6x3xf32>, tensor<1x3xf32>, tensor<6x3xf32>
}

// Heads are split and put together; masks are constants; a bias per position.
func.func @attention(%x: tensor<8x6x16xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %wq: tensor<16x48xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %wo: tensor<16x16xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %g: tensor<16xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<8x6x16xf32>, tensor<8x6x16xf32>) {
  %n = "ttir.rms_norm"(%x, %g) <{normalized_shape = array<i64: 16>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<8x6x16xf32>, tensor<16xf32>) -> tensor<8x6x16xf32>
  %0 = "ttir.reshape"(%n) <{shape = [48 : i32, 16 : i32]}> : (tensor<8x6x16xf32>) -> tensor<48x16xf32>
  %1 = "ttir.matmul"(%0, %wq) : (tensor<48x16xf32>, tensor<16x48xf32>) -> tensor<48x48xf32>
  %2 = "ttir.reshape"(%1) <{shape = [8 : i32, 6 : i32, 48 : i32]}> : (tensor<48x48xf32>) -> tensor<8x6x48xf32>
  %q, %k, %v = "ttir.split_query_key_value_and_split_heads"(%2) <{num_heads = 4 : ui32, transpose_key = false}> : (tensor<8x6x48xf32>) -> (tensor<8x4x6x4xf32>, tensor<8x4x6x4xf32>, tensor<8x4x6x4xf32>)
  %3 = "ttir.scaled_dot_product_attention"(%q, %k, %v) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<8x4x6x4xf32>, tensor<8x4x6x4xf32>, tensor<8x4x6x4xf32>) -> tensor<8x4x6x4xf32>
  %4 = "ttir.concatenate_heads"(%3) : (tensor<8x4x6x4xf32>) -> tensor<8x6x16xf32>
  %5 = "ttir.matmul"(%4, %wo) : (tensor<8x6x16xf32>, tensor<16x16xf32>) -> tensor<8x6x16xf32>
  %6 = "ttir.dot_general"(%q, %k) <{batch_dims_lhs = array<i64: 0, 1>, batch_dims_rhs = array<i64: 0, 1>, contract_dims_lhs = array<i64: 3>, contract_dims_rhs = array<i64: 3>}> : (tensor<8x4x6x4xf32>, tensor<8x4x6x4xf32>) -> tensor<8x4x6x6xf32>
  %c = "ttir.constant"() <{value = dense<[[0.0, -1.0e9, -1.0e9, -1.0e9, -1.0e9, -1.0e9], [0.0, 0.0, -1.0e9, -1.0e9, -1.0e9, -1.0e9], [0.0, 0.0, 0.0, -1.0e9, -1.0e9, -1.0e9], [0.0, 0.0, 0.0, 0.0, -1.0e9, -1.0e9], [0.0, 0.0, 0.0, 0.0, 0.0, -1.0e9], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<6x6xf32>}> : () -> tensor<6x6xf32>
  %m = "ttir.reshape"(%c) <{shape = [1 : i32, 1 : i32, 6 : i32, 6 : i32]}> : (tensor<6x6xf32>) -> tensor<1x1x6x6xf32>
  %mb = "ttir.broadcast"(%m) <{broadcast_dimensions = array<i64: 8, 4, 1, 1>}> : (tensor<1x1x6x6xf32>) -> tensor<8x4x6x6xf32>
  %7 = "ttir.add"(%6, %mb) : (tensor<8x4x6x6xf32>, tensor<8x4x6x6xf32>) -> tensor<8x4x6x6xf32>
  %8 = "ttir.softmax"(%7) <{dimension = 3 : si32}> : (tensor<8x4x6x6xf32>) -> tensor<8x4x6x6xf32>
  %9 = "ttir.matmul"(%8, %v) : (tensor<8x4x6x6xf32>, tensor<8x4x6x4xf32>) -> tensor<8x4x6x4xf32>
  %10 = "ttir.permute"(%9) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<8x4x6x4xf32>) -> tensor<8x6x4x4xf32>
  %11 = "ttir.reshape"(%10) <{shape = [8 : i32, 6 : i32, 16 : i32]}> : (tensor<8x6x4x4xf32>) -> tensor<8x6x16xf32>
  %12 = "ttir.add"(%5, %x) : (tensor<8x6x16xf32>, tensor<8x6x16xf32>) -> tensor<8x6x16xf32>
  return %12, %11 : tensor<8x6x16xf32>, tensor<8x6x16xf32>
}

// Indices come in parts, tables are whole; rows are chosen per sample and from all of them.
func.func @embedding(%ids: tensor<8x5xi32> {ttcore.argument_type = #ttcore.argument_type<input>}, %table: tensor<11x4xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %scores: tensor<8x7xf32> {ttcore.argument_type = #ttcore.argument_type<input>}) -> (tensor<8x5x4xf32>, tensor<8x3xf32>, tensor<8x3xi32>, tensor<8x7xf32>, tensor<8x7xf32>) {
  %0 = "ttir.embedding"(%ids, %table) : (tensor<8x5xi32>, tensor<11x4xf32>) -> tensor<8x5x4xf32>
  %1, %2 = "ttir.topk"(%scores) <{k = 3 : i32, sorted = true}> : (tensor<8x7xf32>) -> (tensor<8x3xf32>, tensor<8x3xi32>)
  %3 = "ttir.cumsum"(%scores) <{dim = 1 : i64}> : (tensor<8x7xf32>) -> tensor<8x7xf32>
  %4 = "ttir.gather"(%scores, %2) <{dim = 1 : i32}> : (tensor<8x7xf32>, tensor<8x3xi32>) -> tensor<8x3xf32>
  %5 = "ttir.scatter"(%3, %2, %4) <{dim = 1 : i32, scatter_reduce_type = #ttcore.reduce_type<sum>}> : (tensor<8x7xf32>, tensor<8x3xi32>, tensor<8x3xf32>) -> tensor<8x7xf32>
  return %0, %4, %2, %3, %5 : tensor<8x5x4xf32>, tensor<8x3xf32>, tensor<8x3xi32>, tensor<8x7xf32>, tensor<8x7xf32>
}

// Caches are changed in place and returned: one for all samples at once, one sample by sample.
func.func @cache(%c: tensor<8x2x6x4xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %d: tensor<8x2x6x4xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %x: tensor<8x2x1x4xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %i: tensor<1xi32> {ttcore.argument_type = #ttcore.argument_type<input>}, %p: tensor<8x2x3x4xf32> {ttcore.argument_type = #ttcore.argument_type<input>}) -> (tensor<8x2x6x4xf32>, tensor<8x2x6x4xf32>, tensor<8x2x4xf32>, tensor<8x2x6x4xf32>) {
  %0 = "ttir.permute"(%x) <{permutation = array<i64: 2, 1, 0, 3>}> : (tensor<8x2x1x4xf32>) -> tensor<1x2x8x4xf32>
  %before = "ttir.exp"(%d) : (tensor<8x2x6x4xf32>) -> tensor<8x2x6x4xf32>
  "ttir.update_cache"(%c, %0, %i) <{batch_offset = 0 : i32}> : (tensor<8x2x6x4xf32>, tensor<1x2x8x4xf32>, tensor<1xi32>) -> ()
  %1 = "ttir.slice_static"(%p) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 2 : i32, 3 : i32, 4 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<8x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  "ttir.fill_cache"(%d, %1) <{batch_offset = 0 : i32}> : (tensor<8x2x6x4xf32>, tensor<1x2x3x4xf32>) -> ()
  %2 = "ttir.slice_static"(%p) <{begins = [5 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [6 : i32, 2 : i32, 3 : i32, 4 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<8x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %half = "ttir.sum"(%d) <{dim_arg = [2 : i32], keep_dim = false}> : (tensor<8x2x6x4xf32>) -> tensor<8x2x4xf32>
  "ttir.fill_cache"(%d, %2) <{batch_offset = 5 : i32}> : (tensor<8x2x6x4xf32>, tensor<1x2x3x4xf32>) -> ()
  %3 = "ttir.add"(%c, %d) : (tensor<8x2x6x4xf32>, tensor<8x2x6x4xf32>) -> tensor<8x2x6x4xf32>
  %4 = "ttir.multiply"(%3, %before) : (tensor<8x2x6x4xf32>, tensor<8x2x6x4xf32>) -> tensor<8x2x6x4xf32>
  %5 = "ttir.sum"(%4) <{dim_arg = [2 : i32], keep_dim = false}> : (tensor<8x2x6x4xf32>) -> tensor<8x2x4xf32>
  %6 = "ttir.add"(%5, %half) : (tensor<8x2x4xf32>, tensor<8x2x4xf32>) -> tensor<8x2x4xf32>
  return %c, %d, %6, %4 : tensor<8x2x6x4xf32>, tensor<8x2x6x4xf32>, tensor<8x2x4xf32>, tensor<8x2x6x4xf32>
}

// Statistics that are given, that are those of a sample, and that are those of the batch.
func.func @norms(%x: tensor<8x3x4x4xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %s: tensor<3xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %o: tensor<3xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %m: tensor<3xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %v: tensor<3xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<8x3x4x4xf32>, tensor<8x3x4x4xf32>, tensor<3xf32>) {
  %a = "ttir.abs"(%v) : (tensor<3xf32>) -> tensor<3xf32>
  %0 = "ttir.batch_norm_inference"(%x, %s, %o, %m, %a) <{dimension = 1 : i32, epsilon = 1.0e-3 : f32}> : (tensor<8x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<8x3x4x4xf32>
  %1 = "ttir.layer_norm"(%0) <{normalized_shape = array<i64: 4, 4>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<8x3x4x4xf32>) -> tensor<8x3x4x4xf32>
  %2, %3, %4 = "ttir.batch_norm_training"(%1, %s, %o, %m, %a) <{dimension = 1 : i32, epsilon = 1.0e-3 : f32, momentum = 0.1 : f32}> : (tensor<8x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<8x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>)
  return %1, %2, %3 : tensor<8x3x4x4xf32>, tensor<8x3x4x4xf32>, tensor<3xf32>
}

// Calls: what is called gets parts; twice in the same way, once in another.
func.func private @inner(%x: tensor<16x4xf32>, %w: tensor<4x4xf32>) -> (tensor<16x4xf32>, tensor<4xf32>) {
  %0 = "ttir.matmul"(%x, %w) : (tensor<16x4xf32>, tensor<4x4xf32>) -> tensor<16x4xf32>
  %1 = "ttir.sum"(%0) <{dim_arg = [0 : i32], keep_dim = false}> : (tensor<16x4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<16x4xf32>, tensor<4xf32>
}
func.func private @write(%c: tensor<8x2x6x4xf32>, %x: tensor<1x2x3x4xf32>) {
  "ttir.fill_cache"(%c, %x) <{batch_offset = 3 : i32}> : (tensor<8x2x6x4xf32>, tensor<1x2x3x4xf32>) -> ()
  return
}
func.func @outer(%x: tensor<16x4xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %w: tensor<4x4xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %c: tensor<8x2x6x4xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %p: tensor<1x2x3x4xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<16x4xf32>, tensor<4xf32>, tensor<16x4xf32>, tensor<4xf32>, tensor<8x2x6x4xf32>) {
  %0:2 = call @inner(%x, %w) : (tensor<16x4xf32>, tensor<4x4xf32>) -> (tensor<16x4xf32>, tensor<4xf32>)
  %1:2 = call @inner(%0#0, %w) : (tensor<16x4xf32>, tensor<4x4xf32>) -> (tensor<16x4xf32>, tensor<4xf32>)
  %2 = "ttir.cumsum"(%1#0) <{dim = 0 : i64}> : (tensor<16x4xf32>) -> tensor<16x4xf32>
  %3:2 = call @inner(%2, %w) : (tensor<16x4xf32>, tensor<4x4xf32>) -> (tensor<16x4xf32>, tensor<4xf32>)
  call @write(%c, %p) : (tensor<8x2x6x4xf32>, tensor<1x2x3x4xf32>) -> ()
  return %1#0, %1#1, %3#0, %3#1, %c : tensor<16x4xf32>, tensor<4xf32>, tensor<16x4xf32>, tensor<4xf32>, tensor<8x2x6x4xf32>
}

// A batch of one sample is filled up.
func.func @one_sample(%x: tensor<1x6xf32>, %w: tensor<6x4xf32>, %b: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %0 = "ttir.matmul"(%x, %w) : (tensor<1x6xf32>, tensor<6x4xf32>) -> tensor<1x4xf32>
  %1 = "ttir.add"(%0, %b) : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %2 = "ttir.softmax"(%1) <{dimension = 1 : si32}> : (tensor<1x4xf32>) -> tensor<1x4xf32>
  return %2 : tensor<1x4xf32>
}

// Copies of one element are in one place.
func.func @repeated(%x: tensor<2x3xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %w: tensor<3xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<2x3xf32> {
  %c = "ttir.full"() <{shape = array<i32: 1, 3>, fill_value = 2.0 : f32}> : () -> tensor<1x3xf32>
  %0 = "ttir.repeat_interleave"(%c) <{repeats = 2 : ui32, dim = 0 : si32}> : (tensor<1x3xf32>) -> tensor<2x3xf32>
  %1 = "ttir.multiply"(%x, %w) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %2 = "ttir.add"(%1, %0) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

// Random numbers are those of the undivided program, on all devices.
func.func @drawn(%x: tensor<16x4xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %w: tensor<4xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<16x4xf32> {
  %0 = "ttir.multiply"(%x, %w) : (tensor<16x4xf32>, tensor<4xf32>) -> tensor<16x4xf32>
  %1 = "ttir.dropout"(%0) <{prob = 0.5 : f32, scale = 2.0 : f32, seed = 7 : ui32, use_per_device_seed = true}> : (tensor<16x4xf32>) -> tensor<16x4xf32>
  %2 = "ttir.rand"() <{size = [16 : i32, 4 : i32]}> : () -> tensor<16x4xf32>
  %3 = "ttir.add"(%1, %2) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
  %4 = "ttir.add"(%3, %0) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
  return %4 : tensor<16x4xf32>
}

// A reshape that mixes dimensions is computed on whole values, also where only its result is wanted in parts.
func.func @mixed_by_reshape(%x: tensor<6x4xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %w: tensor<4x6xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %v: tensor<4xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<6x4xf32>, tensor<8x3xf32>) {
  %0 = "ttir.reshape"(%w) <{shape = [6 : i32, 4 : i32]}> : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %1 = "ttir.multiply"(%x, %v) : (tensor<6x4xf32>, tensor<4xf32>) -> tensor<6x4xf32>
  %2 = "ttir.add"(%1, %0) : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x4xf32>
  %3 = "ttir.reshape"(%2) <{shape = [8 : i32, 3 : i32]}> : (tensor<6x4xf32>) -> tensor<8x3xf32>
  return %2, %3 : tensor<6x4xf32>, tensor<8x3xf32>
}

// Sizes without a common factor.
func.func @coprime_reshape(%x: tensor<8x3xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %w: tensor<3x8xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %v: tensor<3xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<8x3xf32> {
  %0 = "ttir.reshape"(%w) <{shape = [8 : i32, 3 : i32]}> : (tensor<3x8xf32>) -> tensor<8x3xf32>
  %1 = "ttir.multiply"(%x, %v) : (tensor<8x3xf32>, tensor<3xf32>) -> tensor<8x3xf32>
  %2 = "ttir.add"(%1, %0) : (tensor<8x3xf32>, tensor<8x3xf32>) -> tensor<8x3xf32>
  return %2 : tensor<8x3xf32>
}

// Convolution, pooling, flattening and a classifier; the batch stands first, or is flattened with the picture.
func.func @conv(%x: tensor<8x8x8x3xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %w: tensor<4x3x3x3xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %d: tensor<64x5xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %f: tensor<1x1x512x3xf32> {ttcore.argument_type = #ttcore.argument_type<input>}) -> (tensor<8x5xf32>, tensor<1x1x512x4xf32>) {
  %0 = "ttir.conv2d"(%x, %w) <{stride = 1 : i32, padding = 1 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<8x8x8x3xf32>, tensor<4x3x3x3xf32>) -> tensor<8x8x8x4xf32>
  %1 = "ttir.relu"(%0) : (tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32>
  %2 = "ttir.max_pool2d"(%1) <{kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<8x8x8x4xf32>) -> tensor<8x4x4x4xf32>
  %3 = "ttir.reshape"(%2) <{shape = [8 : i32, 64 : i32]}> : (tensor<8x4x4x4xf32>) -> tensor<8x64xf32>
  %4 = "ttir.matmul"(%3, %d) : (tensor<8x64xf32>, tensor<64x5xf32>) -> tensor<8x5xf32>
  %5 = "ttir.reshape"(%x) <{shape = [1 : i32, 1 : i32, 512 : i32, 3 : i32]}> : (tensor<8x8x8x3xf32>) -> tensor<1x1x512x3xf32>
  %6 = "ttir.add"(%5, %f) : (tensor<1x1x512x3xf32>, tensor<1x1x512x3xf32>) -> tensor<1x1x512x3xf32>
  %7 = "ttir.conv2d"(%6, %w) <{stride = 1 : i32, padding = 1 : i32, dilation = 1 : i32, groups = 1 : i32, flattened_compat_info = #ttir<flattened_compat batch_size = 8, input_height = 8, input_width = 8>}> : (tensor<1x1x512x3xf32>, tensor<4x3x3x3xf32>) -> tensor<1x1x512x4xf32>
  return %4, %7 : tensor<8x5xf32>, tensor<1x1x512x4xf32>
}
