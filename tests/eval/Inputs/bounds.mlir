func.func @div(%x: tensor<4xi32>, %y: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %0 = stablehlo.divide %x, %y : tensor<4xi32>
  %1 = stablehlo.remainder %x, %y : tensor<4xi32>
  return %0, %1 : tensor<4xi32>, tensor<4xi32>
}
func.func @udiv(%x: tensor<2xui8>, %y: tensor<2xui8>) -> (tensor<2xui8>, tensor<2xui8>) {
  %0 = stablehlo.divide %x, %y : tensor<2xui8>
  %1 = stablehlo.remainder %x, %y : tensor<2xui8>
  return %0, %1 : tensor<2xui8>, tensor<2xui8>
}
func.func @div64(%x: tensor<2xi64>, %y: tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>) {
  %0 = stablehlo.divide %x, %y : tensor<2xi64>
  %1 = stablehlo.remainder %x, %y : tensor<2xi64>
  return %0, %1 : tensor<2xi64>, tensor<2xi64>
}
func.func @div4(%x: tensor<2xi4>, %y: tensor<2xi4>) -> (tensor<2xi4>, tensor<2xi4>) {
  %0 = stablehlo.divide %x, %y : tensor<2xi4>
  %1 = stablehlo.remainder %x, %y : tensor<2xi4>
  return %0, %1 : tensor<2xi4>, tensor<2xi4>
}
func.func @slice(%x: tensor<4xi32>, %i: tensor<i64>) -> tensor<2xi32> {
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [2] : (tensor<4xi32>, tensor<i64>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
func.func @update(%x: tensor<4xi32>, %u: tensor<2xi32>, %i: tensor<i64>) -> tensor<4xi32> {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<4xi32>, tensor<2xi32>, tensor<i64>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
func.func @real_slice(%x: tensor<4xi32>, %a: tensor<1xi64>, %b: tensor<1xi64>, %s: tensor<1xi64>) -> tensor<?xi32> {
  %0 = stablehlo.real_dynamic_slice %x, %a, %b, %s : (tensor<4xi32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}
func.func @gather(%x: tensor<4xi32>, %i: tensor<2x1xi64>) -> tensor<2xi32> {
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>} : (tensor<4xi32>, tensor<2x1xi64>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
func.func @iota(%n: tensor<1xi64>) -> tensor<?xi32> {
  %0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi64>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}
func.func @reshape(%x: tensor<4xi32>, %n: tensor<2xi64>) -> tensor<?x?xi32> {
  %0 = stablehlo.dynamic_reshape %x, %n : (tensor<4xi32>, tensor<2xi64>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}
func.func @pad(%x: tensor<4xi32>, %v: tensor<i32>, %l: tensor<1xi64>, %h: tensor<1xi64>, %i: tensor<1xi64>) -> tensor<?xi32> {
  %0 = stablehlo.dynamic_pad %x, %v, %l, %h, %i : (tensor<4xi32>, tensor<i32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}
func.func @broadcast(%x: tensor<4xi32>, %n: tensor<2xi64>) -> tensor<?x?xi32> {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %n, dims = [0] : (tensor<4xi32>, tensor<2xi64>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}
func.func @add(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> {
  %0 = stablehlo.add %x, %y : tensor<?xi32>
  return %0 : tensor<?xi32>
}
func.func @select(%p: tensor<?xi1>, %x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> {
  %0 = stablehlo.select %p, %x, %y : tensor<?xi1>, tensor<?xi32>
  return %0 : tensor<?xi32>
}
func.func @concat(%x: tensor<?x?xi32>, %y: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}
func.func @dot(%x: tensor<?x?xi32>, %y: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}
func.func @shift(%x: tensor<4xi32>, %y: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %0 = stablehlo.shift_left %x, %y : tensor<4xi32>
  %1 = stablehlo.shift_right_arithmetic %x, %y : tensor<4xi32>
  %2 = stablehlo.shift_right_logical %x, %y : tensor<4xi32>
  return %0, %1, %2 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}
func.func @power(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = stablehlo.power %x, %y : tensor<4xi32>
  return %0 : tensor<4xi32>
}
func.func @case(%i: tensor<i32>) -> tensor<i32> {
  %0 = "stablehlo.case"(%i) ({ stablehlo.return %i : tensor<i32> }, { stablehlo.return %i : tensor<i32> }) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func @narrow(%x: tensor<?xi32>) -> tensor<3xi32> {
  %0 = "stablehlo.reshape"(%x) : (tensor<?xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}
func.func @conv(%x: tensor<1x4x1xf32>, %w: tensor<2x1x1xf32>, %p: tensor<1x2xi64>) -> tensor<1x?x1xf32> {
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xf32>, tensor<2x1x1xf32>, tensor<1x2xi64>) -> tensor<1x?x1xf32>
  return %0 : tensor<1x?x1xf32>
}
func.func @empty(%n: tensor<2xi64>) -> tensor<?x?xi32> {
  %0 = stablehlo.dynamic_iota %n, dim = 1 : (tensor<2xi64>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}
