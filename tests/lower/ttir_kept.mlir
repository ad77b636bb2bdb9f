// What TTIR has no form for stays: loops and branches, in which the rest is converted; ops whose attributes or bodies it cannot say,
// with their bodies; shapes that are not known; complex numbers.
// RUN: tessera opt %s --convert-stablehlo-to-ttir | FileCheck %s

// CHECK-LABEL: func.func @loop(
// CHECK-NEXT: %0 = "ttir.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
// CHECK-NEXT: %1 = "ttir.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
// CHECK-NEXT: %2 = "ttir.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
// CHECK-NEXT: %3:2 = stablehlo.while(%iterArg = %0, %iterArg_0 = %arg0) : tensor<i32>, tensor<2xf32>
// CHECK-NEXT: cond {
// CHECK-NEXT: %4 = "ttir.lt"(%iterArg, %1) : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK-NEXT: stablehlo.return %4 : tensor<i1>
// CHECK-NEXT: } do {
// CHECK-NEXT: %4 = "ttir.add"(%iterArg, %2) : (tensor<i32>, tensor<i32>) -> tensor<i32>
// CHECK-NEXT: %5 = "ttir.tanh"(%iterArg_0) : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: stablehlo.return %4, %5 : tensor<i32>, tensor<2xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %3#1 : tensor<2xf32>
func.func @loop(%x: tensor<2xf32>) -> tensor<2xf32> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %o = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %z, %y = %x) : tensor<i32>, tensor<2xf32> cond {
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %o : tensor<i32>
    %2 = stablehlo.tanh %y : tensor<2xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<2xf32>
  }
  return %0#1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @update(
// CHECK-NEXT: %0 = stablehlo.dynamic_update_slice %arg0, %arg1, %arg2 : (tensor<?xf32>, tensor<2xf32>, tensor<i32>) -> tensor<?xf32>
// CHECK-NEXT: return %0 : tensor<?xf32>
func.func @update(%x: tensor<?xf32>, %u: tensor<2xf32>, %i: tensor<i32>) -> tensor<?xf32> {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<?xf32>, tensor<2xf32>, tensor<i32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @body(
// CHECK-NEXT: %0 = "ttir.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
// CHECK-NEXT: %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.xor across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
// CHECK-NEXT: return %1 : tensor<i32>
func.func @body(%x: tensor<4xi32>) -> tensor<i32> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.xor across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @unknown(
// CHECK-NEXT: %0 = "ttir.add"(%arg0, %arg1) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: %1 = "ttir.constant"() <{value = dense<[1, 4]> : tensor<2xi32>}> : () -> tensor<2xi32>
// CHECK-NEXT: %2 = stablehlo.dynamic_reshape %0, %1 : (tensor<?xf32>, tensor<2xi32>) -> tensor<1x?xf32>
// CHECK-NEXT: return %2 : tensor<1x?xf32>
func.func @unknown(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<1x?xf32> {
  %0 = stablehlo.add %x, %y : tensor<?xf32>
  %s = stablehlo.constant dense<[1, 4]> : tensor<2xi32>
  %1 = stablehlo.dynamic_reshape %0, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<1x?xf32>
  return %1 : tensor<1x?xf32>
}

// CHECK-LABEL: func.func @complex(
// CHECK-NEXT: %0 = stablehlo.add %arg0, %arg0 : tensor<2xcomplex<f32>>
// CHECK-NEXT: return %0 : tensor<2xcomplex<f32>>
func.func @complex(%x: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %0 = stablehlo.add %x, %x : tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}

// CHECK-LABEL: func.func @total_order(
// CHECK-NEXT: %0 = stablehlo.compare LT, %arg0, %arg1, TOTALORDER : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
// CHECK-NEXT: return %0 : tensor<2xi1>
func.func @total_order(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xi1> {
  %0 = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}
