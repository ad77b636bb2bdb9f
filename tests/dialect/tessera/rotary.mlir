// tessera.rotary, and masks of tessera.flash_attention: forms, inference, and values as in StableHLO.
// RUN: tessera opt %s | tessera opt | FileCheck %s
// RUN: tessera run %s --function=rotary --input=random --output=%t.npz
// RUN: tessera opt %s --tessera-to-stablehlo -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=HLO
// RUN: tessera run %t.mlir --function=rotary --input=random --expect=%t.npz --rtol=1e-5 --atol=1e-5
// RUN: tessera run %s --function=masks --input=random --output=%t2.npz
// RUN: tessera run %t.mlir --function=masks --input=random --expect=%t2.npz --rtol=1e-5 --atol=1e-5
// RUN: tessera run %s --function=turned
// RUN: tessera run %s --function=unseen
// RUN: tessera run %t.mlir --function=unseen
// RUN: tessera opt %s --tessera-infer-types | FileCheck %s --check-prefix=INFER
// HLO-NOT: tessera.

// CHECK-LABEL: func.func @rotary
// CHECK-NEXT: tessera.rotary %arg0, %arg1, %arg2 : tensor<2x3x4x8xf32>, tensor<3x1x4xf32>, tensor<3x1x4xf32> -> tensor<2x3x4x8xf32>
// CHECK-NEXT: tessera.rotary %arg0, %arg1, %arg2 {interleaved = true} : tensor<2x3x4x8xf32>, tensor<3x1x4xf32>, tensor<3x1x4xf32> -> tensor<2x3x4x8xf32>
// INFER-LABEL: func.func @rotary
// INFER: {interleaved = true} : tensor<2x3x4x8xf32>, tensor<8xf32>, tensor<8xf32> -> tensor<2x3x4x8xf32>
func.func @rotary(%x: tensor<2x3x4x8xf32>, %c: tensor<3x1x4xf32>, %s: tensor<3x1x4xf32>, %h: tensor<8xf32>, %g: tensor<8xf32>, %b: tensor<3x8xbf16>)
    -> (tensor<2x3x4x8xf32>, tensor<2x3x4x8xf32>, tensor<2x3x4x8xf32>, tensor<?x3x4x8xf32>, tensor<3x8xbf16>) {
  %0 = tessera.rotary %x, %c, %s : tensor<2x3x4x8xf32>, tensor<3x1x4xf32>, tensor<3x1x4xf32> -> tensor<2x3x4x8xf32>
  %1 = tessera.rotary %x, %c, %s {interleaved = true} : tensor<2x3x4x8xf32>, tensor<3x1x4xf32>, tensor<3x1x4xf32> -> tensor<2x3x4x8xf32>
  %2 = tessera.rotary %x, %h, %g : tensor<2x3x4x8xf32>, tensor<8xf32>, tensor<8xf32> -> tensor<2x3x4x8xf32>
  %3 = tessera.rotary %x, %h, %g {interleaved = true} : tensor<2x3x4x8xf32>, tensor<8xf32>, tensor<8xf32> -> tensor<?x3x4x8xf32>
  %4 = tessera.rotary %b, %h, %g : tensor<3x8xbf16>, tensor<8xf32>, tensor<8xf32> -> tensor<3x8xbf16>
  return %0, %1, %2, %3, %4 : tensor<2x3x4x8xf32>, tensor<2x3x4x8xf32>, tensor<2x3x4x8xf32>, tensor<?x3x4x8xf32>, tensor<3x8xbf16>
}

// A quarter of a turn: (1, 2, 3, 4) to (-3, -4, 1, 2), or (-2, 1, -4, 3).
func.func @turned() {
  %x = tessera.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %c = tessera.constant dense<0.0> : tensor<2xf32>
  %s = tessera.constant dense<1.0> : tensor<2xf32>
  %0 = tessera.rotary %x, %c, %s : tensor<4xf32>, tensor<2xf32>, tensor<2xf32> -> tensor<4xf32>
  check.expect_almost_eq_const %0, dense<[-3.0, -4.0, 1.0, 2.0]> : tensor<4xf32>
  %1 = tessera.rotary %x, %c, %s {interleaved = true} : tensor<4xf32>, tensor<2xf32>, tensor<2xf32> -> tensor<4xf32>
  check.expect_almost_eq_const %1, dense<[-2.0, 1.0, -4.0, 3.0]> : tensor<4xf32>
  return
}

// Masks in order; what hides by a number, what hides for good.
// CHECK-LABEL: func.func @masks
// CHECK-NEXT: tessera.flash_attention %arg0, %arg1, %arg1, %arg2, %arg3 {fill = -1.000000e+00 : f32} :
// CHECK-NEXT: tessera.flash_attention %arg0, %arg1, %arg1, %arg3, %arg2 {causal = true, fill = -5.000000e-01 : f32, safe = false} :
func.func @masks(%q: tensor<2x5x4xf32>, %k: tensor<2x7x4xf32>, %b: tensor<5x7xf32>, %m: tensor<2x5x7xi1>) -> (tensor<2x5x4xf32>, tensor<2x5x4xf32>, tensor<2x5x4xf32>) {
  %0 = tessera.flash_attention %q, %k, %k, %b, %m {fill = -1.0 : f32} : tensor<2x5x4xf32>, tensor<2x7x4xf32>, tensor<2x7x4xf32>, tensor<5x7xf32>, tensor<2x5x7xi1> -> tensor<2x5x4xf32>
  %1 = tessera.flash_attention %q, %k, %k, %m, %b {causal = true, fill = -0.5 : f32, safe = false} : tensor<2x5x4xf32>, tensor<2x7x4xf32>, tensor<2x7x4xf32>, tensor<2x5x7xi1>, tensor<5x7xf32> -> tensor<2x5x4xf32>
  %2 = tessera.flash_attention %q, %k, %k, %m, %b {causal = true} : tensor<2x5x4xf32>, tensor<2x7x4xf32>, tensor<2x7x4xf32>, tensor<2x5x7xi1>, tensor<5x7xf32> -> tensor<2x5x4xf32>
  return %0, %1, %2 : tensor<2x5x4xf32>, tensor<2x5x4xf32>, tensor<2x5x4xf32>
}

// A query that sees no key: 0, unless it is said to be what softmax makes of it.
func.func @unseen() {
  %q = stablehlo.constant dense<1.0> : tensor<1x2xf32>
  %k = stablehlo.constant dense<1.0> : tensor<3x2xf32>
  %m = stablehlo.constant dense<false> : tensor<1x3xi1>
  %0 = tessera.flash_attention %q, %k, %k, %m : tensor<1x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<1x3xi1> -> tensor<1x2xf32>
  check.expect_almost_eq_const %0, dense<0.0> : tensor<1x2xf32>
  %1 = tessera.flash_attention %q, %k, %k, %m {safe = false} : tensor<1x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<1x3xi1> -> tensor<1x2xf32>
  check.expect_almost_eq_const %1, dense<0x7FC00000> : tensor<1x2xf32>
  %2 = tessera.flash_attention %q, %k, %k, %m {fill = -1.0e9 : f32} : tensor<1x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<1x3xi1> -> tensor<1x2xf32>
  check.expect_almost_eq_const %2, dense<1.0> : tensor<1x2xf32>
  return
}
