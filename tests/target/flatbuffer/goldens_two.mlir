// Goldens of a binary are of one program: of two, it is not known whose they would be.
// RUN: tessera opt %s --ttir-to-ttnn-backend-pipeline -o %t.mlir
// RUN: not ttmlir-translate --ttnn-to-flatbuffer --goldens-from=%t.mlir %t.mlir -o %t.ttnn 2>&1 | FileCheck %s
// CHECK: error: {{.*}}goldens are of one program; there are 'main' and 'other'
func.func @main(%a: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = "ttir.abs"(%a) : (tensor<32x32xf32>) -> tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}
func.func @other(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = "ttir.neg"(%a) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
