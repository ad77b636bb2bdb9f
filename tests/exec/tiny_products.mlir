// Products of up to four steps of the depth and up to four lines of a side are maps, in the memory order of the larger
// side; others, and small ones, are not.
// RUN: tessera run %s --input=random --dump-program --check 2>&1 >%t.table | FileCheck %s
// RUN: FileCheck %s --check-prefix=TABLE <%t.table
// CHECK: program of @main
// CHECK-DAG: map dot_general n=8192
// CHECK-DAG: map dot_general n=4096
// CHECK-DAG: map dot_general n=1800
// CHECK-DAG: map dot_general+negate n=2048
// CHECK-DAG: contract dot_general {{.*}}5x512xf32@result
// CHECK-DAG: contract dot_general {{.*}}3x3xf32@result
// TABLE-COUNT-6: PASS
func.func @main(%a: tensor<32x2x2xf32>, %d: tensor<128x32x2xf32>, %c: tensor<3x600xf32>, %e: tensor<3x3xf32>,
                %f: tensor<4x2xi32>, %g: tensor<512x2xi32>, %h: tensor<5x2xf32>, %i: tensor<512x2xf32>, %k: tensor<3x3xf32>)
    -> (tensor<32x2x128xf32>, tensor<128x32xf32>, tensor<3x600xf32>, tensor<4x512xi32>, tensor<5x512xf32>, tensor<3x3xf32>) {
  // A small matrix by rows of each element of the batch, and the result by the same rows, as quadratic forms are.
  %0 = stablehlo.dot_general %a, %d, batching_dims = [0] x [1], contracting_dims = [1] x [2] : (tensor<32x2x2xf32>, tensor<128x32x2xf32>) -> tensor<32x2x128xf32>
  %1 = stablehlo.dot_general %d, %0, batching_dims = [0, 1] x [2, 0], contracting_dims = [2] x [1] : (tensor<128x32x2xf32>, tensor<32x2x128xf32>) -> tensor<128x32xf32>
  // A larger side that is transposed.
  %2 = stablehlo.dot_general %e, %c, contracting_dims = [0] x [0] : (tensor<3x3xf32>, tensor<3x600xf32>) -> tensor<3x600xf32>
  %4 = stablehlo.dot_general %f, %g, contracting_dims = [1] x [1] : (tensor<4x2xi32>, tensor<512x2xi32>) -> tensor<4x512xi32>
  %3 = stablehlo.negate %4 : tensor<4x512xi32>
  // Five lines; few elements.
  %5 = stablehlo.dot_general %h, %i, contracting_dims = [1] x [1] : (tensor<5x2xf32>, tensor<512x2xf32>) -> tensor<5x512xf32>
  %6 = stablehlo.dot_general %k, %k, contracting_dims = [1] x [0] : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return %0, %1, %2, %3, %5, %6 : tensor<32x2x128xf32>, tensor<128x32xf32>, tensor<3x600xf32>, tensor<4x512xi32>, tensor<5x512xf32>, tensor<3x3xf32>
}
