// Loops one behind the other that touch nothing in common, or the same elements, run without a barrier between them.
// RUN: tessera run %s --input=random --check --threads=2
// RUN: tessera run %s --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// RUN: tessera run %s --input=random --threads=1 --output=%t.npz
// RUN: tessera run %s --input=random --threads=2 --expect=%t.npz --rtol=0 --atol=0
// RUN: tessera run %s --input=random --threads=7 --expect=%t.npz --rtol=0 --atol=0
// CHECK: 1 map {{.*}} n=40000 {{.*}} together=3 lane=0
// CHECK: 2 map {{.*}} n=5000 {{.*}} together=2 lane=1
// CHECK: 3 row {{.*}} n=64000 {{.*}} together=1 lane=2
// The same elements, in order: chunk by chunk, in place where memory is taken over.
// RUN: tessera run %s --function=chain --input=random --check --threads=2
// RUN: tessera run %s --function=chain --input=random --dump-program 2>&1 >/dev/null | FileCheck %s --check-prefix=CHAIN
// RUN: tessera run %s --function=chain --input=random --threads=1 --output=%t.npz
// RUN: tessera run %s --function=chain --input=random --threads=3 --expect=%t.npz --rtol=0 --atol=0
// CHAIN: 1 map exponential n=40000 {{.*}} together=5 lane=0
// CHAIN: 2 barrier
// CHAIN: 3 map sine n=40000 {{.*}} together=3 lane=0
// CHAIN: 4 barrier
// CHAIN: 5 map negate n=40000 {{.*}} together=1 lane=0
// Rows of the second loop have elements of several chunks of the first.
// RUN: tessera run %s --function=rows --input=random --check --threads=2
// RUN: tessera run %s --function=rows --input=random --dump-program 2>&1 >/dev/null | FileCheck %s --check-prefix=ROWS
// ROWS-NOT: together
func.func @main(%a: tensor<200x200xf32>, %b: tensor<5000xf32>, %c: tensor<64x1000xf32>) -> (tensor<200x200xf32>, tensor<5000xf32>, tensor<64xf32>) {
  %0 = stablehlo.exponential %a : tensor<200x200xf32>
  %1 = stablehlo.tanh %b : tensor<5000xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%c init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
  return %0, %1, %2 : tensor<200x200xf32>, tensor<5000xf32>, tensor<64xf32>
}
func.func @rows(%a: tensor<200x300xf32>) -> (tensor<200x300xf32>, tensor<200x300xf32>) {
  %0 = stablehlo.exponential %a : tensor<200x300xf32>
  %1 = stablehlo.reverse %0, dims = [0] : tensor<200x300xf32>
  %2 = stablehlo.sine %1 : tensor<200x300xf32>
  return %0, %2 : tensor<200x300xf32>, tensor<200x300xf32>
}
func.func @chain(%a: tensor<200x200xf32>) -> tensor<200x200xf32> {
  %0 = stablehlo.exponential %a : tensor<200x200xf32>
  %1 = stablehlo.optimization_barrier %0 : tensor<200x200xf32>
  %2 = stablehlo.sine %1 : tensor<200x200xf32>
  %3 = stablehlo.optimization_barrier %2 : tensor<200x200xf32>
  %4 = stablehlo.negate %3 : tensor<200x200xf32>
  return %4 : tensor<200x200xf32>
}
