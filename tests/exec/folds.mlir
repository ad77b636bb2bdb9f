// Loops that only fold what they read have long blocks, and columns are added two rows at a time: results are the evaluator's, on any number of threads.
// RUN: tessera run %s --input=random --check
// RUN: tessera run %s --input=random --threads=1 --output=%t.npz
// RUN: tessera run %s --input=random --threads=3 --expect=%t.npz --rtol=0 --atol=0
// RUN: tessera run %s --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// CHECK: column reduce n=131000 {{.*}}block=4000
// CHECK: row reduce n=131000 {{.*}}block=8000
func.func @main(%x: tensor<131x1000xf32>, %y: tensor<67x5000xf64>, %z: tensor<131x700xi32>) -> (tensor<1000xf32>, tensor<131xf32>, tensor<5000xf64>, tensor<700xi32>, tensor<1000xf32>) {
  %f = stablehlo.constant dense<0.0> : tensor<f32>
  %d = stablehlo.constant dense<0.0> : tensor<f64>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %f) applies stablehlo.add across dimensions = [0] : (tensor<131x1000xf32>, tensor<f32>) -> tensor<1000xf32>
  %1 = stablehlo.reduce(%x init: %f) applies stablehlo.add across dimensions = [1] : (tensor<131x1000xf32>, tensor<f32>) -> tensor<131xf32>
  %2 = stablehlo.reduce(%y init: %d) applies stablehlo.add across dimensions = [0] : (tensor<67x5000xf64>, tensor<f64>) -> tensor<5000xf64>
  %3 = stablehlo.reduce(%z init: %i) applies stablehlo.add across dimensions = [0] : (tensor<131x700xi32>, tensor<i32>) -> tensor<700xi32>
  %4 = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [0] : (tensor<131x1000xf32>, tensor<f32>) -> tensor<1000xf32>
  return %0, %1, %2, %3, %4 : tensor<1000xf32>, tensor<131xf32>, tensor<5000xf64>, tensor<700xi32>, tensor<1000xf32>
}
