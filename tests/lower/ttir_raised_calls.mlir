// RUN: tessera opt %s --stablehlo-to-ttir-pipeline | FileCheck %s
// Calls that are ops of TTIR become those; others, and those that give a tuple, become ops of StableHLO or CHLO first.

// CHECK-LABEL: func.func @least
// CHECK-NEXT: "ttir.topk"(%arg0) <{dim = -1 : i32, k = 2 : i32, largest = false, sorted = false}>
// CHECK-NEXT: return
func.func @least(%x: tensor<4x5xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>) {
  %0:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 2 : i64, largest = false}, mhlo.version = 1 : i64} : (tensor<4x5xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
  return %0#0, %0#1 : tensor<4x2xf32>, tensor<4x2xi32>
}

// Without a word about it, the largest are meant.
// CHECK-LABEL: func.func @largest
// CHECK-NEXT: "ttir.topk"(%arg0) <{dim = -1 : i32, k = 2 : i32, largest = true, sorted = false}>
func.func @largest(%x: tensor<4x5xf32>) -> tensor<4x2xf32> {
  %0:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 2 : i64}, mhlo.version = 1 : i64} : (tensor<4x5xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
  return %0#0 : tensor<4x2xf32>
}

// CHECK-LABEL: func.func @tuple
// CHECK-NEXT: "ttir.topk"(%arg0) <{dim = -1 : i32, k = 2 : i32, largest = true
func.func @tuple(%x: tensor<4x5xf32>) -> tensor<4x2xf32> {
  %0 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 2 : i64}, mhlo.version = 1 : i64} : (tensor<4x5xf32>) -> tuple<tensor<4x2xf32>, tensor<4x2xi32>>
  %1 = stablehlo.get_tuple_element %0[0] : (tuple<tensor<4x2xf32>, tensor<4x2xi32>>) -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}

// CHECK-LABEL: func.func @functions
// CHECK-NEXT: "ttir.erf"
// CHECK-NEXT: "ttir.tan"
func.func @functions(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @mhlo.erf(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.custom_call @mhlo.tan(%0) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
