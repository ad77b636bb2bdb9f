// Reductions, windows, sorting and map, with plain bodies and odd ones.
// RUN: stablehlo-translate --interpret -split-input-file %s

func.func @plain() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %rows = stablehlo.reduce(%a init: %ten) applies stablehlo.add across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %rows, dense<[16, 25]> : tensor<2xi32>
  %cols = stablehlo.reduce(%a init: %zero) applies stablehlo.maximum across dimensions = [0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %cols, dense<[4, 5, 6]> : tensor<3xi32>
  %all = stablehlo.reduce(%a init: %zero) applies stablehlo.xor across dimensions = [0, 1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %all, dense<7> : tensor<i32>
  %none = stablehlo.constant dense<> : tensor<0x2xi32>
  %init = stablehlo.reduce(%none init: %ten) applies stablehlo.multiply across dimensions = [0] : (tensor<0x2xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %init, dense<10> : tensor<2xi32>
  return
}

// -----

// The largest element and its place: two operands, a body with a choice.
func.func @argmax() {
  %a = stablehlo.constant dense<[[3.0, 9.0, 2.0], [7.0, -1.0, 7.0]]> : tensor<2x3xf32>
  %i = stablehlo.iota dim = 1 : tensor<2x3xi32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.reduce(%a init: %low), (%i init: %zero) across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
   reducer(%x: tensor<f32>, %y: tensor<f32>) (%p: tensor<i32>, %q: tensor<i32>)  {
    %more = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = stablehlo.select %more, %x, %y : tensor<i1>, tensor<f32>
    %at = stablehlo.select %more, %p, %q : tensor<i1>, tensor<i32>
    stablehlo.return %v, %at : tensor<f32>, tensor<i32>
  }
  check.expect_eq_const %r#0, dense<[9.0, 7.0]> : tensor<2xf32>
  check.expect_eq_const %r#1, dense<[1, 0]> : tensor<2xi32>
  return
}

// -----

// A body that calls: no row of pointwise ops any more.
func.func private @larger(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %m = stablehlo.maximum %x, %y : tensor<i32>
  return %m : tensor<i32>
}
func.func @main() {
  %a = stablehlo.constant dense<[3, 8, 5]> : tensor<3xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.reduce(%a init: %zero) across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
   reducer(%x: tensor<i32>, %y: tensor<i32>)  {
    %m = func.call @larger(%x, %y) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    stablehlo.return %m : tensor<i32>
  }
  check.expect_eq_const %r, dense<8> : tensor<i32>
  return
}

// -----

// A sum in bf16 is rounded by the order of the ops; f32 as the type of the result keeps what bf16 would lose.
func.func @wider_result() {
  %a = stablehlo.constant dense<[256.0, 1.0, 1.0]> : tensor<3xbf16>
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %r = stablehlo.reduce(%a init: %zero) across dimensions = [0] : (tensor<3xbf16>, tensor<bf16>) -> tensor<f32>
   reducer(%x: tensor<f32>, %y: tensor<f32>)  {
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }
  check.expect_eq_const %r, dense<258.0> : tensor<f32>
  return
}

// -----

// Windows: steps, padding, dilation of the window and of the base.
func.func @windows() {
  %a = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %sum = "stablehlo.reduce_window"(%a, %zero) <{window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %s = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<6xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %sum, dense<[3, 9, 15]> : tensor<3xi32>
  %far = "stablehlo.reduce_window"(%a, %zero) <{window_dimensions = array<i64: 2>, window_dilations = array<i64: 3>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %s = stablehlo.maximum %x, %y : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<6xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %far, dense<[4, 5, 6]> : tensor<3xi32>
  %wide = "stablehlo.reduce_window"(%a, %zero) <{window_dimensions = array<i64: 2>, base_dilations = array<i64: 2>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %s = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<6xi32>, tensor<i32>) -> tensor<10xi32>
  check.expect_eq_const %wide, dense<[1, 2, 2, 3, 3, 4, 4, 5, 5, 6]> : tensor<10xi32>
  // A running sum, as JAX writes cumsum.
  %run = "stablehlo.reduce_window"(%a, %zero) <{window_dimensions = array<i64: 6>, padding = dense<[[5, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %s = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<6xi32>, tensor<i32>) -> tensor<6xi32>
  check.expect_eq_const %run, dense<[1, 3, 6, 10, 15, 21]> : tensor<6xi32>
  return
}

// -----

// Each pair chooses its larger element, which gets what was sent back.
func.func @select_and_scatter() {
  %a = stablehlo.constant dense<[1, 5, 2, 2, 9, 3]> : tensor<6xi32>
  %g = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r = "stablehlo.select_and_scatter"(%a, %g, %zero) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %p = stablehlo.compare GE, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %s = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<6xi32>, tensor<3xi32>, tensor<i32>) -> tensor<6xi32>
  check.expect_eq_const %r, dense<[0, 10, 20, 0, 30, 0]> : tensor<6xi32>
  return
}

// -----

// Two operands by the first one, equal keys stay in order; then a comparator of both: by parity, then downwards.
func.func @sort() {
  %k = stablehlo.constant dense<[3, 1, 2, 1]> : tensor<4xi32>
  %v = stablehlo.constant dense<[0, 1, 2, 3]> : tensor<4xi32>
  %s:2 = "stablehlo.sort"(%k, %v) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %p = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4xi32>, tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>)
  check.expect_eq_const %s#0, dense<[1, 1, 2, 3]> : tensor<4xi32>
  check.expect_eq_const %s#1, dense<[1, 3, 2, 0]> : tensor<4xi32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %t:2 = "stablehlo.sort"(%k, %v) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %pc = stablehlo.and %c, %one : tensor<i32>
    %pd = stablehlo.and %d, %one : tensor<i32>
    %less = stablehlo.compare LT, %pc, %pd : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %same = stablehlo.compare EQ, %pc, %pd : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %down = stablehlo.compare GT, %c, %d : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %then = stablehlo.and %same, %down : tensor<i1>
    %p = stablehlo.or %less, %then : tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4xi32>, tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>)
  check.expect_eq_const %t#0, dense<[2, 3, 1, 1]> : tensor<4xi32>
  check.expect_eq_const %t#1, dense<[2, 0, 3, 1]> : tensor<4xi32>
  // In the order of all floats, along the first dimension.
  %f = stablehlo.constant dense<[[0x7F800000, 1.0], [-2.0, 0.0], [5.0, -0.0]]> : tensor<3x2xf32>
  %u = "stablehlo.sort"(%f) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %u, dense<[[-2.0, -0.0], [5.0, 0.0], [0x7F800000, 1.0]]> : tensor<3x2xf32>
  return
}

// -----

func.func @map() {
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %b = stablehlo.constant dense<[4, 5, 6]> : tensor<3xi32>
  %m = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %p = stablehlo.multiply %x, %y : tensor<i32>
    %q = stablehlo.subtract %p, %x : tensor<i32>
    stablehlo.return %q : tensor<i32>
  }) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %m, dense<[3, 8, 15]> : tensor<3xi32>
  return
}
