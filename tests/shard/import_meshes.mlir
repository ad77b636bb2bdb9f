// Meshes and axes on import: one symbol for each mesh, no axes of size one, manual axes named by all.
// RUN: sdy_opt %s --split-input-file --sdy-lift-inlined-meshes | FileCheck %s --check-prefix=LIFT
// RUN: sdy_opt %s --split-input-file --sdy-remove-size-one-axes | FileCheck %s --check-prefix=ONE
// RUN: sdy_opt %s --split-input-file --sdy-lift-inlined-meshes --sdy-manual-axes-cleanup | FileCheck %s --check-prefix=MANUAL

// @again is @mesh; the mesh of "z" is new, and its name is taken.
// LIFT: sdy.mesh @mesh = <["x"=4, "one"=1, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "one", size = 1 : i64}, {name = "y", size = 2 : i64}]}}
// LIFT-NOT: @again
// LIFT: sdy.mesh @mesh_0 = <["z"=2]>
// LIFT-NEXT: sdy.mesh @mesh_1 = <["z"=2], device_ids=[1, 0]> {stablehlo.mesh = {axes = [{name = "z", size = 2 : i64}], device_ids = dense<[1, 0]> : tensor<2xi64>}}
// LIFT-NEXT: sdy.mesh @maximal_mesh_5 = <[], device_ids=[5]>
// LIFT-NEXT: sdy.mesh @empty_mesh = <[]>
sdy.mesh @mesh = <["x"=4, "one"=1, "y"=2]>
sdy.mesh @again = <["x"=4, "one"=1, "y"=2]>

// LIFT-LABEL: func @lift
// LIFT-SAME: %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}
// LIFT-SAME: %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh_0, [{"z"}]>}
// LIFT-SAME: %arg2: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh_1, [{"z"}]>}
// LIFT-SAME: %arg3: tensor<8xf32> {sdy.sharding = #sdy.sharding<@maximal_mesh_5, []>}
// LIFT-SAME: -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@empty_mesh, [{}]>})
func.func @lift(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@again, [{"x"}]>},
                %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["z"=2]>, [{"z"}]>},
                %arg2: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["z"=2], device_ids=[1, 0]>, [{"z"}]>},
                %arg3: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<[], device_ids=[5]>, []>})
    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<[]>, [{}]>}) {
  return %arg0 : tensor<8xf32>
}

// A closed dimension that lost all its axes has no priority either. Parts of an axis that had one between them are one.
// ONE-LABEL: func @size_one
// ONE-SAME: %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}p1, {}]>}
// ONE-SAME: %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}p2, {}], replicated={"x"}>}
// ONE-SAME: %arg3: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}
// ONE-SAME: %arg4: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}
func.func @size_one(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "one", "y"}p1, {}]>},
                    %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"one", ?}p2, {}], replicated={"x"}>},
                    %arg2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"one"}p1, {}]>},
                    %arg3: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2, "one", "x":(2)2}, {}]>},
                    %arg4: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}], unreduced=max{"one"}>})
    -> tensor<8x8xf32> {
  return %arg0 : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=2]>

// MANUAL-LABEL: func @manual
func.func @manual(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
  // MANUAL: in_shardings=[<@mesh, [{"c"}], replicated={"a", "b"}>, <@mesh, [{"a", "b"}], replicated={"c"}>] out_shardings=[<@mesh, [{}], replicated={"a", "b", "c"}>] manual_axes={"a", "b", "c"}
  %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"c"}], replicated={"b"}>, <@mesh, [{"a", "b"}]>] out_shardings=[<@mesh, [{}]>] manual_axes={"c", "a", "b"} (%arg2: tensor<4xf32>, %arg3: tensor<2xf32>) {
    %1 = stablehlo.constant dense<0.0> : tensor<8xf32>
    sdy.return %1 : tensor<8xf32>
  } : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
