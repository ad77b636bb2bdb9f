// Constraints in the body of a reducer say nothing: the body is still a sum, and parts of it are joined.
// RUN: tessera run %s --spmd --check --input=random | FileCheck %s --check-prefix=RUN
// RUN-COUNT-3: PASS
// RUN: tessera opt %s --tessera-partition | FileCheck %s
// RUN: tessera opt %s --tessera-spmd-partition | FileCheck %s
// CHECK-NOT: all_gather
// CHECK: stablehlo.reduce({{.*}} applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>)
// CHECK: "stablehlo.all_reduce"
// CHECK-NOT: {{all_gather|sdy}}
// CHECK: return %
module {
  sdy.mesh @mesh = <["d"=2]>
  func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}]>}) -> (tensor<f32>, tensor<4xf32>, tensor<2xf32>) {
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = "stablehlo.reduce"(%a, %z) <{dimensions = array<i64: 0>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %1 = stablehlo.add %x, %y : tensor<f32>
      sdy.sharding_group %1 group_id=3 : tensor<f32>
      %2 = sdy.sharding_constraint %1 <@mesh, []> : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %3 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"d"}]>] out_shardings=[<@mesh, [{"d"}]>] manual_axes={"d"} (%b: tensor<2xf32>) {
      %4 = "stablehlo.all_reduce"(%b) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %5 = stablehlo.maximum %x, %y : tensor<f32>
        %6 = sdy.sharding_constraint %5 <@mesh, []> : tensor<f32>
        %7 = sdy.reshard %6 <@mesh, []> : tensor<f32>
        stablehlo.return %7 : tensor<f32>
      }) : (tensor<2xf32>) -> tensor<2xf32>
      sdy.return %4 : tensor<2xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    %k = stablehlo.constant dense<[1, 1, 0]> : tensor<3xi32>
    %u = stablehlo.constant dense<2.0> : tensor<3xf32>
    %i = stablehlo.slice %3 [0:2] : (tensor<4xf32>) -> tensor<2xf32>
    %8 = "stablehlo.scatter"(%i, %k, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %9 = sdy.sharding_constraint %x <@mesh, []> : tensor<f32>
      %10 = stablehlo.add %9, %y : tensor<f32>
      stablehlo.return %10 : tensor<f32>
    }) : (tensor<2xf32>, tensor<3xi32>, tensor<3xf32>) -> tensor<2xf32>
    return %0, %3, %8 : tensor<f32>, tensor<4xf32>, tensor<2xf32>
  }
}
