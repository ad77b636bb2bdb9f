// RUN: tessera opt %s -split-input-file --convert-stablehlo-to-ttir | FileCheck %s
// Manual computations that are given parts, that stay, and the mesh of both.

// CHECK: module attributes {ttcore.meshes = #ttcore.meshes<[<"mesh" = 1x2>]>}
sdy.mesh @mesh = <["x"=1, "y"=2]>
// Arguments and results in parts have the types of parts; others go through mesh_shard.
// CHECK-LABEL: func.func @parts
// CHECK-SAME: %arg0: tensor<4x4xf32>
// CHECK-SAME: %arg1: tensor<8x4xf32>
// CHECK-SAME: -> (tensor<4x4xf32> {{.*}}, tensor<8x4xf32>)
func.func @parts(%a: tensor<8x4xf32> {ttcore.shard_status = #ttcore.shard_status<presharded>}, %b: tensor<8x4xf32>)
    -> (tensor<8x4xf32> {ttcore.shard_status = #ttcore.shard_status<presharded>}, tensor<8x4xf32>) {
  // CHECK: %[[B:.*]] = "ttir.mesh_shard"(%arg1) <{shard_dims = array<i64: -1, 0>
  // CHECK: %[[S:.*]] = "ttir.add"(%arg0, %[[B]])
  // CHECK: %[[W:.*]] = "ttir.mesh_shard"(%[[B]])
  // CHECK: return %[[S]], %[[W]] : tensor<4x4xf32>, tensor<8x4xf32>
  %0:2 = sdy.manual_computation(%a, %b) in_shardings=[<@mesh, [{"y"}, {}]>, <@mesh, [{"y"}, {}]>] out_shardings=[<@mesh, [{"y"}, {}]>, <@mesh, [{"y"}, {}]>] manual_axes={"x", "y"} (%p: tensor<4x4xf32>, %q: tensor<4x4xf32>) {
    %s = stablehlo.add %p, %q : tensor<4x4xf32>
    sdy.return %s, %q : tensor<4x4xf32>, tensor<4x4xf32>
  } : (tensor<8x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  return %0#0, %0#1 : tensor<8x4xf32>, tensor<8x4xf32>
}

// An argument that is used otherwise, too, stays whole.
// CHECK-LABEL: func.func @used_twice
// CHECK-SAME: %arg0: tensor<8x4xf32>
// CHECK: "ttir.mesh_shard"(%arg0)
func.func @used_twice(%a: tensor<8x4xf32> {ttcore.shard_status = #ttcore.shard_status<presharded>}) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"y"}, {}]>] out_shardings=[<@mesh, [{"y"}, {}]>] manual_axes={"x", "y"} (%p: tensor<4x4xf32>) {
    %s = stablehlo.tanh %p : tensor<4x4xf32>
    sdy.return %s : tensor<4x4xf32>
  } : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0, %a : tensor<8x4xf32>, tensor<8x4xf32>
}

// -----

// A part of an axis: TTIR cannot say it. The computation stays, with its mesh; ops inside are converted.
// CHECK: sdy.mesh @mesh
sdy.mesh @mesh = <["x"=4]>
// CHECK-LABEL: func.func @sub_axis
// CHECK: sdy.manual_computation
// CHECK: "ttir.tanh"
func.func @sub_axis(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x":(1)2}, {"x":(2)2}]>] out_shardings=[<@mesh, [{"x":(1)2}, {"x":(2)2}]>] manual_axes={"x"} (%p: tensor<4x2xf32>) {
    %s = stablehlo.tanh %p : tensor<4x2xf32>
    sdy.return %s : tensor<4x2xf32>
  } : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

// Groups that no axes of the mesh make, and bodies that are no single op: such collectives stay.
sdy.mesh @mesh = <["x"=2, "y"=2]>
// CHECK-LABEL: func.func @groups
// CHECK: stablehlo.all_gather
// CHECK: stablehlo.all_reduce
// CHECK-NOT: "ttir.all_reduce"
// CHECK: return
func.func @groups(%a: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 3], [1, 2]]> : tensor<2x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
  %1 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %t = stablehlo.multiply %l, %l : tensor<f32>
    %u = stablehlo.add %t, %r : tensor<f32>
    stablehlo.return %u : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<8xf32>, tensor<4xf32>
}
