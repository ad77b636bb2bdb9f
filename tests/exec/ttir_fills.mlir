// Numbers that fill, pad or bound elements of other types, compiled and by the evaluator: all but 0 are true, integers keep their low bits, fractions are
// cut off and saturate, a bound that is not a number gives none.
// RUN: tessera run %s --function=truth --input=1xi1=0 | FileCheck %s --check-prefix=TRUTH
// RUN: tessera run %s --function=truth --input=1xi1=0 --engine=reference | FileCheck %s --check-prefix=TRUTH
// RUN: tessera run %s --function=bounded_truth --input=1xi1=0 | FileCheck %s --check-prefix=BOUNDED
// RUN: tessera run %s --function=bounded_truth --input=1xi1=0 --engine=reference | FileCheck %s --check-prefix=BOUNDED
// RUN: tessera run %s --function=numbers | FileCheck %s --check-prefix=NUMBERS
// RUN: tessera run %s --function=numbers --engine=reference | FileCheck %s --check-prefix=NUMBERS
// RUN: tessera run %s --function=bounds_f32 --input=2xf32=1,8 | FileCheck %s --check-prefix=BOUNDS_F32
// RUN: tessera run %s --function=bounds_f32 --input=2xf32=1,8 --engine=reference | FileCheck %s --check-prefix=BOUNDS_F32
// RUN: tessera run %s --function=bounds_bf16 --input=2xbf16=1,8 | FileCheck %s --check-prefix=BOUNDS_BF16
// RUN: tessera run %s --function=bounds_bf16 --input=2xbf16=1,8 --engine=reference | FileCheck %s --check-prefix=BOUNDS_BF16
// RUN: tessera run %s --function=bounds_f64 --input=2xf64=1,8 | FileCheck %s --check-prefix=BOUNDS_F64
// RUN: tessera run %s --function=bounds_f64 --input=2xf64=1,8 --engine=reference | FileCheck %s --check-prefix=BOUNDS_F64
// TRUTH: [true]
// TRUTH: [false]
// TRUTH: [true]
// TRUTH: [true]
// TRUTH: [true]
// TRUTH: [false]
// TRUTH: [true]
// TRUTH: [true]
// TRUTH: [true, false]
// TRUTH: [true, false]
// TRUTH: [false, false]
// TRUTH: [false]
// TRUTH: [true]
// BOUNDED: [true]
// BOUNDED: [false]
// NUMBERS: [254]
// NUMBERS: [44]
// NUMBERS: [2]
// NUMBERS: [-2]
// NUMBERS: [0]
// NUMBERS: [255]
// NUMBERS: [127]
// NUMBERS: [-128]
// NUMBERS: [0]
// NUMBERS: [2147483647]
// NUMBERS: [-2147483648]
// NUMBERS: [0]
// NUMBERS: [9223372036854775807]
// NUMBERS: [18446744073709551615]
// NUMBERS: [0]
// BOUNDS_F32: [-2.000000e+00, -2.000000e+00]
// BOUNDS_F32: [2.000000e+00, 6.000000e+00]
// BOUNDS_F32: [0x7FC00000, 0x7FC00000]
// BOUNDS_F32: [0x7FC00000, 0x7FC00000]
// BOUNDS_BF16: [-2.000000e+00, -2.000000e+00]
// BOUNDS_BF16: [2.000000e+00, 6.000000e+00]
// BOUNDS_BF16: [0x7FC0, 0x7FC0]
// BOUNDS_BF16: [0x7FC0, 0x7FC0]
// BOUNDS_F64: [-2.000000e+00, -2.000000e+00]
// BOUNDS_F64: [2.000000e+00, 6.000000e+00]
// BOUNDS_F64: [0x7FF8000000000000, 0x7FF8000000000000]
// BOUNDS_F64: [0x7FF8000000000000, 0x7FF8000000000000]

func.func @truth(%a: tensor<1xi1>) -> (tensor<1xi1>, tensor<1xi1>, tensor<1xi1>, tensor<1xi1>, tensor<1xi1>, tensor<1xi1>, tensor<1xi1>, tensor<1xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<1xi1>, tensor<1xi1>) {
  %0 = "ttir.full"() <{shape = array<i32: 1>, fill_value = -2 : i32}> : () -> tensor<1xi1>
  %1 = "ttir.full"() <{shape = array<i32: 1>, fill_value = 0 : i32}> : () -> tensor<1xi1>
  %2 = "ttir.full"() <{shape = array<i32: 1>, fill_value = 1 : i32}> : () -> tensor<1xi1>
  %3 = "ttir.full"() <{shape = array<i32: 1>, fill_value = 256 : i32}> : () -> tensor<1xi1>
  %4 = "ttir.full"() <{shape = array<i32: 1>, fill_value = 0.5 : f32}> : () -> tensor<1xi1>
  %5 = "ttir.full"() <{shape = array<i32: 1>, fill_value = -0.0 : f32}> : () -> tensor<1xi1>
  %6 = "ttir.full"() <{shape = array<i32: 1>, fill_value = 0x7FC00000 : f32}> : () -> tensor<1xi1>
  %7 = "ttir.full"() <{shape = array<i32: 1>, fill_value = 1.0e-30 : f32}> : () -> tensor<1xi1>
  %8 = "ttir.pad"(%a) <{padding = array<i32: 1, 0>, value = -2.5 : f32}> : (tensor<1xi1>) -> tensor<2xi1>
  %9 = "ttir.pad"(%a) <{padding = array<i32: 1, 0>, value = 0.25 : f32}> : (tensor<1xi1>) -> tensor<2xi1>
  %10 = "ttir.pad"(%a) <{padding = array<i32: 1, 0>, value = 0.0 : f32}> : (tensor<1xi1>) -> tensor<2xi1>
  %11 = "ttir.zeros"() <{shape = array<i32: 1>}> : () -> tensor<1xi1>
  %12 = "ttir.ones"() <{shape = array<i32: 1>}> : () -> tensor<1xi1>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<1xi1>, tensor<1xi1>, tensor<1xi1>, tensor<1xi1>, tensor<1xi1>, tensor<1xi1>, tensor<1xi1>, tensor<1xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<1xi1>, tensor<1xi1>
}

func.func @bounded_truth(%a: tensor<1xi1>) -> (tensor<1xi1>, tensor<1xi1>) {
  %0 = "ttir.clamp_scalar"(%a) <{min = 2 : i32, max = 4 : i32}> : (tensor<1xi1>) -> tensor<1xi1>
  %1 = "ttir.clamp_scalar"(%a) <{min = -2 : i32, max = 0 : i32}> : (tensor<1xi1>) -> tensor<1xi1>
  return %0, %1 : tensor<1xi1>, tensor<1xi1>
}

func.func @numbers() -> (tensor<1xui8>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>, tensor<1xui8>, tensor<1xui8>, tensor<1xi8>, tensor<1xi8>, tensor<1xui8>, tensor<1xi32>, tensor<1xi32>, tensor<1xui64>, tensor<1xi64>, tensor<1xui64>, tensor<1xi32>) {
  %0 = "ttir.full"() <{shape = array<i32: 1>, fill_value = -2 : i32}> : () -> tensor<1xui8>
  %1 = "ttir.full"() <{shape = array<i32: 1>, fill_value = 300 : i32}> : () -> tensor<1xi8>
  %2 = "ttir.full"() <{shape = array<i32: 1>, fill_value = 2.75 : f32}> : () -> tensor<1xi8>
  %3 = "ttir.full"() <{shape = array<i32: 1>, fill_value = -2.75 : f32}> : () -> tensor<1xi8>
  %4 = "ttir.full"() <{shape = array<i32: 1>, fill_value = -2.5 : f32}> : () -> tensor<1xui8>
  %5 = "ttir.full"() <{shape = array<i32: 1>, fill_value = 300.7 : f32}> : () -> tensor<1xui8>
  %6 = "ttir.full"() <{shape = array<i32: 1>, fill_value = 300.7 : f32}> : () -> tensor<1xi8>
  %7 = "ttir.full"() <{shape = array<i32: 1>, fill_value = -300.7 : f32}> : () -> tensor<1xi8>
  %8 = "ttir.full"() <{shape = array<i32: 1>, fill_value = -0.5 : f32}> : () -> tensor<1xui8>
  %9 = "ttir.full"() <{shape = array<i32: 1>, fill_value = 1.0e10 : f32}> : () -> tensor<1xi32>
  %10 = "ttir.full"() <{shape = array<i32: 1>, fill_value = -1.0e10 : f32}> : () -> tensor<1xi32>
  %11 = "ttir.full"() <{shape = array<i32: 1>, fill_value = -1.0e10 : f32}> : () -> tensor<1xui64>
  %12 = "ttir.full"() <{shape = array<i32: 1>, fill_value = 1.0e30 : f32}> : () -> tensor<1xi64>
  %13 = "ttir.full"() <{shape = array<i32: 1>, fill_value = 1.0e30 : f32}> : () -> tensor<1xui64>
  %14 = "ttir.full"() <{shape = array<i32: 1>, fill_value = 0x7FC00000 : f32}> : () -> tensor<1xi32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14 : tensor<1xui8>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>, tensor<1xui8>, tensor<1xui8>, tensor<1xi8>, tensor<1xi8>, tensor<1xui8>, tensor<1xi32>, tensor<1xi32>, tensor<1xui64>, tensor<1xi64>, tensor<1xui64>, tensor<1xi32>
}

func.func @bounds_f32(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = "ttir.clamp_scalar"(%a) <{min = -3 : i32, max = -2 : i32}> : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "ttir.clamp_scalar"(%a) <{min = 2 : i32, max = 6 : i32}> : (tensor<2xf32>) -> tensor<2xf32>
  %2 = "ttir.clamp_scalar"(%a) <{min = 0x7FC00000 : f32, max = 1.0 : f32}> : (tensor<2xf32>) -> tensor<2xf32>
  %3 = "ttir.clamp_scalar"(%a) <{min = 0.0 : f32, max = 0x7FC00000 : f32}> : (tensor<2xf32>) -> tensor<2xf32>
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

func.func @bounds_bf16(%a: tensor<2xbf16>) -> (tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>) {
  %0 = "ttir.clamp_scalar"(%a) <{min = -3 : i32, max = -2 : i32}> : (tensor<2xbf16>) -> tensor<2xbf16>
  %1 = "ttir.clamp_scalar"(%a) <{min = 2 : i32, max = 6 : i32}> : (tensor<2xbf16>) -> tensor<2xbf16>
  %2 = "ttir.clamp_scalar"(%a) <{min = 0x7FC00000 : f32, max = 1.0 : f32}> : (tensor<2xbf16>) -> tensor<2xbf16>
  %3 = "ttir.clamp_scalar"(%a) <{min = 0.0 : f32, max = 0x7FC00000 : f32}> : (tensor<2xbf16>) -> tensor<2xbf16>
  return %0, %1, %2, %3 : tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>
}

func.func @bounds_f64(%a: tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) {
  %0 = "ttir.clamp_scalar"(%a) <{min = -3 : i32, max = -2 : i32}> : (tensor<2xf64>) -> tensor<2xf64>
  %1 = "ttir.clamp_scalar"(%a) <{min = 2 : i32, max = 6 : i32}> : (tensor<2xf64>) -> tensor<2xf64>
  %2 = "ttir.clamp_scalar"(%a) <{min = 0x7FC00000 : f32, max = 1.0 : f32}> : (tensor<2xf64>) -> tensor<2xf64>
  %3 = "ttir.clamp_scalar"(%a) <{min = 0.0 : f32, max = 0x7FC00000 : f32}> : (tensor<2xf64>) -> tensor<2xf64>
  return %0, %1, %2, %3 : tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>
}
