// A conversion rounds what it converts: a half that was computed in f32 has the bits of a half when it becomes f64.
// RUN: tessera run %s --input=4xf16=0.1,0.2,0.3,0.7 --engine=compiled --output=%t.npz
// RUN: tessera run %s --input=4xf16=0.1,0.2,0.3,0.7 --expect=%t.npz --rtol=0 --atol=0
func.func @main(%a: tensor<4xf16>) -> (tensor<4xf64>, tensor<4xf32>) {
  %0 = stablehlo.multiply %a, %a : tensor<4xf16>
  %1 = stablehlo.convert %0 : (tensor<4xf16>) -> tensor<4xf64>
  %2 = stablehlo.convert %0 : (tensor<4xf16>) -> tensor<4xf32>
  return %1, %2 : tensor<4xf64>, tensor<4xf32>
}
