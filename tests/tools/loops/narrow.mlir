// The engine stores the factor of two products, beside the value that it is a conversion of; reports count it.
// RUN: tessera shard %s --json 2>/dev/null | FileCheck %s
// RUN: tessera run %s --memory --json --input=random | FileCheck %s --check-prefix=ENGINE

// Arguments of 327,680 bytes, results of as many, and the factor of 131,072.
// CHECK: "peak_bytes": 786432,
// ENGINE: "peak": 786432,
func.func @main(%x: tensor<256x256xf32>, %v: tensor<256x64xbf16>, %d: tensor<256x64xbf16>) -> (tensor<256x64xbf16>, tensor<256x64xbf16>, tensor<256x256xf32>) {
  %e = stablehlo.exponential %x : tensor<256x256xf32>
  %p = stablehlo.convert %e : (tensor<256x256xf32>) -> tensor<256x256xbf16>
  %y = stablehlo.dot_general %p, %v, contracting_dims = [1] x [0] : (tensor<256x256xbf16>, tensor<256x64xbf16>) -> tensor<256x64xbf16>
  %z = stablehlo.dot_general %p, %d, contracting_dims = [0] x [0] : (tensor<256x256xbf16>, tensor<256x64xbf16>) -> tensor<256x64xbf16>
  %s = stablehlo.dot_general %d, %y, contracting_dims = [1] x [1] : (tensor<256x64xbf16>, tensor<256x64xbf16>) -> tensor<256x256xf32>
  %r = stablehlo.multiply %s, %e : tensor<256x256xf32>
  return %y, %z, %r : tensor<256x64xbf16>, tensor<256x64xbf16>, tensor<256x256xf32>
}
