// Rows of candidates in four dimensions, as kernels want them, give what those in two do.
// RUN: tessera opt %s --ttir-to-ttnn-runtime-pipeline -o %t && FileCheck %s --input-file %t
// RUN: tessera run %t --against=%s --input=random

// CHECK: "ttnn.sampling"({{.*}}tensor<1x1x32x64xbf16
func.func @f(%x: tensor<32x64xbf16>, %i: tensor<32x64xi32>, %k: tensor<32xui32>, %p: tensor<32xbf16>, %t: tensor<32xbf16>) -> tensor<32xi32> {
  %0 = "ttir.sampling"(%x, %i, %k, %p, %t) <{seed = 7 : ui32}> : (tensor<32x64xbf16>, tensor<32x64xi32>, tensor<32xui32>, tensor<32xbf16>, tensor<32xbf16>) -> tensor<32xi32>
  return %0 : tensor<32xi32>
}
