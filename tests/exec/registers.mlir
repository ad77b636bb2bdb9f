// What is computed of a row's number keeps out of the register that has the numbers of the rows after it.
// RUN: tessera run %s --input=random --check | FileCheck %s
// RUN: tessera run %s --input=random --check --function=from_product | FileCheck %s
// RUN: tessera run %s --input=random --check --function=by_row | FileCheck %s
// CHECK: PASS
module {
  func.func @main(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x64xf32>, tensor<f32>) -> tensor<8xf32>
    %b = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<8xf32>) -> tensor<8x64xf32>
    %y = stablehlo.divide %x, %b : tensor<8x64xf32>
    %z = stablehlo.tanh %y : tensor<8x64xf32>
    return %z : tensor<8x64xf32>
  }
  func.func @from_product(%x: tensor<8x16xf32>, %w: tensor<16x64xf32>, %m: tensor<8x64xf32>) -> tensor<8x64xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x64xf32>) -> tensor<8x64xf32>
    %s = stablehlo.reduce(%p init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x64xf32>, tensor<f32>) -> tensor<8xf32>
    %b = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<8xf32>) -> tensor<8x64xf32>
    %y = stablehlo.subtract %m, %b : tensor<8x64xf32>
    %e = stablehlo.sine %y : tensor<8x64xf32>
    %z = stablehlo.multiply %e, %p : tensor<8x64xf32>
    return %z : tensor<8x64xf32>
  }
  func.func @by_row(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x64xf32>, tensor<f32>) -> tensor<8xf32>
    %c = stablehlo.cosine %s : tensor<8xf32>
    %b = stablehlo.broadcast_in_dim %c, dims = [0] : (tensor<8xf32>) -> tensor<8x64xf32>
    %y = stablehlo.maximum %x, %b : tensor<8x64xf32>
    %z = stablehlo.tanh %y : tensor<8x64xf32>
    return %z : tensor<8x64xf32>
  }
}
