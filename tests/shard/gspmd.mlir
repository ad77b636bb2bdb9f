// RUN: tessera opt %s --split-input-file --tessera-import-gspmd | FileCheck %s

// Tiles of several shapes and orders are cut into the axes of one mesh.
// CHECK: sdy.mesh @mesh = <["axis_0"=2, "axis_1"=2, "axis_2"=2]>
// CHECK-LABEL: func.func @main
// CHECK-SAME: %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"axis_0", "axis_1", "axis_2"}, {}]>}
// CHECK-SAME: %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"axis_2"}, {"axis_0", "axis_1"}]>}
// CHECK-SAME: %arg2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"axis_1"}, {}]>, some.other = 1 : i64}
// CHECK-SAME: %arg3: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}
// CHECK-SAME: -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"axis_1", "axis_2"}]>}, tensor<8xf32>)
func.func @main(%a: tensor<8x8xf32> {mhlo.sharding = "{devices=[8,1]<=[8]}"},
                %b: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,4]<=[4,2]T(1,0)}"},
                %c: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,1,4]<=[2,2,2]T(1,0,2) last_tile_dim_replicate metadata={op_name=\"a}b\"}}", some.other = 1},
                %d: tensor<8xf32> {mhlo.sharding = "{replicated}"})
    -> (tensor<8x8xf32> {mhlo.sharding = "{devices=[1,4,2]0,4,1,5,2,6,3,7 last_tile_dim_replicate}"}, tensor<8xf32>) {
  // An op's own sharding, and one for each of its results.
  // CHECK: stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"axis_0"}, {}]>]>}
  %0 = stablehlo.add %a, %b {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"} : tensor<8x8xf32>
  // CHECK: stablehlo.custom_call @two(%{{.*}}) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>, <@mesh, [{?}]>]>}
  %1:2 = stablehlo.custom_call @two(%0) {mhlo.sharding = "{{replicated}, {unknown}}"} : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8xf32>)
  // CHECK: sdy.sharding_constraint %{{.*}} <@mesh, [{"axis_0"}, {?}]> : tensor<8x8xf32>
  %2 = stablehlo.custom_call @Sharding(%1#0) {backend_config = "unspecified_dims=[1]", mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // What says nothing goes.
  // CHECK-NEXT: stablehlo.multiply
  %3 = stablehlo.custom_call @Sharding(%2) {mhlo.sharding = "{unknown}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %4 = stablehlo.multiply %3, %c : tensor<8x8xf32>
  // CHECK: sdy.sharding_group %{{.*}} group_id=7
  %5 = stablehlo.custom_call @Sharding(%d) {mhlo.sharding = "{unknown shard_as 7}"} : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK-NOT: mhlo.sharding
  return %4, %5 : tensor<8x8xf32>, tensor<8xf32>
}

// -----

// Devices that do not stand in the order of their numbers: the mesh has that order.
// CHECK: sdy.mesh @mesh = <["axis_0"=2, "axis_1"=4], device_ids=[0, 1, 3, 2, 6, 7, 5, 4]>
// CHECK-LABEL: func.func @order
// CHECK-SAME: [{"axis_0"}, {"axis_1"}]
// CHECK-SAME: [{"axis_1"}]
func.func @order(%a: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,4]0,1,3,2,6,7,5,4}"}) -> (tensor<8xf32> {mhlo.sharding = "{devices=[4,2]0,6,1,7,3,5,2,4 last_tile_dim_replicate}"}) {
  %0 = stablehlo.constant dense<1.0> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Two that no one mesh has: 2 x 3 and 3 x 2 of six devices in line.
// CHECK-DAG: sdy.mesh @mesh{{.*}} = <["axis_0"=2, "axis_1"=3]>
// CHECK-DAG: sdy.mesh @mesh{{.*}} = <["axis_0"=3, "axis_1"=2]>
func.func @apart(%a: tensor<6x6xf32> {mhlo.sharding = "{devices=[2,3]<=[6]}"}, %b: tensor<6x6xf32> {mhlo.sharding = "{devices=[3,2]<=[6]}"}) {
  return
}

// -----

// Only replicated: the module says how many devices there are.
// CHECK: module attributes {mhlo.num_partitions = 4 : i32}
// CHECK: sdy.mesh @mesh = <["axis_0"=4]>
// CHECK: %arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%a: tensor<4xf32> {mhlo.sharding = "{replicated}"}) -> tensor<4xf32> {
    return %a : tensor<4xf32>
  }
}

// -----

// One device, partial sums, and frontend attributes.
// CHECK-DAG: sdy.mesh @mesh = <["axis_0"=2, "axis_1"=2]>
// CHECK-DAG: sdy.mesh @maximal_mesh_3 = <[], device_ids=[3]>
// CHECK-LABEL: func.func @kinds
// CHECK-SAME: %arg0: tensor<4xf32> {mhlo.frontend_attributes = {a = "b"}, sdy.sharding = #sdy.sharding<@mesh, [{"axis_0"}], unreduced={"axis_1"}>}
func.func @kinds(%a: tensor<4xf32> {mhlo.frontend_attributes = {a = "b", mhlo.sharding = "{devices=[2,2]<=[4] last_tile_dims={unreduced}}"}}) {
  // CHECK: stablehlo.custom_call @here(%arg0) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@maximal_mesh_3, []>]>}
  %0 = stablehlo.custom_call @here(%a) {has_side_effect = true, mhlo.sharding = "{maximal device=3}"} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// Between @SPMDFullToShardShape and @SPMDShardToFullShape stands a manual computation. What ops in it use is moved or copied
// into it; what stands between and is not needed there stays outside.
// CHECK-LABEL: func.func @manual
func.func @manual(%a: tensor<8x4xf32> {mhlo.sharding = "{devices=[2,2]<=[4]}"}) -> (tensor<8x4xf32>, tensor<4xf32>) {
  // CHECK: %[[OUT:.*]]:2 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"axis_0"}, {"axis_1"}]>] out_shardings=[<@mesh, [{"axis_0"}, {"axis_1"}]>, <@mesh, [{"axis_1"}]>] manual_axes={"axis_0", "axis_1"} (%arg1: tensor<4x2xf32>)
  // CHECK: stablehlo.constant
  // CHECK: stablehlo.sine %arg1
  // CHECK: sdy.return
  %0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{devices=[2,2]<=[4]}"} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<8x4xf32>) -> tensor<4x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.sine %1 : tensor<4x2xf32>
  %3 = stablehlo.custom_call @Sharding(%2) {mhlo.sharding = "{manual}"} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {mhlo.sharding = "{devices=[2,2]<=[4]}"} : (tensor<4x2xf32>) -> tensor<8x4xf32>
  // CHECK: stablehlo.negate %[[OUT]]#0
  %5 = stablehlo.negate %4 : tensor<8x4xf32>
  %6 = stablehlo.reduce(%2 init: %zero) applies stablehlo.maximum across dimensions = [0] : (tensor<4x2xf32>, tensor<f32>) -> tensor<2xf32>
  %7 = stablehlo.custom_call @SPMDShardToFullShape(%6) {mhlo.sharding = "{devices=[2,2]<=[2,2]T(1,0) last_tile_dim_replicate}"} : (tensor<2xf32>) -> tensor<4xf32>
  // CHECK: return %{{.*}}, %[[OUT]]#1
  return %5, %7 : tensor<8x4xf32>, tensor<4xf32>
}

// -----

// One axis is left to the partitioner; inside, shardings are about that one.
// CHECK-LABEL: func.func @subgroups
func.func @subgroups(%a: tensor<8x4xf32> {mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"}) -> tensor<8x4xf32> {
  // CHECK: sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"axis_0", ?}, {?}]>] out_shardings=[<@mesh, [{"axis_0", ?}, {?}]>] manual_axes={"axis_0"} (%arg1: tensor<4x4xf32>) {
  // CHECK-NEXT: sdy.sharding_constraint %arg1 <@mesh, [{}, {"axis_1"}]>
  // CHECK-NEXT: stablehlo.cosine
  // CHECK-NEXT: sdy.return
  %0 = stablehlo.custom_call @Sharding(%a) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[1,1,2,2]<=[4] last_tile_dims={manual, replicated}}"} : (tensor<8x4xf32>) -> tensor<4x4xf32>
  %2 = stablehlo.custom_call @Sharding(%1) {mhlo.sharding = "{devices=[1,2,2]<=[2,2]T(1,0) last_tile_dims={manual}}"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = stablehlo.cosine %2 : tensor<4x4xf32>
  %4 = stablehlo.custom_call @Sharding(%3) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[1,1,2,2]<=[4] last_tile_dims={manual, replicated}}"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %5 = stablehlo.custom_call @SPMDShardToFullShape(%4) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"} : (tensor<4x4xf32>) -> tensor<8x4xf32>
  return %5 : tensor<8x4xf32>
}

// -----

// In a loop, with a value from outside of the loop that all devices have.
// CHECK-LABEL: func.func @loop
func.func @loop(%a: tensor<8xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}, %k: tensor<f32>) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  // CHECK: stablehlo.while
  %0:2 = stablehlo.while(%i = %zero, %v = %a) : tensor<i32>, tensor<8xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    // CHECK: sdy.manual_computation(%{{.*}}, %{{.*}}) in_shardings=[<@mesh, [{"axis_0"}]>, <@mesh, [{}]>] out_shardings=[<@mesh, [{"axis_0"}]>] manual_axes={"axis_0"}
    %1 = stablehlo.custom_call @Sharding(%v) {mhlo.sharding = "{devices=[4]<=[4]}"} : (tensor<8xf32>) -> tensor<8xf32>
    %2 = stablehlo.custom_call @SPMDFullToShardShape(%1) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<2xf32>
    %3 = stablehlo.broadcast_in_dim %k, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<2xf32>
    %5 = stablehlo.custom_call @SPMDShardToFullShape(%4) {mhlo.sharding = "{devices=[4]<=[4]}"} : (tensor<2xf32>) -> tensor<8xf32>
    %6 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %6, %5 : tensor<i32>, tensor<8xf32>
  }
  return %0#1 : tensor<8xf32>
}
