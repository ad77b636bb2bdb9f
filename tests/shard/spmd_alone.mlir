// JAX leaves out manual computations along axes of size 1, not the collectives in them: each device does these by itself.
// RUN: tessera run %s --spmd --check --input=4x6xi32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24 | FileCheck %s --check-prefix=RUN
// RUN-COUNT-6: PASS (exact)
// RUN: tessera run %s --input=4x6xi32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24 | FileCheck %s --check-prefix=VALUES
// VALUES: [1, 2, 3, 4, 5, 6]
// VALUES: [0, 0, 0, 0, 0, 0]
// RUN: tessera opt %s --tessera-partition | FileCheck %s
// CHECK-NOT: {{all_reduce|all_gather|all_to_all|reduce_scatter}}
// CHECK: "stablehlo.collective_permute"{{.*}} dense<> : tensor<0x2xi64>
// CHECK-NOT: stablehlo.collective_permute
// CHECK: return %
// RUN: not tessera run %s --function=far --input=4xi32=1,2,3,4 2>&1 | FileCheck %s --check-prefix=FAR
// FAR: error: 'stablehlo.all_reduce' op names process 1, and there are 1
// RUN: not tessera run %s --function=beyond --input=4xi32=1,2,3,4 2>&1 | FileCheck %s --check-prefix=BEYOND
// BEYOND: error: 'stablehlo.collective_permute' op names partition 6, and there are 1
module attributes {mhlo.num_partitions = 6 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["d"=1, "m"=3, "n"=2]>
  func.func @main(%a: tensor<4x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"n"}, {"m"}]>}) -> (tensor<4x6xi32>, tensor<4x6xi32>, tensor<4x6xi32>, tensor<4x6xi32>, tensor<4x6xi32>, tensor<4x6xi32>) {
    %0 = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 0], [1, 1], [2, 2], [3, 3], [4, 4], [5, 5]]> : tensor<6x2xi64>}> : (tensor<4x6xi32>) -> tensor<4x6xi32>
    %1 = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<> : tensor<0x2xi64>}> : (tensor<4x6xi32>) -> tensor<4x6xi32>
    %2 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0], [1], [2], [3], [4], [5]]> : tensor<6x1xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<i32>, %y: tensor<i32>):
      %s = stablehlo.add %x, %y : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) : (tensor<4x6xi32>) -> tensor<4x6xi32>
    %3 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0], [1], [2], [3], [4], [5]]> : tensor<6x1xi64>, use_global_device_ids}> : (tensor<4x6xi32>) -> tensor<4x6xi32>
    %4 = "stablehlo.all_to_all"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, concat_dimension = 1 : i64, split_dimension = 0 : i64, split_count = 1 : i64, replica_groups = dense<[[0], [1], [2], [3], [4], [5]]> : tensor<6x1xi64>}> : (tensor<4x6xi32>) -> tensor<4x6xi32>
    %5 = "stablehlo.reduce_scatter"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, replica_groups = dense<[[0], [1], [2], [3], [4], [5]]> : tensor<6x1xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%x: tensor<i32>, %y: tensor<i32>):
      %s = stablehlo.add %x, %y : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) : (tensor<4x6xi32>) -> tensor<4x6xi32>
    return %0, %1, %2, %3, %4, %5 : tensor<4x6xi32>, tensor<4x6xi32>, tensor<4x6xi32>, tensor<4x6xi32>, tensor<4x6xi32>, tensor<4x6xi32>
  }
  // A group of several devices does not mean anything here.
  func.func @far(%a: tensor<4xi32>) -> tensor<4xi32> {
    %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<i32>, %y: tensor<i32>):
      %s = stablehlo.add %x, %y : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) : (tensor<4xi32>) -> tensor<4xi32>
    return %0 : tensor<4xi32>
  }
  func.func @beyond(%a: tensor<4xi32>) -> tensor<4xi32> {
    %0 = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[6, 6]]> : tensor<1x2xi64>}> : (tensor<4xi32>) -> tensor<4xi32>
    return %0 : tensor<4xi32>
  }
}
