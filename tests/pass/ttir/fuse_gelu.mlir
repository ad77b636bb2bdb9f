// gelu written with tanh is gelu where numbers have no more digits than that is off; under the peer's name everywhere.
// RUN: tessera opt %s --ttir-fusing -o %t && FileCheck %s --input-file %t
// RUN: tessera run %t --function=by_tanh_bf16 --input=random --against=%s
// RUN: tessera run %t --function=by_tanh --input=random --against=%s
// RUN: tessera run %t --function=by_erf --input=random --against=%s
// RUN: tessera run %t --function=by_erf_rounded --input=random --against=%s
// RUN: ttmlir-opt %s --ttir-fusing | FileCheck %s --check-prefix=PEER
// PEER-COUNT-4: "ttir.gelu"

// CHECK-LABEL: func.func @by_tanh_bf16(
// CHECK: "ttir.gelu"
func.func @by_tanh_bf16(%x: tensor<8xbf16>) -> tensor<8xbf16> {
  %h = "ttir.full"() <{shape = array<i32: 8>, fill_value = 5.000000e-01 : f32}> : () -> tensor<8xbf16>
  %o = "ttir.full"() <{shape = array<i32: 8>, fill_value = 1.000000e+00 : f32}> : () -> tensor<8xbf16>
  %c = "ttir.full"() <{shape = array<i32: 8>, fill_value = 4.467770e-02 : f32}> : () -> tensor<8xbf16>
  %s = "ttir.full"() <{shape = array<i32: 8>, fill_value = 7.968750e-01 : f32}> : () -> tensor<8xbf16>
  %0 = "ttir.multiply"(%x, %x) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
  %1 = "ttir.multiply"(%0, %x) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
  %2 = "ttir.multiply"(%1, %c) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
  %3 = "ttir.add"(%x, %2) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
  %4 = "ttir.multiply"(%3, %s) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
  %5 = "ttir.tanh"(%4) : (tensor<8xbf16>) -> tensor<8xbf16>
  %6 = "ttir.add"(%5, %o) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
  %7 = "ttir.multiply"(%6, %h) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
  %8 = "ttir.multiply"(%x, %7) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
  return %8 : tensor<8xbf16>
}

// CHECK-LABEL: func.func @by_tanh(
// CHECK-NOT: "ttir.gelu"
// CHECK: return
func.func @by_tanh(%x: tensor<8xf32>) -> tensor<8xf32> {
  %h = "ttir.full"() <{shape = array<i32: 8>, fill_value = 5.000000e-01 : f32}> : () -> tensor<8xf32>
  %o = "ttir.full"() <{shape = array<i32: 8>, fill_value = 1.000000e+00 : f32}> : () -> tensor<8xf32>
  %c = "ttir.full"() <{shape = array<i32: 8>, fill_value = 4.471500e-02 : f32}> : () -> tensor<8xf32>
  %s = "ttir.full"() <{shape = array<i32: 8>, fill_value = 0.797884583 : f32}> : () -> tensor<8xf32>
  %0 = "ttir.multiply"(%x, %x) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = "ttir.multiply"(%0, %x) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %2 = "ttir.multiply"(%1, %c) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %3 = "ttir.add"(%x, %2) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %4 = "ttir.multiply"(%3, %s) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %5 = "ttir.tanh"(%4) : (tensor<8xf32>) -> tensor<8xf32>
  %6 = "ttir.add"(%5, %o) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %7 = "ttir.multiply"(%6, %h) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %8 = "ttir.multiply"(%x, %7) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %8 : tensor<8xf32>
}

// CHECK-LABEL: func.func @by_erf(
// CHECK: "ttir.gelu"
func.func @by_erf(%x: tensor<8xf32>) -> tensor<8xf32> {
  %h = "ttir.full"() <{shape = array<i32: 8>, fill_value = 5.000000e-01 : f32}> : () -> tensor<8xf32>
  %o = "ttir.full"() <{shape = array<i32: 8>, fill_value = 1.000000e+00 : f32}> : () -> tensor<8xf32>
  %c = "ttir.full"() <{shape = array<i32: 8>, fill_value = 0.707106769 : f32}> : () -> tensor<8xf32>
  %0 = "ttir.multiply"(%x, %c) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = "ttir.erf"(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = "ttir.add"(%1, %o) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %3 = "ttir.multiply"(%x, %h) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %4 = "ttir.multiply"(%3, %2) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %4 : tensor<8xf32>
}

// A constant of bf16 in f32 is another number.
// CHECK-LABEL: func.func @by_erf_rounded(
// CHECK-NOT: "ttir.gelu"
func.func @by_erf_rounded(%x: tensor<8xf32>) -> tensor<8xf32> {
  %h = "ttir.full"() <{shape = array<i32: 8>, fill_value = 5.000000e-01 : f32}> : () -> tensor<8xf32>
  %o = "ttir.full"() <{shape = array<i32: 8>, fill_value = 1.000000e+00 : f32}> : () -> tensor<8xf32>
  %c = "ttir.full"() <{shape = array<i32: 8>, fill_value = 7.070310e-01 : f32}> : () -> tensor<8xf32>
  %0 = "ttir.multiply"(%x, %c) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = "ttir.erf"(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = "ttir.add"(%1, %o) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %3 = "ttir.multiply"(%x, %h) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %4 = "ttir.multiply"(%3, %2) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %4 : tensor<8xf32>
}
