// Products without sums are maps, into which their readers fuse. Where a sum of one product is +0, so is the map.
// RUN: tessera run %s --input=random --dump-program --check --atol=0 --rtol=0 2>&1 >%t.table | FileCheck %s
// RUN: FileCheck %s --check-prefix=TABLE <%t.table
// RUN: tessera run %s --function=signs --input=2xf32=1,-0.0 --input=2xf32=1,-1 | FileCheck %s --check-prefix=SIGNS
// CHECK: program of @main
// CHECK-NOT: contract
// CHECK: map dot_general n=12288
// CHECK-NOT: contract
// CHECK: map dot_general+negate n=6144
// CHECK-NOT: contract
// TABLE-COUNT-3: PASS (exact)
func.func @main(%a: tensor<3x64x64xf32>, %b: tensor<64x3x64xf32>, %c: tensor<3x64xbf16>, %d: tensor<32x1x3xbf16>,
                %e: tensor<7x1xi8>, %f: tensor<1x5xi8>) -> (tensor<3x64x64xf32>, tensor<3x64x32x1xbf16>, tensor<7x5xi32>) {
  // Dimensions of the batch alone, in another order.
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0, 1, 2] x [1, 0, 2], contracting_dims = [] x [] : (tensor<3x64x64xf32>, tensor<64x3x64xf32>) -> tensor<3x64x64xf32>
  // An outer product for each element of the batch.
  %1 = stablehlo.dot_general %c, %d, batching_dims = [0] x [2], contracting_dims = [] x [] : (tensor<3x64xbf16>, tensor<32x1x3xbf16>) -> tensor<3x64x32x1xbf16>
  %2 = stablehlo.negate %1 : tensor<3x64x32x1xbf16>
  // A sum of one product.
  %3 = stablehlo.dot_general %e, %f, contracting_dims = [1] x [0] : (tensor<7x1xi8>, tensor<1x5xi8>) -> tensor<7x5xi32>
  return %0, %2, %3 : tensor<3x64x64xf32>, tensor<3x64x32x1xbf16>, tensor<7x5xi32>
}
// -0 by 1, and 0 plus that.
// SIGNS: 1.000000e+00, -1.000000e+00
// SIGNS-NEXT: [0.000000e+00, 0.000000e+00]
func.func @signs(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [] x [] : (tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
