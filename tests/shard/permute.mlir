// Elements that move along sharded dimensions: what is not in Shardy's own tests.
// RUN: sdy_opt %s --sdy-resolve-permutation-factors | FileCheck %s

sdy.mesh @m = <["x"=2]>

// At the ends stands what is padded with, not the zeros of a permute.
// CHECK: func.func @pad_ones(
// CHECK-SAME: %arg0: tensor<4xi32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<8xi32> {
// CHECK-NEXT: %c = stablehlo.constant dense<1> : tensor<i32>
// CHECK-NEXT: %0 = sdy.manual_computation(%arg0, %c) in_shardings=[<@m, [{"x"}]>, <@m, []>] out_shardings=[<@m, [{"x"}]>] manual_axes={"x"} (%arg1: tensor<2xi32>, %arg2: tensor<i32>) {
// CHECK-NEXT: %1 = "stablehlo.collective_permute"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[{{\[}}0, 1]]> : tensor<1x2xi64>}> : (tensor<2xi32>) -> tensor<2xi32>
// CHECK-NEXT: %2 = stablehlo.partition_id : tensor<ui32>
// CHECK-NEXT: %3 = stablehlo.convert %2 : (tensor<ui32>) -> tensor<i64>
// CHECK-NEXT: %c_0 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
// CHECK-NEXT: %4 = stablehlo.dynamic_slice %c_0, %3, sizes = [1] : (tensor<2xi1>, tensor<i64>) -> tensor<1xi1>
// CHECK-NEXT: %5 = stablehlo.reshape %4 : (tensor<1xi1>) -> tensor<i1>
// CHECK-NEXT: %6 = stablehlo.broadcast_in_dim %arg2, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}]>]>} : (tensor<i32>) -> tensor<2xi32>
// CHECK-NEXT: %7 = stablehlo.select %5, %1, %6 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}]>]>} : tensor<i1>, tensor<2xi32>
// CHECK-NEXT: %8 = stablehlo.concatenate %7, %arg1, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}]>]>} : (tensor<2xi32>, tensor<2xi32>) -> tensor<4xi32>
// CHECK-NEXT: %9 = stablehlo.pad %8, %arg2, low = [4], high = [4], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}]>]>} : (tensor<4xi32>, tensor<i32>) -> tensor<12xi32>
// CHECK-NEXT: %10 = stablehlo.partition_id : tensor<ui32>
// CHECK-NEXT: %11 = stablehlo.convert %10 : (tensor<ui32>) -> tensor<i64>
// CHECK-NEXT: %c_1 = stablehlo.constant dense<2> : tensor<i64>
// CHECK-NEXT: %c_2 = stablehlo.constant dense<3> : tensor<i64>
// CHECK-NEXT: %12 = stablehlo.multiply %11, %c_1 : tensor<i64>
// CHECK-NEXT: %13 = stablehlo.add %12, %c_2 : tensor<i64>
// CHECK-NEXT: %c_3 = stablehlo.constant dense<0> : tensor<i64>
// CHECK-NEXT: %14 = stablehlo.maximum %13, %c_3 : tensor<i64>
// CHECK-NEXT: %15 = stablehlo.dynamic_slice %9, %14, sizes = [4] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}]>]>} : (tensor<12xi32>, tensor<i64>) -> tensor<4xi32>
// CHECK-NEXT: sdy.return %15 : tensor<4xi32>
// CHECK-NEXT: } : (tensor<4xi32>, tensor<i32>) -> tensor<8xi32>
// CHECK-NEXT: return %0 : tensor<8xi32>
// CHECK-NEXT: }
func.func @pad_ones(%arg0: tensor<4xi32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<8xi32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.pad %arg0, %c, low = [3], high = [1], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : (tensor<4xi32>, tensor<i32>) -> tensor<8xi32>
  return %0 : tensor<8xi32>
}
// The size stays, and elements move all the same.
// CHECK: func.func @pad_shift(
// CHECK-SAME: %arg0: tensor<4xi32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<4xi32> {
// CHECK-NEXT: %c = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT: %0 = sdy.manual_computation(%arg0, %c) in_shardings=[<@m, [{"x"}]>, <@m, []>] out_shardings=[<@m, [{"x"}]>] manual_axes={"x"} (%arg1: tensor<2xi32>, %arg2: tensor<i32>) {
// CHECK-NEXT: %1 = "stablehlo.collective_permute"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<[{{\[}}0, 1]]> : tensor<1x2xi64>}> : (tensor<2xi32>) -> tensor<2xi32>
// CHECK-NEXT: %2 = stablehlo.concatenate %1, %arg1, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}]>]>} : (tensor<2xi32>, tensor<2xi32>) -> tensor<4xi32>
// CHECK-NEXT: %3 = stablehlo.pad %2, %arg2, low = [2], high = [2], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}]>]>} : (tensor<4xi32>, tensor<i32>) -> tensor<8xi32>
// CHECK-NEXT: %4 = stablehlo.partition_id : tensor<ui32>
// CHECK-NEXT: %5 = stablehlo.convert %4 : (tensor<ui32>) -> tensor<i64>
// CHECK-NEXT: %c_0 = stablehlo.constant dense<0> : tensor<i64>
// CHECK-NEXT: %c_1 = stablehlo.constant dense<3> : tensor<i64>
// CHECK-NEXT: %6 = stablehlo.multiply %5, %c_0 : tensor<i64>
// CHECK-NEXT: %7 = stablehlo.add %6, %c_1 : tensor<i64>
// CHECK-NEXT: %c_2 = stablehlo.constant dense<0> : tensor<i64>
// CHECK-NEXT: %8 = stablehlo.maximum %7, %c_2 : tensor<i64>
// CHECK-NEXT: %9 = stablehlo.dynamic_slice %3, %8, sizes = [2] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}]>]>} : (tensor<8xi32>, tensor<i64>) -> tensor<2xi32>
// CHECK-NEXT: sdy.return %9 : tensor<2xi32>
// CHECK-NEXT: } : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
// CHECK-NEXT: return %0 : tensor<4xi32>
// CHECK-NEXT: }
func.func @pad_shift(%arg0: tensor<4xi32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<4xi32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.pad %arg0, %c, low = [1], high = [-1], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
// Nobody sends, but each device slices elsewhere.
// CHECK: func.func @slice_inside(
// CHECK-SAME: %arg0: tensor<4xi32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<2xi32> {
// CHECK-NEXT: %c = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT: %0 = sdy.manual_computation(%arg0, %c) in_shardings=[<@m, [{"x"}]>, <@m, []>] out_shardings=[<@m, [{"x"}]>] manual_axes={"x"} (%arg1: tensor<2xi32>, %arg2: tensor<i32>) {
// CHECK-NEXT: %1 = stablehlo.concatenate %arg1, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}]>]>} : (tensor<2xi32>) -> tensor<2xi32>
// CHECK-NEXT: %2 = stablehlo.pad %1, %arg2, low = [1], high = [1], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}]>]>} : (tensor<2xi32>, tensor<i32>) -> tensor<4xi32>
// CHECK-NEXT: %3 = stablehlo.partition_id : tensor<ui32>
// CHECK-NEXT: %4 = stablehlo.convert %3 : (tensor<ui32>) -> tensor<i64>
// CHECK-NEXT: %c_0 = stablehlo.constant dense<-1> : tensor<i64>
// CHECK-NEXT: %c_1 = stablehlo.constant dense<2> : tensor<i64>
// CHECK-NEXT: %5 = stablehlo.multiply %4, %c_0 : tensor<i64>
// CHECK-NEXT: %6 = stablehlo.add %5, %c_1 : tensor<i64>
// CHECK-NEXT: %c_2 = stablehlo.constant dense<0> : tensor<i64>
// CHECK-NEXT: %7 = stablehlo.maximum %6, %c_2 : tensor<i64>
// CHECK-NEXT: %8 = stablehlo.dynamic_slice %2, %7, sizes = [1] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}]>]>} : (tensor<4xi32>, tensor<i64>) -> tensor<1xi32>
// CHECK-NEXT: sdy.return %8 : tensor<1xi32>
// CHECK-NEXT: } : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
// CHECK-NEXT: return %0 : tensor<2xi32>
// CHECK-NEXT: }
func.func @slice_inside(%arg0: tensor<4xi32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<2xi32> {
  %0 = stablehlo.slice %arg0 [1:3] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : (tensor<4xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
// Strides leave elements out that an exchange has no place for.
// CHECK: func.func @slice_stride(
// CHECK-SAME: %arg0: tensor<8xi32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<4xi32> {
// CHECK-NEXT: %0 = sdy.reshard %arg0 <@m, [{}]> : tensor<8xi32>
// CHECK-NEXT: %1 = stablehlo.slice %0 [0:8:2] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}]>]>} : (tensor<8xi32>) -> tensor<4xi32>
// CHECK-NEXT: %2 = sdy.reshard %1 <@m, [{"x"}]> : tensor<4xi32>
// CHECK-NEXT: return %2 : tensor<4xi32>
// CHECK-NEXT: }
func.func @slice_stride(%arg0: tensor<8xi32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<4xi32> {
  %0 = stablehlo.slice %arg0 [0:8:2] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : (tensor<8xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
// Parts of the operand are not parts of the result.
// CHECK: func.func @reshape_apart(
// CHECK-SAME: %arg0: tensor<4x12xi32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> tensor<6x2x4xi32> {
// CHECK-NEXT: %0 = sdy.reshard %arg0 <@m, [{}, {}]> : tensor<4x12xi32>
// CHECK-NEXT: %1 = stablehlo.reshape %0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}, {}]>]>} : (tensor<4x12xi32>) -> tensor<6x2x4xi32>
// CHECK-NEXT: %2 = sdy.reshard %1 <@m, [{}, {"x"}, {}]> : tensor<6x2x4xi32>
// CHECK-NEXT: return %2 : tensor<6x2x4xi32>
// CHECK-NEXT: }
func.func @reshape_apart(%arg0: tensor<4x12xi32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> tensor<6x2x4xi32> {
  %0 = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"x"}, {}]>]>} : (tensor<4x12xi32>) -> tensor<6x2x4xi32>
  return %0 : tensor<6x2x4xi32>
}
