// What differs on the mesh is named with the shardings that were found, not with those of the module.
// RUN: not tessera run %s --auto --mesh=x=2 --arg=0:_,x --input=random --check --rtol=0 --atol=0 2>&1 | FileCheck %s
// CHECK-NOT: unknown axis
// CHECK: auto_check.mlir:[[#@LINE+4]]:8: error: 'stablehlo.dot_general' op is the first whose value differs on the mesh
// CHECK: FAIL
sdy.mesh @mesh = <["a"=4]>
func.func @main(%x: tensor<8x1000xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}, %y: tensor<1000x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<8x1000xf32>, tensor<1000x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
