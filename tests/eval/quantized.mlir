// Quantized tensors: ops compute with what the storage means, and move storage as it is.
// RUN: stablehlo-translate --interpret -split-input-file %s

// Steps of 0.5 around -10, stored in i8: values from -59 to 68.5.
func.func @there_and_back() {
  %f = stablehlo.constant dense<[0.0, 1.25, -3.0, 100.0, -100.0]> : tensor<5xf32>
  %q = stablehlo.uniform_quantize %f : (tensor<5xf32>) -> tensor<5x!quant.uniform<i8:f32, 0.5:-10>>
  %s = stablehlo.bitcast_convert %q : (tensor<5x!quant.uniform<i8:f32, 0.5:-10>>) -> tensor<5xi8>
  check.expect_eq_const %s, dense<[-10, -8, -16, 127, -128]> : tensor<5xi8>
  %g = stablehlo.uniform_dequantize %q : (tensor<5x!quant.uniform<i8:f32, 0.5:-10>>) -> tensor<5xf32>
  check.expect_eq_const %g, dense<[0.0, 1.0, -3.0, 68.5, -59.0]> : tensor<5xf32>
  return
}

// -----

func.func @arithmetic() {
  %f = stablehlo.constant dense<[1.0, 2.0, -4.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %f : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.5>>
  %b = stablehlo.uniform_quantize %f : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.25:3>>
  %r = stablehlo.add %a, %b : (tensor<3x!quant.uniform<i8:f32, 0.5>>, tensor<3x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<3x!quant.uniform<i8:f32, 2.0>>
  %s = stablehlo.uniform_dequantize %r : (tensor<3x!quant.uniform<i8:f32, 2.0>>) -> tensor<3xf32>
  check.expect_eq_const %s, dense<[2.0, 4.0, -8.0]> : tensor<3xf32>
  %abs = stablehlo.abs %a : tensor<3x!quant.uniform<i8:f32, 0.5>>
  %absf = stablehlo.uniform_dequantize %abs : (tensor<3x!quant.uniform<i8:f32, 0.5>>) -> tensor<3xf32>
  check.expect_eq_const %absf, dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %t = stablehlo.reverse %a, dims = [0] : tensor<3x!quant.uniform<i8:f32, 0.5>>
  %lt = stablehlo.compare LT, %t, %a, FLOAT : (tensor<3x!quant.uniform<i8:f32, 0.5>>, tensor<3x!quant.uniform<i8:f32, 0.5>>) -> tensor<3xi1>
  check.expect_eq_const %lt, dense<[true, false, false]> : tensor<3xi1>
  %sel = stablehlo.select %lt, %t, %a : tensor<3xi1>, tensor<3x!quant.uniform<i8:f32, 0.5>>
  %self = stablehlo.uniform_dequantize %sel : (tensor<3x!quant.uniform<i8:f32, 0.5>>) -> tensor<3xf32>
  check.expect_eq_const %self, dense<[-4.0, 2.0, -4.0]> : tensor<3xf32>
  return
}

// -----

// A scale for each column of the weights.
func.func @products() {
  %x = stablehlo.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %w = stablehlo.constant dense<[[1.0, 10.0], [3.0, 20.0]]> : tensor<2x2xf32>
  %a = stablehlo.uniform_quantize %x : (tensor<1x2xf32>) -> tensor<1x2x!quant.uniform<i8:f32, 0.5>>
  %b = stablehlo.uniform_quantize %w : (tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8<-127:127>:f32:1, {0.5, 2.0}>>
  %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<1x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x2x!quant.uniform<i8<-127:127>:f32:1, {0.5, 2.0}>>) -> tensor<1x2x!quant.uniform<i32:f32:1, {0.25, 1.0}>>
  %d = stablehlo.uniform_dequantize %c : (tensor<1x2x!quant.uniform<i32:f32:1, {0.25, 1.0}>>) -> tensor<1x2xf32>
  check.expect_eq_const %d, dense<[[7.0, 50.0]]> : tensor<1x2xf32>
  // Weights alone are quantized.
  %e = stablehlo.dot_general %x, %b, contracting_dims = [1] x [0] : (tensor<1x2xf32>, tensor<2x2x!quant.uniform<i8<-127:127>:f32:1, {0.5, 2.0}>>) -> tensor<1x2xf32>
  check.expect_eq_const %e, dense<[[7.0, 50.0]]> : tensor<1x2xf32>
  return
}

// -----

func.func @reduction() {
  %f = stablehlo.constant dense<[1.5, 2.0, -0.5]> : tensor<3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %a = stablehlo.uniform_quantize %f : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.5:4>>
  %z = stablehlo.uniform_quantize %zero : (tensor<f32>) -> tensor<!quant.uniform<i8:f32, 0.5:4>>
  %r = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<3x!quant.uniform<i8:f32, 0.5:4>>, tensor<!quant.uniform<i8:f32, 0.5:4>>) -> tensor<!quant.uniform<i8:f32, 0.5:4>>
  %s = stablehlo.uniform_dequantize %r : (tensor<!quant.uniform<i8:f32, 0.5:4>>) -> tensor<f32>
  check.expect_eq_const %s, dense<3.0> : tensor<f32>
  return
}

// -----

// The sides of a select mean something else by their storage than the result does.
func.func @select_between() {
  %f = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %g = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %p = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %a = stablehlo.uniform_quantize %f : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  %b = stablehlo.uniform_quantize %g : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  %s = "stablehlo.select"(%p, %a, %b) : (tensor<2xi1>, tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i8:f32, 1.0>>
  %r = stablehlo.uniform_dequantize %s : (tensor<2x!quant.uniform<i8:f32, 1.0>>) -> tensor<2xf32>
  check.expect_eq_const %r, dense<[1.0, 4.0]> : tensor<2xf32>
  return
}
