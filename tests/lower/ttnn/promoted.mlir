// Bodies of composites are laid out before what calls them, whatever their order. The promoted op had no layout: a crash.
// RUN: tessera opt %s --ttir-to-ttnn-backend-pipeline="composite-resolution=force-promote" -o %t && FileCheck %s --input-file %t
// CHECK: "ttnn.rotary_embedding"(%arg0, %arg1, %arg2){{.*}} -> tensor<1x1x32x64xbf16, #ttnn_layout
func.func @main(%x: tensor<1x1x32x64xbf16>, %c: tensor<1x1x32x64xbf16>, %s: tensor<1x1x32x64xbf16>) -> tensor<1x1x32x64xbf16> {
  %0 = "ttcore.composite"(%x, %c, %s) <{composite_name = "rotary_embedding", decomposition = @turned, composite_attributes = {}}> : (tensor<1x1x32x64xbf16>, tensor<1x1x32x64xbf16>, tensor<1x1x32x64xbf16>) -> tensor<1x1x32x64xbf16>
  return %0 : tensor<1x1x32x64xbf16>
}
func.func private @turned(%x: tensor<1x1x32x64xbf16>, %c: tensor<1x1x32x64xbf16>, %s: tensor<1x1x32x64xbf16>) -> tensor<1x1x32x64xbf16> {
  %0 = "ttir.multiply"(%x, %c) : (tensor<1x1x32x64xbf16>, tensor<1x1x32x64xbf16>) -> tensor<1x1x32x64xbf16>
  %1 = "ttir.add"(%0, %s) : (tensor<1x1x32x64xbf16>, tensor<1x1x32x64xbf16>) -> tensor<1x1x32x64xbf16>
  return %1 : tensor<1x1x32x64xbf16>
}
