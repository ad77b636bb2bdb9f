// RUN: not tessera compile %s --emit=c --function=cholesky -o %t.c 2>&1 | FileCheck %s --check-prefix=OP
// RUN: not tessera compile %s --emit=c --function=eigenvalues -o %t.c 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not tessera compile %s --emit=c --function=unknown -o %t.c 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not tessera compile %s --emit=c --function=narrow -o %t.c 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not tessera compile %s --emit=c --function=token -o %t.c 2>&1 | FileCheck %s --check-prefix=TOKEN
// RUN: not tessera compile %s --emit=c --function=huge -o %t.c 2>&1 | FileCheck %s --check-prefix=HUGE
// RUN: not tessera compile %s --emit=c --spmd --function=plain -o %t.c 2>&1 | FileCheck %s --check-prefix=SPMD
// RUN: not tessera compile %s --emit=c --mesh=x=2 --arg=0:x --function=plain -o %t.c 2>&1 | FileCheck %s --check-prefix=SPMD
// RUN: not tessera compile %s --emit=rust --function=plain -o %t.c 2>&1 | FileCheck %s --check-prefix=LANGUAGE
// RUN: not tessera compile %s --weights=%t.bin --function=plain -o %t.c 2>&1 | FileCheck %s --check-prefix=WEIGHTS
// RUN: tessera compile %s --function=plain -o %t.tsrx && not tessera compile %t.tsrx --emit=c -o %t.c 2>&1 | FileCheck %s --check-prefix=SAVED
// RUN: not ls %t.c
// What has no form in C is refused where it stands, and no file is written.

// SPMD: --emit is c, which has one device: it goes without --spmd, --mesh, --arg and --result
// LANGUAGE: --emit is program or c
// WEIGHTS: --weights needs --emit=c
// SAVED: error:
func.func @cholesky(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // OP: [[@LINE+1]]:8: error: 'stablehlo.cholesky' op cannot be written as C: it runs by the engine's kernels of linear algebra (docs/EMIT.md)
  %0 = stablehlo.cholesky %a, lower = true : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
func.func @eigenvalues(%b: tensor<4x4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  // OTHER: [[@LINE+1]]:10: error: 'stablehlo.custom_call' op cannot be written as C: it runs by the evaluator's kernel (docs/EMIT.md)
  %0:4 = stablehlo.custom_call @lapack_cgeev_ffi(%b) {mhlo.backend_config = {compute_left = 78 : ui8, compute_right = 78 : ui8}} : (tensor<4x4xcomplex<f32>>) -> (tensor<4xcomplex<f32>>, tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>, tensor<i32>)
  return %0#0 : tensor<4xcomplex<f32>>
}
// SIZE: [[@LINE+1]]:1: error: cannot be written as C: argument 0 is no tensor of known sizes
func.func @unknown(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.abs %a : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @narrow(%a: tensor<4xf8E5M2>) -> tensor<4xf8E5M2> {
  // TYPE: [[@LINE+1]]:8: error: {{.*}}cannot be written as C: elements of type f8E5M2
  %0 = stablehlo.add %a, %a : tensor<4xf8E5M2>
  return %0 : tensor<4xf8E5M2>
}
// TOKEN: [[@LINE+1]]:1: error: cannot be written as C: argument 0 is no tensor of known sizes
func.func @token(%a: !stablehlo.token) -> !stablehlo.token {
  return %a : !stablehlo.token
}
func.func @plain(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
// HUGE: [[@LINE+1]]:1: error: cannot be written as C: no machine has the memory for it
func.func @huge(%a: tensor<4611686018427387904xf32>) -> tensor<4611686018427387904xf32> {
  %0 = stablehlo.abs %a : tensor<4611686018427387904xf32>
  return %0 : tensor<4611686018427387904xf32>
}
