// A program without a mesh whose collectives name groups of devices: TTIR gets a mesh whose axes they are, and the devices
// see each other. The finer groups decide. Under the peer's name nothing is said.
// RUN: tessera opt %s --convert-stablehlo-to-ttir -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera run %t.mlir --input=2xf32=1,2 --expect=2xf32=2,4 --expect=2xf32=4,8 --expect=4xf32=1,2,1,2
// RUN: ttmlir-opt %s --convert-stablehlo-to-ttir | FileCheck %s --check-prefix=PEER

// CHECK: ttcore.meshes = #ttcore.meshes<[<"mesh" = 2x2>]>
// PEER-NOT: ttcore.meshes
func.func @main(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<4xf32>) {
  // CHECK: "ttir.all_reduce"({{.*}}) <{cluster_axis = 0 : ui32
  %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: "ttir.all_reduce"
  // CHECK: "ttir.all_reduce"
  %1 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  %2 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<4xf32>
}
