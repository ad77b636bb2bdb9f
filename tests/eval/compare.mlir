// Comparisons of every kind, select and clamp.
// RUN: stablehlo-translate --interpret -split-input-file %s

func.func @floats() {
  %a = stablehlo.constant dense<[1.0, 2.0, 0x7FC00000, -0.0]> : tensor<4xf32>
  %b = stablehlo.constant dense<[1.0, 3.0, 0x7FC00000, 0.0]> : tensor<4xf32>
  %eq = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  check.expect_eq_const %eq, dense<[true, false, false, true]> : tensor<4xi1>
  %ne = stablehlo.compare NE, %a, %b, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  check.expect_eq_const %ne, dense<[false, true, true, false]> : tensor<4xi1>
  %ge = stablehlo.compare GE, %a, %b, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  check.expect_eq_const %ge, dense<[true, false, false, true]> : tensor<4xi1>
  // All floats in one order: -0 before 0, NaN at the end.
  %total = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  check.expect_eq_const %total, dense<[false, true, false, true]> : tensor<4xi1>
  return
}

// -----

func.func @signs() {
  %s = stablehlo.constant dense<[-1, 1, -128]> : tensor<3xi8>
  %t = stablehlo.constant dense<[1, 1, 127]> : tensor<3xi8>
  %lt = stablehlo.compare LT, %s, %t, SIGNED : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi1>
  check.expect_eq_const %lt, dense<[true, false, true]> : tensor<3xi1>
  %u = stablehlo.constant dense<[255, 1, 128]> : tensor<3xui8>
  %v = stablehlo.constant dense<[1, 1, 127]> : tensor<3xui8>
  %gt = stablehlo.compare GT, %u, %v, UNSIGNED : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xi1>
  check.expect_eq_const %gt, dense<[true, false, true]> : tensor<3xi1>
  %p = stablehlo.constant dense<[false, true, true]> : tensor<3xi1>
  %le = stablehlo.compare LE, %p, %gt : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
  check.expect_eq_const %le, dense<[true, false, true]> : tensor<3xi1>
  %n = stablehlo.constant dense<[-8, 7, 0]> : tensor<3xi4>
  %m = stablehlo.constant dense<[7, 7, -1]> : tensor<3xi4>
  %nm = stablehlo.compare LT, %n, %m, SIGNED : (tensor<3xi4>, tensor<3xi4>) -> tensor<3xi1>
  check.expect_eq_const %nm, dense<[true, false, false]> : tensor<3xi1>
  %c = stablehlo.constant dense<[(1.0, 2.0), (1.0, -2.0)]> : tensor<2xcomplex<f32>>
  %d = stablehlo.constant dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>
  %cd = stablehlo.compare NE, %c, %d, FLOAT : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xi1>
  check.expect_eq_const %cd, dense<[false, true]> : tensor<2xi1>
  return
}

// -----

func.func @select_and_clamp() {
  %p = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %a = stablehlo.constant dense<[(1.0, 1.0), (2.0, 2.0), (3.0, 3.0)]> : tensor<3xcomplex<f64>>
  %b = stablehlo.constant dense<(0.0, 0.0)> : tensor<3xcomplex<f64>>
  %s = stablehlo.select %p, %a, %b : tensor<3xi1>, tensor<3xcomplex<f64>>
  check.expect_eq_const %s, dense<[(1.0, 1.0), (0.0, 0.0), (3.0, 3.0)]> : tensor<3xcomplex<f64>>
  %one = stablehlo.constant dense<false> : tensor<i1>
  %t = stablehlo.select %one, %a, %b : tensor<i1>, tensor<3xcomplex<f64>>
  check.expect_eq %t, %b : tensor<3xcomplex<f64>>
  %x = stablehlo.constant dense<[-3, 0, 9]> : tensor<3xi16>
  %low = stablehlo.constant dense<-1> : tensor<i16>
  %high = stablehlo.constant dense<[5, 5, 7]> : tensor<3xi16>
  %low3 = stablehlo.broadcast_in_dim %low, dims = [] : (tensor<i16>) -> tensor<3xi16>
  %c = stablehlo.clamp %low3, %x, %high : tensor<3xi16>
  check.expect_eq_const %c, dense<[-1, 0, 7]> : tensor<3xi16>
  %top = stablehlo.constant dense<4> : tensor<i16>
  %d = stablehlo.clamp %low, %x, %top : (tensor<i16>, tensor<3xi16>, tensor<i16>) -> tensor<3xi16>
  check.expect_eq_const %d, dense<[-1, 0, 4]> : tensor<3xi16>
  return
}
