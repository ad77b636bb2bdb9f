// --dump-clusters is the option of the passes that fuse, for all of them at once.
// RUN: tessera opt %s --tessera-fuse --dump-clusters -o /dev/null 2>&1 | FileCheck %s
// RUN: not tessera opt %s --cse --dump-clusters 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tessera opt %s --pass-pipeline='builtin.module(tessera-fuse)' --dump-clusters 2>&1 | FileCheck %s --check-prefix=LIST
// CHECK: @f
// CHECK: tessera.exp
// NONE: '-dump-clusters' needs a pass that fuses, such as --tessera-fuse
// LIST: '-dump-clusters' is the option dump-clusters=true of passes in '-pass-pipeline'
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tessera.exp %x : tensor<4xf32> -> tensor<4xf32>
  %1 = tessera.neg %0 : tensor<4xf32> -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
