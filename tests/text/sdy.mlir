// RUN: tessera opt %s | FileCheck %s
// RUN: tessera opt %s -o %t && tessera opt %t -o %t.again && cmp %t %t.again
// Meshes, shardings, rules and collectives.

sdy.mesh @mesh = <["x"=2, "y"=4], device_ids=[0,1,2,3,4,5,6,7]> {stablehlo.mesh = {a = 1}}
sdy.mesh @m2 = <[]>
sdy.mesh @m3 = <[], device_ids=[3]>
sdy.mesh @m4 = <["x"=2], device_ids=[1,0]>
func.func @f(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {
 a1 = #sdy<mesh_axis"a"=2>, a2 = #sdy<sub_axis_info(1)2>, a3 = #sdy<axis_ref"x":(1)2>, a4 = #sdy<dimension_sharding{"a", ?}p1>,
 a5 = #sdy<manual_axes{"a", "b"}>, a6=#sdy<axis_ref_list{"x", "y":(1)2}>, a7=#sdy<list_of_axis_ref_lists[{"b", "c"}, {}, {"d"}]>,
 a8=#sdy<all_to_all_param{"b"}: 0->2>, a9=#sdy<all_to_all_param_list[{"b"}: 0->2, {"c"}: 1->3]>, b2=#sdy<tensor_mapping[i, jk]>,
 b3 = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=16, k=8} reduction={k} need_replication={j} permutation={i} blocked_propagation={i}, custom>,
 b4 = #sdy.op_sharding_rule<([], [])->([])>,
 b5 = #sdy.mesh<["a"=2]>, b6 = #sdy<manual_axes{}>, b7=#sdy<list_of_axis_ref_lists[]>, b8 = #sdy.sharding<mesh<["x"=2, "y"=2]>, [{"x"}, {}], unreduced={"y"}>
 } {
  %0 = "sdy.propagation_barrier"(%arg0) {allowed_direction = 2 : i32} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {?}]> {foo = 1} : tensor<8x8xf32>
  %2 = sdy.all_reduce {"x"} %arg1 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  %3 = sdy.all_reduce {"x"} %arg1 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  %4 = sdy.reduce_scatter [{}, {"x"}] %arg1 out_sharding=<@mesh, [{}, {"x"}]> : tensor<8x8xf32>
  %cst = sdy.constant {foo = 1} dense<1.000000e+00> : tensor<8x16xf32>
  %5 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x", ?}, {?}]>] out_shardings=[<@mesh, [{"x", ?}, {?}]>] manual_axes={"x"} (%arg3: tensor<4x8xf32>) {
    sdy.return %arg3 : tensor<4x8xf32>
  } {foo = 2} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {
    sdy.return
  } : () -> ()
  %6 = sdy.named_computation<"foo">(%arg0) (%arg3: tensor<8x8xf32>) {
    sdy.return %arg3 : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %7 = sdy.data_flow_edge %6 sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  sdy.sharding_group %0 group_id=21 : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// CHECK: module {
// CHECK-NEXT: sdy.mesh @mesh = <["x"=2, "y"=4]> {stablehlo.mesh = {a = 1 : i64}}
// CHECK-NEXT: sdy.mesh @m2 = <[]>
// CHECK-NEXT: sdy.mesh @m3 = <[], device_ids=[3]>
// CHECK-NEXT: sdy.mesh @m4 = <["x"=2], device_ids=[1, 0]>
// CHECK-NEXT: func.func @f(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {a1 = #sdy<mesh_axis"a"=2>, a2 = #sdy<sub_axis_info(1)2>, a3 = #sdy<axis_ref"x":(1)2>, a4 = #sdy<dimension_sharding{"a", ?}p1>, a5 = #sdy<manual_axes{"a", "b"}>, a6 = #sdy<axis_ref_list{"x", "y":(1)2}>, a7 = #sdy<list_of_axis_ref_lists[{"b", "c"}, {}, {"d"}]>, a8 = #sdy<all_to_all_param{"b"}: 0->2>, a9 = #sdy<all_to_all_param_list[{"b"}: 0->2, {"c"}: 1->3]>, b2 = #sdy<tensor_mapping[i, jk]>, b3 = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=16, k=8} reduction={k} need_replication={j} permutation={i} blocked_propagation={i}, custom>, b4 = #sdy.op_sharding_rule<([], [])->([])>, b5 = #sdy.mesh<["a"=2]>, b6 = #sdy<manual_axes{}>, b7 = #sdy<list_of_axis_ref_lists[]>, b8 = #sdy.sharding<mesh<["x"=2, "y"=2]>, [{"x"}, {}], unreduced={"y"}>} {
// CHECK-NEXT: %0 = sdy.propagation_barrier %arg0 allowed_direction=BACKWARD : tensor<8x8xf32>
// CHECK-NEXT: %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {?}]> {foo = 1 : i64} : tensor<8x8xf32>
// CHECK-NEXT: %2 = sdy.all_reduce {"x"} %arg1 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
// CHECK-NEXT: %3 = sdy.all_reduce {"x"} %arg1 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
// CHECK-NEXT: %4 = sdy.reduce_scatter [{}, {"x"}] %arg1 out_sharding=<@mesh, [{}, {"x"}]> : tensor<8x8xf32>
// CHECK-NEXT: %5 = sdy.constant {foo = 1 : i64} dense<1.000000e+00> : tensor<8x16xf32>
// CHECK-NEXT: %6 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x", ?}, {?}]>] out_shardings=[<@mesh, [{"x", ?}, {?}]>] manual_axes={"x"} (%arg2: tensor<4x8xf32>) {
// CHECK-NEXT: sdy.return %arg2 : tensor<4x8xf32>
// CHECK-NEXT: } {foo = 2 : i64} : (tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT: sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {
// CHECK-NEXT: sdy.return
// CHECK-NEXT: } : () -> ()
// CHECK-NEXT: %7 = sdy.named_computation<"foo">(%arg0) (%arg2: tensor<8x8xf32>) {
// CHECK-NEXT: sdy.return %arg2 : tensor<8x8xf32>
// CHECK-NEXT: } : (tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT: %8 = sdy.data_flow_edge %7 sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
// CHECK-NEXT: sdy.sharding_group %0 group_id=21 : tensor<8x8xf32>
// CHECK-NEXT: return %0 : tensor<8x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
