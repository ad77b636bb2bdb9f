// One value, one rounding: an op reads in a register what another one reads in memory or converts.
// Below the normal numbers f16 is rounded, so that 0 is 0 for all: e is the least f16, not half of it, and p is not 0.
// RUN: tessera run %s --function=small --input=1x1xf16=-17.3 --input=1x1xf16=1.04 --input=1x1xf16=-inf | FileCheck %s --check-prefix=SMALL
// SMALL: 0xFC00
// The sum of rounded exponentials divides rounded exponentials.
// RUN: tessera run %s --function=softmax --input=1x2xf16=-16.25,-30 | FileCheck %s --check-prefix=SOFTMAX
// SOFTMAX: [1.000000e+00, 0.000000e+00]
// The mean of equal numbers is that number: as JAX writes it, with a mean that is returned, and with sums in bf16.
// RUN: tessera run %s --function=norm --input=2x64xbf16=1.01 --input=64xbf16=1.01 | FileCheck %s --check-prefix=NORM
// RUN: tessera run %s --function=mean --input=2x64xbf16=1.01 --input=64xbf16=1.01 | FileCheck %s --check-prefix=NORM
// NORM: [0.000000e+00, 0.000000e+00, 0.000000e+00,
// NORM-NOT: {{[1-9]\.[0-9]*e}}
// NORM: tensor
// The variance of equal numbers, from moments that are in memory, is 0, never less.
// RUN: tessera run %s --function=moments --input=64x2xbf16=1.01 | FileCheck %s --check-prefix=MOMENTS
// MOMENTS: [0.000000e+00, 0.000000e+00]
// The gradient of such a norm is the evaluator's.
// RUN: tessera grad %s --function=norm --wrt=0 -o %t.mlir
// RUN: tessera run %t.mlir --function=norm_grad --input=2x64xbf16=1.01 --input=64xbf16=1.01 --input=random --input=random --engine=reference --output=%t.npz
// RUN: tessera run %t.mlir --function=norm_grad --input=2x64xbf16=1.01 --input=64xbf16=1.01 --input=random --input=random --expect=%t.npz
// A value that is a result, too, is rounded for its other reader; a value with one reader is not.
// RUN: tessera run %s --function=shared --input=300xbf16=1.01 --engine=reference --output=%t.npz
// RUN: tessera run %s --function=shared --input=300xbf16=1.01 --expect=%t.npz --rtol=0 --atol=0
// RUN: tessera run %s --function=chain --input=8xbf16=1.0234375 | FileCheck %s --check-prefix=CHAIN
// CHAIN: [4.736330e-02,
// A sum is rounded once, after its initial value was added.
// RUN: tessera run %s --function=start --input=2x4xf16=20000 --input=f16=-30000 | FileCheck %s --check-prefix=START
// START: [4.998400e+04, 4.998400e+04]

func.func @small(%x: tensor<1x1xf16>, %s: tensor<1x1xf16>, %v: tensor<1x1xf16>) -> tensor<1x1xf16> {
  %e = stablehlo.exponential %x : tensor<1x1xf16>
  %p = stablehlo.divide %e, %s : tensor<1x1xf16>
  %r = stablehlo.dot_general %p, %v, contracting_dims = [1] x [0] : (tensor<1x1xf16>, tensor<1x1xf16>) -> tensor<1x1xf16>
  return %r : tensor<1x1xf16>
}

func.func @softmax(%x: tensor<1x2xf16>) -> tensor<1x2xf16> {
  %e = stablehlo.exponential %x : tensor<1x2xf16>
  %w = stablehlo.convert %e : (tensor<1x2xf16>) -> tensor<1x2xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%w init: %z) applies stablehlo.add across dimensions = [1] : (tensor<1x2xf32>, tensor<f32>) -> tensor<1xf32>
  %n = stablehlo.convert %s : (tensor<1xf32>) -> tensor<1xf16>
  %b = stablehlo.broadcast_in_dim %n, dims = [0] : (tensor<1xf16>) -> tensor<1x2xf16>
  %p = stablehlo.divide %e, %b : tensor<1x2xf16>
  return %p : tensor<1x2xf16>
}

func.func @norm(%x: tensor<2x64xbf16>, %g: tensor<64xbf16>) -> (tensor<2x64xbf16>, tensor<2xbf16>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<64.0> : tensor<2xf32>
  %h = stablehlo.broadcast_in_dim %g, dims = [1] : (tensor<64xbf16>) -> tensor<2x64xbf16>
  %0 = stablehlo.multiply %x, %h : tensor<2x64xbf16>
  %1 = stablehlo.convert %0 : (tensor<2x64xbf16>) -> tensor<2x64xf32>
  %2 = stablehlo.reduce(%1 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<2x64xf32>, tensor<f32>) -> tensor<2xf32>
  %3 = stablehlo.divide %2, %n : tensor<2xf32>
  %m = stablehlo.convert %3 : (tensor<2xf32>) -> tensor<2xbf16>
  %4 = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<2xbf16>) -> tensor<2x64xbf16>
  %d = stablehlo.subtract %0, %4 : tensor<2x64xbf16>
  %5 = stablehlo.multiply %d, %d : tensor<2x64xbf16>
  %6 = stablehlo.convert %5 : (tensor<2x64xbf16>) -> tensor<2x64xf32>
  %7 = stablehlo.reduce(%6 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<2x64xf32>, tensor<f32>) -> tensor<2xf32>
  %8 = stablehlo.divide %7, %n : tensor<2xf32>
  %v = stablehlo.convert %8 : (tensor<2xf32>) -> tensor<2xbf16>
  %e = stablehlo.constant dense<1.0e-6> : tensor<2xbf16>
  %9 = stablehlo.add %v, %e : tensor<2xbf16>
  %10 = stablehlo.rsqrt %9 : tensor<2xbf16>
  %11 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<2xbf16>) -> tensor<2x64xbf16>
  %12 = stablehlo.multiply %d, %11 : tensor<2x64xbf16>
  return %12, %m : tensor<2x64xbf16>, tensor<2xbf16>
}

func.func @mean(%x: tensor<2x64xbf16>, %g: tensor<64xbf16>) -> (tensor<2x64xbf16>, tensor<2xbf16>) {
  %z = stablehlo.constant dense<0.0> : tensor<bf16>
  %n = stablehlo.constant dense<64.0> : tensor<2xbf16>
  %h = stablehlo.broadcast_in_dim %g, dims = [1] : (tensor<64xbf16>) -> tensor<2x64xbf16>
  %0 = stablehlo.multiply %x, %h : tensor<2x64xbf16>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<2x64xbf16>, tensor<bf16>) -> tensor<2xbf16>
  %m = stablehlo.divide %1, %n : tensor<2xbf16>
  %2 = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<2xbf16>) -> tensor<2x64xbf16>
  %d = stablehlo.subtract %0, %2 : tensor<2x64xbf16>
  return %d, %m : tensor<2x64xbf16>, tensor<2xbf16>
}

func.func @moments(%x: tensor<64x2xbf16>) -> tensor<2xbf16> {
  %z = stablehlo.constant dense<0.0> : tensor<bf16>
  %n = stablehlo.constant dense<64.0> : tensor<2xbf16>
  %0 = stablehlo.multiply %x, %x : tensor<64x2xbf16>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<64x2xbf16>, tensor<bf16>) -> tensor<2xbf16>
  %2 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<64x2xbf16>, tensor<bf16>) -> tensor<2xbf16>
  %s = stablehlo.divide %1, %n : tensor<2xbf16>
  %m = stablehlo.divide %2, %n : tensor<2xbf16>
  %b:2 = stablehlo.optimization_barrier %s, %m : tensor<2xbf16>, tensor<2xbf16>
  %3 = stablehlo.multiply %b#1, %b#1 : tensor<2xbf16>
  %v = stablehlo.subtract %b#0, %3 : tensor<2xbf16>
  return %v : tensor<2xbf16>
}

func.func @shared(%x: tensor<300xbf16>) -> (tensor<300xbf16>, tensor<300xbf16>) {
  %0 = stablehlo.multiply %x, %x : tensor<300xbf16>
  %1 = stablehlo.subtract %0, %x : tensor<300xbf16>
  return %0, %1 : tensor<300xbf16>, tensor<300xbf16>
}

// 1.0234375^2 - 1 = 0.04742; 0.04688 if the square is rounded.
func.func @chain(%x: tensor<8xbf16>) -> tensor<8xbf16> {
  %one = stablehlo.constant dense<1.0> : tensor<8xbf16>
  %0 = stablehlo.multiply %x, %x : tensor<8xbf16>
  %1 = stablehlo.subtract %0, %one : tensor<8xbf16>
  return %1 : tensor<8xbf16>
}

func.func @start(%x: tensor<2x4xf16>, %i: tensor<f16>) -> tensor<2xf16> {
  %s = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [1] : (tensor<2x4xf16>, tensor<f16>) -> tensor<2xf16>
  return %s : tensor<2xf16>
}
