// Types that follow from others: batch ranks aligned right, promotion, sizes that are not known. What is written may know less.
// RUN: tessera opt %s | FileCheck %s
// CHECK: func.func @batch

func.func @batch(%a: tensor<2x1x3x4xf32>, %b: tensor<5x4x6xf32>, %c: tensor<4x6xf32>) {
  %0 = tessera.matmul %a, %b : tensor<2x1x3x4xf32>, tensor<5x4x6xf32> -> tensor<2x5x3x6xf32>
  %1 = tessera.matmul %a, %c : tensor<2x1x3x4xf32>, tensor<4x6xf32> -> tensor<2x1x3x6xf32>
  %2 = tessera.matmul %a, %b : tensor<2x1x3x4xf32>, tensor<5x4x6xf32> -> tensor<?x?x3x6xf32>
  %3 = tessera.matmul %a, %b : tensor<2x1x3x4xf32>, tensor<5x4x6xf32> -> tensor<*xf32>
  return
}
func.func @unknown(%a: tensor<?x3x?xf32>, %b: tensor<4x?x6xf32>, %c: tensor<*xf32>) {
  %0 = tessera.matmul %a, %b : tensor<?x3x?xf32>, tensor<4x?x6xf32> -> tensor<4x3x6xf32>
  %1 = tessera.matmul %a, %c : tensor<?x3x?xf32>, tensor<*xf32> -> tensor<*xf32>
  %2 = tessera.add %a, %b : tensor<?x3x?xf32>, tensor<4x?x6xf32> -> tensor<4x3x6xf32>
  return
}
func.func @promote(%i1: tensor<2xi1>, %i8: tensor<2xi8>, %u8: tensor<2xui8>, %i32: tensor<2xi32>, %u32: tensor<2xui32>,
                   %bf: tensor<2xbf16>, %f16: tensor<2xf16>, %f64: tensor<2xf64>, %f8: tensor<2xf8E4M3FN>,
                   %g8: tensor<2xf8E5M2>, %c: tensor<2xcomplex<f32>>) {
  %0 = tessera.add %i1, %i8 : tensor<2xi1>, tensor<2xi8> -> tensor<2xi8>
  %1 = tessera.add %i8, %u8 : tensor<2xi8>, tensor<2xui8> -> tensor<2xi16>
  %2 = tessera.add %i32, %u8 : tensor<2xi32>, tensor<2xui8> -> tensor<2xi32>
  %3 = tessera.add %i32, %u32 : tensor<2xi32>, tensor<2xui32> -> tensor<2xi64>
  %4 = tessera.add %bf, %i32 : tensor<2xbf16>, tensor<2xi32> -> tensor<2xbf16>
  %5 = tessera.add %bf, %f16 : tensor<2xbf16>, tensor<2xf16> -> tensor<2xf32>
  %6 = tessera.add %f8, %g8 : tensor<2xf8E4M3FN>, tensor<2xf8E5M2> -> tensor<2xbf16>
  %7 = tessera.add %f8, %f16 : tensor<2xf8E4M3FN>, tensor<2xf16> -> tensor<2xf16>
  %8 = tessera.add %c, %f64 : tensor<2xcomplex<f32>>, tensor<2xf64> -> tensor<2xcomplex<f64>>
  return
}
func.func @names(%a: tensor<?x?xf32, #tessera.dims<["B", "S"]>>, %b: tensor<?xf32, #tessera.dims<["S"]>>, %c: tensor<?xf32>) {
  %0 = tessera.add %a, %b : tensor<?x?xf32, #tessera.dims<["B", "S"]>>, tensor<?xf32, #tessera.dims<["S"]>> -> tensor<?x?xf32, #tessera.dims<["B", "S"]>>
  %1 = tessera.add %a, %c : tensor<?x?xf32, #tessera.dims<["B", "S"]>>, tensor<?xf32> -> tensor<?x?xf32, #tessera.dims<["B", ?]>>
  %2 = tessera.transpose %a : tensor<?x?xf32, #tessera.dims<["B", "S"]>> -> tensor<?x?xf32, #tessera.dims<["S", "B"]>>
  return
}
