// Products of vectors are sums of rows: no panels are packed.
// RUN: tessera run %s --function=batch --input=random --check --dump-program 2>&1 | FileCheck %s
// RUN: tessera run %s --function=alone --input=random --check --dump-program 2>&1 | FileCheck %s --check-prefix=LONG
// RUN: tessera run %s --function=turned --input=random --check --dump-program 2>&1 | FileCheck %s
// RUN: tessera run %s --function=narrow --input=random --check --dump-program 2>&1 | FileCheck %s
// RUN: tessera run %s --function=narrow --input=random --strict-rounding --check
// RUN: tessera run %s --function=integers --input=random --check --rtol=0
// RUN: tessera run %s --function=zeros --input=2x1xbf16=0,0 --input=2xbf16=-1,0 --check
// RUN: tessera run %s --function=batch --input=random --threads=1 --output=%t.npz
// RUN: tessera run %s --function=batch --input=random --threads=3 --expect=%t.npz --rtol=0 --atol=0
// CHECK: PASS
// CHECK-NOT: contract
// CHECK: row {{.*}}dot_general
// CHECK-NOT: contract
// LONG: PASS
// LONG: long row {{.*}}dot_general
func.func @batch(%a: tensor<100x300xf32>, %b: tensor<100x300xf32>) -> tensor<100xf32> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<100x300xf32>, tensor<100x300xf32>) -> tensor<100xf32>
  return %0 : tensor<100xf32>
}
func.func @alone(%a: tensor<100000xf32>, %b: tensor<100000xf32>) -> tensor<f32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<100000xf32>, tensor<100000xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @turned(%a: tensor<7x5x1x6xf64>, %b: tensor<6x1x5x7xf64>) -> tensor<6x1x1xf64> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [3] x [0], contracting_dims = [0, 1] x [3, 2] : (tensor<7x5x1x6xf64>, tensor<6x1x5x7xf64>) -> tensor<6x1x1xf64>
  return %0 : tensor<6x1x1xf64>
}
func.func @narrow(%a: tensor<9x65xbf16>, %b: tensor<9x65xbf16>) -> (tensor<9xbf16>, tensor<9xf32>) {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<9x65xbf16>, tensor<9x65xbf16>) -> tensor<9xbf16>
  %1 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<9x65xbf16>, tensor<9x65xbf16>) -> tensor<9xf32>
  return %0, %1 : tensor<9xbf16>, tensor<9xf32>
}
func.func @integers(%a: tensor<9x65xi8>, %b: tensor<9x65xi8>, %c: tensor<4x3xi64>) -> (tensor<9xi32>, tensor<9xi8>, tensor<4xi64>) {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<9x65xi8>, tensor<9x65xi8>) -> tensor<9xi32>
  %1 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<9x65xi8>, tensor<9x65xi8>) -> tensor<9xi8>
  %2 = stablehlo.dot_general %c, %c, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<4x3xi64>, tensor<4x3xi64>) -> tensor<4xi64>
  return %0, %1, %2 : tensor<9xi32>, tensor<9xi8>, tensor<4xi64>
}
// A sum of one product begins with zero: 0 * -1 is 0, not -0, which its root shows.
func.func @zeros(%a: tensor<2x1xbf16>, %b: tensor<2xbf16>) -> (tensor<2x1xbf16>, tensor<2xbf16>) {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [] x [] : (tensor<2x1xbf16>, tensor<2xbf16>) -> tensor<2x1xbf16>
  %1 = stablehlo.rsqrt %0 : tensor<2x1xbf16>
  %c = stablehlo.reshape %b : (tensor<2xbf16>) -> tensor<2x1xbf16>
  %2 = stablehlo.dot_general %a, %c, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x1xbf16>, tensor<2x1xbf16>) -> tensor<2xbf16>
  %3 = stablehlo.rsqrt %2 : tensor<2xbf16>
  return %1, %3 : tensor<2x1xbf16>, tensor<2xbf16>
}
