// Element types of devices.
// RUN: tessera opt %s --ttir-element-type-normalization | FileCheck %s
// VALUES: --ttir-element-type-normalization

// no values
// CHECK-LABEL: func.func @constants
// CHECK-SAME:  (tensor<2xf32>, tensor<2xsi32>, tensor<2xbf16>)
// CHECK-NEXT: "ttir.constant"() <{value = dense<[1, 2147483647]> : tensor<2xsi32>}> : () -> tensor<2xsi32>
// CHECK-NEXT: "ttir.constant"() <{value = dense<[1.000000e+00, 0.000000e+00]> : tensor<2xbf16>}> : () -> tensor<2xbf16>
// CHECK-NEXT: return {{.*}} : tensor<2xf32>, tensor<2xsi32>, tensor<2xbf16>
func.func @constants(%a: tensor<2xf64>) -> (tensor<2xf64>, tensor<2xi64>, tensor<2xi1>) {
  %0 = "ttir.constant"() <{value = dense<[1, 5000000000]> : tensor<2xi64>}> : () -> tensor<2xi64>
  %1 = "ttir.constant"() <{value = dense<[true, false]> : tensor<2xi1>}> : () -> tensor<2xi1>
  return %a, %0, %1 : tensor<2xf64>, tensor<2xi64>, tensor<2xi1>
}

// Truth values are filled and padded with 0 and 1.
// CHECK-LABEL: func.func @pads
// CHECK: "ttir.full"() <{fill_value = 1 : i32, shape = array<i32: 2>}> : () -> tensor<2xbf16>
// CHECK: "ttir.pad"({{.*}}) <{padding = array<i32: 1, 1>, value = 1.000000e+00 : f32}> : (tensor<2xbf16>) -> tensor<4xbf16>
// CHECK: "ttir.pad"({{.*}}) <{padding = array<i32: 1, 1>, value = 1.500000e+00 : f32}> : (tensor<2xf32>) -> tensor<4xf32>
func.func @pads(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<2xf32>) {
  %0 = "ttir.gt"(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %full = "ttir.full"() <{shape = array<i32: 2>, fill_value = -2 : i32}> : () -> tensor<2xi1>
  %1 = "ttir.pad"(%0) <{padding = array<i32: 1, 1>, value = 1.5 : f32}> : (tensor<2xi1>) -> tensor<4xi1>
  %2 = "ttir.typecast"(%1) : (tensor<4xi1>) -> tensor<4xf32>
  %3 = "ttir.pad"(%b) <{padding = array<i32: 1, 1>, value = 1.5 : f32}> : (tensor<2xf32>) -> tensor<4xf32>
  %4 = "ttir.typecast"(%full) : (tensor<2xi1>) -> tensor<2xf32>
  return %2, %3, %4 : tensor<4xf32>, tensor<4xf32>, tensor<2xf32>
}

// Truth values that are made of numbers are 0 and 1, not these numbers.
// CHECK-LABEL: func.func @truths
// CHECK: "ttir.zeros"() <{shape = array<i32: 4>}> : () -> tensor<4xf32>
// CHECK-NEXT: "ttir.ne"({{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xbf16>
// CHECK: "ttir.ne"({{.*}}) : (tensor<4xsi32>, tensor<4xsi32>) -> tensor<4xbf16>
// CHECK: "ttir.arange"{{.*}} -> tensor<4xbf16>
// CHECK: "ttir.ne"
// CHECK: "ttir.clamp_scalar"
// CHECK: "ttir.ne"
func.func @truths(%a: tensor<4xf32>, %b: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>) {
  %0 = "ttir.typecast"(%a) : (tensor<4xf32>) -> tensor<4xi1>
  %1 = "ttir.typecast"(%b) : (tensor<4xi32>) -> tensor<4xi1>
  %2 = "ttir.arange"() <{start = -1 : si64, end = 3 : si64, step = 1 : si64, arange_dimension = 0 : i64}> : () -> tensor<4xi1>
  %3 = "ttir.clamp_scalar"(%0) <{min = 2 : i32, max = 3 : i32}> : (tensor<4xi1>) -> tensor<4xi1>
  %4 = "ttir.typecast"(%0) : (tensor<4xi1>) -> tensor<4xf32>
  %5 = "ttir.typecast"(%1) : (tensor<4xi1>) -> tensor<4xf32>
  %6 = "ttir.typecast"(%2) : (tensor<4xi1>) -> tensor<4xf32>
  %7 = "ttir.typecast"(%3) : (tensor<4xi1>) -> tensor<4xi32>
  return %4, %5, %6, %7 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>
}
