// The forms of all ops of Graph IR that values.mlir does not have, and that they come back from generic form.
// RUN: tessera opt %s | FileCheck %s
// RUN: tessera opt %s --mlir-print-op-generic | tessera opt - | FileCheck %s
// RUN: tessera opt %s --emit-bytecode -o %t.mlirbc
// RUN: tessera opt %t.mlirbc | FileCheck %s

module {
  // CHECK: tessera.mesh @mesh = <["data"=2, "model"=4]> {groups = {data_parallel = ["data"], tensor_parallel = ["model"]}}
  tessera.mesh @mesh = <["data"=2, "model"=4]> {groups = {data_parallel = ["data"], tensor_parallel = ["model"]}}
  // CHECK: tessera.state @counter = dense<0.000000e+00> : tensor<4xf32>
  tessera.state @counter = dense<0.0> : tensor<4xf32>
  // CHECK: tessera.state @rng = dense<[7, 0]> : tensor<2xui64>
  tessera.state @rng = dense<[7, 0]> : tensor<2xui64>

  // CHECK-LABEL: func.func @effects
  func.func @effects(%x: tensor<4xf32>, %key: tensor<2xui64>) -> (tensor<4xf32>, tensor<2xui64>) {
    // CHECK: %{{.*}} = tessera.random @rng : tensor<4xf32>
    %0 = tessera.random @rng : tensor<4xf32>
    // CHECK: %{{.*}}:2 = tessera.random @rng {distribution = "normal"} : tensor<4xf32>, !tessera.effect_token
    %1, %t1 = tessera.random @rng {distribution = "normal"} : tensor<4xf32>, !tessera.effect_token
    // CHECK: %{{.*}}:2 = tessera.random %arg1 : tensor<2xui64> -> tensor<4xf32>, tensor<2xui64>
    %2, %next = tessera.random %key : tensor<2xui64> -> tensor<4xf32>, tensor<2xui64>
    // CHECK: tessera.state_update @counter, %{{.*}} after(%{{.*}}) : tensor<4xf32>
    tessera.state_update @counter, %1 after(%t1) : tensor<4xf32>
    // CHECK: %[[T:.*]] = tessera.state_update @counter, %{{.*}} : tensor<4xf32> -> !tessera.effect_token
    %t2 = tessera.state_update @counter, %x : tensor<4xf32> -> !tessera.effect_token
    // CHECK: %[[D:.*]] = tessera.effect_dependency(%{{.*}}, %[[T]]) : tensor<4xf32>, !tessera.effect_token
    %t3 = tessera.effect_dependency(%0, %t2) : tensor<4xf32>, !tessera.effect_token
    // CHECK: tessera.effect_dependency(){{$}}
    %t4 = tessera.effect_dependency()
    // CHECK: tessera.state_read @counter after(%[[D]], %{{.*}}) : tensor<4xf32>
    %3 = tessera.state_read @counter after(%t3, %t4) : tensor<4xf32>
    return %3, %next : tensor<4xf32>, tensor<2xui64>
  }

  // CHECK-LABEL: func.func @distributed
  func.func @distributed(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
    // CHECK: tessera.shard %{{.*}} <@mesh, [{"data"}, {"model"}]> : tensor<8x16xf32> -> tensor<8x16xf32>
    %0 = tessera.shard %x <@mesh, [{"data"}, {"model"}]> : tensor<8x16xf32> -> tensor<8x16xf32>
    // CHECK: tessera.replicate %{{.*}} on @mesh : tensor<8x16xf32> -> tensor<8x16xf32>
    %1 = tessera.replicate %0 on @mesh : tensor<8x16xf32> -> tensor<8x16xf32>
    // CHECK: tessera.allreduce %{{.*}} {group = "data_parallel", kind = "max", mesh = @mesh}
    %2 = tessera.allreduce %1 {kind = "max", mesh = @mesh, group = "data_parallel"} : tensor<8x16xf32> -> tensor<8x16xf32>
    // CHECK: tessera.all_gather %{{.*}} {dim = 1 : i64, group = "tensor_parallel", mesh = @mesh} : tensor<8x16xf32> -> tensor<8x64xf32>
    %3 = tessera.all_gather %2 {mesh = @mesh, group = "tensor_parallel", dim = 1} : tensor<8x16xf32> -> tensor<8x64xf32>
    // CHECK: tessera.reduce_scatter %{{.*}} {dim = 1 : i64, group = ["model"], mesh = @mesh} : tensor<8x64xf32> -> tensor<8x16xf32>
    %4 = tessera.reduce_scatter %3 {mesh = @mesh, group = ["model"], dim = 1} : tensor<8x64xf32> -> tensor<8x16xf32>
    // CHECK: tessera.collective %{{.*}} {group = "data", kind = "all_to_all", mesh = @mesh, to_dim = 1 : i64} : tensor<8x16xf32> -> tensor<4x32xf32>
    %5 = tessera.collective %4 {kind = "all_to_all", mesh = @mesh, group = "data", dim = 0, to_dim = 1} : tensor<8x16xf32> -> tensor<4x32xf32>
    // CHECK: %[[G:.*]]:2 = tessera.allreduce %{{.*}} {mesh = @mesh} : tensor<8x16xf32> -> tensor<8x16xf32>, !tessera.effect_token
    %6, %t = tessera.allreduce %4 {mesh = @mesh} : tensor<8x16xf32> -> tensor<8x16xf32>, !tessera.effect_token
    // CHECK: tessera.nccl_allreduce %[[G]]#0 after(%[[G]]#1) {devices = dense<{{.*}}> : tensor<2x4xi64>}
    %7 = tessera.nccl_allreduce %6 after(%t) {devices = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>} : tensor<8x16xf32> -> tensor<8x16xf32>
    // CHECK: tessera.nccl_all_gather {{.*}} tensor<8x16xf32> -> tensor<16x16xf32>
    %8 = tessera.nccl_all_gather %7 {devices = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>} : tensor<8x16xf32> -> tensor<16x16xf32>
    // CHECK: tessera.nccl_reduce_scatter {{.*}} tensor<16x16xf32> -> tensor<8x16xf32>
    %9 = tessera.nccl_reduce_scatter %8 {devices = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>} : tensor<16x16xf32> -> tensor<8x16xf32>
    // CHECK: tessera.nccl_all_to_all {{.*}} tensor<8x16xf32> -> tensor<4x32xf32>
    %10 = tessera.nccl_all_to_all %9 {devices = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, to_dim = 1} : tensor<8x16xf32> -> tensor<4x32xf32>
    return %9 : tensor<8x16xf32>
  }

  // CHECK-LABEL: func.func private @f
  func.func private @f(%x: tensor<3xf32>, %y: tensor<f32>) -> tensor<3xf32> {
    %0 = tessera.mul %x, %y : tensor<3xf32>, tensor<f32> -> tensor<3xf32>
    return %0 : tensor<3xf32>
  }
  // CHECK-LABEL: func.func @derivatives
  func.func @derivatives(%x: tensor<3xf32>, %y: tensor<f32>) -> tensor<3xf32> {
    // CHECK: tessera.forward @f(%arg0, %arg1, %arg0, %arg1) : (tensor<3xf32>, tensor<f32>, tensor<3xf32>, tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>)
    %0:2 = tessera.forward @f(%x, %y, %x, %y) : (tensor<3xf32>, tensor<f32>, tensor<3xf32>, tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>)
    // CHECK: tessera.reverse @f(%arg0, %arg1, %arg0) : (tensor<3xf32>, tensor<f32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<f32>)
    %1:3 = tessera.reverse @f(%x, %y, %x) : (tensor<3xf32>, tensor<f32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<f32>)
    // CHECK: tessera.vjp @f(%arg0, %arg1, %arg0) : (tensor<3xf32>, tensor<f32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<f32>)
    %2:2 = tessera.vjp @f(%x, %y, %x) : (tensor<3xf32>, tensor<f32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<f32>)
    return %2#0 : tensor<3xf32>
  }

  // CHECK-LABEL: func.func @names
  // CHECK-SAME: tensor<?x4xf32, #tessera.dims<["B", ?]>>
  func.func @names(%x: tensor<?x4xf32, #tessera.dims<["B", ?]>>, %w: tensor<4x?xf32, #tessera.dims<[?, "N"]>>) {
    // CHECK: tessera.matmul {{.*}} -> tensor<?x?xf32, #tessera.dims<["B", "N"]>>
    %0 = tessera.matmul %x, %w : tensor<?x4xf32, #tessera.dims<["B", ?]>>, tensor<4x?xf32, #tessera.dims<[?, "N"]>> -> tensor<?x?xf32, #tessera.dims<["B", "N"]>>
    return
  }
}
