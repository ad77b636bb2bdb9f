// Ops that move elements, and those that take shapes at run time.
// RUN: stablehlo-translate --interpret -split-input-file %s

func.func @moves() {
  %a = stablehlo.iota dim = 1 : tensor<2x3xi32>
  check.expect_eq_const %a, dense<[[0, 1, 2], [0, 1, 2]]> : tensor<2x3xi32>
  %b = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %t = stablehlo.transpose %b, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %t, dense<[[1, 4], [2, 5], [3, 6]]> : tensor<3x2xi32>
  %r = stablehlo.reshape %t : (tensor<3x2xi32>) -> tensor<6xi32>
  check.expect_eq_const %r, dense<[1, 4, 2, 5, 3, 6]> : tensor<6xi32>
  %v = stablehlo.reverse %b, dims = [0, 1] : tensor<2x3xi32>
  check.expect_eq_const %v, dense<[[6, 5, 4], [3, 2, 1]]> : tensor<2x3xi32>
  %c = stablehlo.concatenate %b, %a, dim = 0 : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<4x3xi32>
  check.expect_eq_const %c, dense<[[1, 2, 3], [4, 5, 6], [0, 1, 2], [0, 1, 2]]> : tensor<4x3xi32>
  %s = stablehlo.slice %c [1:4:2, 0:3:2] : (tensor<4x3xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %s, dense<[[4, 6], [0, 2]]> : tensor<2x2xi32>
  %w = stablehlo.broadcast_in_dim %s, dims = [2, 0] : (tensor<2x2xi32>) -> tensor<2x1x2xi32>
  check.expect_eq_const %w, dense<[[[4, 0]], [[6, 2]]]> : tensor<2x1x2xi32>
  %x = stablehlo.broadcast %s, sizes = [2] : (tensor<2x2xi32>) -> tensor<2x2x2xi32>
  check.expect_eq_const %x, dense<[[[4, 6], [0, 2]], [[4, 6], [0, 2]]]> : tensor<2x2x2xi32>
  return
}

// -----

// Padding inside, outside, and negative: elements are cut off.
func.func @pad() {
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi8>
  %z = stablehlo.constant dense<9> : tensor<i8>
  %b = stablehlo.pad %a, %z, low = [1], high = [2], interior = [1] : (tensor<3xi8>, tensor<i8>) -> tensor<8xi8>
  check.expect_eq_const %b, dense<[9, 1, 9, 2, 9, 3, 9, 9]> : tensor<8xi8>
  %c = stablehlo.pad %a, %z, low = [-1], high = [1], interior = [0] : (tensor<3xi8>, tensor<i8>) -> tensor<3xi8>
  check.expect_eq_const %c, dense<[2, 3, 9]> : tensor<3xi8>
  %low = stablehlo.constant dense<0> : tensor<1xi32>
  %high = stablehlo.constant dense<-1> : tensor<1xi32>
  %d = stablehlo.dynamic_pad %a, %z, %low, %high, %low : (tensor<3xi8>, tensor<i8>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi8>
  %e = stablehlo.reshape %d : (tensor<?xi8>) -> tensor<2xi8>
  check.expect_eq_const %e, dense<[1, 2]> : tensor<2xi8>
  return
}

// -----

// Starts are clamped so that the window fits.
func.func @dynamic_slices() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %i = stablehlo.constant dense<1> : tensor<i32>
  %j = stablehlo.constant dense<7> : tensor<i32>
  %n = stablehlo.constant dense<-7> : tensor<i32>
  %s = stablehlo.dynamic_slice %a, %i, %j, sizes = [1, 2] : (tensor<2x3xi32>, tensor<i32>, tensor<i32>) -> tensor<1x2xi32>
  check.expect_eq_const %s, dense<[[5, 6]]> : tensor<1x2xi32>
  %t = stablehlo.dynamic_slice %a, %n, %n, sizes = [1, 2] : (tensor<2x3xi32>, tensor<i32>, tensor<i32>) -> tensor<1x2xi32>
  check.expect_eq_const %t, dense<[[1, 2]]> : tensor<1x2xi32>
  %u = stablehlo.dynamic_update_slice %a, %t, %i, %j : (tensor<2x3xi32>, tensor<1x2xi32>, tensor<i32>, tensor<i32>) -> tensor<2x3xi32>
  check.expect_eq_const %u, dense<[[1, 2, 3], [4, 1, 2]]> : tensor<2x3xi32>
  %start = stablehlo.constant dense<[0, 0]> : tensor<2xi64>
  %limit = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %step = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %r = stablehlo.real_dynamic_slice %a, %start, %limit, %step : (tensor<2x3xi32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xi32>
  %f = stablehlo.reshape %r : (tensor<?x?xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %f, dense<[[1, 3], [4, 6]]> : tensor<2x2xi32>
  return
}

// -----

func.func @dynamic_shapes() {
  %shape = stablehlo.constant dense<[2, 2]> : tensor<2xi64>
  %i = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<2xi64>) -> tensor<?x?xi32>
  %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %r = stablehlo.dynamic_reshape %a, %shape : (tensor<4xi32>, tensor<2xi64>) -> tensor<?x?xi32>
  %sum = stablehlo.add %i, %r : tensor<?x?xi32>
  %n = stablehlo.get_dimension_size %sum, dim = 1 : (tensor<?x?xi32>) -> tensor<i32>
  check.expect_eq_const %n, dense<2> : tensor<i32>
  %known = stablehlo.reshape %sum : (tensor<?x?xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %known, dense<[[1, 2], [4, 5]]> : tensor<2x2xi32>
  %wide = stablehlo.constant dense<[2, 4]> : tensor<2xi64>
  %b = stablehlo.dynamic_broadcast_in_dim %a, %wide, dims = [1] : (tensor<4xi32>, tensor<2xi64>) -> tensor<?x?xi32>
  %c = stablehlo.reshape %b : (tensor<?x?xi32>) -> tensor<2x4xi32>
  check.expect_eq_const %c, dense<[[1, 2, 3, 4], [1, 2, 3, 4]]> : tensor<2x4xi32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %cut = stablehlo.set_dimension_size %a, %three, dim = 0 : (tensor<4xi32>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<4>>
  %m = stablehlo.get_dimension_size %cut, dim = 0 : (tensor<?xi32, #stablehlo.bounds<4>>) -> tensor<i32>
  check.expect_eq_const %m, dense<3> : tensor<i32>
  return
}

// -----

func.func @empty() {
  %a = stablehlo.constant dense<> : tensor<0x2xf32>
  %b = stablehlo.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %c = stablehlo.concatenate %a, %b, dim = 0 : (tensor<0x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  check.expect_eq %c, %b : tensor<1x2xf32>
  return
}
