// Arithmetic operations come from the FLOPS column of the rows: a multiply-add is two, moving data is none.
// RUN: tessera shard %s --function=dot --json 2>/dev/null | FileCheck %s --check-prefix=DOT
// RUN: tessera shard %s --function=conv --json 2>/dev/null | FileCheck %s --check-prefix=CONV
// RUN: tessera shard %s --function=reduce --json 2>/dev/null | FileCheck %s --check-prefix=REDUCE
// RUN: tessera shard %s --function=move --json 2>/dev/null | FileCheck %s --check-prefix=MOVE
// RUN: tessera shard %s --function=unknown --json 2>/dev/null | FileCheck %s --check-prefix=UNKNOWN
// RUN: tessera shard %s --function=dot --mesh=x=2 --arg=0:_,x --json 2>/dev/null | FileCheck %s --check-prefix=HALF

// Batches of 2, 3 x 4 times 4 x 5, and one addition for each element.
// DOT: "flops": 270
// With a third row of padding on each half.
// HALF: "flops": 180
func.func @dot(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) -> tensor<2x3x5xf32> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  %1 = stablehlo.add %0, %0 : tensor<2x3x5xf32>
  return %1 : tensor<2x3x5xf32>
}

// 6 x 6 x 5 results, a window of 3 x 3 x 2 each.
// CONV: "flops": 6480
func.func @conv(%x: tensor<1x8x8x2xf32>, %k: tensor<3x3x2x5xf32>) -> tensor<1x6x6x5xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x2xf32>, tensor<3x3x2x5xf32>) -> tensor<1x6x6x5xf32>
  return %0 : tensor<1x6x6x5xf32>
}

// REDUCE: "flops": 12
func.func @reduce(%x: tensor<3x4xf32>) -> tensor<3xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// MOVE: "flops": 0
func.func @move(%x: tensor<3x4xf32>) -> tensor<12xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
  %1 = stablehlo.reshape %0 : (tensor<4x3xf32>) -> tensor<12xf32>
  return %1 : tensor<12xf32>
}

// UNKNOWN: "peak_bytes": null
// UNKNOWN: "flops": null
func.func @unknown(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.add %x, %x : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
