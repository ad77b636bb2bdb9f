// RUN: tessera opt %s --tessera-autodiff -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @gather_grad(
// CHECK: "stablehlo.reduce_scatter"({{.*}}) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xi64>, scatter_dimension = 1 : i64, use_global_device_ids}>
// CHECK: stablehlo.add
// CHECK: (tensor<2x8xf32>) -> tensor<2x4xf32>
func.func @gather(%x: tensor<2x4xf32>) -> tensor<2x8xf32> attributes {tessera.autodiff} {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func.func @permute_grad(
// CHECK: "stablehlo.collective_permute"({{.*}}) <{source_target_pairs = dense<{{\[\[}}1, 0], [2, 1]]> : tensor<2x2xi64>}>
func.func @permute(%x: tensor<2xf32>) -> tensor<2xf32> attributes {tessera.autodiff} {
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// In a manual computation, what all devices along an axis share gets the sum of their cotangents; of a shared result each
// device has its part.
sdy.mesh @mesh = <["x"=2]>
// CHECK-LABEL: func.func @manual_grad(
// CHECK: sdy.manual_computation(%arg0, %arg1, %arg2) in_shardings=[<@mesh, [{"x"}]>, <@mesh, [{}]>, <@mesh, [{}]>] out_shardings=[<@mesh, [{"x"}]>, <@mesh, [{}]>] manual_axes={"x"}
// CHECK: stablehlo.constant dense<5.000000e-01>
// CHECK: "stablehlo.all_reduce"({{.*}}) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>, use_global_device_ids}>
func.func @manual(%x: tensor<4xf32>, %w: tensor<2xf32>) -> tensor<2xf32> attributes {tessera.autodiff} {
  %0 = sdy.manual_computation(%x, %w) in_shardings=[<@mesh, [{"x"}]>, <@mesh, [{}]>] out_shardings=[<@mesh, [{}]>] manual_axes={"x"} (%a: tensor<2xf32>, %b: tensor<2xf32>) {
    %1 = stablehlo.multiply %a, %b : tensor<2xf32>
    %2 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%c: tensor<f32>, %d: tensor<f32>):
      %e = stablehlo.add %c, %d : tensor<f32>
      stablehlo.return %e : tensor<f32>
    }) : (tensor<2xf32>) -> tensor<2xf32>
    sdy.return %2 : tensor<2xf32>
  } : (tensor<4xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
