// Passes that only rewrite what is written about shardings.
// RUN: sdy_opt %s --sdy-close-shardings | FileCheck %s --check-prefix=CLOSE
// RUN: sdy_opt %s --sdy-remove-sub-axes-in-input-output-shardings | FileCheck %s --check-prefix=SUB
// RUN: sdy_opt %s --sdy-drop-sharding-rules --sdy-remove-propagation-debug-info --sdy-remove-sharding-groups | FileCheck %s --check-prefix=DROP
// RUN: sdy_opt %s --sdy-inline-meshes | FileCheck %s --check-prefix=INLINE

// INLINE-NOT: sdy.mesh
sdy.mesh @m = <["x"=4, "y"=2]>
sdy.mesh @swapped = <["x"=2], device_ids=[1, 0]>

// CLOSE: %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}p1, {}]>}
// CLOSE-SAME: %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}], unreduced={"x"}>}
// CLOSE-SAME: -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x":(1)2, "y"}, {}]>}, tensor<8x8xf32>)
// SUB: %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", ?}p1, {?}], replicated={"y"}>}
// SUB-SAME: -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {}]>}, tensor<8x8xf32>)
// INLINE: %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=4, "y"=2]>, [{"x", ?}p1, {?}], replicated={"y"}>}
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", ?}p1, {?}], replicated={"y"}>},
                %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y", ?}], unreduced={"x"}>})
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x":(1)2, "y", ?}, {}]>}, tensor<8x8xf32>) {
  // CLOSE: stablehlo.add %arg0, %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x":(1)2}, {"y"}]>]>,
  // Inside a function sub-axes stay.
  // SUB: stablehlo.add %arg0, %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x":(1)2, ?}, {"y"}]>]>,
  // DROP: stablehlo.add %arg0, %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x":(1)2, ?}, {"y"}]>]>} :
  // INLINE: stablehlo.add %arg0, %arg0 {sdy.sharding = #sdy.sharding_per_value<[<mesh<["x"=4, "y"=2]>, [{"x":(1)2, ?}, {"y"}]>]>,
  %0 = stablehlo.add %arg0, %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x":(1)2, ?}, {"y"}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=8, j=8}>} : tensor<8x8xf32>
  // DROP-NOT: sdy.sharding_group
  sdy.sharding_group %0 group_id=3 : tensor<8x8xf32>
  // CLOSE: sdy.manual_computation(%0) in_shardings=[<@m, [{"x"}, {}]>] out_shardings=[<@m, [{"x"}, {"y"}]>]
  // INLINE: sdy.manual_computation(%0) in_shardings=[<mesh<["x"=4, "y"=2]>, [{"x"}, {?}]>]
  %1 = sdy.manual_computation(%0) in_shardings=[<@m, [{"x"}, {?}]>] out_shardings=[<@m, [{"x"}, {"y", ?}]>] manual_axes={"x"} (%arg2: tensor<2x8xf32>) {
    sdy.return %arg2 : tensor<2x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // INLINE: replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>], device_ids=dense<[1, 0]> : tensor<2xi64>>, axes = [#stablehlo.axis_ref<name = "x">]>
  %2 = "stablehlo.all_to_all"(%1) <{concat_dimension = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @swapped, axes = [#stablehlo.axis_ref<name = "x">]>, split_count = 1 : i64, split_dimension = 0 : i64}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0, %2 : tensor<8x8xf32>, tensor<8x8xf32>
}
