// Ops of CHLO, run as they are: values by hand.
// RUN: stablehlo-translate --interpret -split-input-file %s
// RUN: stablehlo-opt %s -split-input-file --chlo-legalize-to-stablehlo -o %t.mlir
// RUN: stablehlo-translate --interpret -split-input-file %t.mlir

func.func @broadcasts() {
  %a = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %b = stablehlo.constant dense<[10.0, 20.0, 30.0]> : tensor<3xf32>
  %c = chlo.broadcast_add %a, %b : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %c, dense<[[11.0, 21.0, 31.0], [12.0, 22.0, 32.0]]> : tensor<2x3xf32>
  %d = chlo.broadcast_compare %c, %b {comparison_direction = #chlo<comparison_direction GT>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  check.expect_eq_const %d, dense<true> : tensor<2x3xi1>
  return
}

// -----

func.func @functions() {
  %x = stablehlo.constant dense<[0.0, 0.5, -0.5]> : tensor<3xf64>
  %asin = chlo.asin %x : tensor<3xf64> -> tensor<3xf64>
  check.expect_almost_eq_const %asin, dense<[0.0, 0.52359877559829882, -0.52359877559829882]> : tensor<3xf64>, tolerance = 1.0e-14
  %sinh = chlo.sinh %x : tensor<3xf64> -> tensor<3xf64>
  check.expect_almost_eq_const %sinh, dense<[0.0, 0.52109530549374738, -0.52109530549374738]> : tensor<3xf64>, tolerance = 1.0e-14
  %erf = chlo.erf %x : tensor<3xf64> -> tensor<3xf64>
  check.expect_almost_eq_const %erf, dense<[0.0, 0.5204998778130465, -0.5204998778130465]> : tensor<3xf64>, tolerance = 1.0e-14
  %inv = chlo.erf_inv %erf : tensor<3xf64> -> tensor<3xf64>
  check.expect_almost_eq_const %inv, dense<[0.0, 0.5, -0.5]> : tensor<3xf64>, tolerance = 1.0e-13
  %p = stablehlo.constant dense<[1.0, 5.0, 0.5]> : tensor<3xf64>
  %lgamma = chlo.lgamma %p : tensor<3xf64> -> tensor<3xf64>
  check.expect_almost_eq_const %lgamma, dense<[0.0, 3.1780538303479458, 0.57236494292470008]> : tensor<3xf64>, tolerance = 1.0e-13
  %digamma = chlo.digamma %p : tensor<3xf64> -> tensor<3xf64>
  check.expect_almost_eq_const %digamma, dense<[-0.57721566490153287, 1.5061176684318005, -1.9635100260214235]> : tensor<3xf64>, tolerance = 1.0e-13
  %square = chlo.square %x : tensor<3xf64> -> tensor<3xf64>
  check.expect_eq_const %square, dense<[0.0, 0.25, 0.25]> : tensor<3xf64>
  // zeta(2, 1) = pi^2 / 6
  %two = stablehlo.constant dense<2.0> : tensor<f64>
  %one = stablehlo.constant dense<1.0> : tensor<f64>
  %zeta = chlo.zeta %two, %one : tensor<f64>, tensor<f64> -> tensor<f64>
  check.expect_almost_eq_const %zeta, dense<1.6449340668482264> : tensor<f64>, tolerance = 1.0e-13
  return
}

// -----

func.func @top_k() {
  %a = stablehlo.constant dense<[[3, 9, 2, 9], [1, 0, 5, 4]]> : tensor<2x4xi32>
  %v, %i = chlo.top_k(%a, k = 2) : tensor<2x4xi32> -> (tensor<2x2xi32>, tensor<2x2xi32>)
  check.expect_eq_const %v, dense<[[9, 9], [5, 4]]> : tensor<2x2xi32>
  check.expect_eq_const %i, dense<[[1, 3], [2, 3]]> : tensor<2x2xi32>
  return
}

// -----

func.func @infinities() {
  %a = stablehlo.constant dense<[0x7F800000, 0xFF800000, 1.0, 0x7FC00000]> : tensor<4xf32>
  %i = chlo.is_inf %a : tensor<4xf32> -> tensor<4xi1>
  check.expect_eq_const %i, dense<[true, true, false, false]> : tensor<4xi1>
  %p = chlo.is_pos_inf %a : tensor<4xf32> -> tensor<4xi1>
  check.expect_eq_const %p, dense<[true, false, false, false]> : tensor<4xi1>
  %n = chlo.is_neg_inf %a : tensor<4xf32> -> tensor<4xi1>
  check.expect_eq_const %n, dense<[false, true, false, false]> : tensor<4xi1>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %next = chlo.next_after %one, %two : tensor<f32>, tensor<f32> -> tensor<f32>
  check.expect_eq_const %next, dense<1.00000012> : tensor<f32>
  return
}

// -----

// A running sum with what came before it; the high halves of products.
func.func @scan() {
  %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %init = stablehlo.constant dense<10> : tensor<i32>
  %r, %last = chlo.scan (%a) inits (%init) dimension = 0 attributes {} {
  ^bb0(%x: tensor<i32>, %carry: tensor<i32>):
    %s = stablehlo.add %x, %carry : tensor<i32>
    stablehlo.return %s, %s : tensor<i32>, tensor<i32>
  } : (tensor<4xi32>, tensor<i32>) -> (tensor<4xi32>, tensor<i32>)
  check.expect_eq_const %r, dense<[11, 13, 16, 20]> : tensor<4xi32>
  check.expect_eq_const %last, dense<20> : tensor<i32>
  %b = stablehlo.constant dense<[1073741824, -1, 7, -2147483648]> : tensor<4xi32>
  %c = stablehlo.constant dense<[8, 1, 9, -2147483648]> : tensor<4xi32>
  %h = "chlo.mulhi"(%b, %c) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  check.expect_eq_const %h, dense<[2, -1, 0, 1073741824]> : tensor<4xi32>
  return
}
