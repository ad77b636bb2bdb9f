// The program of each device: what is not in Shardy's own tests.
// RUN: sdy_opt %s --sdy-convert-global-to-local | FileCheck %s

sdy.mesh @m = <["x"=2, "y"=4]>
sdy.mesh @turned = <["x"=2, "y"=2], device_ids=[3, 1, 2, 0]>
sdy.mesh @back = <["x"=2, "y"=2], device_ids=[0, 1, 2, 3]>

// A loop carries parts: arguments of its regions are as long as its results.
// CHECK: func.func @loop(
// CHECK-SAME: %arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) {
// CHECK-NEXT: %c = stablehlo.constant dense<3> : tensor<i32>
// CHECK-NEXT: %0:2 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %c) : tensor<4xf32>, tensor<i32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>, <@m, []>]>}
// CHECK-NEXT: cond {
// CHECK-NEXT: %c_1 = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT: %1 = stablehlo.compare GT, %iterArg_0, %c_1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK-NEXT: stablehlo.return %1 : tensor<i1>
// CHECK-NEXT: } do {
// CHECK-NEXT: %c_1 = stablehlo.constant dense<1> : tensor<i32>
// CHECK-NEXT: %1 = stablehlo.subtract %iterArg_0, %c_1 : tensor<i32>
// CHECK-NEXT: %2 = stablehlo.add %iterArg, %iterArg {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : tensor<4xf32>
// CHECK-NEXT: stablehlo.return %2, %1 : tensor<4xf32>, tensor<i32>
// CHECK-NEXT: }
// CHECK-NEXT: return %0#0 : tensor<4xf32>
// CHECK-NEXT: }
func.func @loop(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) {
  %c = stablehlo.constant dense<3> : tensor<i32>
  %0:2 = stablehlo.while(%a = %arg0, %i = %c) : tensor<8xf32>, tensor<i32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>, <@m, []>]>}
    cond {
      %z = stablehlo.constant dense<0> : tensor<i32>
      %p = stablehlo.compare GT, %i, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %n = stablehlo.subtract %i, %one : tensor<i32>
      %b = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : tensor<8xf32>
      stablehlo.return %b, %n : tensor<8xf32>, tensor<i32>
    }
  return %0#0 : tensor<8xf32>
}
// CHECK: func.func private @callee(
// CHECK-SAME: %arg0: tensor<2xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}]>}) -> (tensor<2xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}]>}) {
// CHECK-NEXT: return %arg0 : tensor<2xf32>
// CHECK-NEXT: }
func.func private @callee(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}]>}) {
  return %arg0 : tensor<8xf32>
}
// CHECK: func.func private @outside(
// CHECK-SAME: tensor<2xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>})
func.func private @outside(tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>})
// CHECK: func.func @call(
// CHECK-SAME: %arg0: tensor<2xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}]>}) -> (tensor<2xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}]>}) {
// CHECK-NEXT: %0 = call @callee(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"y"}]>]>} : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: return %0 : tensor<2xf32>
// CHECK-NEXT: }
func.func @call(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}]>}) {
  %0 = call @callee(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"y"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// Devices in another order: offsets and groups follow the ids.
// CHECK: func.func @ids(
// CHECK-SAME: %arg0: tensor<2xf32> {sdy.sharding = #sdy.sharding<@turned, [{"x"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@turned, [{}]>}) {
// CHECK-NEXT: %0 = stablehlo.partition_id : tensor<ui32>
// CHECK-NEXT: %1 = stablehlo.convert %0 : (tensor<ui32>) -> tensor<i64>
// CHECK-NEXT: %c = stablehlo.constant dense<[1, 1, 0, 0]> : tensor<4xi64>
// CHECK-NEXT: %2 = stablehlo.dynamic_slice %c, %1, sizes = [1] : (tensor<4xi64>, tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %3 = stablehlo.reshape %2 : (tensor<1xi64>) -> tensor<i64>
// CHECK-NEXT: %4 = stablehlo.dynamic_slice %arg0, %3, sizes = [1] : (tensor<2xf32>, tensor<i64>) -> tensor<1xf32>
// CHECK-NEXT: %5 = "stablehlo.all_gather"(%4) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[{{\[}}3, 1, 2, 0]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %5 : tensor<4xf32>
// CHECK-NEXT: }
func.func @ids(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@turned, [{"x"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@turned, [{}]>}) {
  %0 = sdy.all_slice [{"y"}] %arg0 out_sharding=<@turned, [{"x", "y"}]> : tensor<4xf32>
  %1 = sdy.all_gather [{"x", "y"}] %0 out_sharding=<@turned, [{}]> : tensor<4xf32>
  return %1 : tensor<4xf32>
}
// CHECK: func.func @permute_ids(
// CHECK-SAME: %arg0: tensor<2xf32> {sdy.sharding = #sdy.sharding<@turned, [{"x"}]>}) -> (tensor<2xf32> {sdy.sharding = #sdy.sharding<@back, [{"x"}]>}) {
// CHECK-NEXT: %0 = "stablehlo.collective_permute"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<[{{\[}}0, 3], [1, 1], [2, 2], [3, 0]]> : tensor<4x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: return %0 : tensor<2xf32>
// CHECK-NEXT: }
func.func @permute_ids(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@turned, [{"x"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@back, [{"x"}]>}) {
  %0 = sdy.collective_permute %arg0 out_sharding=<@back, [{"x"}]> : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK: func.func @unsigned_max(
// CHECK-SAME: %arg0: tensor<4xui8>, %arg1: tensor<4x1xi64> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}, %arg2: tensor<4xui8> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<4xui8> {
// CHECK-NEXT: %c = stablehlo.constant dense<0> : tensor<ui8>
// CHECK-NEXT: %0 = stablehlo.partition_id : tensor<ui32>
// CHECK-NEXT: %1 = stablehlo.convert %0 : (tensor<ui32>) -> tensor<i64>
// CHECK-NEXT: %c_0 = stablehlo.constant dense<[true, true, true, true, false, false, false, false]> : tensor<8xi1>
// CHECK-NEXT: %2 = stablehlo.dynamic_slice %c_0, %1, sizes = [1] : (tensor<8xi1>, tensor<i64>) -> tensor<1xi1>
// CHECK-NEXT: %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<1xi1>) -> tensor<4xi1>
// CHECK-NEXT: %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui8>) -> tensor<4xui8>
// CHECK-NEXT: %5 = stablehlo.select %3, %arg0, %4 : tensor<4xi1>, tensor<4xui8>
// CHECK-NEXT: %6 = "stablehlo.scatter"(%5, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
// CHECK-NEXT: ^bb0(%arg3: tensor<ui8>, %arg4: tensor<ui8>):
// CHECK-NEXT: %8 = stablehlo.maximum %arg3, %arg4 : tensor<ui8>
// CHECK-NEXT: stablehlo.return %8 : tensor<ui8>
// CHECK-NEXT: }) : (tensor<4xui8>, tensor<4x1xi64>, tensor<4xui8>) -> tensor<4xui8>
// CHECK-NEXT: %7 = "stablehlo.all_reduce"(%6) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[{{\[}}0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
// CHECK-NEXT: ^bb0(%arg3: tensor<ui8>, %arg4: tensor<ui8>):
// CHECK-NEXT: %8 = stablehlo.maximum %arg3, %arg4 : tensor<ui8>
// CHECK-NEXT: stablehlo.return %8 : tensor<ui8>
// CHECK-NEXT: }) : (tensor<4xui8>) -> tensor<4xui8>
// CHECK-NEXT: return %7 : tensor<4xui8>
// CHECK-NEXT: }
func.func @unsigned_max(%arg0: tensor<4xui8>, %arg1: tensor<8x1xi64> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}, %arg2: tensor<8xui8> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<4xui8> {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>):
    %1 = stablehlo.maximum %a, %b : tensor<ui8>
    stablehlo.return %1 : tensor<ui8>
  }) : (tensor<4xui8>, tensor<8x1xi64>, tensor<8xui8>) -> tensor<4xui8>
  %2 = sdy.all_reduce max {"x"} %0 out_sharding=<@m, [{}]> : tensor<4xui8>
  return %2 : tensor<4xui8>
}
// The initial value counts once, and maxima are joined by maxima.
// CHECK: func.func @reduce_from(
// CHECK-SAME: %arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}, %arg1: tensor<f32>) -> tensor<f32> {
// CHECK-NEXT: %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
// CHECK-NEXT: %1 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, replica_groups = dense<[{{\[}}0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
// CHECK-NEXT: ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
// CHECK-NEXT: %4 = stablehlo.maximum %arg2, %arg3 : tensor<f32>
// CHECK-NEXT: stablehlo.return %4 : tensor<f32>
// CHECK-NEXT: }) : (tensor<f32>) -> tensor<f32>
// CHECK-NEXT: %2 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<f32>
// CHECK-NEXT: %3 = stablehlo.maximum %2, %1 : tensor<f32>
// CHECK-NEXT: return %3 : tensor<f32>
// CHECK-NEXT: }
func.func @reduce_from(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}, %arg1: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.maximum across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %1 = sdy.all_reduce {"x"} %0 out_sharding=<@m, []> : tensor<f32>
  return %1 : tensor<f32>
}
// Axes of an all-reduce may come in another order than those that are summed over.
// CHECK: func.func @dot_order(
// CHECK-SAME: %arg0: tensor<2x1xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"y", "x"}]>}, %arg1: tensor<1x2xf32> {sdy.sharding = #sdy.sharding<@m, [{"y", "x"}, {}]>}) -> tensor<2x2xf32> {
// CHECK-NEXT: %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<2x1xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: %1 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, replica_groups = dense<[{{\[}}0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
// CHECK-NEXT: ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
// CHECK-NEXT: %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
// CHECK-NEXT: stablehlo.return %2 : tensor<f32>
// CHECK-NEXT: }) : (tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: return %1 : tensor<2x2xf32>
// CHECK-NEXT: }
func.func @dot_order(%arg0: tensor<2x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"y", "x"}]>}, %arg1: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@m, [{"y", "x"}, {}]>}) -> tensor<2x2xf32> {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<2x8xf32>, tensor<8x2xf32>) -> tensor<2x2xf32>
  %1 = sdy.all_reduce {"x", "y"} %0 out_sharding=<@m, [{}, {}]> : tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}
