// Dimensions that their axes do not divide: what is not in Shardy's own tests.
// RUN: sdy_opt %s --sdy-pad-for-divisibility | FileCheck %s

sdy.mesh @m = <["x"=2, "y"=2]>

// Added elements change no sum, and no maximum.
// CHECK: func.func @reduce(
// CHECK-SAME: %arg0: tensor<5xf32>, %arg1: tensor<f32>) -> tensor<f32> {
// CHECK-NEXT: %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %0 = stablehlo.pad %arg0, %cst, low = [0], high = [1], interior = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<6xf32>
// CHECK-NEXT: %1 = sdy.all_slice [{"x"}] %0 out_sharding=<@m, [{"x"}]> : tensor<6xf32>
// CHECK-NEXT: %2 = stablehlo.negate %1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : tensor<6xf32>
// CHECK-NEXT: %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %3 = stablehlo.iota dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : tensor<6xi32>
// CHECK-NEXT: %c = stablehlo.constant dense<5> : tensor<i32>
// CHECK-NEXT: %4 = stablehlo.broadcast_in_dim %c, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : (tensor<i32>) -> tensor<6xi32>
// CHECK-NEXT: %5 = stablehlo.compare LT, %3, %4 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
// CHECK-NEXT: %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : (tensor<f32>) -> tensor<6xf32>
// CHECK-NEXT: %7 = stablehlo.select %5, %2, %6 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : tensor<6xi1>, tensor<6xf32>
// CHECK-NEXT: %8 = stablehlo.reduce(%7 init: %arg1) applies stablehlo.maximum across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
// CHECK-NEXT: return %8 : tensor<f32>
// CHECK-NEXT: }
func.func @reduce(%arg0: tensor<5xf32>, %arg1: tensor<f32>) -> tensor<f32> {
  %0 = sdy.all_slice [{"x"}] %arg0 out_sharding=<@m, [{"x"}]> : tensor<5xf32>
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : tensor<5xf32>
  %2 = stablehlo.reduce(%1 init: %arg1) applies stablehlo.maximum across dimensions = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}
// 5 elements are 6 on two devices and 8 on four: parts of one are not made of parts of the other.
// CHECK: func.func @gather_and_slice(
// CHECK-SAME: %arg0: tensor<5xf32>) -> tensor<5xf32> {
// CHECK-NEXT: %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %0 = stablehlo.pad %arg0, %cst, low = [0], high = [1], interior = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<6xf32>
// CHECK-NEXT: %1 = sdy.all_slice [{"x"}] %0 out_sharding=<@m, [{"x"}]> : tensor<6xf32>
// CHECK-NEXT: %2 = sdy.all_gather [{"x"}] %1 out_sharding=<@m, [{}]> : tensor<6xf32>
// CHECK-NEXT: %3 = stablehlo.slice %2 [0:5] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}]>]>} : (tensor<6xf32>) -> tensor<5xf32>
// CHECK-NEXT: %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %4 = stablehlo.pad %3, %cst_0, low = [0], high = [3], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}]>]>} : (tensor<5xf32>, tensor<f32>) -> tensor<8xf32>
// CHECK-NEXT: %5 = sdy.all_slice [{"x", "y"}] %4 out_sharding=<@m, [{"x", "y"}]> : tensor<8xf32>
// CHECK-NEXT: %6 = sdy.all_gather [{"x", "y"}] %5 out_sharding=<@m, [{}]> : tensor<8xf32>
// CHECK-NEXT: %7 = stablehlo.slice %6 [0:5] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}]>]>} : (tensor<8xf32>) -> tensor<5xf32>
// CHECK-NEXT: return %7 : tensor<5xf32>
// CHECK-NEXT: }
func.func @gather_and_slice(%arg0: tensor<5xf32>) -> tensor<5xf32> {
  %0 = sdy.all_slice [{"x"}] %arg0 out_sharding=<@m, [{"x"}]> : tensor<5xf32>
  %1 = sdy.all_slice [{"y"}] %0 out_sharding=<@m, [{"x", "y"}]> : tensor<5xf32>
  %2 = sdy.all_gather [{"x", "y"}] %1 out_sharding=<@m, [{}]> : tensor<5xf32>
  return %2 : tensor<5xf32>
}
// Of axes on a dimension some go: it is cut to what the others need.
// CHECK: func.func @some_axes(
// CHECK-SAME: %arg0: tensor<3x4xi32>) -> (tensor<3x4xi32>, tensor<3x4xi32>) {
// CHECK-NEXT: %c = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT: %0 = stablehlo.pad %arg0, %c, low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<3x4xi32>, tensor<i32>) -> tensor<4x4xi32>
// CHECK-NEXT: %1 = sdy.all_slice [{"x", "y"}, {}] %0 out_sharding=<@m, [{"x", "y"}, {}]> : tensor<4x4xi32>
// CHECK-NEXT: %2 = sdy.all_to_all [{"y"}: 0->1] %1 out_sharding=<@m, [{"x"}, {"y"}]> : tensor<4x4xi32>
// CHECK-NEXT: %3 = stablehlo.negate %2 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}, {"y"}]>]>} : tensor<4x4xi32>
// CHECK-NEXT: %4 = sdy.all_gather [{"x"}, {"y"}] %3 out_sharding=<@m, [{}, {}]> : tensor<4x4xi32>
// CHECK-NEXT: %5 = stablehlo.slice %4 [0:3, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}]>]>} : (tensor<4x4xi32>) -> tensor<3x4xi32>
// CHECK-NEXT: %6 = sdy.all_gather [{"y"}, {}] %1 out_sharding=<@m, [{"x"}, {}]> : tensor<4x4xi32>
// CHECK-NEXT: %7 = sdy.all_gather [{"x"}, {}] %6 out_sharding=<@m, [{}, {}]> : tensor<4x4xi32>
// CHECK-NEXT: %8 = stablehlo.slice %7 [0:3, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}]>]>} : (tensor<4x4xi32>) -> tensor<3x4xi32>
// CHECK-NEXT: return %5, %8 : tensor<3x4xi32>, tensor<3x4xi32>
// CHECK-NEXT: }
func.func @some_axes(%arg0: tensor<3x4xi32>) -> (tensor<3x4xi32>, tensor<3x4xi32>) {
  %0 = sdy.all_slice [{"x", "y"}, {}] %arg0 out_sharding=<@m, [{"x", "y"}, {}]> : tensor<3x4xi32>
  %1 = sdy.all_to_all [{"y"}: 0->1] %0 out_sharding=<@m, [{"x"}, {"y"}]> : tensor<3x4xi32>
  %2 = stablehlo.negate %1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}, {"y"}]>]>} : tensor<3x4xi32>
  %3 = sdy.all_gather [{"x"}, {"y"}] %2 out_sharding=<@m, [{}, {}]> : tensor<3x4xi32>
  %4 = sdy.all_gather [{"y"}, {}] %0 out_sharding=<@m, [{"x"}, {}]> : tensor<3x4xi32>
  %5 = sdy.all_gather [{"x"}, {}] %4 out_sharding=<@m, [{}, {}]> : tensor<3x4xi32>
  return %3, %5 : tensor<3x4xi32>, tensor<3x4xi32>
}
// CHECK: func.func @constant(
// CHECK-SAME: ) -> tensor<3xi32> {
// CHECK-NEXT: %0 = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} dense<[1, 2, 3, 0]> : tensor<4xi32>
// CHECK-NEXT: %1 = sdy.all_gather [{"x"}] %0 out_sharding=<@m, [{}]> : tensor<4xi32>
// CHECK-NEXT: %2 = stablehlo.slice %1 [0:3] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}]>]>} : (tensor<4xi32>) -> tensor<3xi32>
// CHECK-NEXT: return %2 : tensor<3xi32>
// CHECK-NEXT: }
func.func @constant() -> tensor<3xi32> {
  %0 = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} dense<[1, 2, 3]> : tensor<3xi32>
  %1 = sdy.all_gather [{"x"}] %0 out_sharding=<@m, [{}]> : tensor<3xi32>
  return %1 : tensor<3xi32>
}
// A gather stays within what was there.
// CHECK: func.func @gather(
// CHECK-SAME: %arg0: tensor<5x3xf32>, %arg1: tensor<2x1xi32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %0 = stablehlo.pad %arg0, %cst, low = [0, 0], high = [1, 1], interior = [0, 0] : (tensor<5x3xf32>, tensor<f32>) -> tensor<6x4xf32>
// CHECK-NEXT: %1 = sdy.all_slice [{"x"}, {"y"}] %0 out_sharding=<@m, [{"x"}, {"y"}]> : tensor<6x4xf32>
// CHECK-NEXT: %c = stablehlo.constant dense<0> : tensor<1xi32>
// CHECK-NEXT: %2 = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<1xi32>) -> tensor<2x1xi32>
// CHECK-NEXT: %c_0 = stablehlo.constant dense<4> : tensor<1xi32>
// CHECK-NEXT: %3 = stablehlo.broadcast_in_dim %c_0, dims = [1] : (tensor<1xi32>) -> tensor<2x1xi32>
// CHECK-NEXT: %4 = stablehlo.clamp %2, %arg1, %3 : tensor<2x1xi32>
// CHECK-NEXT: %5 = "stablehlo.gather"(%1, %4) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"y"}]>]>} : (tensor<6x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
// CHECK-NEXT: %6 = sdy.all_reduce {"x"} %5 out_sharding=<@m, [{}, {"y"}]> : tensor<2x4xf32>
// CHECK-NEXT: %7 = sdy.all_gather [{}, {"y"}] %6 out_sharding=<@m, [{}, {}]> : tensor<2x4xf32>
// CHECK-NEXT: %8 = stablehlo.slice %7 [0:2, 0:3] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}]>]>} : (tensor<2x4xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %8 : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @gather(%arg0: tensor<5x3xf32>, %arg1: tensor<2x1xi32>) -> tensor<2x3xf32> {
  %0 = sdy.all_slice [{"x"}, {"y"}] %arg0 out_sharding=<@m, [{"x"}, {"y"}]> : tensor<5x3xf32>
  %1 = "stablehlo.gather"(%0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"y"}]>]>} : (tensor<5x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
  %2 = sdy.all_reduce {"x"} %1 out_sharding=<@m, [{}, {"y"}]> : tensor<2x3xf32>
  %3 = sdy.all_gather [{}, {"y"}] %2 out_sharding=<@m, [{}, {}]> : tensor<2x3xf32>
  return %3 : tensor<2x3xf32>
}
