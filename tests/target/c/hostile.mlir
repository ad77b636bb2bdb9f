// RUN: tessera compile %S/Inputs/hostile.mlir --emit=c --weights='%t"; #error ??' -o - | FileCheck %s
// Names of files, functions, arguments and places are no code, not even comments.
// CHECK: /* model______int_main_void____system__id______________error__s__n: a model
// CHECK-NOT: #error %s
// CHECK-NOT: system(
// CHECK-NOT: "; #error
// CHECK: int model______int_main_void____system__id______________error__s__n(const void
