// Locations are kept in artifacts, and shown when asked for.
// RUN: stablehlo-translate --serialize --target=current %s | stablehlo-translate --deserialize --mlir-print-debuginfo | FileCheck %s
// RUN: stablehlo-translate --serialize --target=current %s | stablehlo-translate --deserialize | FileCheck %s --check-prefix=PLAIN
// RUN: stablehlo-translate --serialize --target=current --strip-debuginfo %s | stablehlo-translate --deserialize --mlir-print-debuginfo | FileCheck %s --check-prefix=STRIPPED

// CHECK: stablehlo.abs %arg0 : tensor<f32> loc(#[[LOC:.*]])
// CHECK: #[[LOC]] = loc("a.py":3:4)
// PLAIN-NOT: loc(
// STRIPPED-NOT: a.py
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.abs %x : tensor<f32> loc("a.py":3:4)
  return %0 : tensor<f32>
}
