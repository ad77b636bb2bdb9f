// Graph IR is compiled: no op of a transformer's layer runs by the evaluator's kernels.
// RUN: tessera run %s --input=random --dump-program --output=%t.npz 2>&1 | FileCheck %s
// CHECK: program of @main: {{.*}} 0 by the evaluator's kernels
// CHECK: row layer_norm
// CHECK: contract flash_attention
// RUN: tessera run %s --input=random --engine=reference --expect=%t.npz
// RUN: tessera run %s --function=rows --input=random --dump-program --output=%t.npz 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: program of @rows: {{.*}} 0 by the evaluator's kernels
// ROWS: move embedding
// RUN: tessera run %s --function=rows --input=random --engine=reference --expect=%t.npz
// A query that sees no key gives 0.
// RUN: tessera run %s --function=blind --input=random --input=random --input=random --input=2x3xi1=0,0,0,1,0,1 --dump-program --output=%t.npz 2>&1 | FileCheck %s --check-prefix=BLIND
// BLIND: program of @blind: {{.*}} 0 by the evaluator's kernels
// RUN: tessera run %s --function=blind --input=random --input=random --input=random --input=2x3xi1=0,0,0,1,0,1 --engine=reference --expect=%t.npz

func.func @main(%x: tensor<2x4x6x8xf32>, %w: tensor<8xf32>, %c: tensor<6x4xf32>, %s: tensor<6x8xf32>) -> (tensor<2x4x6x8xf32>, tensor<2x4x6x8xf32>, tensor<2x4x8xf32>) {
  %0 = tessera.layer_norm %x, %w : tensor<2x4x6x8xf32>, tensor<8xf32> -> tensor<2x4x6x8xf32>
  %1 = tessera.rotary %0, %c, %s : tensor<2x4x6x8xf32>, tensor<6x4xf32>, tensor<6x8xf32> -> tensor<2x4x6x8xf32>
  %2 = tessera.rotary %0, %c, %s {interleaved = true} : tensor<2x4x6x8xf32>, tensor<6x4xf32>, tensor<6x8xf32> -> tensor<2x4x6x8xf32>
  %3 = tessera.flash_attention %1, %2, %x {causal = true} : tensor<2x4x6x8xf32>, tensor<2x4x6x8xf32>, tensor<2x4x6x8xf32> -> tensor<2x4x6x8xf32>
  %4 = tessera.silu %3 : tensor<2x4x6x8xf32> -> tensor<2x4x6x8xf32>
  %5 = tessera.gelu %4 {approximate = "tanh"} : tensor<2x4x6x8xf32> -> tensor<2x4x6x8xf32>
  %6 = tessera.softmax %5 {axis = 1 : i64} : tensor<2x4x6x8xf32> -> tensor<2x4x6x8xf32>
  %7 = tessera.reduce "mean" %6, dims = [2] : tensor<2x4x6x8xf32> -> tensor<2x4x8xf32>
  return %5, %6, %7 : tensor<2x4x6x8xf32>, tensor<2x4x6x8xf32>, tensor<2x4x8xf32>
}
func.func @rows(%t: tensor<5x8xbf16>, %i: tensor<3x2xi32>, %w: tensor<8x4xbf16>) -> tensor<3x2x4xbf16> {
  %0 = tessera.embedding %t, %i : tensor<5x8xbf16>, tensor<3x2xi32> -> tensor<3x2x8xbf16>
  %1 = tessera.matmul %0, %w : tensor<3x2x8xbf16>, tensor<8x4xbf16> -> tensor<3x2x4xbf16>
  return %1 : tensor<3x2x4xbf16>
}
func.func @blind(%q: tensor<2x4xf32>, %k: tensor<3x4xf32>, %v: tensor<3x4xf32>, %m: tensor<2x3xi1>) -> tensor<2x4xf32> {
  %0 = tessera.flash_attention %q, %k, %v, %m : tensor<2x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<2x3xi1> -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
