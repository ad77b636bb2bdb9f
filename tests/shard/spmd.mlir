// Global programs become local ones: types of parts, and the collectives that suffice.
// RUN: tessera opt %s --tessera-partition -split-input-file | FileCheck %s

// A sum over a sharded dimension is joined; where the result is sharded by the same axis, parts are scattered.
// CHECK: module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32, tessera.partitioned}
// CHECK-NOT: sdy.mesh
// CHECK: func.func @dot(%arg0: tensor<4x4xf32> {tessera.global = tensor<8x16xf32>, tessera.sharding = #sdy.sharding<mesh<["x"=2, "y"=4]>, [{"x"}, {"y"}]>}
// CHECK: stablehlo.dot_general {{.*}} : (tensor<4x4xf32>, tensor<4x12xf32>) -> tensor<4x12xf32>
// CHECK: "stablehlo.all_reduce"{{.*}}channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<{{\[\[}}0, 1, 2, 3], [4, 5, 6, 7{{\]\]}}> : tensor<2x4xi64>, use_global_device_ids
// CHECK: stablehlo.dot_general {{.*}} : (tensor<4x4xf32>, tensor<4x12xf32>) -> tensor<4x12xf32>
// CHECK: "stablehlo.reduce_scatter"{{.*}}scatter_dimension = 1 : i64
// CHECK: (tensor<4x12xf32>) -> tensor<4x3xf32>
module {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func @dot(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<16x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<8x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<8x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x12xf32>) -> tensor<8x12xf32>
    %c = stablehlo.negate %b : tensor<16x12xf32>
    %1 = stablehlo.dot_general %a, %c, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x12xf32>) -> tensor<8x12xf32>
    return %0, %1 : tensor<8x12xf32>, tensor<8x12xf32>
  }
}

// -----

// An axis that changes the dimension is exchanged; two axes are gathered in one go, in their order; parts on other devices
// are permuted; what every device has is sliced, here by who gives the argument.
// CHECK: func.func @move
// CHECK: "stablehlo.all_to_all"(%arg0) <{channel_handle = {{.*}}, concat_dimension = 0 : i64, replica_groups = dense<{{\[\[}}0, 2], [1, 3{{\]\]}}> : tensor<2x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
// CHECK: "stablehlo.all_gather"(%arg1) <{all_gather_dim = 0 : i64, {{.*}}replica_groups = dense<{{\[\[}}0, 2, 1, 3{{\]\]}}> : tensor<1x4xi64>
// CHECK: "stablehlo.collective_permute"(%arg2) {{.*}}source_target_pairs = dense<{{\[\[}}0, 0], [2, 1], [1, 2], [3, 3{{\]\]}}> : tensor<4x2xi64>
// CHECK: return {{.*}} : tensor<8x4xf32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<2x8xf32>
module {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @move(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {}]>}, %c: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %d: tensor<8x8xf32>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) {
    return %a, %b, %c, %d : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
  }
}

// -----

// What does not divide is padded; padding is masked where it would be seen, and what joins nothing stands there.
// CHECK: func.func @padded(%arg0: tensor<3xf32>
// CHECK-DAG: stablehlo.constant dense<0xFF800000> : tensor<f32>
// CHECK: stablehlo.compare LT
// CHECK: stablehlo.select
// CHECK: stablehlo.reduce{{.*}}applies stablehlo.maximum
// CHECK: "stablehlo.all_reduce"
// CHECK: stablehlo.maximum
// CHECK: stablehlo.maximum
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func @padded(%a: tensor<5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %init: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.reduce(%a init: %init) applies stablehlo.maximum across dimensions = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}

// -----

// Each device makes its part of what has no operands.
// CHECK: func.func @made
// CHECK: stablehlo.constant dense<2.000000e+00> : tensor<2x3xbf16>
// CHECK: stablehlo.iota dim = 0 : tensor<2x3xi64>
// CHECK: stablehlo.convert {{.*}} : (tensor<2x3xi64>) -> tensor<2x3xbf16>
module {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @made() -> (tensor<4x5xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
    %0 = stablehlo.constant dense<2.0> : tensor<4x5xbf16>
    %1 = stablehlo.iota dim = 0 : tensor<4x5xbf16>
    %2 = stablehlo.add %0, %1 : tensor<4x5xbf16>
    return %2 : tensor<4x5xbf16>
  }
}
