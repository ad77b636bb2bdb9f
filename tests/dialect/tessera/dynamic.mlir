// Sizes that are known only at run time: evaluated as they are, and in StableHLO.
// RUN: tessera run %s --input=2x3x4xf32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24 --input=1x4x2xf32=1,2,3,4,5,6,7,8 --input=4xf32=1,1,2,2 --input=3xi32=2,0,3 --output=%t.npz
// RUN: tessera opt %s --tessera-to-stablehlo -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera run %t.mlir --input=2x3x4xf32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24 --input=1x4x2xf32=1,2,3,4,5,6,7,8 --input=4xf32=1,1,2,2 --input=3xi32=2,0,3 --expect=%t.npz
// CHECK-NOT: tessera.

func.func @main(%x: tensor<?x?x4xf32, #tessera.dims<["B", "S", ?]>>, %w: tensor<?x?x2xf32>, %b: tensor<?xf32>, %i: tensor<?xi32>)
    -> (tensor<?x?x4xf32>, tensor<?x?x2xf32>, tensor<?x?x4xf32>, tensor<?x?x2x2xf32>, tensor<?x4xf32>, tensor<?x?xf32>, tensor<?x?x4xf32>, tensor<?x?x4xf32>, tensor<?x?x4xf32>) {
  %0 = tessera.mul %x, %b : tensor<?x?x4xf32, #tessera.dims<["B", "S", ?]>>, tensor<?xf32> -> tensor<?x?x4xf32>
  %1 = tessera.matmul %x, %w : tensor<?x?x4xf32, #tessera.dims<["B", "S", ?]>>, tensor<?x?x2xf32> -> tensor<?x?x2xf32>
  %2 = tessera.softmax %x {axis = 1} : tensor<?x?x4xf32, #tessera.dims<["B", "S", ?]>> -> tensor<?x?x4xf32>
  %3 = tessera.reshape %x : tensor<?x?x4xf32, #tessera.dims<["B", "S", ?]>> -> tensor<?x?x2x2xf32, #tessera.dims<["B", "S", ?, ?]>>
  %4 = tessera.reshape %x : tensor<?x?x4xf32, #tessera.dims<["B", "S", ?]>> -> tensor<?x4xf32>
  %5 = tessera.reduce "mean" %x, dims = [-1] : tensor<?x?x4xf32, #tessera.dims<["B", "S", ?]>> -> tensor<?x?xf32>
  %6 = tessera.flash_attention %x, %x, %x {causal = true} : tensor<?x?x4xf32, #tessera.dims<["B", "S", ?]>>, tensor<?x?x4xf32, #tessera.dims<["B", "S", ?]>>, tensor<?x?x4xf32, #tessera.dims<["B", "S", ?]>> -> tensor<?x?x4xf32>
  %7 = tessera.layer_norm %x : tensor<?x?x4xf32, #tessera.dims<["B", "S", ?]>> -> tensor<?x?x4xf32>
  %8 = tessera.embedding %4, %i : tensor<?x4xf32>, tensor<?xi32> -> tensor<?x4xf32>
  %9 = tessera.add %8, %x : tensor<?x4xf32>, tensor<?x?x4xf32, #tessera.dims<["B", "S", ?]>> -> tensor<?x?x4xf32>
  %10 = tessera.reshape %3 : tensor<?x?x2x2xf32, #tessera.dims<["B", "S", ?, ?]>> -> tensor<?x?x2x2xf32, #tessera.dims<["B", "S", ?, ?]>>
  %11 = tessera.cast %10 : tensor<?x?x2x2xf32, #tessera.dims<["B", "S", ?, ?]>> -> tensor<?x?x2x2xf32>
  return %0, %1, %2, %11, %4, %5, %6, %7, %9 : tensor<?x?x4xf32>, tensor<?x?x2xf32>, tensor<?x?x4xf32>, tensor<?x?x2x2xf32>, tensor<?x4xf32>, tensor<?x?xf32>, tensor<?x?x4xf32>, tensor<?x?x4xf32>, tensor<?x?x4xf32>
}
