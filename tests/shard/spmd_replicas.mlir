// Replicas times partitions: collectives of the program go along replicas, those of the partitioner along partitions.
// RUN: tessera run %s --spmd --check --input=random | FileCheck %s
// CHECK: 0 {{.*}}PASS
// RUN: tessera opt %s --tessera-partition | FileCheck %s --check-prefix=LOCAL
// LOCAL: replica_groups = dense<{{\[\[}}0, 2], [1, 3], [4, 6], [5, 7{{\]\]}}> : tensor<4x2xi64>, use_global_device_ids
// LOCAL: replica_groups = dense<{{\[\[}}0, 1{{\]\]}}> : tensor<1x2xi64>}>
module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 2 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%a: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> (tensor<4xf32>) {
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %r = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
    %s = "stablehlo.all_reduce"(%r) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %q = stablehlo.add %x, %y : tensor<f32>
        stablehlo.return %q : tensor<f32>
      }) : (tensor<4xf32>) -> tensor<4xf32>
    return %s : tensor<4xf32>
  }
}
