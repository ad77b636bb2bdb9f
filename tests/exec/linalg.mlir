// Factors and solutions of matrices are movements: in blocks, by products of matrices, in the type of the operands. Each is compared with the evaluator's, which is computed in double:
// tall and wide matrices, sizes that blocks do not divide, batches, both triangles, sides and transposes, and matrices that have no factor.
// RUN: tessera run %s --function=tall --input=random --check --rtol=1e-4 --atol=1e-4
// RUN: tessera run %s --function=tall --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// RUN: tessera run %s --function=wide --input=random --check --rtol=1e-11 --atol=1e-11
// RUN: tessera run %s --function=wide --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// RUN: tessera run %s --function=small --input=random --check --rtol=1e-4 --atol=1e-4
// RUN: tessera run %s --function=small --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// RUN: tessera run %s --function=large --input=random --check --rtol=1e-11 --atol=1e-11
// RUN: tessera run %s --function=large --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// RUN: tessera run %s --function=spectra --input=random --check --rtol=2e-4 --atol=2e-4
// RUN: tessera run %s --function=spectra --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// RUN: tessera run %s --function=spectra --input=random --threads=1 --output=%t.npz
// RUN: tessera run %s --function=spectra --input=random --threads=3 --expect=%t.npz --rtol=0 --atol=0
// RUN: tessera run %s --function=tall --input=random --threads=1 --output=%t.npz
// RUN: tessera run %s --function=tall --input=random --threads=2 --expect=%t.npz --rtol=0 --atol=0
// RUN: tessera run %s --function=tall --input=random --threads=3 --expect=%t.npz --rtol=0 --atol=0
// RUN: tessera run %s --function=tall --input=random --threads=7 --expect=%t.npz --rtol=0 --atol=0
// CHECK: 0 by the evaluator's kernels
// The older form of targets and other types are the evaluator's; matrices without elements need no kernel.
// RUN: tessera run %s --function=others --input=random --dump-program 2>&1 >/dev/null | FileCheck %s --check-prefix=OTHERS
// OTHERS: 2 by the evaluator's kernels: 1 stablehlo.cholesky, 1 stablehlo.custom_call
func.func @tall(%x: tensor<3x70x70xf32>, %r: tensor<3x70x35xf32>, %y: tensor<3x70x5xf32>, %z: tensor<3x5x70xf32>) -> (tensor<3x70x70xf32>, tensor<3x70x70xf32>, tensor<3x70x70xf32>, tensor<3x70x70xf32>, tensor<3xi32>, tensor<3x70x70xf32>, tensor<3xi32>, tensor<3x70x70xf32>, tensor<3xi32>, tensor<3x70x5xf32>, tensor<3x70x5xf32>, tensor<3x5x70xf32>, tensor<3x5x70xf32>, tensor<3x5x70xf32>, tensor<3x70x35xf32>, tensor<3x35xi32>, tensor<3xi32>, tensor<3x70x35xf32>, tensor<3x35xf32>, tensor<3x70x35xf32>, tensor<3x70x5xf32>, tensor<3x5x70xf32>) {
  %i = stablehlo.iota dim = 0 : tensor<70x70xi32>
  %j = stablehlo.iota dim = 1 : tensor<70x70xi32>
  %e = stablehlo.compare EQ, %i, %j : (tensor<70x70xi32>, tensor<70x70xi32>) -> tensor<70x70xi1>
  %eb = stablehlo.broadcast_in_dim %e, dims = [1, 2] : (tensor<70x70xi1>) -> tensor<3x70x70xi1>
  %d = stablehlo.constant dense<280.0> : tensor<3x70x70xf32>
  %s = stablehlo.select %eb, %d, %x : tensor<3x70x70xi1>, tensor<3x70x70xf32>
  %n = stablehlo.negate %s : tensor<3x70x70xf32>
  %c0 = stablehlo.cholesky %s, lower = true : tensor<3x70x70xf32>
  %c1 = stablehlo.cholesky %s, lower = false : tensor<3x70x70xf32>
  %c2 = stablehlo.cholesky %x : tensor<3x70x70xf32>
  %p0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%s) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<3x70x70xf32>) -> (tensor<3x70x70xf32>, tensor<3xi32>)
  %p1:2 = stablehlo.custom_call @lapack_spotrf_ffi(%s) {mhlo.backend_config = {uplo = 85 : ui8}} : (tensor<3x70x70xf32>) -> (tensor<3x70x70xf32>, tensor<3xi32>)
  %p2:2 = stablehlo.custom_call @lapack_spotrf_ffi(%n) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<3x70x70xf32>) -> (tensor<3x70x70xf32>, tensor<3xi32>)
  %t0 = "stablehlo.triangular_solve"(%s, %y) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x70x70xf32>, tensor<3x70x5xf32>) -> tensor<3x70x5xf32>
  %t1 = "stablehlo.triangular_solve"(%s, %y) <{left_side = true, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>}> : (tensor<3x70x70xf32>, tensor<3x70x5xf32>) -> tensor<3x70x5xf32>
  %t2 = "stablehlo.triangular_solve"(%s, %z) <{left_side = false, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<3x70x70xf32>, tensor<3x5x70xf32>) -> tensor<3x5x70xf32>
  %t3 = "stablehlo.triangular_solve"(%s, %z) <{left_side = false, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x70x70xf32>, tensor<3x5x70xf32>) -> tensor<3x5x70xf32>
  %t4 = stablehlo.custom_call @lapack_strsm_ffi(%s, %z) {mhlo.backend_config = {side = 82 : ui8, uplo = 85 : ui8, trans_x = 67 : ui8, diag = 78 : ui8}} : (tensor<3x70x70xf32>, tensor<3x5x70xf32>) -> tensor<3x5x70xf32>
  %l:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%r) : (tensor<3x70x35xf32>) -> (tensor<3x70x35xf32>, tensor<3x35xi32>, tensor<3xi32>)
  %q:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%r) : (tensor<3x70x35xf32>) -> (tensor<3x70x35xf32>, tensor<3x35xf32>)
  %o = stablehlo.custom_call @lapack_sorgqr_ffi(%q#0, %q#1) : (tensor<3x70x35xf32>, tensor<3x35xf32>) -> tensor<3x70x35xf32>
  %m0 = stablehlo.custom_call @lapack_sormqr_ffi(%q#0, %q#1, %y) {mhlo.backend_config = {left = true, transpose = true}} : (tensor<3x70x35xf32>, tensor<3x35xf32>, tensor<3x70x5xf32>) -> tensor<3x70x5xf32>
  %m1 = stablehlo.custom_call @lapack_sormqr_ffi(%q#0, %q#1, %z) {mhlo.backend_config = {left = false, transpose = false}} : (tensor<3x70x35xf32>, tensor<3x35xf32>, tensor<3x5x70xf32>) -> tensor<3x5x70xf32>
  return %c0, %c1, %c2, %p0#0, %p0#1, %p1#0, %p1#1, %p2#0, %p2#1, %t0, %t1, %t2, %t3, %t4, %l#0, %l#1, %l#2, %q#0, %q#1, %o, %m0, %m1 : tensor<3x70x70xf32>, tensor<3x70x70xf32>, tensor<3x70x70xf32>, tensor<3x70x70xf32>, tensor<3xi32>, tensor<3x70x70xf32>, tensor<3xi32>, tensor<3x70x70xf32>, tensor<3xi32>, tensor<3x70x5xf32>, tensor<3x70x5xf32>, tensor<3x5x70xf32>, tensor<3x5x70xf32>, tensor<3x5x70xf32>, tensor<3x70x35xf32>, tensor<3x35xi32>, tensor<3xi32>, tensor<3x70x35xf32>, tensor<3x35xf32>, tensor<3x70x35xf32>, tensor<3x70x5xf32>, tensor<3x5x70xf32>
}
func.func @wide(%x: tensor<33x33xf64>, %r: tensor<33x68xf64>, %y: tensor<33x66xf64>, %z: tensor<66x33xf64>) -> (tensor<33x33xf64>, tensor<33x33xf64>, tensor<33x33xf64>, tensor<33x33xf64>, tensor<i32>, tensor<33x33xf64>, tensor<i32>, tensor<33x33xf64>, tensor<i32>, tensor<33x66xf64>, tensor<33x66xf64>, tensor<66x33xf64>, tensor<66x33xf64>, tensor<66x33xf64>, tensor<33x68xf64>, tensor<33xi32>, tensor<i32>, tensor<33x68xf64>, tensor<33xf64>, tensor<33x66xf64>, tensor<66x33xf64>) {
  %i = stablehlo.iota dim = 0 : tensor<33x33xi32>
  %j = stablehlo.iota dim = 1 : tensor<33x33xi32>
  %e = stablehlo.compare EQ, %i, %j : (tensor<33x33xi32>, tensor<33x33xi32>) -> tensor<33x33xi1>
  %eb = stablehlo.broadcast_in_dim %e, dims = [0, 1] : (tensor<33x33xi1>) -> tensor<33x33xi1>
  %d = stablehlo.constant dense<132.0> : tensor<33x33xf64>
  %s = stablehlo.select %eb, %d, %x : tensor<33x33xi1>, tensor<33x33xf64>
  %n = stablehlo.negate %s : tensor<33x33xf64>
  %c0 = stablehlo.cholesky %s, lower = true : tensor<33x33xf64>
  %c1 = stablehlo.cholesky %s, lower = false : tensor<33x33xf64>
  %c2 = stablehlo.cholesky %x : tensor<33x33xf64>
  %p0:2 = stablehlo.custom_call @lapack_dpotrf_ffi(%s) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<33x33xf64>) -> (tensor<33x33xf64>, tensor<i32>)
  %p1:2 = stablehlo.custom_call @lapack_dpotrf_ffi(%s) {mhlo.backend_config = {uplo = 85 : ui8}} : (tensor<33x33xf64>) -> (tensor<33x33xf64>, tensor<i32>)
  %p2:2 = stablehlo.custom_call @lapack_dpotrf_ffi(%n) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<33x33xf64>) -> (tensor<33x33xf64>, tensor<i32>)
  %t0 = "stablehlo.triangular_solve"(%s, %y) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<33x33xf64>, tensor<33x66xf64>) -> tensor<33x66xf64>
  %t1 = "stablehlo.triangular_solve"(%s, %y) <{left_side = true, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>}> : (tensor<33x33xf64>, tensor<33x66xf64>) -> tensor<33x66xf64>
  %t2 = "stablehlo.triangular_solve"(%s, %z) <{left_side = false, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<33x33xf64>, tensor<66x33xf64>) -> tensor<66x33xf64>
  %t3 = "stablehlo.triangular_solve"(%s, %z) <{left_side = false, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<33x33xf64>, tensor<66x33xf64>) -> tensor<66x33xf64>
  %t4 = stablehlo.custom_call @lapack_dtrsm_ffi(%s, %z) {mhlo.backend_config = {side = 82 : ui8, uplo = 85 : ui8, trans_x = 67 : ui8, diag = 78 : ui8}} : (tensor<33x33xf64>, tensor<66x33xf64>) -> tensor<66x33xf64>
  %l:3 = stablehlo.custom_call @lapack_dgetrf_ffi(%r) : (tensor<33x68xf64>) -> (tensor<33x68xf64>, tensor<33xi32>, tensor<i32>)
  %q:2 = stablehlo.custom_call @lapack_dgeqrf_ffi(%r) : (tensor<33x68xf64>) -> (tensor<33x68xf64>, tensor<33xf64>)
  %m0 = stablehlo.custom_call @lapack_dormqr_ffi(%q#0, %q#1, %y) {mhlo.backend_config = {left = true, transpose = true}} : (tensor<33x68xf64>, tensor<33xf64>, tensor<33x66xf64>) -> tensor<33x66xf64>
  %m1 = stablehlo.custom_call @lapack_dormqr_ffi(%q#0, %q#1, %z) {mhlo.backend_config = {left = false, transpose = false}} : (tensor<33x68xf64>, tensor<33xf64>, tensor<66x33xf64>) -> tensor<66x33xf64>
  return %c0, %c1, %c2, %p0#0, %p0#1, %p1#0, %p1#1, %p2#0, %p2#1, %t0, %t1, %t2, %t3, %t4, %l#0, %l#1, %l#2, %q#0, %q#1, %m0, %m1 : tensor<33x33xf64>, tensor<33x33xf64>, tensor<33x33xf64>, tensor<33x33xf64>, tensor<i32>, tensor<33x33xf64>, tensor<i32>, tensor<33x33xf64>, tensor<i32>, tensor<33x66xf64>, tensor<33x66xf64>, tensor<66x33xf64>, tensor<66x33xf64>, tensor<66x33xf64>, tensor<33x68xf64>, tensor<33xi32>, tensor<i32>, tensor<33x68xf64>, tensor<33xf64>, tensor<33x66xf64>, tensor<66x33xf64>
}
func.func @small(%x: tensor<2x2x5x5xcomplex<f32>>, %r: tensor<2x2x5x4xcomplex<f32>>, %y: tensor<2x2x5x3xcomplex<f32>>, %z: tensor<2x2x3x5xcomplex<f32>>) -> (tensor<2x2x5x5xcomplex<f32>>, tensor<2x2x5x5xcomplex<f32>>, tensor<2x2x5x5xcomplex<f32>>, tensor<2x2x5x5xcomplex<f32>>, tensor<2x2xi32>, tensor<2x2x5x5xcomplex<f32>>, tensor<2x2xi32>, tensor<2x2x5x5xcomplex<f32>>, tensor<2x2xi32>, tensor<2x2x5x3xcomplex<f32>>, tensor<2x2x5x3xcomplex<f32>>, tensor<2x2x3x5xcomplex<f32>>, tensor<2x2x3x5xcomplex<f32>>, tensor<2x2x3x5xcomplex<f32>>, tensor<2x2x5x4xcomplex<f32>>, tensor<2x2x4xi32>, tensor<2x2xi32>, tensor<2x2x5x4xcomplex<f32>>, tensor<2x2x4xcomplex<f32>>, tensor<2x2x5x4xcomplex<f32>>, tensor<2x2x5x3xcomplex<f32>>, tensor<2x2x3x5xcomplex<f32>>) {
  %i = stablehlo.iota dim = 0 : tensor<5x5xi32>
  %j = stablehlo.iota dim = 1 : tensor<5x5xi32>
  %e = stablehlo.compare EQ, %i, %j : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
  %eb = stablehlo.broadcast_in_dim %e, dims = [2, 3] : (tensor<5x5xi1>) -> tensor<2x2x5x5xi1>
  %d = stablehlo.constant dense<(20.0, 0.0)> : tensor<2x2x5x5xcomplex<f32>>
  %s = stablehlo.select %eb, %d, %x : tensor<2x2x5x5xi1>, tensor<2x2x5x5xcomplex<f32>>
  %n = stablehlo.negate %s : tensor<2x2x5x5xcomplex<f32>>
  %c0 = stablehlo.cholesky %s, lower = true : tensor<2x2x5x5xcomplex<f32>>
  %c1 = stablehlo.cholesky %s, lower = false : tensor<2x2x5x5xcomplex<f32>>
  %c2 = stablehlo.cholesky %x : tensor<2x2x5x5xcomplex<f32>>
  %p0:2 = stablehlo.custom_call @lapack_cpotrf_ffi(%s) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<2x2x5x5xcomplex<f32>>) -> (tensor<2x2x5x5xcomplex<f32>>, tensor<2x2xi32>)
  %p1:2 = stablehlo.custom_call @lapack_cpotrf_ffi(%s) {mhlo.backend_config = {uplo = 85 : ui8}} : (tensor<2x2x5x5xcomplex<f32>>) -> (tensor<2x2x5x5xcomplex<f32>>, tensor<2x2xi32>)
  %p2:2 = stablehlo.custom_call @lapack_cpotrf_ffi(%n) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<2x2x5x5xcomplex<f32>>) -> (tensor<2x2x5x5xcomplex<f32>>, tensor<2x2xi32>)
  %t0 = "stablehlo.triangular_solve"(%s, %y) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<2x2x5x5xcomplex<f32>>, tensor<2x2x5x3xcomplex<f32>>) -> tensor<2x2x5x3xcomplex<f32>>
  %t1 = "stablehlo.triangular_solve"(%s, %y) <{left_side = true, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>}> : (tensor<2x2x5x5xcomplex<f32>>, tensor<2x2x5x3xcomplex<f32>>) -> tensor<2x2x5x3xcomplex<f32>>
  %t2 = "stablehlo.triangular_solve"(%s, %z) <{left_side = false, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<2x2x5x5xcomplex<f32>>, tensor<2x2x3x5xcomplex<f32>>) -> tensor<2x2x3x5xcomplex<f32>>
  %t3 = "stablehlo.triangular_solve"(%s, %z) <{left_side = false, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<2x2x5x5xcomplex<f32>>, tensor<2x2x3x5xcomplex<f32>>) -> tensor<2x2x3x5xcomplex<f32>>
  %t4 = stablehlo.custom_call @lapack_ctrsm_ffi(%s, %z) {mhlo.backend_config = {side = 82 : ui8, uplo = 85 : ui8, trans_x = 67 : ui8, diag = 78 : ui8}} : (tensor<2x2x5x5xcomplex<f32>>, tensor<2x2x3x5xcomplex<f32>>) -> tensor<2x2x3x5xcomplex<f32>>
  %l:3 = stablehlo.custom_call @lapack_cgetrf_ffi(%r) : (tensor<2x2x5x4xcomplex<f32>>) -> (tensor<2x2x5x4xcomplex<f32>>, tensor<2x2x4xi32>, tensor<2x2xi32>)
  %q:2 = stablehlo.custom_call @lapack_cgeqrf_ffi(%r) : (tensor<2x2x5x4xcomplex<f32>>) -> (tensor<2x2x5x4xcomplex<f32>>, tensor<2x2x4xcomplex<f32>>)
  %o = stablehlo.custom_call @lapack_cungqr_ffi(%q#0, %q#1) : (tensor<2x2x5x4xcomplex<f32>>, tensor<2x2x4xcomplex<f32>>) -> tensor<2x2x5x4xcomplex<f32>>
  %m0 = stablehlo.custom_call @lapack_cunmqr_ffi(%q#0, %q#1, %y) {mhlo.backend_config = {left = true, transpose = true}} : (tensor<2x2x5x4xcomplex<f32>>, tensor<2x2x4xcomplex<f32>>, tensor<2x2x5x3xcomplex<f32>>) -> tensor<2x2x5x3xcomplex<f32>>
  %m1 = stablehlo.custom_call @lapack_cunmqr_ffi(%q#0, %q#1, %z) {mhlo.backend_config = {left = false, transpose = false}} : (tensor<2x2x5x4xcomplex<f32>>, tensor<2x2x4xcomplex<f32>>, tensor<2x2x3x5xcomplex<f32>>) -> tensor<2x2x3x5xcomplex<f32>>
  return %c0, %c1, %c2, %p0#0, %p0#1, %p1#0, %p1#1, %p2#0, %p2#1, %t0, %t1, %t2, %t3, %t4, %l#0, %l#1, %l#2, %q#0, %q#1, %o, %m0, %m1 : tensor<2x2x5x5xcomplex<f32>>, tensor<2x2x5x5xcomplex<f32>>, tensor<2x2x5x5xcomplex<f32>>, tensor<2x2x5x5xcomplex<f32>>, tensor<2x2xi32>, tensor<2x2x5x5xcomplex<f32>>, tensor<2x2xi32>, tensor<2x2x5x5xcomplex<f32>>, tensor<2x2xi32>, tensor<2x2x5x3xcomplex<f32>>, tensor<2x2x5x3xcomplex<f32>>, tensor<2x2x3x5xcomplex<f32>>, tensor<2x2x3x5xcomplex<f32>>, tensor<2x2x3x5xcomplex<f32>>, tensor<2x2x5x4xcomplex<f32>>, tensor<2x2x4xi32>, tensor<2x2xi32>, tensor<2x2x5x4xcomplex<f32>>, tensor<2x2x4xcomplex<f32>>, tensor<2x2x5x4xcomplex<f32>>, tensor<2x2x5x3xcomplex<f32>>, tensor<2x2x3x5xcomplex<f32>>
}
func.func @large(%x: tensor<67x67xcomplex<f64>>, %r: tensor<67x33xcomplex<f64>>, %y: tensor<67x2xcomplex<f64>>, %z: tensor<2x67xcomplex<f64>>) -> (tensor<67x67xcomplex<f64>>, tensor<67x67xcomplex<f64>>, tensor<67x67xcomplex<f64>>, tensor<67x67xcomplex<f64>>, tensor<i32>, tensor<67x67xcomplex<f64>>, tensor<i32>, tensor<67x67xcomplex<f64>>, tensor<i32>, tensor<67x2xcomplex<f64>>, tensor<67x2xcomplex<f64>>, tensor<2x67xcomplex<f64>>, tensor<2x67xcomplex<f64>>, tensor<2x67xcomplex<f64>>, tensor<67x33xcomplex<f64>>, tensor<33xi32>, tensor<i32>, tensor<67x33xcomplex<f64>>, tensor<33xcomplex<f64>>, tensor<67x33xcomplex<f64>>, tensor<67x2xcomplex<f64>>, tensor<2x67xcomplex<f64>>) {
  %i = stablehlo.iota dim = 0 : tensor<67x67xi32>
  %j = stablehlo.iota dim = 1 : tensor<67x67xi32>
  %e = stablehlo.compare EQ, %i, %j : (tensor<67x67xi32>, tensor<67x67xi32>) -> tensor<67x67xi1>
  %eb = stablehlo.broadcast_in_dim %e, dims = [0, 1] : (tensor<67x67xi1>) -> tensor<67x67xi1>
  %d = stablehlo.constant dense<(268.0, 0.0)> : tensor<67x67xcomplex<f64>>
  %s = stablehlo.select %eb, %d, %x : tensor<67x67xi1>, tensor<67x67xcomplex<f64>>
  %n = stablehlo.negate %s : tensor<67x67xcomplex<f64>>
  %c0 = stablehlo.cholesky %s, lower = true : tensor<67x67xcomplex<f64>>
  %c1 = stablehlo.cholesky %s, lower = false : tensor<67x67xcomplex<f64>>
  %c2 = stablehlo.cholesky %x : tensor<67x67xcomplex<f64>>
  %p0:2 = stablehlo.custom_call @lapack_zpotrf_ffi(%s) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<67x67xcomplex<f64>>) -> (tensor<67x67xcomplex<f64>>, tensor<i32>)
  %p1:2 = stablehlo.custom_call @lapack_zpotrf_ffi(%s) {mhlo.backend_config = {uplo = 85 : ui8}} : (tensor<67x67xcomplex<f64>>) -> (tensor<67x67xcomplex<f64>>, tensor<i32>)
  %p2:2 = stablehlo.custom_call @lapack_zpotrf_ffi(%n) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<67x67xcomplex<f64>>) -> (tensor<67x67xcomplex<f64>>, tensor<i32>)
  %t0 = "stablehlo.triangular_solve"(%s, %y) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<67x67xcomplex<f64>>, tensor<67x2xcomplex<f64>>) -> tensor<67x2xcomplex<f64>>
  %t1 = "stablehlo.triangular_solve"(%s, %y) <{left_side = true, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>}> : (tensor<67x67xcomplex<f64>>, tensor<67x2xcomplex<f64>>) -> tensor<67x2xcomplex<f64>>
  %t2 = "stablehlo.triangular_solve"(%s, %z) <{left_side = false, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<67x67xcomplex<f64>>, tensor<2x67xcomplex<f64>>) -> tensor<2x67xcomplex<f64>>
  %t3 = "stablehlo.triangular_solve"(%s, %z) <{left_side = false, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<67x67xcomplex<f64>>, tensor<2x67xcomplex<f64>>) -> tensor<2x67xcomplex<f64>>
  %t4 = stablehlo.custom_call @lapack_ztrsm_ffi(%s, %z) {mhlo.backend_config = {side = 82 : ui8, uplo = 85 : ui8, trans_x = 67 : ui8, diag = 78 : ui8}} : (tensor<67x67xcomplex<f64>>, tensor<2x67xcomplex<f64>>) -> tensor<2x67xcomplex<f64>>
  %l:3 = stablehlo.custom_call @lapack_zgetrf_ffi(%r) : (tensor<67x33xcomplex<f64>>) -> (tensor<67x33xcomplex<f64>>, tensor<33xi32>, tensor<i32>)
  %q:2 = stablehlo.custom_call @lapack_zgeqrf_ffi(%r) : (tensor<67x33xcomplex<f64>>) -> (tensor<67x33xcomplex<f64>>, tensor<33xcomplex<f64>>)
  %o = stablehlo.custom_call @lapack_zungqr_ffi(%q#0, %q#1) : (tensor<67x33xcomplex<f64>>, tensor<33xcomplex<f64>>) -> tensor<67x33xcomplex<f64>>
  %m0 = stablehlo.custom_call @lapack_zunmqr_ffi(%q#0, %q#1, %y) {mhlo.backend_config = {left = true, transpose = true}} : (tensor<67x33xcomplex<f64>>, tensor<33xcomplex<f64>>, tensor<67x2xcomplex<f64>>) -> tensor<67x2xcomplex<f64>>
  %m1 = stablehlo.custom_call @lapack_zunmqr_ffi(%q#0, %q#1, %z) {mhlo.backend_config = {left = false, transpose = false}} : (tensor<67x33xcomplex<f64>>, tensor<33xcomplex<f64>>, tensor<2x67xcomplex<f64>>) -> tensor<2x67xcomplex<f64>>
  return %c0, %c1, %c2, %p0#0, %p0#1, %p1#0, %p1#1, %p2#0, %p2#1, %t0, %t1, %t2, %t3, %t4, %l#0, %l#1, %l#2, %q#0, %q#1, %o, %m0, %m1 : tensor<67x67xcomplex<f64>>, tensor<67x67xcomplex<f64>>, tensor<67x67xcomplex<f64>>, tensor<67x67xcomplex<f64>>, tensor<i32>, tensor<67x67xcomplex<f64>>, tensor<i32>, tensor<67x67xcomplex<f64>>, tensor<i32>, tensor<67x2xcomplex<f64>>, tensor<67x2xcomplex<f64>>, tensor<2x67xcomplex<f64>>, tensor<2x67xcomplex<f64>>, tensor<2x67xcomplex<f64>>, tensor<67x33xcomplex<f64>>, tensor<33xi32>, tensor<i32>, tensor<67x33xcomplex<f64>>, tensor<33xcomplex<f64>>, tensor<67x33xcomplex<f64>>, tensor<67x2xcomplex<f64>>, tensor<2x67xcomplex<f64>>
}
func.func @spectra(%a: tensor<2x9x9xf32>, %b: tensor<40x40xf64>, %c: tensor<6x6xf32>, %d: tensor<2x12x7xf32>, %g: tensor<7x12xf64>, %h: tensor<9x9xf32>, %k: tensor<5x4xf64>) -> (tensor<2x9x9xf32>, tensor<2x9xf32>, tensor<2xi32>, tensor<40x40xf64>, tensor<40xf64>, tensor<i32>, tensor<6x6xf32>, tensor<6xf32>, tensor<i32>, tensor<2x12x7xf32>, tensor<2x7xf32>, tensor<2x12x7xf32>, tensor<2x7x7xf32>, tensor<2xi32>, tensor<7x12xf64>, tensor<7xf64>, tensor<7x7xf64>, tensor<7x12xf64>, tensor<i32>, tensor<9x9xf32>, tensor<9xf32>, tensor<9x9xf32>, tensor<9x9xf32>, tensor<i32>, tensor<5x4xf64>, tensor<4xf64>, tensor<5x4xf64>, tensor<4x4xf64>, tensor<i32>) {
  %ae:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<2x9x9xf32>) -> (tensor<2x9x9xf32>, tensor<2x9xf32>, tensor<2xi32>)
  %be:3 = stablehlo.custom_call @lapack_dsyevd_ffi(%b) {mhlo.backend_config = {mode = 86 : ui8, uplo = 85 : ui8}} : (tensor<40x40xf64>) -> (tensor<40x40xf64>, tensor<40xf64>, tensor<i32>)
  %ce:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%c) {mhlo.backend_config = {mode = 78 : ui8, uplo = 85 : ui8}} : (tensor<6x6xf32>) -> (tensor<6x6xf32>, tensor<6xf32>, tensor<i32>)
  %ds:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%d) {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<2x12x7xf32>) -> (tensor<2x12x7xf32>, tensor<2x7xf32>, tensor<2x12x7xf32>, tensor<2x7x7xf32>, tensor<2xi32>)
  %gs:5 = stablehlo.custom_call @lapack_dgesvd_ffi(%g) {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<7x12xf64>) -> (tensor<7x12xf64>, tensor<7xf64>, tensor<7x7xf64>, tensor<7x12xf64>, tensor<i32>)
  %hs:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%h) {mhlo.backend_config = {mode = 65 : ui8}} : (tensor<9x9xf32>) -> (tensor<9x9xf32>, tensor<9xf32>, tensor<9x9xf32>, tensor<9x9xf32>, tensor<i32>)
  %ks:5 = stablehlo.custom_call @lapack_dgesdd_ffi(%k) {mhlo.backend_config = {mode = 78 : ui8}} : (tensor<5x4xf64>) -> (tensor<5x4xf64>, tensor<4xf64>, tensor<5x4xf64>, tensor<4x4xf64>, tensor<i32>)
  return %ae#0, %ae#1, %ae#2, %be#0, %be#1, %be#2, %ce#0, %ce#1, %ce#2, %ds#0, %ds#1, %ds#2, %ds#3, %ds#4, %gs#0, %gs#1, %gs#2, %gs#3, %gs#4, %hs#0, %hs#1, %hs#2, %hs#3, %hs#4, %ks#0, %ks#1, %ks#2, %ks#3, %ks#4 : tensor<2x9x9xf32>, tensor<2x9xf32>, tensor<2xi32>, tensor<40x40xf64>, tensor<40xf64>, tensor<i32>, tensor<6x6xf32>, tensor<6xf32>, tensor<i32>, tensor<2x12x7xf32>, tensor<2x7xf32>, tensor<2x12x7xf32>, tensor<2x7x7xf32>, tensor<2xi32>, tensor<7x12xf64>, tensor<7xf64>, tensor<7x7xf64>, tensor<7x12xf64>, tensor<i32>, tensor<9x9xf32>, tensor<9xf32>, tensor<9x9xf32>, tensor<9x9xf32>, tensor<i32>, tensor<5x4xf64>, tensor<4xf64>, tensor<5x4xf64>, tensor<4x4xf64>, tensor<i32>
}
func.func @others(%a: tensor<3x3xbf16>, %b: tensor<2x0x0xf32>, %c: tensor<3x3xf32>) -> (tensor<3x3xbf16>, tensor<2x0x0xf32>, tensor<3x3xf32>) {
  %0 = stablehlo.cholesky %a : tensor<3x3xbf16>
  %1 = stablehlo.cholesky %b : tensor<2x0x0xf32>
  %2 = stablehlo.constant dense<1> : tensor<i32>
  %3 = stablehlo.constant dense<3> : tensor<i32>
  %4:2 = stablehlo.custom_call @lapack_spotrf(%2, %2, %3, %c) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<i32>)
  return %0, %1, %4#0 : tensor<3x3xbf16>, tensor<2x0x0xf32>, tensor<3x3xf32>
}
