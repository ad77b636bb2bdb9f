// RUN: ttmlir-opt %s --ttir-to-ttnn-backend-pipeline=enable-const-eval=false -o %t.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttmlir-translate --flatbuffer-to-ttnn %t.ttnn -o %t.back
// RUN: ttmlir-opt %t.back -o %t.again
// RUN: cmp %t.mlir %t.again
// RUN: tessera run %t.mlir --function=numbers --input=random > %t.text
// RUN: tessera run %t.ttnn --function=numbers --input=random > %t.flat
// RUN: cmp %t.text %t.flat
// A module, its binary, and the module again: nothing is lost.

func.func @numbers(%a: tensor<64x96xf32>, %b: tensor<96x32xf32>) -> (tensor<64x32xf32>, tensor<64xsi32>) {
  %0 = "ttir.matmul"(%a, %b) : (tensor<64x96xf32>, tensor<96x32xf32>) -> tensor<64x32xf32>
  %1 = "ttir.constant"() <{value = dense<0.333333343> : tensor<64x32xf32>}> : () -> tensor<64x32xf32>
  %2 = "ttir.add"(%0, %1) : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  %3 = "ttir.clamp_scalar"(%2) <{min = -1.0e-7 : f32, max = 3.0e+5 : f32}> : (tensor<64x32xf32>) -> tensor<64x32xf32>
  %4 = "ttir.softmax"(%3) <{dimension = -1 : si32, numericStable = true}> : (tensor<64x32xf32>) -> tensor<64x32xf32>
  %5 = "ttir.argmax"(%4) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<64x32xf32>) -> tensor<64xsi32>
  return %4, %5 : tensor<64x32xf32>, tensor<64xsi32>
}
func.func @moves(%a: tensor<2x3x32x64xbf16>, %i: tensor<1x4xsi32>, %w: tensor<10x32xbf16>) -> (tensor<2x64x32x6xbf16>, tensor<1x4x32xbf16>) {
  %0 = "ttir.permute"(%a) <{permutation = array<i64: 0, 3, 2, 1>}> : (tensor<2x3x32x64xbf16>) -> tensor<2x64x32x3xbf16>
  %1 = "ttir.concat"(%0, %0) <{dim = 3 : si32}> : (tensor<2x64x32x3xbf16>, tensor<2x64x32x3xbf16>) -> tensor<2x64x32x6xbf16>
  %2 = "ttir.embedding"(%i, %w) : (tensor<1x4xsi32>, tensor<10x32xbf16>) -> tensor<1x4x32xbf16>
  return %1, %2 : tensor<2x64x32x6xbf16>, tensor<1x4x32xbf16>
}
