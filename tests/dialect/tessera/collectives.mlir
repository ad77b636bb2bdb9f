// Collectives of local tensors, on a grid of four processes: data is replica / 2, model is replica % 2.
// RUN: stablehlo-translate --interpret %s
// RUN: tessera opt %s --tessera-to-stablehlo | FileCheck %s

// CHECK: sdy.mesh @mesh
// CHECK: "stablehlo.all_reduce"(%{{.*}}) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}>
// CHECK: "stablehlo.all_gather"
// CHECK: "stablehlo.reduce_scatter"
// CHECK: "stablehlo.all_to_all"
// CHECK: "stablehlo.collective_permute"
tessera.mesh @mesh = <["data"=2, "model"=2]> {groups = {data_parallel = ["data"], tensor_parallel = ["model"]}}

func.func @program(%a: tensor<2xf32>, %b: tensor<2x2xf32>)
    -> (tensor<2xf32>, tensor<2xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = tessera.allreduce %a {mesh = @mesh, group = "data_parallel"} : tensor<2xf32> -> tensor<2xf32>
  %1, %t = tessera.allreduce %a {mesh = @mesh, group = "model", kind = "mean"} : tensor<2xf32> -> tensor<2xf32>, !tessera.effect_token
  %2 = tessera.all_gather %a after(%t) {mesh = @mesh, group = "tensor_parallel"} : tensor<2xf32> -> tensor<4xf32>
  %3 = tessera.reduce_scatter %a {mesh = @mesh, group = "tensor_parallel", kind = "max"} : tensor<2xf32> -> tensor<1xf32>
  %4 = tessera.collective %b {kind = "all_to_all", mesh = @mesh, group = "model", to_dim = 1} : tensor<2x2xf32> -> tensor<1x4xf32>
  %5 = tessera.collective %a {kind = "permute", devices = dense<[[0, 1], [1, 2], [2, 3]]> : tensor<3x2xi64>} : tensor<2xf32> -> tensor<2xf32>
  %6 = tessera.collective %a {kind = "broadcast", mesh = @mesh} : tensor<2xf32> -> tensor<2xf32>
  %7 = tessera.nccl_allreduce %a {devices = dense<[[3, 2, 1, 0]]> : tensor<1x4xi64>, kind = "min"} : tensor<2xf32> -> tensor<2xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<2xf32>, tensor<2xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
func.func @main() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %c = stablehlo.constant dense<[100.0, 200.0]> : tensor<2xf32>
  %d = stablehlo.constant dense<[1000.0, 2000.0]> : tensor<2xf32>
  %m = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %n = stablehlo.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %r:32 = "interpreter.run_parallel"(%a, %m, %b, %n, %c, %m, %d, %n) {programs = [[@program], [@program], [@program], [@program]]}
    : (tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>)
    -> (tensor<2xf32>, tensor<2xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>,
        tensor<2xf32>, tensor<2xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>,
        tensor<2xf32>, tensor<2xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>,
        tensor<2xf32>, tensor<2xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_eq_const %r#0, dense<[101.0, 202.0]> : tensor<2xf32>
  check.expect_eq_const %r#1, dense<[5.5, 11.0]> : tensor<2xf32>
  check.expect_eq_const %r#2, dense<[1.0, 2.0, 10.0, 20.0]> : tensor<4xf32>
  check.expect_eq_const %r#3, dense<[10.0]> : tensor<1xf32>
  check.expect_eq_const %r#4, dense<[[1.0, 2.0, 5.0, 6.0]]> : tensor<1x4xf32>
  check.expect_eq_const %r#5, dense<[0.0, 0.0]> : tensor<2xf32>
  check.expect_eq_const %r#6, dense<[1.0, 2.0]> : tensor<2xf32>
  check.expect_eq_const %r#7, dense<[1.0, 2.0]> : tensor<2xf32>
  check.expect_eq_const %r#24, dense<[1010.0, 2020.0]> : tensor<2xf32>
  check.expect_eq_const %r#25, dense<[550.0, 1100.0]> : tensor<2xf32>
  check.expect_eq_const %r#26, dense<[100.0, 200.0, 1000.0, 2000.0]> : tensor<4xf32>
  check.expect_eq_const %r#27, dense<[2000.0]> : tensor<1xf32>
  check.expect_eq_const %r#28, dense<[[3.0, 4.0, 7.0, 8.0]]> : tensor<1x4xf32>
  check.expect_eq_const %r#29, dense<[100.0, 200.0]> : tensor<2xf32>
  check.expect_eq_const %r#30, dense<[1.0, 2.0]> : tensor<2xf32>
  return
}
