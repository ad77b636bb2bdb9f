// The engine runs a product of a product block by block, and computes elementwise ops where a product reads them, without
// storing the first value: reports count what it stores.
// RUN: tessera shard %s --function=chain --json 2>/dev/null | FileCheck %s --check-prefix=CHAIN
// RUN: tessera run %s --function=chain --memory --json --input=random | FileCheck %s --check-prefix=ENGINE
// RUN: tessera shard %s --function=before --json 2>/dev/null | FileCheck %s --check-prefix=BEFORE
// RUN: tessera run %s --function=before --memory --json --input=random | FileCheck %s --check-prefix=ENGINE-BEFORE

// Arguments of 64 KB and the result of 32 KB; the value of 128 KB between them is never whole.
// CHAIN: "peak_bytes": 98304,
// ENGINE: "peak": 98304,
func.func @chain(%arg0: tensor<256x32xf32>, %arg1: tensor<32x128xf32>, %arg2: tensor<128x32xf32>) -> tensor<256x32xf32> {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<256x32xf32>, tensor<32x128xf32>) -> tensor<256x128xf32>
  %1 = stablehlo.tanh %0 : tensor<256x128xf32>
  %2 = stablehlo.dot_general %1, %arg2, contracting_dims = [1] x [0] : (tensor<256x128xf32>, tensor<128x32xf32>) -> tensor<256x32xf32>
  return %2 : tensor<256x32xf32>
}

// BEFORE: "peak_bytes": 786432,
// ENGINE-BEFORE: "peak": 786432,
func.func @before(%arg0: tensor<256x256xf32>, %arg1: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %0 = stablehlo.negate %arg0 : tensor<256x256xf32>
  %1 = stablehlo.dot_general %0, %arg1, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  return %1 : tensor<256x256xf32>
}
