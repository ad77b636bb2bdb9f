// RUN: stablehlo-opt %s --stablehlo-compatibility-expander=target=1.14.0 -allow-unregistered-dialect | FileCheck %s
// RUN: not stablehlo-opt %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not tessera opt %s -allow-unregistered-dialect 2>&1 | FileCheck %s --check-prefix=OURS
// Where stablehlo-opt takes unknown ops, those of Shardy are some: what a mesh op says of itself in stablehlo.mesh counts.

// UNKNOWN: sdy.mesh
// OURS: error: 'sdy.mesh' op requires attribute 'mesh'
"sdy.mesh"() {sym_name = "mesh", stablehlo.mesh = {axes = [{name = "a", size = 2 : i64}, {name = "b", size = 3 : i64}]}} : () -> ()

// CHECK-LABEL: func.func @f
// CHECK: replica_groups = dense<{{\[\[}}0, 1, 2], [3, 4, 5]]> : tensor<2x3xi64>
func.func @f(%a: tensor<4xf32>) -> tensor<12xf32> {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "b">]>}> : (tensor<4xf32>) -> tensor<12xf32>
  return %0 : tensor<12xf32>
}
