// --check finds the first op whose value differs. Here a rule claims what is not so: that parts of a matrix can be transposed
// where they are.
// RUN: not tessera run %s --spmd --check --input=4x4xi32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 2>&1 | FileCheck %s
// CHECK: spmd_check.mlir:{{[0-9]+}}:10: error: 'stablehlo.transpose' op is the first whose value differs on the mesh
// CHECK-NEXT: %0 = stablehlo.transpose
// CHECK: FAIL
// RUN: tessera run %s --input=4x4xi32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 | FileCheck %s --check-prefix=UNDIVIDED
// UNDIVIDED: tensor<4x4xi32>
module {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%a: tensor<4x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> tensor<4x4xi32> {
    %n = stablehlo.negate %a : tensor<4x4xi32>
    %0 = stablehlo.transpose %n, dims = [1, 0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=4}, custom>} : (tensor<4x4xi32>) -> tensor<4x4xi32>
    %1 = stablehlo.abs %0 : tensor<4x4xi32>
    return %1 : tensor<4x4xi32>
  }
}
