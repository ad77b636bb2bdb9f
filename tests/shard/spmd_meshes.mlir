// Meshes of other sizes in one program: a mesh of fewer devices is repeated until all take part, an empty one and one
// of a single device say nothing, and collectives in a manual computation are those of its mesh.
// RUN: tessera run %s --function=fewer --spmd --check --input=random | FileCheck %s
// CHECK-COUNT-4: PASS
// RUN: tessera run %s --function=manual --spmd --check --input=random | FileCheck %s --check-prefix=MANUAL
// MANUAL-COUNT-6: PASS
// RUN: tessera run %s --function=uneven --spmd --check --input=random | FileCheck %s --check-prefix=UNEVEN
// UNEVEN: 0 {{.*}}PASS
// RUN: tessera run %s --function=named --spmd --check --input=random | FileCheck %s --check-prefix=NAMED
// NAMED: 0 {{.*}}PASS
// RUN: tessera opt %s --tessera-partition | FileCheck %s --check-prefix=LOCAL
// LOCAL: mhlo.num_partitions = 12 : i32
// LOCAL-LABEL: @fewer(%arg0: tensor<2xf32> {tessera.global = tensor<8xf32>, tessera.sharding = #sdy.sharding<mesh<["a"=3, "b"=4]>, [{"b"}]>}, %arg1: tensor<4xf32> {tessera.global = tensor<8xf32>, tessera.sharding = #sdy.sharding<mesh<["x"=2, "y"=2, "copies"=3], device_ids=[{{.*}}]>, [{"y"}], unreduced=max{"x"}>}
module {
  sdy.mesh @empty = <[]>
  sdy.mesh @one = <["x"=1]>
  sdy.mesh @single = <[], device_ids=[3]>
  sdy.mesh @few = <["x"=2, "copies"=2]>
  sdy.mesh @turned = <["x"=2, "y"=2], device_ids=[3, 1, 0, 2]>
  sdy.mesh @all = <["a"=3, "b"=4]>
  sdy.mesh @odd = <["a"=5]>
  func.func @fewer(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@few, [{"x", "copies"}]>}, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@turned, [{"y"}], unreduced=max{"x"}>})
      -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@turned, [{"x"}], unreduced={"y"}>}, tensor<8xf32>, tensor<8xf32>, tensor<8xf32> {sdy.sharding = #sdy.sharding<@all, [{"b"}]>}) {
    %0 = stablehlo.add %a, %b : tensor<8xf32>
    %1 = sdy.sharding_constraint %0 <@empty, [{}]> : tensor<8xf32>
    %2 = sdy.sharding_constraint %1 <@one, [{"x"}]> : tensor<8xf32>
    %3 = sdy.reshard %2 <@turned, [{"y", "x"}]> : tensor<8xf32>
    %4 = sdy.reshard %3 <@odd, [{"a"}]> : tensor<8xf32>
    return %0, %2, %3, %4 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  }
  func.func @manual(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4xui32>, tensor<8xf32>, tensor<8xf32>) {
    %0 = sdy.manual_computation(%a) in_shardings=[<@empty, [{}]>] out_shardings=[<@few, [{"x"}]>] manual_axes={"x"} (%b: tensor<8xf32>) {
      %5 = stablehlo.slice %b [0:4] : (tensor<8xf32>) -> tensor<4xf32>
      sdy.return %5 : tensor<4xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    // groups of devices, all devices, pairs, and axes of the mesh
    %1:4 = sdy.manual_computation(%a) in_shardings=[<@turned, [{"x", "y"}]>] out_shardings=[<@turned, [{"x", "y"}]>, <@turned, [{"x", "y"}]>, <@turned, [{"x", "y"}]>, <@turned, [{"x", "y"}]>] manual_axes={"x", "y"} (%b: tensor<2xf32>) {
      %5 = "stablehlo.all_reduce"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[3, 1], [0, 2]]> : tensor<2x2xi64>, use_global_device_ids}> ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %s = stablehlo.maximum %x, %y : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) : (tensor<2xf32>) -> tensor<2xf32>
      %6 = "stablehlo.all_reduce"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>}> ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %s = stablehlo.minimum %x, %y : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) : (tensor<2xf32>) -> tensor<2xf32>
      %7 = "stablehlo.collective_permute"(%5) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3]]> : tensor<3x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
      %8 = stablehlo.partition_id : tensor<ui32>
      %9 = stablehlo.reshape %8 : (tensor<ui32>) -> tensor<1xui32>
      sdy.return %5, %6, %9, %7 : tensor<2xf32>, tensor<2xf32>, tensor<1xui32>, tensor<2xf32>
    } : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<4xui32>, tensor<8xf32>)
    %2 = sdy.manual_computation(%a) in_shardings=[<@turned, [{}], unreduced=max{"x"}>] out_shardings=[<@turned, [{"y"}], unreduced={"x"}>] manual_axes={"x", "y"} (%b: tensor<8xf32>) {
      %5 = stablehlo.slice %b [0:4] : (tensor<8xf32>) -> tensor<4xf32>
      %6 = stablehlo.add %5, %5 : tensor<4xf32>
      sdy.return %6 : tensor<4xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    return %0, %1#0, %1#1, %1#2, %1#3, %2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4xui32>, tensor<8xf32>, tensor<8xf32>
  }
  // 16 elements in 12 parts are 2 each; 4 of a device's in 3 parts are 2, 2, 0: other ones, so only the bound axis counts.
  func.func @uneven(%a: tensor<16xf32>) -> tensor<16xf32> {
    %0 = sdy.manual_computation(%a) in_shardings=[<@all, [{"b", "a"}]>] out_shardings=[<@all, [{"b", "a"}]>] manual_axes={"b"} (%b: tensor<4xf32>) {
      %1 = stablehlo.reverse %b, dims = [0] : tensor<4xf32>
      sdy.return %1 : tensor<4xf32>
    } : (tensor<16xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
  func.func @named(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@few, [{"x"}]>}) -> tensor<8xf32> {
    %0 = sdy.named_computation<"f">(%a) (%b: tensor<8xf32>) {
      %1 = stablehlo.add %b, %b {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@few, [{"x"}]>]>} : tensor<8xf32>
      sdy.return %1 : tensor<8xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
