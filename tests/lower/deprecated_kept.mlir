// RUN: tessera opt %s --stablehlo-legalize-deprecated-ops=fail-on-unused=false | FileCheck %s

// CHECK-LABEL: func.func @rng
// CHECK:         stablehlo.rng
func.func @rng(%a: tensor<f32>, %b: tensor<f32>) -> tensor<10xf32> {
  %shape = stablehlo.constant dense<10> : tensor<1xi64>
  %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<10xf32>
  return %0 : tensor<10xf32>
}
