// Sums of 65,536 products in another order: elements that are small beside the others have the error of large terms, and pass.
// RUN: tessera run %s --input=random --seed=1 --check | FileCheck %s
// CHECK: 0 {{.*}}PASS
// An element that is off by more is found.
// RUN: sh -c 'tessera run %s --input=random --seed=1 --against=%S/Inputs/deep_off.mlir >%t.out; test $? = 1'
// RUN: FileCheck %s --check-prefix=OFF --input-file=%t.out
// OFF: FAIL: {{[0-9]+}} of 16384 beyond the tolerance
func.func @main(%x: tensor<128x65536xf32>, %w: tensor<65536x128xf32>) -> tensor<128x128xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<128x65536xf32>, tensor<65536x128xf32>) -> tensor<128x128xf32>
  return %0 : tensor<128x128xf32>
}
