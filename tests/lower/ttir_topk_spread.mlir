// RUN: tessera opt %s --legalize-stablehlo-composite-to-ttir | FileCheck %s
// RUN: tessera opt %s --stablehlo-to-ttir-pipeline -o %t.mlir
// RUN: tessera run %t.mlir
// The best of a gathered tensor: each device finds the best of its part, and only those are gathered.

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func.func @main
func.func @main() {
  %i = stablehlo.iota dim = 0 : tensor<160xi32>
  %p = stablehlo.constant dense<37> : tensor<160xi32>
  %n = stablehlo.constant dense<80> : tensor<160xi32>
  %m = stablehlo.multiply %i, %p : tensor<160xi32>
  %r = stablehlo.remainder %m, %n : tensor<160xi32>
  %f = stablehlo.convert %r : (tensor<160xi32>) -> tensor<160xf32>
  %x = stablehlo.reshape %f : (tensor<160xf32>) -> tensor<2x80xf32>
  // CHECK: "ttir.topk"
  // CHECK-SAME: dim = 1 : i32, k = 32 : i32
  // CHECK-SAME: (tensor<2x40xf32>) -> (tensor<2x32xf32>, tensor<2x32xi32>)
  // CHECK: "ttir.all_gather"
  // CHECK-SAME: cluster_axis = 1 : ui32
  // CHECK-SAME: -> tensor<2x64xf32>
  // CHECK: "ttir.all_gather"
  // CHECK: "ttir.add"
  // CHECK: "ttir.topk"
  // CHECK: "ttir.gather"
  // CHECK: "ttir.slice_static"
  %0:3 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{}, {"y"}]>] out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{}]>] manual_axes={"x", "y"} (%a: tensor<2x40xf32>) {
    %g = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<2x40xf32>) -> tensor<2x80xf32>
    %t:2 = stablehlo.custom_call @tenstorrent.topk(%g) {tt.composite_attributes = {dim = -1 : i64, k = 3 : i64, largest = true, sorted = true}, tt.has_custom_sharding} : (tensor<2x80xf32>) -> (tensor<2x3xf32>, tensor<2x3xi64>)
    %b = stablehlo.custom_call @tenstorrent.argmax(%g) {tt.composite_attributes = {dim = 1 : i64, keepdim = false}, tt.has_custom_sharding} : (tensor<2x80xf32>) -> tensor<2xi64>
    sdy.return %t#0, %t#1, %b : tensor<2x3xf32>, tensor<2x3xi64>, tensor<2xi64>
  } : (tensor<2x80xf32>) -> (tensor<2x3xf32>, tensor<2x3xi64>, tensor<2xi64>)
  check.expect_eq_const %0#0, dense<[[79.0, 78.0, 77.0], [79.0, 78.0, 77.0]]> : tensor<2x3xf32>
  check.expect_eq_const %0#1, dense<[[67, 54, 41], [67, 54, 41]]> : tensor<2x3xi64>
  check.expect_eq_const %0#2, dense<[67, 67]> : tensor<2xi64>
  return
}
