// Scalars of any type: what is loaded once for a loop is stored, too, where it is all that the loop computes.
// RUN: tessera run %s --input=random --engine=compiled --output=%t.npz
// RUN: tessera run %s --input=random --expect=%t.npz
func.func @main(%x: tensor<bf16>, %y: tensor<i8>, %z: tensor<f64>) -> (tensor<f32>, tensor<i32>, tensor<f16>, tensor<2x3xf64>) {
  %0 = stablehlo.convert %x : (tensor<bf16>) -> tensor<f32>
  %1 = stablehlo.convert %y : (tensor<i8>) -> tensor<i32>
  %2 = stablehlo.convert %z : (tensor<f64>) -> tensor<f16>
  %3 = stablehlo.broadcast_in_dim %z, dims = [] : (tensor<f64>) -> tensor<2x3xf64>
  return %0, %1, %2, %3 : tensor<f32>, tensor<i32>, tensor<f16>, tensor<2x3xf64>
}
