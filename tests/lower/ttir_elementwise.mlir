// Elementwise ops: those of TTIR, or several where it has none.
// RUN: tessera opt %s --convert-stablehlo-to-ttir | FileCheck %s

// CHECK-LABEL: func.func @names(
// CHECK-NEXT: %0 = "ttir.sigmoid"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %1 = "ttir.maximum"(%0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %2 = "ttir.where"(%arg2, %1, %arg0) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %3 = "ttcore.optimization_barrier"(%2) : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %3 : tensor<2x3xf32>
func.func @names(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>, %p: tensor<2x3xi1>) -> tensor<2x3xf32> {
  %0 = stablehlo.logistic %a : tensor<2x3xf32>
  %1 = stablehlo.maximum %0, %b : tensor<2x3xf32>
  %2 = stablehlo.select %p, %1, %a : tensor<2x3xi1>, tensor<2x3xf32>
  %3 = stablehlo.optimization_barrier %2 : tensor<2x3xf32>
  return %3 : tensor<2x3xf32>
}

// Of truth values and of bits.
// CHECK-LABEL: func.func @logic(
// CHECK-NEXT: %0 = "ttir.logical_and"(%arg0, %arg1) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
// CHECK-NEXT: %1 = "ttir.bitwise_not"(%arg2) : (tensor<4xi32>) -> tensor<4xi32>
// CHECK-NEXT: return %0, %1 : tensor<4xi1>, tensor<4xi32>
func.func @logic(%p: tensor<4xi1>, %q: tensor<4xi1>, %x: tensor<4xi32>) -> (tensor<4xi1>, tensor<4xi32>) {
  %0 = stablehlo.and %p, %q : tensor<4xi1>
  %1 = stablehlo.not %x : tensor<4xi32>
  return %0, %1 : tensor<4xi1>, tensor<4xi32>
}

// Bits of numbers that are 0 or 1, compared with 0, are truth values.
// CHECK-LABEL: func.func @numbers_of_truth(
// CHECK-NEXT: %0 = "ttir.typecast"(%arg0) <{conservative_folding = false}> : (tensor<4xi1>) -> tensor<4xui8>
// CHECK-NEXT: %1 = "ttir.typecast"(%arg1) <{conservative_folding = false}> : (tensor<4xi1>) -> tensor<4xui8>
// CHECK-NEXT: %2 = "ttir.logical_xor"(%arg0, %arg1) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
// CHECK-NEXT: %3 = "ttir.typecast"(%2) <{conservative_folding = false}> : (tensor<4xi1>) -> tensor<4xui8>
// CHECK-NEXT: %4 = "ttir.constant"() <{value = dense<0> : tensor<4xui8>}> : () -> tensor<4xui8>
// CHECK-NEXT: return %2 : tensor<4xi1>
func.func @numbers_of_truth(%p: tensor<4xi1>, %q: tensor<4xi1>) -> tensor<4xi1> {
  %0 = stablehlo.convert %p : (tensor<4xi1>) -> tensor<4xui8>
  %1 = stablehlo.convert %q : (tensor<4xi1>) -> tensor<4xui8>
  %2 = stablehlo.xor %0, %1 : tensor<4xui8>
  %c = stablehlo.constant dense<0> : tensor<4xui8>
  %3 = stablehlo.compare NE, %2, %c : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xi1>
  return %3 : tensor<4xi1>
}

// x < 0.99 of bf16 is x < the next bf16 above 0.99, which is 0.992.
// CHECK-LABEL: func.func @narrow(
// CHECK-NEXT: %0 = "ttir.typecast"(%arg0) <{conservative_folding = false}> : (tensor<4xbf16>) -> tensor<4xf64>
// CHECK-NEXT: %1 = "ttir.constant"() <{value = dense<0.98999999999999999> : tensor<4xf64>}> : () -> tensor<4xf64>
// CHECK-NEXT: %2 = "ttir.constant"() <{value = dense<9.921870e-01> : tensor<4xbf16>}> : () -> tensor<4xbf16>
// CHECK-NEXT: %3 = "ttir.lt"(%arg0, %2) : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xi1>
// CHECK-NEXT: return %3 : tensor<4xi1>
func.func @narrow(%x: tensor<4xbf16>) -> tensor<4xi1> {
  %0 = stablehlo.convert %x : (tensor<4xbf16>) -> tensor<4xf64>
  %c = stablehlo.constant dense<0.99> : tensor<4xf64>
  %1 = stablehlo.compare LT, %0, %c : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// No bf16 is 0.99.
// CHECK-LABEL: func.func @not_narrow(
// CHECK-NEXT: %0 = "ttir.typecast"(%arg0) <{conservative_folding = false}> : (tensor<4xbf16>) -> tensor<4xf64>
// CHECK-NEXT: %1 = "ttir.constant"() <{value = dense<0.98999999999999999> : tensor<4xf64>}> : () -> tensor<4xf64>
// CHECK-NEXT: %2 = "ttir.eq"(%0, %1) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
// CHECK-NEXT: return %2 : tensor<4xi1>
func.func @not_narrow(%x: tensor<4xbf16>) -> tensor<4xi1> {
  %0 = stablehlo.convert %x : (tensor<4xbf16>) -> tensor<4xf64>
  %c = stablehlo.constant dense<0.99> : tensor<4xf64>
  %1 = stablehlo.compare EQ, %0, %c : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}

// CHECK-LABEL: func.func @rounded(
// CHECK-NEXT: %0 = "ttir.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
// CHECK-NEXT: %1 = "ttir.abs"(%arg0) : (tensor<f32>) -> tensor<f32>
// CHECK-NEXT: %2 = "ttir.floor"(%1) : (tensor<f32>) -> tensor<f32>
// CHECK-NEXT: %3 = "ttir.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
// CHECK-NEXT: %4 = "ttir.subtract"(%1, %2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
// CHECK-NEXT: %5 = "ttir.ge"(%4, %0) : (tensor<f32>, tensor<f32>) -> tensor<i1>
// CHECK-NEXT: %6 = "ttir.add"(%2, %3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
// CHECK-NEXT: %7 = "ttir.where"(%5, %6, %2) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
// CHECK-NEXT: %8 = "ttir.sign"(%arg0) : (tensor<f32>) -> tensor<f32>
// CHECK-NEXT: %9 = "ttir.multiply"(%8, %7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
// CHECK-NEXT: return %9 : tensor<f32>
func.func @rounded(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.round_nearest_afz %x : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @chlo(
// CHECK-NEXT: %0 = "ttir.erf"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: %1 = "ttir.abs"(%0) : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: %2 = "ttir.constant"() <{value = dense<0x7F800000> : tensor<2xf32>}> : () -> tensor<2xf32>
// CHECK-NEXT: %3 = "ttir.eq"(%1, %2) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
// CHECK-NEXT: %4 = "ttir.where"(%3, %arg0, %0) : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: return %4 : tensor<2xf32>
func.func @chlo(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = chlo.erf %x : tensor<2xf32> -> tensor<2xf32>
  %1 = chlo.is_inf %0 : tensor<2xf32> -> tensor<2xi1>
  %2 = stablehlo.select %1, %x, %0 : tensor<2xi1>, tensor<2xf32>
  return %2 : tensor<2xf32>
}

// CHECK-LABEL: func.func @quantized(
// CHECK-NEXT: %0 = "ttir.quantize"(%arg0) : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
// CHECK-NEXT: %1 = "ttir.requantize"(%0) : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2x!quant.uniform<i8:f32, 2.500000e-01>>
// CHECK-NEXT: %2 = "ttir.dequantize"(%1) : (tensor<2x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<2xf32>
// CHECK-NEXT: return %2 : tensor<2xf32>
func.func @quantized(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  %1 = stablehlo.uniform_quantize %0 : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.25>>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<2x!quant.uniform<i8:f32, 0.25>>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}
