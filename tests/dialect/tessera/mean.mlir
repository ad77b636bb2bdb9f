// The mean of a norm is a quotient. Of three equal numbers it is that number, which the sum times a rounded 1/3 is not.
// RUN: tessera opt %s --tessera-to-stablehlo -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera run %s --engine=reference | FileCheck %s --check-prefix=VALUES
// RUN: tessera run %t.mlir --engine=reference | FileCheck %s --check-prefix=VALUES
// RUN: tessera run %t.mlir | FileCheck %s --check-prefix=VALUES
// CHECK-COUNT-2: stablehlo.divide
// CHECK-NOT: stablehlo.divide
// VALUES: [0.000000e+00, 0.000000e+00, 0.000000e+00]
func.func @main() -> tensor<3xf32> {
  %0 = tessera.constant dense<1.0e10> : tensor<3xf32>
  %1 = tessera.layer_norm %0 : tensor<3xf32> -> tensor<3xf32>
  return %1 : tensor<3xf32>
}
