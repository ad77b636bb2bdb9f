// RUN: tessera opt %s | FileCheck %s
// RUN: tessera opt %s | tessera opt | FileCheck %s
// Encodings print under one name, with their dimensions numbered.

#CSR = #sparse_tensor.encoding<{
  map = (rows, cols) -> (rows : dense, cols : compressed)
}>
#COO = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : singleton(nonordered, soa)), posWidth = 32, crdWidth = 64 }>
#BLOCKS = #sparse_tensor.encoding<{ map = (i) -> (i floordiv 4 : dense, i mod 4 : structured[2, 4]), posWidth = 0, explicitVal = 1.0 : f32 }>

// CHECK: #sparse = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
// CHECK-NEXT: #sparse1 = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(nonordered, soa)), posWidth = 32, crdWidth = 64 }>
// CHECK-NEXT: #sparse2 = #sparse_tensor.encoding<{ map = (d0) -> (d0 floordiv 4 : dense, d0 mod 4 : structured[2, 4]), explicitVal = 1.000000e+00 : f32 }>
// CHECK: func private @f(tensor<2x2xf32, #sparse>, tensor<2x2xf32, #sparse1>, tensor<8xf32, #sparse2>)
func.func private @f(tensor<2x2xf32, #CSR>, tensor<2x2xf32, #COO>, tensor<8xf32, #BLOCKS>)
