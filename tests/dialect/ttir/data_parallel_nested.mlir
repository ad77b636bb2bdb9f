// RUN: tessera opt %s --ttir-automatic-data-parallelization='mesh-shape=2,2 batch-axis=0' --allow-unregistered-dialect | FileCheck %s
// Modules inside modules, functions of the host, ops that nobody knows, regions, collectives along another axis.

// CHECK: module @m attributes {ttcore.meshes = #ttcore.meshes<[<"grid" = 2x2>]>}
// CHECK: ttcore.device_module
// CHECK: builtin.module @m attributes {ttcore.meshes = #ttcore.meshes<[<"grid" = 2x2>]>}
module @m attributes {ttcore.meshes = #ttcore.meshes<[<"grid" = 1x2>]>} {
  ttcore.device_module {
    builtin.module @m attributes {ttcore.meshes = #ttcore.meshes<[<"grid" = 1x2>]>} {
      // CHECK-LABEL: func.func @collectives
      // CHECK: "ttir.mesh_shard"(%arg0) <{shard_dims = array<i64: 0, -1>, {{.*}}shard_shape = array<i64: 2, 1>
      // CHECK: "ttir.all_reduce"({{.*}} <{cluster_axis = 1 : ui32, reduce_type = #ttcore.reduce_type<sum>}> : (tensor<8x4xf32>) -> tensor<8x4xf32>
      // CHECK: "ttir.sum"
      // CHECK-NEXT: "ttir.all_reduce"({{.*}} <{cluster_axis = 0 : ui32
      func.func @collectives(%x: tensor<16x4xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %w: tensor<4x4xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<4xf32> {
        %0 = "ttir.matmul"(%x, %w) : (tensor<16x4xf32>, tensor<4x4xf32>) -> tensor<16x4xf32>
        %1 = "ttir.all_reduce"(%0) <{cluster_axis = 1 : ui32, reduce_type = #ttcore.reduce_type<sum>}> : (tensor<16x4xf32>) -> tensor<16x4xf32>
        %2 = "ttir.sum"(%1) <{dim_arg = [0 : i32], keep_dim = false}> : (tensor<16x4xf32>) -> tensor<4xf32>
        return %2 : tensor<4xf32>
      }
      // Regions and unknown ops see whole values; what writes inside a region writes to a whole cache.
      // CHECK-LABEL: func.func @regions
      // CHECK: "ttir.mesh_shard"(%arg0) <{{.*}}devices
      // CHECK: [[C:%[0-9]+]] = "ttir.mesh_shard"(%arg1) <{{.*}}replicate
      // CHECK: [[E:%[0-9]+]] = "ttir.multiply"({{.*}} -> tensor<4x2x6x4xf32>
      // CHECK: [[G:%[0-9]+]] = "ttir.all_gather"([[E]])
      // CHECK: "test.region"() ({
      // CHECK-NEXT: "test.use"([[G]])
      // CHECK-NEXT: "ttir.fill_cache"([[C]],
      // CHECK: "test.unknown"([[G]]) : (tensor<8x2x6x4xf32>) -> tensor<8x2x6x4xf32>
      func.func @regions(%x: tensor<8x2x6x4xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %c: tensor<8x2x6x4xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %r: tensor<1x2x3x4xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %w: tensor<2x1x4xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<8x2x6x4xf32>, tensor<8x2x6x4xf32>) {
        %0 = "ttir.multiply"(%x, %w) : (tensor<8x2x6x4xf32>, tensor<2x1x4xf32>) -> tensor<8x2x6x4xf32>
        "test.region"() ({
          "test.use"(%0) : (tensor<8x2x6x4xf32>) -> ()
          "ttir.fill_cache"(%c, %r) <{batch_offset = 3 : i32}> : (tensor<8x2x6x4xf32>, tensor<1x2x3x4xf32>) -> ()
        }) : () -> ()
        %1 = "test.unknown"(%0) : (tensor<8x2x6x4xf32>) -> tensor<8x2x6x4xf32>
        return %1, %c : tensor<8x2x6x4xf32>, tensor<8x2x6x4xf32>
      }
      // Several blocks: left as it is.
      // CHECK-LABEL: func.func @blocks
      // CHECK-NEXT: cf.br
      func.func @blocks(%x: tensor<16x4xf32>) -> tensor<16x4xf32> {
        cf.br ^next(%x : tensor<16x4xf32>)
      ^next(%y: tensor<16x4xf32>):
        return %y : tensor<16x4xf32>
      }
    }
  }
  ttcore.cpu_module {
    builtin.module {
      // CHECK-LABEL: func.func @on_host
      // CHECK-NEXT: "ttir.exp"(%arg0) : (tensor<16x4xf32>)
      func.func @on_host(%x: tensor<16x4xf32>) -> tensor<16x4xf32> {
        %0 = "ttir.exp"(%x) : (tensor<16x4xf32>) -> tensor<16x4xf32>
        return %0 : tensor<16x4xf32>
      }
    }
  }
}
