// Reductions of a large value are one loop, which reads it once; of one that fits in the caches, a loop each.
// RUN: tessera run %s --input=random --dump-program --function=large 2>&1 >/dev/null | FileCheck %s
// CHECK: row reduce+reduce+multiply+reduce
// CHECK-NOT: row
// RUN: tessera run %s --input=random --dump-program --function=small 2>&1 >/dev/null | FileCheck %s --check-prefix=SMALL
// SMALL: row reduce n
// SMALL: row reduce n
// A reduction that needs the result of another one stays a loop of its own, as does one that reads more.
// RUN: tessera run %s --input=random --dump-program --function=apart 2>&1 >/dev/null | FileCheck %s --check-prefix=APART
// APART: long row reduce n
// APART: long row subtract+multiply+reduce
// RUN: tessera run %s --input=random --check --function=large
func.func @large(%x: tensor<32768x256xf32>) -> (tensor<32768xf32>, tensor<32768xf32>, tensor<32768xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<32768x256xf32>, tensor<f32>) -> tensor<32768xf32>
  %1 = stablehlo.reduce(%x init: %m) applies stablehlo.maximum across dimensions = [1] : (tensor<32768x256xf32>, tensor<f32>) -> tensor<32768xf32>
  %s = stablehlo.multiply %x, %x : tensor<32768x256xf32>
  %2 = stablehlo.reduce(%s init: %z) applies stablehlo.add across dimensions = [1] : (tensor<32768x256xf32>, tensor<f32>) -> tensor<32768xf32>
  return %0, %1, %2 : tensor<32768xf32>, tensor<32768xf32>, tensor<32768xf32>
}
func.func @small(%x: tensor<64x256xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<64x256xf32>, tensor<f32>) -> tensor<64xf32>
  %1 = stablehlo.reduce(%x init: %m) applies stablehlo.maximum across dimensions = [1] : (tensor<64x256xf32>, tensor<f32>) -> tensor<64xf32>
  return %0, %1 : tensor<64xf32>, tensor<64xf32>
}
func.func @apart(%x: tensor<8388608xf32>) -> (tensor<f32>, tensor<f32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8388608xf32>, tensor<f32>) -> tensor<f32>
  %n = stablehlo.constant dense<1.1920929e-07> : tensor<f32>
  %mean = stablehlo.multiply %0, %n : tensor<f32>
  %b = stablehlo.broadcast_in_dim %mean, dims = [] : (tensor<f32>) -> tensor<8388608xf32>
  %d = stablehlo.subtract %x, %b : tensor<8388608xf32>
  %s = stablehlo.multiply %d, %d : tensor<8388608xf32>
  %1 = stablehlo.reduce(%s init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8388608xf32>, tensor<f32>) -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
