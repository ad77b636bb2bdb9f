// RUN: tessera opt %s --tessera-autodiff='function=f wrt=1 with-results=true' | FileCheck %s --check-prefix=RESULTS
// RUN: tessera opt %s --tessera-autodiff='function=f remat=cheap' | FileCheck %s --check-prefix=REMAT
// RUN: tessera opt %s --tessera-autodiff=function=f --tessera-autodiff=function=f_grad | FileCheck %s --check-prefix=TWICE

// RESULTS-LABEL: func.func @f_grad(
// RESULTS-SAME: -> (tensor<4xf32>, tensor<4xf32>) {
// RESULTS: [[Y:%.+]] = stablehlo.multiply
// RESULTS: return [[Y]], %{{.*}} :

// What the backward part computes again stands behind barriers, after all of the forward part.
// REMAT-LABEL: func.func @f_grad(
// REMAT: [[K:%.+]] = stablehlo.optimization_barrier
// REMAT: stablehlo.sine [[K]]

// TWICE: func.func @f_grad_grad(%{{.*}}: tensor<4xf32>, %{{.*}}: tensor<4xf32>, %{{.*}}: tensor<4xf32>, %{{.*}}: tensor<4xf32>, %{{.*}}: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.sine %x : tensor<4xf32>
  %1 = stablehlo.multiply %0, %y : tensor<4xf32>
  return %1 : tensor<4xf32>
}
