// RUN: tessera opt %s -split-input-file --convert-stablehlo-to-ttir | FileCheck %s
// GSPMD's custom calls: tensors are cut and put together as mhlo.sharding says.

// A mesh of two dimensions, tiles along it, across it, and with copies.
sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK-LABEL: func.func @tiles
func.func @tiles(%a: tensor<8x16xf32>) -> (tensor<4x4xf32>, tensor<2x8xf32>, tensor<8x4xf32>, tensor<1x16xf32>, tensor<8x16xf32>) {
  // CHECK: "ttir.mesh_shard"(%arg0) <{shard_dims = array<i64: 0, 1>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_type = #ttcore.shard_type<devices>}> : (tensor<8x16xf32>) -> tensor<4x4xf32>
  %0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{devices=[2,4]<=[8]}"} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<8x16xf32>) -> tensor<4x4xf32>
  // CHECK: shard_dims = array<i64: 1, 0>{{.*}}shard_shape = array<i64: 4, 2>
  %2 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{devices=[4,2]<=[2,4]T(1,0)}"} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %3 = stablehlo.custom_call @SPMDFullToShardShape(%2) {mhlo.sharding = "{manual}"} : (tensor<8x16xf32>) -> tensor<2x8xf32>
  // CHECK: shard_dims = array<i64: -1, 1>{{.*}}shard_shape = array<i64: 1, 4>
  %4 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{devices=[1,4,2]0,4,1,5,2,6,3,7 last_tile_dim_replicate}"} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %5 = stablehlo.custom_call @SPMDFullToShardShape(%4) {mhlo.sharding = "{manual}"} : (tensor<8x16xf32>) -> tensor<8x4xf32>
  // CHECK: shard_dims = array<i64: 0, 0>{{.*}}shard_shape = array<i64: 8, 1>
  %6 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{devices=[8,1]<=[8]}"} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %7 = stablehlo.custom_call @SPMDFullToShardShape(%6) {mhlo.sharding = "{manual}"} : (tensor<8x16xf32>) -> tensor<1x16xf32>
  // CHECK: shard_dims = array<i64: -1>{{.*}}full_to_shard{{.*}}shard_type<replicate>
  // CHECK: shard_dims = array<i64: -1>{{.*}}shard_to_full{{.*}}shard_type<replicate>
  %8 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{replicated}"} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %9 = stablehlo.custom_call @SPMDFullToShardShape(%8) {mhlo.sharding = "{manual}"} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %10 = stablehlo.custom_call @Sharding(%9) {mhlo.sharding = "{manual}"} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %11 = stablehlo.custom_call @SPMDShardToFullShape(%10) {mhlo.sharding = "{replicated}"} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %1, %3, %5, %7, %11 : tensor<4x4xf32>, tensor<2x8xf32>, tensor<8x4xf32>, tensor<1x16xf32>, tensor<8x16xf32>
}

// -----

// Devices that stand along no axes, and strings that say nothing: the calls stay.
sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK-LABEL: func.func @others
// CHECK-COUNT-6: stablehlo.custom_call
func.func @others(%a: tensor<8x16xf32>) -> (tensor<1x16xf32>, tensor<4x4xf32>, tensor<8x16xf32>) {
  %0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{devices=[8,1]0,2,1,3,4,5,6,7}"} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<8x16xf32>) -> tensor<1x16xf32>
  %2 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{devices=[2,4]<=[8"} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %3 = stablehlo.custom_call @SPMDFullToShardShape(%2) {mhlo.sharding = "{manual}"} : (tensor<8x16xf32>) -> tensor<4x4xf32>
  %4 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{maximal device=3}"} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %5 = stablehlo.custom_call @SPMDFullToShardShape(%4) {mhlo.sharding = "{manual}"} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %1, %3, %5 : tensor<1x16xf32>, tensor<4x4xf32>, tensor<8x16xf32>
}

// -----

// Without a mesh, strings tell one; a constraint that stands alone goes; what is given in parts has their type.
// CHECK-LABEL: func.func @given
// CHECK-SAME: %arg0: tensor<2x16xf32>
// CHECK-SAME: -> tensor<2x16xf32>
// CHECK-NOT: mesh_shard
// CHECK: %[[T:.*]] = "ttir.tanh"(%arg0)
// CHECK-NEXT: return %[[T]]
func.func @given(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{devices=[4,1]<=[4]}", ttcore.shard_status = #ttcore.shard_status<presharded>} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<8x16xf32>) -> tensor<2x16xf32>
  %2 = stablehlo.tanh %1 : tensor<2x16xf32>
  %3 = stablehlo.custom_call @Sharding(%2) {mhlo.sharding = "{manual}", ttcore.shard_status = #ttcore.shard_status<presharded>} : (tensor<2x16xf32>) -> tensor<2x16xf32>
  %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {mhlo.sharding = "{devices=[4,1]<=[4]}"} : (tensor<2x16xf32>) -> tensor<8x16xf32>
  return %4 : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @alone
// CHECK-NEXT: "ttir.tanh"(%arg0)
func.func @alone(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{devices=[1,4]<=[4]}"} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.tanh %0 : tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}
