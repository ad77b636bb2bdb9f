// Rules of users on custom calls. Factors of results alone say where results should be, and not what they come from; a result
// that shares a buffer with an operand is in the same parts as it.
// RUN: tessera run %s --spmd --check --input=random --function=result | FileCheck %s --check-prefix=RESULT
// RESULT-COUNT-3: PASS
// RUN: tessera run %s --spmd --check --input=random --function=batch | FileCheck %s --check-prefix=BATCH
// BATCH-COUNT-3: PASS
// RUN: tessera opt %s --tessera-partition=remarks=false | FileCheck %s
// CHECK-LABEL: func.func @result
// CHECK: custom_call @lapack_strsm_ffi({{.*}} : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
// CHECK: custom_call @lapack_strsm_ffi({{.*}} : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
// CHECK: custom_call @lapack_spotrf_ffi({{.*}} : (tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<2xi32>)
// CHECK-LABEL: func.func @batch
// CHECK: custom_call @lapack_spotrf_ffi({{.*}} : (tensor<1x3x3xf32>) -> (tensor<1x3x3xf32>, tensor<1xi32>)
// CHECK: custom_call @lapack_strsm_ffi({{.*}} : (tensor<2x4x4xf32>, tensor<2x4x2xf32>) -> tensor<2x4x2xf32>
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func @result(%a: tensor<4x4xf32>, %b: tensor<4x2xf32>, %c: tensor<2x3x3xf32>) -> (tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<2x3x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) {
    %d = stablehlo.custom_call @lapack_strsm_ffi(%a, %b) {api_version = 4 : i32, backend_config = {diag = 85 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [k, l])->([m, n]) {i=4, j=4, k=4, l=2, m=4, n=2}, custom>} : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    %e = stablehlo.custom_call @lapack_strsm_ffi(%a, %b) {api_version = 4 : i32, backend_config = {diag = 85 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [k, l])->([m, n]) {i=4, j=4, k=4, l=2, m=4, n=2}, custom>} : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    %f:2 = stablehlo.custom_call @lapack_spotrf_ffi(%c) {api_version = 4 : i32, backend_config = {uplo = 76 : ui8}, output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([l, m, n], [l]) {i=2, j=3, k=3, l=2, m=3, n=3}, custom>} : (tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<2xi32>)
    return %d, %e, %f#0 : tensor<4x2xf32>, tensor<4x2xf32>, tensor<2x3x3xf32>
  }
  // The batch is in parts where all that share a buffer are.
  func.func @batch(%c: tensor<2x3x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, %a: tensor<2x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, %b: tensor<2x4x2xf32>) -> (tensor<2x3x3xf32>, tensor<2xi32>, tensor<2x4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) {
    %f:2 = stablehlo.custom_call @lapack_spotrf_ffi(%c) {api_version = 4 : i32, backend_config = {uplo = 76 : ui8}, output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, j, k], [i]) {i=2, j=3, k=3} need_replication={j, k} blocked_propagation={j, k}, custom>} : (tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<2xi32>)
    %d = stablehlo.custom_call @lapack_strsm_ffi(%a, %b) {api_version = 4 : i32, backend_config = {diag = 85 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [l, m, n])->([i, m, n]) {i=2, j=4, k=4, l=2, m=4, n=2}, custom>} : (tensor<2x4x4xf32>, tensor<2x4x2xf32>) -> tensor<2x4x2xf32>
    return %f#0, %f#1, %d : tensor<2x3x3xf32>, tensor<2xi32>, tensor<2x4x2xf32>
  }
}
