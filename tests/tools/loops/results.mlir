// Results have their own memory from the beginning of a run, in which a value is stored before only if it fits into one
// of them: reports count it, though results are made after the peak.
// RUN: tessera shard %s --json 2>/dev/null | FileCheck %s
// RUN: tessera run %s --memory --json --input=random | FileCheck %s --check-prefix=ENGINE

// Arguments of 18,432 bytes, a value of 131,072 and one of 16,384, as each result has.
// CHECK: "peak_bytes": 198656,
// ENGINE: "peak": 198656,
func.func @main(%arg0: tensor<64x8xf32>, %arg1: tensor<8x512xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<64x8xf32>, tensor<8x512xf32>) -> tensor<64x512xf32>
  %1 = stablehlo.reverse %0, dims = [1] : tensor<64x512xf32>
  %2 = stablehlo.dot_general %1, %0, contracting_dims = [1] x [1] : (tensor<64x512xf32>, tensor<64x512xf32>) -> tensor<64x64xf32>
  %3 = stablehlo.dot_general %2, %2, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %4 = stablehlo.dot_general %3, %2, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %3, %4 : tensor<64x64xf32>, tensor<64x64xf32>
}
