// Pointwise ops: integers wrap, narrow types too; floats round once to their type.
// RUN: stablehlo-translate --interpret -split-input-file %s

func.func @i4() {
  %a = stablehlo.constant dense<[7, -8, 3, -1]> : tensor<4xi4>
  %b = stablehlo.constant dense<[1, -1, 5, -8]> : tensor<4xi4>
  %add = stablehlo.add %a, %b : tensor<4xi4>
  check.expect_eq_const %add, dense<[-8, 7, -8, 7]> : tensor<4xi4>
  %mul = stablehlo.multiply %a, %b : tensor<4xi4>
  check.expect_eq_const %mul, dense<[7, -8, -1, -8]> : tensor<4xi4>
  %neg = stablehlo.negate %a : tensor<4xi4>
  check.expect_eq_const %neg, dense<[-7, -8, -3, 1]> : tensor<4xi4>
  %not = stablehlo.not %a : tensor<4xi4>
  check.expect_eq_const %not, dense<[-8, 7, -4, 0]> : tensor<4xi4>
  %pop = stablehlo.popcnt %a : tensor<4xi4>
  check.expect_eq_const %pop, dense<[3, 1, 2, 4]> : tensor<4xi4>
  %clz = stablehlo.count_leading_zeros %a : tensor<4xi4>
  check.expect_eq_const %clz, dense<[1, 0, 2, 0]> : tensor<4xi4>
  return
}

// -----

func.func @i2_and_unsigned() {
  %a = stablehlo.constant dense<[1, -2, -1]> : tensor<3xi2>
  %b = stablehlo.constant dense<[1, 1, -1]> : tensor<3xi2>
  %sub = stablehlo.subtract %a, %b : tensor<3xi2>
  check.expect_eq_const %sub, dense<[0, 1, 0]> : tensor<3xi2>
  %c = stablehlo.constant dense<[250, 7, 0]> : tensor<3xui8>
  %d = stablehlo.constant dense<[10, 9, 1]> : tensor<3xui8>
  %add = stablehlo.add %c, %d : tensor<3xui8>
  check.expect_eq_const %add, dense<[4, 16, 1]> : tensor<3xui8>
  %less = stablehlo.subtract %c, %d : tensor<3xui8>
  check.expect_eq_const %less, dense<[240, 254, 255]> : tensor<3xui8>
  %max = stablehlo.maximum %c, %d : tensor<3xui8>
  check.expect_eq_const %max, dense<[250, 9, 1]> : tensor<3xui8>
  return
}

// -----

// Division goes towards zero, the remainder has the dividend's sign; shifts by the width or more give 0 or the sign.
func.func @division_and_shifts() {
  %a = stablehlo.constant dense<[17, -17, 17, -17]> : tensor<4xi32>
  %b = stablehlo.constant dense<[5, 5, -5, -5]> : tensor<4xi32>
  %div = stablehlo.divide %a, %b : tensor<4xi32>
  check.expect_eq_const %div, dense<[3, -3, -3, 3]> : tensor<4xi32>
  %rem = stablehlo.remainder %a, %b : tensor<4xi32>
  check.expect_eq_const %rem, dense<[2, -2, 2, -2]> : tensor<4xi32>
  // By zero, where the specification says nothing, as XLA on CPU: all bits set; the remainder is the dividend.
  %z = stablehlo.constant dense<0> : tensor<4xi32>
  %divz = stablehlo.divide %a, %z : tensor<4xi32>
  check.expect_eq_const %divz, dense<-1> : tensor<4xi32>
  %remz = stablehlo.remainder %a, %z : tensor<4xi32>
  check.expect_eq %remz, %a : tensor<4xi32>
  %x = stablehlo.constant dense<[-64, 64, -1, 5]> : tensor<4xi8>
  %n = stablehlo.constant dense<[1, 1, 8, 9]> : tensor<4xi8>
  %left = stablehlo.shift_left %x, %n : tensor<4xi8>
  check.expect_eq_const %left, dense<[-128, -128, 0, 0]> : tensor<4xi8>
  %arithmetic = stablehlo.shift_right_arithmetic %x, %n : tensor<4xi8>
  check.expect_eq_const %arithmetic, dense<[-32, 32, -1, 0]> : tensor<4xi8>
  %logical = stablehlo.shift_right_logical %x, %n : tensor<4xi8>
  check.expect_eq_const %logical, dense<[96, 32, 0, 0]> : tensor<4xi8>
  return
}

// -----

// 1 + 2^-8 lies between two numbers of bf16: to the even one. 257 needs nine bits.
func.func @bf16() {
  %a = stablehlo.constant dense<[1.0, 256.0, 3.0]> : tensor<3xbf16>
  %b = stablehlo.constant dense<[0.00390625, 1.0, 0.5]> : tensor<3xbf16>
  %add = stablehlo.add %a, %b : tensor<3xbf16>
  check.expect_eq_const %add, dense<[1.0, 256.0, 3.5]> : tensor<3xbf16>
  %div = stablehlo.divide %b, %a : tensor<3xbf16>
  // 0.5 / 3 = 0.1666..: 0x3E2B is 0.1669921875
  check.expect_eq_const %div, dense<[0.00390625, 0.00390625, 0.1669921875]> : tensor<3xbf16>
  %e = stablehlo.exponential %b : tensor<3xbf16>
  // e^0.5 = 1.64872: neighbours 1.6484375 and 1.65625. e^(2^-8) = 1.003914: just above the middle, 1.00390625
  check.expect_eq_const %e, dense<[1.0078125, 2.71875, 1.6484375]> : tensor<3xbf16>
  return
}

// -----

// f8E4M3FN has three bits behind the point, ends at 448 and has NaN instead of infinity.
func.func @f8() {
  %a = stablehlo.constant dense<[1.0, 17.0, 448.0, 0.0625]> : tensor<4xf8E4M3FN>
  %b = stablehlo.constant dense<[0.0625, 1.0, -448.0, 3.0]> : tensor<4xf8E4M3FN>
  %add = stablehlo.add %a, %b : tensor<4xf8E4M3FN>
  check.expect_eq_const %add, dense<[1.0, 17.0, 0.0, 3.0]> : tensor<4xf8E4M3FN>
  %mul = stablehlo.multiply %a, %b : tensor<4xf8E4M3FN>
  %f = stablehlo.convert %mul : (tensor<4xf8E4M3FN>) -> tensor<4xf32>
  %g = stablehlo.slice %f [0:4:3] : (tensor<4xf32>) -> tensor<2xf32>
  check.expect_eq_const %g, dense<[0.0625, 0.1875]> : tensor<2xf32>
  %nan = stablehlo.compare NE, %f, %f : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  check.expect_eq_const %nan, dense<[false, false, true, false]> : tensor<4xi1>
  %c = stablehlo.constant dense<[0.5, 1.5, 6.0]> : tensor<3xf4E2M1FN>
  %sum = stablehlo.add %c, %c : tensor<3xf4E2M1FN>
  check.expect_eq_const %sum, dense<[1.0, 3.0, 6.0]> : tensor<3xf4E2M1FN>
  return
}

// -----

func.func @floats() {
  %x = stablehlo.constant dense<[-2.5, -0.5, 0.5, 1.5, 2.5]> : tensor<5xf32>
  %even = stablehlo.round_nearest_even %x : tensor<5xf32>
  check.expect_eq_const %even, dense<[-2.0, -0.0, 0.0, 2.0, 2.0]> : tensor<5xf32>
  %away = stablehlo.round_nearest_afz %x : tensor<5xf32>
  check.expect_eq_const %away, dense<[-3.0, -1.0, 1.0, 2.0, 3.0]> : tensor<5xf32>
  %ceil = stablehlo.ceil %x : tensor<5xf32>
  check.expect_eq_const %ceil, dense<[-2.0, -0.0, 1.0, 2.0, 3.0]> : tensor<5xf32>
  %floor = stablehlo.floor %x : tensor<5xf32>
  check.expect_eq_const %floor, dense<[-3.0, -1.0, 0.0, 1.0, 2.0]> : tensor<5xf32>
  %sign = stablehlo.sign %x : tensor<5xf32>
  check.expect_eq_const %sign, dense<[-1.0, -1.0, 1.0, 1.0, 1.0]> : tensor<5xf32>
  %abs = stablehlo.abs %x : tensor<5xf32>
  check.expect_eq_const %abs, dense<[2.5, 0.5, 0.5, 1.5, 2.5]> : tensor<5xf32>
  %two = stablehlo.constant dense<[2.0, 2.0, 2.0, 2.0, 2.0]> : tensor<5xf32>
  %rem = stablehlo.remainder %x, %two : tensor<5xf32>
  check.expect_eq_const %rem, dense<[-0.5, -0.5, 0.5, 1.5, 0.5]> : tensor<5xf32>
  %pow = stablehlo.power %x, %two : tensor<5xf32>
  check.expect_eq_const %pow, dense<[6.25, 0.25, 0.25, 2.25, 6.25]> : tensor<5xf32>
  %nan = stablehlo.constant dense<[0x7FC00000, 0x7FC00000, 1.0, 0xFF800000, 0.0]> : tensor<5xf32>
  // NaN wins, on whichever side it stands; nothing equals it, not even itself
  %max = stablehlo.maximum %x, %nan : tensor<5xf32>
  %maxself = stablehlo.compare EQ, %max, %max : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  check.expect_eq_const %maxself, dense<[false, false, true, true, true]> : tensor<5xi1>
  %maxrest = stablehlo.slice %max [2:5] : (tensor<5xf32>) -> tensor<3xf32>
  check.expect_eq_const %maxrest, dense<[1.0, 1.5, 2.5]> : tensor<3xf32>
  %min = stablehlo.minimum %nan, %x : tensor<5xf32>
  %minself = stablehlo.compare EQ, %min, %min : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  check.expect_eq_const %minself, dense<[false, false, true, true, true]> : tensor<5xi1>
  %minrest = stablehlo.slice %min [2:5] : (tensor<5xf32>) -> tensor<3xf32>
  check.expect_eq_const %minrest, dense<[0.5, 0xFF800000, 0.0]> : tensor<3xf32>
  %finite = stablehlo.is_finite %nan : (tensor<5xf32>) -> tensor<5xi1>
  check.expect_eq_const %finite, dense<[false, false, true, false, true]> : tensor<5xi1>
  return
}

// -----

// Values of exact functions at chosen places, in f64.
func.func @functions() {
  %x = stablehlo.constant dense<[0.0, 1.0, -0.5]> : tensor<3xf64>
  %p = stablehlo.constant dense<[0.25, 1.0, 8.0]> : tensor<3xf64>
  %exp = stablehlo.exponential %x : tensor<3xf64>
  check.expect_almost_eq_const %exp, dense<[1.0, 2.718281828459045, 0.6065306597126334]> : tensor<3xf64>, tolerance = 1.0e-15
  %expm1 = stablehlo.exponential_minus_one %x : tensor<3xf64>
  check.expect_almost_eq_const %expm1, dense<[0.0, 1.718281828459045, -0.3934693402873666]> : tensor<3xf64>, tolerance = 1.0e-15
  %log = stablehlo.log %p : tensor<3xf64>
  check.expect_almost_eq_const %log, dense<[-1.3862943611198906, 0.0, 2.0794415416798357]> : tensor<3xf64>, tolerance = 1.0e-15
  %log1p = stablehlo.log_plus_one %x : tensor<3xf64>
  check.expect_almost_eq_const %log1p, dense<[0.0, 0.6931471805599453, -0.6931471805599453]> : tensor<3xf64>, tolerance = 1.0e-15
  %sqrt = stablehlo.sqrt %p : tensor<3xf64>
  check.expect_almost_eq_const %sqrt, dense<[0.5, 1.0, 2.8284271247461903]> : tensor<3xf64>, tolerance = 1.0e-15
  %rsqrt = stablehlo.rsqrt %p : tensor<3xf64>
  check.expect_almost_eq_const %rsqrt, dense<[2.0, 1.0, 0.35355339059327379]> : tensor<3xf64>, tolerance = 1.0e-15
  %cbrt = stablehlo.cbrt %p : tensor<3xf64>
  check.expect_almost_eq_const %cbrt, dense<[0.62996052494743658, 1.0, 2.0]> : tensor<3xf64>, tolerance = 1.0e-15
  %sine = stablehlo.sine %x : tensor<3xf64>
  check.expect_almost_eq_const %sine, dense<[0.0, 0.8414709848078965, -0.479425538604203]> : tensor<3xf64>, tolerance = 1.0e-15
  %cosine = stablehlo.cosine %x : tensor<3xf64>
  check.expect_almost_eq_const %cosine, dense<[1.0, 0.54030230586813977, 0.87758256189037276]> : tensor<3xf64>, tolerance = 1.0e-15
  %tan = stablehlo.tan %x : tensor<3xf64>
  check.expect_almost_eq_const %tan, dense<[0.0, 1.5574077246549023, -0.54630248984379051]> : tensor<3xf64>, tolerance = 1.0e-15
  %tanh = stablehlo.tanh %x : tensor<3xf64>
  check.expect_almost_eq_const %tanh, dense<[0.0, 0.76159415595576485, -0.46211715726000973]> : tensor<3xf64>, tolerance = 1.0e-15
  %logistic = stablehlo.logistic %x : tensor<3xf64>
  check.expect_almost_eq_const %logistic, dense<[0.5, 0.7310585786300049, 0.37754066879814541]> : tensor<3xf64>, tolerance = 1.0e-15
  %atan2 = stablehlo.atan2 %x, %p : tensor<3xf64>
  check.expect_almost_eq_const %atan2, dense<[0.0, 0.78539816339744828, -0.062418809995957351]> : tensor<3xf64>, tolerance = 1.0e-15
  return
}

// -----

// (3+4i)(1-2i) = 11-2i; (3+4i)/(1-2i) = -1+2i; |3+4i| = 5; sqrt(3+4i) = 2+i; e^(i pi) = -1
func.func @complex() {
  %re = stablehlo.constant dense<[3.0, 0.0]> : tensor<2xf32>
  %im = stablehlo.constant dense<[4.0, 1.0]> : tensor<2xf32>
  %a = stablehlo.complex %re, %im : tensor<2xcomplex<f32>>
  %b = stablehlo.constant dense<[(1.0, -2.0), (0.0, 1.0)]> : tensor<2xcomplex<f32>>
  %mul = stablehlo.multiply %a, %b : tensor<2xcomplex<f32>>
  check.expect_eq_const %mul, dense<[(11.0, -2.0), (-1.0, 0.0)]> : tensor<2xcomplex<f32>>
  %div = stablehlo.divide %a, %b : tensor<2xcomplex<f32>>
  check.expect_eq_const %div, dense<[(-1.0, 2.0), (1.0, 0.0)]> : tensor<2xcomplex<f32>>
  %abs = stablehlo.abs %a : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  check.expect_eq_const %abs, dense<[5.0, 1.0]> : tensor<2xf32>
  %r = stablehlo.real %b : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  check.expect_eq_const %r, dense<[1.0, 0.0]> : tensor<2xf32>
  %i = stablehlo.imag %b : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  check.expect_eq_const %i, dense<[-2.0, 1.0]> : tensor<2xf32>
  %sqrt = stablehlo.sqrt %a : tensor<2xcomplex<f32>>
  check.expect_almost_eq_const %sqrt, dense<[(2.0, 1.0), (0.707106769, 0.707106769)]> : tensor<2xcomplex<f32>>, tolerance = 1.0e-6
  %turn = stablehlo.constant dense<(0.0, 3.1415926535897931)> : tensor<complex<f64>>
  %e = stablehlo.exponential %turn : tensor<complex<f64>>
  check.expect_almost_eq_const %e, dense<(-1.0, 0.0)> : tensor<complex<f64>>, tolerance = 1.0e-15
  return
}

// -----

func.func @convert() {
  %f = stablehlo.constant dense<[1.9, -1.9, 300.0, -0.0]> : tensor<4xf32>
  %i = stablehlo.convert %f : (tensor<4xf32>) -> tensor<4xi32>
  check.expect_eq_const %i, dense<[1, -1, 300, 0]> : tensor<4xi32>
  %p = stablehlo.convert %f : (tensor<4xf32>) -> tensor<4xi1>
  check.expect_eq_const %p, dense<[true, true, true, false]> : tensor<4xi1>
  %w = stablehlo.convert %i : (tensor<4xi32>) -> tensor<4xi8>
  check.expect_eq_const %w, dense<[1, -1, 44, 0]> : tensor<4xi8>
  %h = stablehlo.convert %i : (tensor<4xi32>) -> tensor<4xf16>
  check.expect_eq_const %h, dense<[1.0, -1.0, 300.0, 0.0]> : tensor<4xf16>
  %c = stablehlo.convert %i : (tensor<4xi32>) -> tensor<4xcomplex<f64>>
  check.expect_eq_const %c, dense<[(1.0, 0.0), (-1.0, 0.0), (300.0, 0.0), (0.0, 0.0)]> : tensor<4xcomplex<f64>>
  %n = stablehlo.convert %i : (tensor<4xi32>) -> tensor<4xi4>
  check.expect_eq_const %n, dense<[1, -1, -4, 0]> : tensor<4xi4>
  // 11 bits of 1 + 2^-10 + 2^-11 become 10; exponents beyond five bits become infinity
  %x = stablehlo.constant dense<[1.00146484375, 70000.0, 1.0e-9]> : tensor<3xf32>
  %r = stablehlo.reduce_precision %x, format = e5m10 : tensor<3xf32>
  check.expect_eq_const %r, dense<[1.001953125, 0x7F800000, 0.0]> : tensor<3xf32>
  return
}

// -----

func.func @bitcast() {
  %f = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf32>
  %i = stablehlo.bitcast_convert %f : (tensor<2xf32>) -> tensor<2xi32>
  check.expect_eq_const %i, dense<[0x3F800000, 0xC0000000]> : tensor<2xi32>
  %b = stablehlo.bitcast_convert %f : (tensor<2xf32>) -> tensor<2x4xui8>
  check.expect_eq_const %b, dense<[[0, 0, 128, 63], [0, 0, 0, 192]]> : tensor<2x4xui8>
  %n = stablehlo.bitcast_convert %b : (tensor<2x4xui8>) -> tensor<2x4x2xui4>
  %back = stablehlo.bitcast_convert %n : (tensor<2x4x2xui4>) -> tensor<2x4xui8>
  check.expect_eq %back, %b : tensor<2x4xui8>
  return
}

// -----

func.func @bits_of_truth_values() {
  %a = stablehlo.constant dense<[true, true, false, false]> : tensor<4xi1>
  %b = stablehlo.constant dense<[true, false, true, false]> : tensor<4xi1>
  %and = stablehlo.and %a, %b : tensor<4xi1>
  check.expect_eq_const %and, dense<[true, false, false, false]> : tensor<4xi1>
  %or = stablehlo.or %a, %b : tensor<4xi1>
  check.expect_eq_const %or, dense<[true, true, true, false]> : tensor<4xi1>
  %xor = stablehlo.xor %a, %b : tensor<4xi1>
  check.expect_eq_const %xor, dense<[false, true, true, false]> : tensor<4xi1>
  %add = stablehlo.add %a, %b : tensor<4xi1>
  check.expect_eq %add, %or : tensor<4xi1>
  %mul = stablehlo.multiply %a, %b : tensor<4xi1>
  check.expect_eq %mul, %and : tensor<4xi1>
  return
}
