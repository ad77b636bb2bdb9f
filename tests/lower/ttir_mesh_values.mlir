// RUN: stablehlo-translate --interpret %s
// RUN: tessera opt %s --convert-stablehlo-to-ttir | FileCheck %s
// RUN: tessera opt %s --convert-stablehlo-to-ttir -o %t.mlir
// RUN: tessera run %t.mlir
// RUN: tessera opt %s --stablehlo-to-ttir-pipeline -o %t.mlir
// RUN: tessera run %t.mlir
// What manual computations compute on a mesh of devices, they compute behind ttir.mesh_shard: axes of one dimension in any
// order, collectives along one axis and along several.

// CHECK: module attributes {ttcore.meshes = #ttcore.meshes<[<"mesh" = 2x3x2>]>}
// CHECK-NOT: sdy.
sdy.mesh @mesh = <["x"=2, "y"=3, "z"=2]>

// CHECK-LABEL: func.func @main
func.func @main() {
  %i = stablehlo.iota dim = 0 : tensor<72xf32>
  %a = stablehlo.reshape %i : (tensor<72xf32>) -> tensor<12x6xf32>
  // A dimension that two axes cut in another order than the mesh's: parts change places first.
  // CHECK: "ttir.permute"
  // CHECK: "ttir.mesh_shard"
  // CHECK-SAME: shard_dims = array<i64: 0, 1, 0>
  // CHECK-SAME: shard_direction = #ttcore.shard_direction<full_to_shard>
  // CHECK-SAME: shard_shape = array<i64: 4, 3>
  // CHECK-SAME: shard_type = #ttcore.shard_type<devices>
  // CHECK-SAME: (tensor<12x6xf32>) -> tensor<3x2xf32>
  // CHECK: "ttir.all_gather"
  // CHECK-SAME: all_gather_dim = 1 : si32, cluster_axis = 1 : ui32
  // CHECK: "ttir.mesh_shard"
  // CHECK-SAME: shard_direction = #ttcore.shard_direction<shard_to_full>
  // CHECK: "ttir.permute"
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"z", "x"}, {"y"}]>] out_shardings=[<@mesh, [{"z", "x"}, {}]>] manual_axes={"x", "y", "z"} (%p: tensor<3x2xf32>) {
    %g = "stablehlo.all_gather"(%p) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4], [1, 3, 5], [6, 8, 10], [7, 9, 11]]> : tensor<4x3xi64>, use_global_device_ids}> : (tensor<3x2xf32>) -> tensor<3x6xf32>
    %n = stablehlo.negate %g : tensor<3x6xf32>
    sdy.return %n : tensor<3x6xf32>
  } : (tensor<12x6xf32>) -> tensor<12x6xf32>
  %n = stablehlo.negate %a : tensor<12x6xf32>
  check.expect_eq %0, %n : tensor<12x6xf32>

  // A sum over two axes: one after the other.
  // CHECK: "ttir.all_reduce"
  // CHECK-SAME: cluster_axis = 2 : ui32, reduce_type = #ttcore.reduce_type<sum>
  // CHECK: "ttir.all_reduce"
  // CHECK-SAME: cluster_axis = 0 : ui32, reduce_type = #ttcore.reduce_type<sum>
  %1 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x", "z"}, {"y"}]>] out_shardings=[<@mesh, [{}, {"y"}]>] manual_axes={"x", "y", "z"} (%p: tensor<3x2xf32>) {
    %s = "stablehlo.all_reduce"(%p) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 6, 7], [2, 3, 8, 9], [4, 5, 10, 11]]> : tensor<3x4xi64>, use_global_device_ids}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %t = stablehlo.add %l, %r : tensor<f32>
      stablehlo.return %t : tensor<f32>
    }) : (tensor<3x2xf32>) -> tensor<3x2xf32>
    sdy.return %s : tensor<3x2xf32>
  } : (tensor<12x6xf32>) -> tensor<3x6xf32>
  check.expect_eq_const %1, dense<[[108.0, 112.0, 116.0, 120.0, 124.0, 128.0], [132.0, 136.0, 140.0, 144.0, 148.0, 152.0], [156.0, 160.0, 164.0, 168.0, 172.0, 176.0]]> : tensor<3x6xf32>

  // The same by names of axes.
  // CHECK: "ttir.all_reduce"
  // CHECK-SAME: cluster_axis = 0 : ui32, reduce_type = #ttcore.reduce_type<sum>
  %4 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{}, {"y"}]>] manual_axes={"x", "y", "z"} (%p: tensor<6x2xf32>) {
    %s = "stablehlo.all_reduce"(%p) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %t = stablehlo.add %l, %r : tensor<f32>
      stablehlo.return %t : tensor<f32>
    }) : (tensor<6x2xf32>) -> tensor<6x2xf32>
    %f = stablehlo.slice %s [0:1, 0:2] : (tensor<6x2xf32>) -> tensor<1x2xf32>
    sdy.return %f : tensor<1x2xf32>
  } : (tensor<12x6xf32>) -> tensor<1x6xf32>
  check.expect_eq_const %4, dense<[[36.0, 38.0, 40.0, 42.0, 44.0, 46.0]]> : tensor<1x6xf32>

  // The greatest, each device keeping a part: along two axes, the outer one first; and gathered again, the inner one first.
  // CHECK: "ttir.reduce_scatter"
  // CHECK-SAME: cluster_axis = 0 : ui32, reduce_type = #ttcore.reduce_type<max>, scatter_dim = 0 : si32
  // CHECK: "ttir.reduce_scatter"
  // CHECK-SAME: cluster_axis = 1 : ui32
  // CHECK: "ttir.all_gather"
  // CHECK-SAME: cluster_axis = 1 : ui32
  // CHECK: "ttir.all_gather"
  // CHECK-SAME: cluster_axis = 0 : ui32
  %2 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{}, {"x", "y"}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"x", "y", "z"} (%p: tensor<12x1xf32>) {
    %s = "stablehlo.reduce_scatter"(%p) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6, 8, 10], [1, 3, 5, 7, 9, 11]]> : tensor<2x6xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %t = stablehlo.maximum %l, %r : tensor<f32>
      stablehlo.return %t : tensor<f32>
    }) : (tensor<12x1xf32>) -> tensor<2x1xf32>
    %g = "stablehlo.all_gather"(%s) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 2, 4, 6, 8, 10], [1, 3, 5, 7, 9, 11]]> : tensor<2x6xi64>, use_global_device_ids}> : (tensor<2x1xf32>) -> tensor<12x1xf32>
    sdy.return %g : tensor<12x1xf32>
  } : (tensor<12x6xf32>) -> tensor<12x1xf32>
  check.expect_eq_const %2, dense<[[5.0], [11.0], [17.0], [23.0], [29.0], [35.0], [41.0], [47.0], [53.0], [59.0], [65.0], [71.0]]> : tensor<12x1xf32>

  // Nothing is cut.
  // CHECK: "ttir.mesh_shard"
  // CHECK-SAME: shard_dims = array<i64: -1>
  // CHECK-SAME: shard_shape = array<i64: 1>
  // CHECK-SAME: shard_type = #ttcore.shard_type<replicate>
  // CHECK: "ttir.collective_permute"
  // CHECK: "ttir.all_to_all"
  %3 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {"x", "y", "z"}]>] manual_axes={"x", "y", "z"} (%p: tensor<12x6xf32>) {
    %c = "stablehlo.collective_permute"(%p) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<12x6xf32>) -> tensor<12x6xf32>
    %t = "stablehlo.all_to_all"(%c) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7], [8, 9], [10, 11]]> : tensor<6x2xi64>}> : (tensor<12x6xf32>) -> tensor<24x3xf32>
    %s = stablehlo.slice %t [11:13, 1:2] : (tensor<24x3xf32>) -> tensor<2x1xf32>
    sdy.return %s : tensor<2x1xf32>
  } : (tensor<12x6xf32>) -> tensor<2x12xf32>
  check.expect_eq_const %3, dense<[[67.0, 70.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [1.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<2x12xf32>
  return
}
