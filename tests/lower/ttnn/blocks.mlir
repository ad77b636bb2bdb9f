// RUN: not tessera opt %s --ttir-to-ttnn-backend-pipeline 2>&1 | FileCheck %s
// RUN: not tessera opt %s --ttnn-layout 2>&1 | FileCheck %s
// RUN: not tessera opt %s --convert-ttir-to-ttnn 2>&1 | FileCheck %s
// RUN: not tessera opt %s --ttnn-deallocate 2>&1 | FileCheck %s
// RUN: tessera opt %s --ttir-to-ttir-decomposition | FileCheck %s --check-prefix=KEEP
// Functions of TTNN have one block. Passes that know no others refuse them; a block that was not seen would have kept its TTIR.

// CHECK: blocks.mlir:[[#@LINE+2]]:1: error: 'func.func' op 'branches' has several blocks; functions of TTNN have one
// KEEP: cf.cond_br
func.func @branches(%x: tensor<4x8xf32>, %c: i1) -> tensor<4x8xf32> {
  %0 = "ttir.abs"(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  cf.cond_br %c, ^bb1(%0 : tensor<4x8xf32>), ^bb2
^bb1(%y: tensor<4x8xf32>):
  return %y : tensor<4x8xf32>
^bb2:
  %1 = "ttir.neg"(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
