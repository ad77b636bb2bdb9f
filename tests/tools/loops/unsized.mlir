// Sizes that are known only when the program runs: no report has a peak.
// RUN: tessera shard %s --json 2>/dev/null | FileCheck %s
// RUN: tessera shard %s 2>/dev/null | FileCheck %s --check-prefix=TEXT
// RUN: tessera simulate %s 2>/dev/null | FileCheck %s --check-prefix=TEXT
// CHECK: "peak_bytes": null,
// TEXT: peak memory {{ *}}?
func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.add %x, %x : tensor<?x4xf32>
  %1 = stablehlo.multiply %0, %x : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
