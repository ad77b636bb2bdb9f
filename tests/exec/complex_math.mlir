// Functions of complex numbers are loops over their parts, in f64; no kernel of the evaluator's runs.
// RUN: tessera run %s --function=narrow --input=random --check --rtol=2e-7 --atol=0
// RUN: tessera run %s --function=narrow --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// RUN: tessera run %s --function=wide --input=random --check --rtol=1e-12 --atol=1e-15
// RUN: tessera run %s --function=wide --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// CHECK: 0 by the evaluator's kernels
// Zeros of both signs, infinities and NaN in each part, with each other.
// RUN: tessera run %s --function=special --check --rtol=2e-7 --atol=0
func.func @narrow(%x: tensor<300xcomplex<f32>>, %y: tensor<300xcomplex<f32>>) -> (tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xf32>, tensor<300xcomplex<f32>>) {
  %u0 = stablehlo.sign %x : tensor<300xcomplex<f32>>
  %u1 = stablehlo.sqrt %x : tensor<300xcomplex<f32>>
  %u2 = stablehlo.rsqrt %x : tensor<300xcomplex<f32>>
  %u3 = stablehlo.cbrt %x : tensor<300xcomplex<f32>>
  %u4 = stablehlo.exponential %x : tensor<300xcomplex<f32>>
  %u5 = stablehlo.exponential_minus_one %x : tensor<300xcomplex<f32>>
  %u6 = stablehlo.log %x : tensor<300xcomplex<f32>>
  %u7 = stablehlo.log_plus_one %x : tensor<300xcomplex<f32>>
  %u8 = stablehlo.logistic %x : tensor<300xcomplex<f32>>
  %u9 = stablehlo.sine %x : tensor<300xcomplex<f32>>
  %u10 = stablehlo.cosine %x : tensor<300xcomplex<f32>>
  %u11 = stablehlo.tan %x : tensor<300xcomplex<f32>>
  %u12 = stablehlo.tanh %x : tensor<300xcomplex<f32>>
  %u13 = chlo.sinh %x : tensor<300xcomplex<f32>> -> tensor<300xcomplex<f32>>
  %u14 = chlo.cosh %x : tensor<300xcomplex<f32>> -> tensor<300xcomplex<f32>>
  %u15 = chlo.asin %x : tensor<300xcomplex<f32>> -> tensor<300xcomplex<f32>>
  %u16 = chlo.acos %x : tensor<300xcomplex<f32>> -> tensor<300xcomplex<f32>>
  %u17 = chlo.atan %x : tensor<300xcomplex<f32>> -> tensor<300xcomplex<f32>>
  %u18 = chlo.asinh %x : tensor<300xcomplex<f32>> -> tensor<300xcomplex<f32>>
  %u19 = chlo.acosh %x : tensor<300xcomplex<f32>> -> tensor<300xcomplex<f32>>
  %u20 = chlo.atanh %x : tensor<300xcomplex<f32>> -> tensor<300xcomplex<f32>>
  %u21 = chlo.square %x : tensor<300xcomplex<f32>> -> tensor<300xcomplex<f32>>
  %a = stablehlo.abs %x : (tensor<300xcomplex<f32>>) -> tensor<300xf32>
  %d = stablehlo.divide %x, %y : tensor<300xcomplex<f32>>
  return %u0, %u1, %u2, %u3, %u4, %u5, %u6, %u7, %u8, %u9, %u10, %u11, %u12, %u13, %u14, %u15, %u16, %u17, %u18, %u19, %u20, %u21, %a, %d : tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xcomplex<f32>>, tensor<300xf32>, tensor<300xcomplex<f32>>
}
func.func @wide(%x: tensor<300xcomplex<f64>>, %y: tensor<300xcomplex<f64>>) -> (tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xf64>, tensor<300xcomplex<f64>>) {
  %u0 = stablehlo.sign %x : tensor<300xcomplex<f64>>
  %u1 = stablehlo.sqrt %x : tensor<300xcomplex<f64>>
  %u2 = stablehlo.rsqrt %x : tensor<300xcomplex<f64>>
  %u3 = stablehlo.cbrt %x : tensor<300xcomplex<f64>>
  %u4 = stablehlo.exponential %x : tensor<300xcomplex<f64>>
  %u5 = stablehlo.exponential_minus_one %x : tensor<300xcomplex<f64>>
  %u6 = stablehlo.log %x : tensor<300xcomplex<f64>>
  %u7 = stablehlo.log_plus_one %x : tensor<300xcomplex<f64>>
  %u8 = stablehlo.logistic %x : tensor<300xcomplex<f64>>
  %u9 = stablehlo.sine %x : tensor<300xcomplex<f64>>
  %u10 = stablehlo.cosine %x : tensor<300xcomplex<f64>>
  %u11 = stablehlo.tan %x : tensor<300xcomplex<f64>>
  %u12 = stablehlo.tanh %x : tensor<300xcomplex<f64>>
  %u13 = chlo.sinh %x : tensor<300xcomplex<f64>> -> tensor<300xcomplex<f64>>
  %u14 = chlo.cosh %x : tensor<300xcomplex<f64>> -> tensor<300xcomplex<f64>>
  %u15 = chlo.asin %x : tensor<300xcomplex<f64>> -> tensor<300xcomplex<f64>>
  %u16 = chlo.acos %x : tensor<300xcomplex<f64>> -> tensor<300xcomplex<f64>>
  %u17 = chlo.atan %x : tensor<300xcomplex<f64>> -> tensor<300xcomplex<f64>>
  %u18 = chlo.asinh %x : tensor<300xcomplex<f64>> -> tensor<300xcomplex<f64>>
  %u19 = chlo.acosh %x : tensor<300xcomplex<f64>> -> tensor<300xcomplex<f64>>
  %u20 = chlo.atanh %x : tensor<300xcomplex<f64>> -> tensor<300xcomplex<f64>>
  %u21 = chlo.square %x : tensor<300xcomplex<f64>> -> tensor<300xcomplex<f64>>
  %a = stablehlo.abs %x : (tensor<300xcomplex<f64>>) -> tensor<300xf64>
  %d = stablehlo.divide %x, %y : tensor<300xcomplex<f64>>
  return %u0, %u1, %u2, %u3, %u4, %u5, %u6, %u7, %u8, %u9, %u10, %u11, %u12, %u13, %u14, %u15, %u16, %u17, %u18, %u19, %u20, %u21, %a, %d : tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xcomplex<f64>>, tensor<300xf64>, tensor<300xcomplex<f64>>
}
func.func @special() -> (tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xf32>, tensor<49xcomplex<f32>>) {
  %x = stablehlo.constant dense<[(0.0, 0.0), (0.0, -0.0), (0.0, 1.0), (0.0, -1.5), (0.0, 0x7F800000), (0.0, 0xFF800000), (0.0, 0x7FC00000), (-0.0, 0.0), (-0.0, -0.0), (-0.0, 1.0), (-0.0, -1.5), (-0.0, 0x7F800000), (-0.0, 0xFF800000), (-0.0, 0x7FC00000), (1.0, 0.0), (1.0, -0.0), (1.0, 1.0), (1.0, -1.5), (1.0, 0x7F800000), (1.0, 0xFF800000), (1.0, 0x7FC00000), (-1.5, 0.0), (-1.5, -0.0), (-1.5, 1.0), (-1.5, -1.5), (-1.5, 0x7F800000), (-1.5, 0xFF800000), (-1.5, 0x7FC00000), (0x7F800000, 0.0), (0x7F800000, -0.0), (0x7F800000, 1.0), (0x7F800000, -1.5), (0x7F800000, 0x7F800000), (0x7F800000, 0xFF800000), (0x7F800000, 0x7FC00000), (0xFF800000, 0.0), (0xFF800000, -0.0), (0xFF800000, 1.0), (0xFF800000, -1.5), (0xFF800000, 0x7F800000), (0xFF800000, 0xFF800000), (0xFF800000, 0x7FC00000), (0x7FC00000, 0.0), (0x7FC00000, -0.0), (0x7FC00000, 1.0), (0x7FC00000, -1.5), (0x7FC00000, 0x7F800000), (0x7FC00000, 0xFF800000), (0x7FC00000, 0x7FC00000)]> : tensor<49xcomplex<f32>>
  %y = stablehlo.constant dense<[(-0.0, 0x7FC00000), (1.0, 0.0), (1.0, -0.0), (1.0, 1.0), (1.0, -1.5), (1.0, 0x7F800000), (1.0, 0xFF800000), (1.0, 0x7FC00000), (-1.5, 0.0), (-1.5, -0.0), (-1.5, 1.0), (-1.5, -1.5), (-1.5, 0x7F800000), (-1.5, 0xFF800000), (-1.5, 0x7FC00000), (0x7F800000, 0.0), (0x7F800000, -0.0), (0x7F800000, 1.0), (0x7F800000, -1.5), (0x7F800000, 0x7F800000), (0x7F800000, 0xFF800000), (0x7F800000, 0x7FC00000), (0xFF800000, 0.0), (0xFF800000, -0.0), (0xFF800000, 1.0), (0xFF800000, -1.5), (0xFF800000, 0x7F800000), (0xFF800000, 0xFF800000), (0xFF800000, 0x7FC00000), (0x7FC00000, 0.0), (0x7FC00000, -0.0), (0x7FC00000, 1.0), (0x7FC00000, -1.5), (0x7FC00000, 0x7F800000), (0x7FC00000, 0xFF800000), (0x7FC00000, 0x7FC00000), (0.0, 0.0), (0.0, -0.0), (0.0, 1.0), (0.0, -1.5), (0.0, 0x7F800000), (0.0, 0xFF800000), (0.0, 0x7FC00000), (-0.0, 0.0), (-0.0, -0.0), (-0.0, 1.0), (-0.0, -1.5), (-0.0, 0x7F800000), (-0.0, 0xFF800000)]> : tensor<49xcomplex<f32>>
  %u0 = stablehlo.sign %x : tensor<49xcomplex<f32>>
  %u1 = stablehlo.sqrt %x : tensor<49xcomplex<f32>>
  %u2 = stablehlo.rsqrt %x : tensor<49xcomplex<f32>>
  %u3 = stablehlo.cbrt %x : tensor<49xcomplex<f32>>
  %u4 = stablehlo.exponential %x : tensor<49xcomplex<f32>>
  %u5 = stablehlo.exponential_minus_one %x : tensor<49xcomplex<f32>>
  %u6 = stablehlo.log %x : tensor<49xcomplex<f32>>
  %u7 = stablehlo.log_plus_one %x : tensor<49xcomplex<f32>>
  %u8 = stablehlo.logistic %x : tensor<49xcomplex<f32>>
  %u9 = stablehlo.sine %x : tensor<49xcomplex<f32>>
  %u10 = stablehlo.cosine %x : tensor<49xcomplex<f32>>
  %u11 = stablehlo.tan %x : tensor<49xcomplex<f32>>
  %u12 = stablehlo.tanh %x : tensor<49xcomplex<f32>>
  %u13 = chlo.sinh %x : tensor<49xcomplex<f32>> -> tensor<49xcomplex<f32>>
  %u14 = chlo.cosh %x : tensor<49xcomplex<f32>> -> tensor<49xcomplex<f32>>
  %u15 = chlo.asin %x : tensor<49xcomplex<f32>> -> tensor<49xcomplex<f32>>
  %u16 = chlo.acos %x : tensor<49xcomplex<f32>> -> tensor<49xcomplex<f32>>
  %u17 = chlo.atan %x : tensor<49xcomplex<f32>> -> tensor<49xcomplex<f32>>
  %u18 = chlo.asinh %x : tensor<49xcomplex<f32>> -> tensor<49xcomplex<f32>>
  %u19 = chlo.acosh %x : tensor<49xcomplex<f32>> -> tensor<49xcomplex<f32>>
  %u20 = chlo.atanh %x : tensor<49xcomplex<f32>> -> tensor<49xcomplex<f32>>
  %u21 = chlo.square %x : tensor<49xcomplex<f32>> -> tensor<49xcomplex<f32>>
  %a = stablehlo.abs %x : (tensor<49xcomplex<f32>>) -> tensor<49xf32>
  %d = stablehlo.divide %x, %y : tensor<49xcomplex<f32>>
  return %u0, %u1, %u2, %u3, %u4, %u5, %u6, %u7, %u8, %u9, %u10, %u11, %u12, %u13, %u14, %u15, %u16, %u17, %u18, %u19, %u20, %u21, %a, %d : tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xcomplex<f32>>, tensor<49xf32>, tensor<49xcomplex<f32>>
}
