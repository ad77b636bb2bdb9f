// Loops of every form, for gpu_loops.
func.func @map_chain(%a: tensor<4099xf32>, %b: tensor<4099xf32>) -> tensor<4099xf32> {
  %0 = stablehlo.multiply %a, %b : tensor<4099xf32>
  %1 = stablehlo.tanh %0 : tensor<4099xf32>
  %2 = stablehlo.exponential %1 : tensor<4099xf32>
  %3 = stablehlo.log %2 : tensor<4099xf32>
  %4 = stablehlo.divide %3, %b : tensor<4099xf32>
  %5 = stablehlo.logistic %4 : tensor<4099xf32>
  return %5 : tensor<4099xf32>
}
func.func @map_narrow(%a: tensor<40x33xbf16>, %b: tensor<40x33xf16>, %c: tensor<40x33xf8E4M3FN>, %d: tensor<40x33xf8E5M2>) -> (tensor<40x33xbf16>, tensor<40x33xf16>, tensor<40x33xf8E4M3FN>, tensor<40x33xf8E5M2>, tensor<40x33xi8>) {
  %0 = stablehlo.convert %b : (tensor<40x33xf16>) -> tensor<40x33xbf16>
  %1 = stablehlo.add %a, %0 : tensor<40x33xbf16>
  %2 = stablehlo.multiply %1, %a : tensor<40x33xbf16>
  %3 = stablehlo.sqrt %b : tensor<40x33xf16>
  %4 = stablehlo.add %c, %c : tensor<40x33xf8E4M3FN>
  %5 = stablehlo.convert %2 : (tensor<40x33xbf16>) -> tensor<40x33xf8E5M2>
  %6 = stablehlo.multiply %5, %d : tensor<40x33xf8E5M2>
  %7 = stablehlo.convert %a : (tensor<40x33xbf16>) -> tensor<40x33xi8>
  return %2, %3, %4, %6, %7 : tensor<40x33xbf16>, tensor<40x33xf16>, tensor<40x33xf8E4M3FN>, tensor<40x33xf8E5M2>, tensor<40x33xi8>
}
func.func @map_ints(%a: tensor<1000xi32>, %b: tensor<1000xi32>, %c: tensor<1000xui8>, %d: tensor<1000xi64>, %e: tensor<1000xi1>) -> (tensor<1000xi32>, tensor<1000xui8>, tensor<1000xi64>, tensor<1000xi1>, tensor<1000xf64>) {
  %0 = stablehlo.divide %a, %b : tensor<1000xi32>
  %1 = stablehlo.remainder %0, %b : tensor<1000xi32>
  %2 = stablehlo.add %c, %c : tensor<1000xui8>
  %3 = stablehlo.convert %a : (tensor<1000xi32>) -> tensor<1000xi64>
  %4 = stablehlo.multiply %3, %d : tensor<1000xi64>
  %5 = stablehlo.compare LT, %a, %b : (tensor<1000xi32>, tensor<1000xi32>) -> tensor<1000xi1>
  %6 = stablehlo.xor %5, %e : tensor<1000xi1>
  %7 = stablehlo.select %6, %1, %b : tensor<1000xi1>, tensor<1000xi32>
  %8 = stablehlo.convert %4 : (tensor<1000xi64>) -> tensor<1000xf64>
  %9 = stablehlo.cosine %8 : tensor<1000xf64>
  return %7, %2, %4, %6, %9 : tensor<1000xi32>, tensor<1000xui8>, tensor<1000xi64>, tensor<1000xi1>, tensor<1000xf64>
}
func.func @map_views(%a: tensor<12x8x20xf32>, %r: tensor<20xf32>, %c: tensor<12xf32>, %t: tensor<20x8xf32>, %o: tensor<1xf32>) -> (tensor<12x8x20xf32>, tensor<12x8x20xi32>) {
  %0 = stablehlo.broadcast_in_dim %r, dims = [2] : (tensor<20xf32>) -> tensor<12x8x20xf32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [0] : (tensor<12xf32>) -> tensor<12x8x20xf32>
  %2 = stablehlo.transpose %t, dims = [1, 0] : (tensor<20x8xf32>) -> tensor<8x20xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [1, 2] : (tensor<8x20xf32>) -> tensor<12x8x20xf32>
  %4 = stablehlo.broadcast_in_dim %o, dims = [0] : (tensor<1xf32>) -> tensor<12x8x20xf32>
  %5 = stablehlo.add %a, %0 : tensor<12x8x20xf32>
  %6 = stablehlo.multiply %5, %1 : tensor<12x8x20xf32>
  %7 = stablehlo.subtract %6, %3 : tensor<12x8x20xf32>
  %8 = stablehlo.maximum %7, %4 : tensor<12x8x20xf32>
  %9 = stablehlo.reverse %8, dims = [2] : tensor<12x8x20xf32>
  %10 = stablehlo.add %8, %9 : tensor<12x8x20xf32>
  %11 = stablehlo.iota dim = 1 : tensor<12x8x20xi32>
  %12 = stablehlo.convert %10 : (tensor<12x8x20xf32>) -> tensor<12x8x20xi32>
  %13 = stablehlo.add %11, %12 : tensor<12x8x20xi32>
  return %10, %13 : tensor<12x8x20xf32>, tensor<12x8x20xi32>
}
func.func @rows_warp(%a: tensor<37x100xf32>) -> tensor<37x100xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %m) applies stablehlo.maximum across dimensions = [1] : (tensor<37x100xf32>, tensor<f32>) -> tensor<37xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<37xf32>) -> tensor<37x100xf32>
  %2 = stablehlo.subtract %a, %1 : tensor<37x100xf32>
  %3 = stablehlo.exponential %2 : tensor<37x100xf32>
  %4 = stablehlo.reduce(%3 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<37x100xf32>, tensor<f32>) -> tensor<37xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<37xf32>) -> tensor<37x100xf32>
  %6 = stablehlo.divide %3, %5 : tensor<37x100xf32>
  return %6 : tensor<37x100xf32>
}
func.func @rows_few(%a: tensor<41x5xf32>) -> tensor<41x5xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %m) applies stablehlo.maximum across dimensions = [1] : (tensor<41x5xf32>, tensor<f32>) -> tensor<41xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<41xf32>) -> tensor<41x5xf32>
  %2 = stablehlo.subtract %a, %1 : tensor<41x5xf32>
  %3 = stablehlo.exponential %2 : tensor<41x5xf32>
  %4 = stablehlo.reduce(%3 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<41x5xf32>, tensor<f32>) -> tensor<41xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<41xf32>) -> tensor<41x5xf32>
  %6 = stablehlo.divide %3, %5 : tensor<41x5xf32>
  return %6 : tensor<41x5xf32>
}
func.func @rows_two(%a: tensor<9x2xbf16>) -> tensor<9x2xbf16> {
  %z = stablehlo.constant dense<0.0> : tensor<bf16>
  %m = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %0 = stablehlo.reduce(%a init: %m) applies stablehlo.maximum across dimensions = [1] : (tensor<9x2xbf16>, tensor<bf16>) -> tensor<9xbf16>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<9xbf16>) -> tensor<9x2xbf16>
  %2 = stablehlo.subtract %a, %1 : tensor<9x2xbf16>
  %3 = stablehlo.exponential %2 : tensor<9x2xbf16>
  %4 = stablehlo.reduce(%3 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<9x2xbf16>, tensor<bf16>) -> tensor<9xbf16>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<9xbf16>) -> tensor<9x2xbf16>
  %6 = stablehlo.divide %3, %5 : tensor<9x2xbf16>
  return %6 : tensor<9x2xbf16>
}
func.func @rows_block(%a: tensor<5x3000xf32>) -> tensor<5x3000xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %m) applies stablehlo.maximum across dimensions = [1] : (tensor<5x3000xf32>, tensor<f32>) -> tensor<5xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<5xf32>) -> tensor<5x3000xf32>
  %2 = stablehlo.subtract %a, %1 : tensor<5x3000xf32>
  %3 = stablehlo.exponential %2 : tensor<5x3000xf32>
  %4 = stablehlo.reduce(%3 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<5x3000xf32>, tensor<f32>) -> tensor<5xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<5xf32>) -> tensor<5x3000xf32>
  %6 = stablehlo.divide %3, %5 : tensor<5x3000xf32>
  return %6 : tensor<5x3000xf32>
}
func.func @rows_narrow(%a: tensor<33x1000xbf16>) -> tensor<33x1000xbf16> {
  %z = stablehlo.constant dense<0.0> : tensor<bf16>
  %m = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %0 = stablehlo.reduce(%a init: %m) applies stablehlo.maximum across dimensions = [1] : (tensor<33x1000xbf16>, tensor<bf16>) -> tensor<33xbf16>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<33xbf16>) -> tensor<33x1000xbf16>
  %2 = stablehlo.subtract %a, %1 : tensor<33x1000xbf16>
  %3 = stablehlo.exponential %2 : tensor<33x1000xbf16>
  %4 = stablehlo.reduce(%3 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<33x1000xbf16>, tensor<bf16>) -> tensor<33xbf16>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<33xbf16>) -> tensor<33x1000xbf16>
  %6 = stablehlo.divide %3, %5 : tensor<33x1000xbf16>
  return %6 : tensor<33x1000xbf16>
}
func.func @rows_wide(%a: tensor<7x40xf64>) -> tensor<7x40xf64> {
  %z = stablehlo.constant dense<0.0> : tensor<f64>
  %m = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %0 = stablehlo.reduce(%a init: %m) applies stablehlo.maximum across dimensions = [1] : (tensor<7x40xf64>, tensor<f64>) -> tensor<7xf64>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<7xf64>) -> tensor<7x40xf64>
  %2 = stablehlo.subtract %a, %1 : tensor<7x40xf64>
  %3 = stablehlo.exponential %2 : tensor<7x40xf64>
  %4 = stablehlo.reduce(%3 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<7x40xf64>, tensor<f64>) -> tensor<7xf64>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<7xf64>) -> tensor<7x40xf64>
  %6 = stablehlo.divide %3, %5 : tensor<7x40xf64>
  return %6 : tensor<7x40xf64>
}
func.func @rows_odd(%a: tensor<6x1027xf16>) -> tensor<6x1027xf16> {
  %z = stablehlo.constant dense<0.0> : tensor<f16>
  %m = stablehlo.constant dense<0xFC00> : tensor<f16>
  %0 = stablehlo.reduce(%a init: %m) applies stablehlo.maximum across dimensions = [1] : (tensor<6x1027xf16>, tensor<f16>) -> tensor<6xf16>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<6xf16>) -> tensor<6x1027xf16>
  %2 = stablehlo.subtract %a, %1 : tensor<6x1027xf16>
  %3 = stablehlo.exponential %2 : tensor<6x1027xf16>
  %4 = stablehlo.reduce(%3 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<6x1027xf16>, tensor<f16>) -> tensor<6xf16>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<6xf16>) -> tensor<6x1027xf16>
  %6 = stablehlo.divide %3, %5 : tensor<6x1027xf16>
  return %6 : tensor<6x1027xf16>
}
func.func @rows_passes(%a: tensor<3x20000xbf16>) -> tensor<3x20000xbf16> {
  %z = stablehlo.constant dense<0.0> : tensor<bf16>
  %m = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %0 = stablehlo.reduce(%a init: %m) applies stablehlo.maximum across dimensions = [1] : (tensor<3x20000xbf16>, tensor<bf16>) -> tensor<3xbf16>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<3xbf16>) -> tensor<3x20000xbf16>
  %2 = stablehlo.subtract %a, %1 : tensor<3x20000xbf16>
  %3 = stablehlo.exponential %2 : tensor<3x20000xbf16>
  %4 = stablehlo.reduce(%3 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<3x20000xbf16>, tensor<bf16>) -> tensor<3xbf16>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<3xbf16>) -> tensor<3x20000xbf16>
  %6 = stablehlo.divide %3, %5 : tensor<3x20000xbf16>
  return %6 : tensor<3x20000xbf16>
}
func.func @rows_uneven(%a: tensor<3x16999xf32>) -> tensor<3x16999xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %m) applies stablehlo.maximum across dimensions = [1] : (tensor<3x16999xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<3xf32>) -> tensor<3x16999xf32>
  %2 = stablehlo.subtract %a, %1 : tensor<3x16999xf32>
  %3 = stablehlo.exponential %2 : tensor<3x16999xf32>
  %4 = stablehlo.reduce(%3 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<3x16999xf32>, tensor<f32>) -> tensor<3xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<3xf32>) -> tensor<3x16999xf32>
  %6 = stablehlo.divide %3, %5 : tensor<3x16999xf32>
  return %6 : tensor<3x16999xf32>
}
func.func @rows_norm(%a: tensor<65x768xbf16>, %b: tensor<65x768xbf16>, %g: tensor<768xbf16>, %h: tensor<768xbf16>) -> (tensor<65x768xbf16>, tensor<65x768xbf16>, tensor<65xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<768.0> : tensor<65xf32>
  %e = stablehlo.constant dense<1.0e-5> : tensor<65xf32>
  %s = stablehlo.add %a, %b : tensor<65x768xbf16>
  %0 = stablehlo.convert %s : (tensor<65x768xbf16>) -> tensor<65x768xf32>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<65x768xf32>, tensor<f32>) -> tensor<65xf32>
  %2 = stablehlo.divide %1, %n : tensor<65xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<65xf32>) -> tensor<65x768xf32>
  %4 = stablehlo.subtract %0, %3 : tensor<65x768xf32>
  %5 = stablehlo.multiply %4, %4 : tensor<65x768xf32>
  %6 = stablehlo.reduce(%5 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<65x768xf32>, tensor<f32>) -> tensor<65xf32>
  %7 = stablehlo.divide %6, %n : tensor<65xf32>
  %8 = stablehlo.add %7, %e : tensor<65xf32>
  %9 = stablehlo.rsqrt %8 : tensor<65xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<65xf32>) -> tensor<65x768xf32>
  %11 = stablehlo.multiply %4, %10 : tensor<65x768xf32>
  %12 = stablehlo.broadcast_in_dim %g, dims = [1] : (tensor<768xbf16>) -> tensor<65x768xbf16>
  %13 = stablehlo.convert %12 : (tensor<65x768xbf16>) -> tensor<65x768xf32>
  %14 = stablehlo.multiply %11, %13 : tensor<65x768xf32>
  %15 = stablehlo.broadcast_in_dim %h, dims = [1] : (tensor<768xbf16>) -> tensor<65x768xbf16>
  %16 = stablehlo.convert %15 : (tensor<65x768xbf16>) -> tensor<65x768xf32>
  %17 = stablehlo.add %14, %16 : tensor<65x768xf32>
  %18 = stablehlo.convert %17 : (tensor<65x768xf32>) -> tensor<65x768xbf16>
  return %s, %18, %9 : tensor<65x768xbf16>, tensor<65x768xbf16>, tensor<65xf32>
}
func.func @rows_norm_long(%a: tensor<3x4096xbf16>, %b: tensor<3x4096xbf16>, %g: tensor<4096xbf16>, %h: tensor<4096xbf16>) -> (tensor<3x4096xbf16>, tensor<3x4096xbf16>, tensor<3xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<4096.0> : tensor<3xf32>
  %e = stablehlo.constant dense<1.0e-5> : tensor<3xf32>
  %s = stablehlo.add %a, %b : tensor<3x4096xbf16>
  %0 = stablehlo.convert %s : (tensor<3x4096xbf16>) -> tensor<3x4096xf32>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<3x4096xf32>, tensor<f32>) -> tensor<3xf32>
  %2 = stablehlo.divide %1, %n : tensor<3xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<3xf32>) -> tensor<3x4096xf32>
  %4 = stablehlo.subtract %0, %3 : tensor<3x4096xf32>
  %5 = stablehlo.multiply %4, %4 : tensor<3x4096xf32>
  %6 = stablehlo.reduce(%5 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<3x4096xf32>, tensor<f32>) -> tensor<3xf32>
  %7 = stablehlo.divide %6, %n : tensor<3xf32>
  %8 = stablehlo.add %7, %e : tensor<3xf32>
  %9 = stablehlo.rsqrt %8 : tensor<3xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<3xf32>) -> tensor<3x4096xf32>
  %11 = stablehlo.multiply %4, %10 : tensor<3x4096xf32>
  %12 = stablehlo.broadcast_in_dim %g, dims = [1] : (tensor<4096xbf16>) -> tensor<3x4096xbf16>
  %13 = stablehlo.convert %12 : (tensor<3x4096xbf16>) -> tensor<3x4096xf32>
  %14 = stablehlo.multiply %11, %13 : tensor<3x4096xf32>
  %15 = stablehlo.broadcast_in_dim %h, dims = [1] : (tensor<4096xbf16>) -> tensor<3x4096xbf16>
  %16 = stablehlo.convert %15 : (tensor<3x4096xbf16>) -> tensor<3x4096xf32>
  %17 = stablehlo.add %14, %16 : tensor<3x4096xf32>
  %18 = stablehlo.convert %17 : (tensor<3x4096xf32>) -> tensor<3x4096xbf16>
  return %s, %18, %9 : tensor<3x4096xbf16>, tensor<3x4096xbf16>, tensor<3xf32>
}
func.func @rows_any(%a: tensor<37x77xi1>) -> tensor<37xi1> {
  %z = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.not %a : tensor<37x77xi1>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.or across dimensions = [1] : (tensor<37x77xi1>, tensor<i1>) -> tensor<37xi1>
  return %1 : tensor<37xi1>
}
func.func @rows_most(%a: tensor<37x77xi64>) -> tensor<37xi64> {
  %z = stablehlo.constant dense<-9223372036854775808> : tensor<i64>
  %0 = stablehlo.negate %a : tensor<37x77xi64>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.maximum across dimensions = [1] : (tensor<37x77xi64>, tensor<i64>) -> tensor<37xi64>
  return %1 : tensor<37xi64>
}
func.func @long(%a: tensor<3x100000xf32>) -> tensor<3xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.negate %a : tensor<3x100000xf32>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<3x100000xf32>, tensor<f32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}
func.func @long_ints(%a: tensor<2x70000xi8>) -> tensor<2xi8> {
  %z = stablehlo.constant dense<0> : tensor<i8>
  %0 = stablehlo.negate %a : tensor<2x70000xi8>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.xor across dimensions = [1] : (tensor<2x70000xi8>, tensor<i8>) -> tensor<2xi8>
  return %1 : tensor<2xi8>
}
func.func @columns(%a: tensor<700x48xf32>) -> tensor<48xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.negate %a : tensor<700x48xf32>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<700x48xf32>, tensor<f32>) -> tensor<48xf32>
  return %1 : tensor<48xf32>
}
func.func @columns_of_batch(%a: tensor<5x300x7xbf16>) -> tensor<5x7xbf16> {
  %z = stablehlo.constant dense<0.0> : tensor<bf16>
  %0 = stablehlo.negate %a : tensor<5x300x7xbf16>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<5x300x7xbf16>, tensor<bf16>) -> tensor<5x7xbf16>
  return %1 : tensor<5x7xbf16>
}
func.func @columns_wide(%a: tensor<130x3000xf32>) -> tensor<3000xf32> {
  %z = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %0 = stablehlo.negate %a : tensor<130x3000xf32>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.minimum across dimensions = [0] : (tensor<130x3000xf32>, tensor<f32>) -> tensor<3000xf32>
  return %1 : tensor<3000xf32>
}
func.func @columns_one(%a: tensor<1000x1x3xf64>) -> tensor<1x3xf64> {
  %z = stablehlo.constant dense<0.0> : tensor<f64>
  %0 = stablehlo.negate %a : tensor<1000x1x3xf64>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<1000x1x3xf64>, tensor<f64>) -> tensor<1x3xf64>
  return %1 : tensor<1x3xf64>
}
func.func @columns_ints(%a: tensor<2x999x16xi32>) -> tensor<2x16xi32> {
  %z = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.negate %a : tensor<2x999x16xi32>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.multiply across dimensions = [1] : (tensor<2x999x16xi32>, tensor<i32>) -> tensor<2x16xi32>
  return %1 : tensor<2x16xi32>
}
