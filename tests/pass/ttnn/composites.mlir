// Composites are written out, or become the op of their name where there is one.
// RUN: tessera opt %s --ttnn-resolve-composites -o %t && FileCheck %s --input-file %t
// RUN: tessera opt %s --ttnn-resolve-composites="composite-resolution=force-promote" -o %t && FileCheck %s --input-file %t --check-prefix=FORCED

// CHECK-LABEL: func.func @turn(
// CHECK: "ttnn.multiply"(%arg0, %arg1)
// CHECK-NOT: ttcore.composite
// CHECK-NOT: @turned
// FORCED: "ttnn.rotary_embedding"(%arg0, %arg1, %arg2)
func.func @turn(%x: tensor<1x1x32x64xbf16>, %c: tensor<1x1x32x64xbf16>, %s: tensor<1x1x32x64xbf16>) -> tensor<1x1x32x64xbf16> {
  %0 = "ttcore.composite"(%x, %c, %s) <{composite_name = "rotary_embedding", decomposition = @turned, composite_attributes = {}}> : (tensor<1x1x32x64xbf16>, tensor<1x1x32x64xbf16>, tensor<1x1x32x64xbf16>) -> tensor<1x1x32x64xbf16>
  return %0 : tensor<1x1x32x64xbf16>
}
func.func private @turned(%x: tensor<1x1x32x64xbf16>, %c: tensor<1x1x32x64xbf16>, %s: tensor<1x1x32x64xbf16>) -> tensor<1x1x32x64xbf16> {
  %0 = "ttnn.multiply"(%x, %c) : (tensor<1x1x32x64xbf16>, tensor<1x1x32x64xbf16>) -> tensor<1x1x32x64xbf16>
  %1 = "ttnn.add"(%0, %s) : (tensor<1x1x32x64xbf16>, tensor<1x1x32x64xbf16>) -> tensor<1x1x32x64xbf16>
  return %1 : tensor<1x1x32x64xbf16>
}

// A name that nobody knows is written out in any case.
// CHECK-LABEL: func.func @other(
// CHECK: "ttnn.abs"
// FORCED-LABEL: func.func @other(
// FORCED: "ttnn.abs"
func.func @other(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "ttcore.composite"(%x) <{composite_name = "of_my_own", decomposition = @mine}> : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @mine(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "ttnn.abs"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
