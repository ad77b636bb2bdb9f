func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.add %a, %b : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
func.func @twice(%a: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %0 = stablehlo.add %a, %a : tensor<4xi32>
  return %a, %0 : tensor<4xi32>, tensor<4xi32>
}
func.func @scalar(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
func.func @bf16(%a: tensor<3xbf16>) -> tensor<3xbf16> {
  return %a : tensor<3xbf16>
}
func.func @f8(%a: tensor<3xf8E4M3FN>) -> tensor<3xf8E4M3FN> {
  return %a : tensor<3xf8E4M3FN>
}
func.func @i4(%a: tensor<3xi4>) -> tensor<3xi4> {
  return %a : tensor<3xi4>
}
func.func @any(%a: tensor<?x2xi64>) -> tensor<?x2xi64> {
  return %a : tensor<?x2xi64>
}
func.func @divide(%a: tensor<2xi32>, %b: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.divide %a, %b : tensor<2xi32>
  return %0 : tensor<2xi32>
}
func.func @flags(%a: tensor<3xi1>, %b: tensor<2xcomplex<f32>>) -> (tensor<3xi1>, tensor<2xcomplex<f32>>) {
  return %a, %b : tensor<3xi1>, tensor<2xcomplex<f32>>
}
func.func private @outside(tensor<f32>) -> tensor<f32>
