// What has no form in integers is refused by name, and nothing is printed.
// RUN: tessera opt %s --stablehlo-legalize-quant-to-math --split-input-file --verify-diagnostics
// RUN: not tessera opt %s --stablehlo-legalize-quant-to-math --split-input-file 2>&1 | FileCheck %s
// CHECK: quantized_math_invalid.mlir:{{[0-9]+}}:8: error: failed to legalize operation 'stablehlo.reverse' that was explicitly marked illegal
// CHECK-NEXT: %0 = stablehlo.reverse
// CHECK-NEXT: ^

!q = !quant.uniform<i8:f32, 0.5:3>
func.func @move(%x: tensor<3x2x!q>) -> tensor<3x2x!q> {
  // expected-error@+1 {{failed to legalize operation 'stablehlo.reverse' that was explicitly marked illegal}}
  %0 = stablehlo.reverse %x, dims = [1] : tensor<3x2x!q>
  return %0 : tensor<3x2x!q>
}

// -----

!q = !quant.uniform<i8:f32, 0.5:3>
func.func @loop(%x: tensor<2x!q>, %p: tensor<i1>) -> tensor<2x!q> {
  // expected-error@+1 {{failed to legalize operation 'stablehlo.while' that was explicitly marked illegal}}
  %0 = stablehlo.while(%a = %x) : tensor<2x!q>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      stablehlo.return %a : tensor<2x!q>
    }
  return %0 : tensor<2x!q>
}

// -----

!rows = !quant.uniform<i8:f32:0, {0.5:3, 0.25:1}>
!columns = !quant.uniform<i8:f32:1, {0.5:3, 0.25:1}>
func.func @other_axis(%x: tensor<2x2x!rows>) -> tensor<2x2x!columns> {
  // expected-error@+2 {{Cannot requantize while changing quantization_axis}}
  // expected-error@+1 {{failed to legalize operation 'stablehlo.uniform_quantize' that was explicitly marked illegal}}
  %0 = stablehlo.uniform_quantize %x : (tensor<2x2x!rows>) -> tensor<2x2x!columns>
  return %0 : tensor<2x2x!columns>
}

// -----

!half = !quant.uniform<i8:f16, 0.5:3>
func.func @other_floats(%x: tensor<2xf16>) -> tensor<2x!half> {
  // expected-error@+2 {{Unsupported input element type.}}
  // expected-error@+1 {{failed to legalize operation 'stablehlo.uniform_quantize' that was explicitly marked illegal}}
  %0 = stablehlo.uniform_quantize %x : (tensor<2xf16>) -> tensor<2x!half>
  return %0 : tensor<2x!half>
}

// -----

!half = !quant.uniform<i8:f16, 0.5:3>
func.func @other_floats(%x: tensor<2x!half>) -> tensor<2x!half> {
  // expected-error@+1 {{failed to legalize operation 'stablehlo.tanh' that was explicitly marked illegal}}
  %0 = stablehlo.tanh %x : tensor<2x!half>
  return %0 : tensor<2x!half>
}

// -----

!unsigned = !quant.uniform<u32:f32, 0.5:3>
func.func @beyond_i32(%x: tensor<2x!unsigned>) -> tensor<2x!unsigned> {
  // expected-error@+1 {{failed to legalize operation 'stablehlo.add' that was explicitly marked illegal}}
  %0 = stablehlo.add %x, %x : tensor<2x!unsigned>
  return %0 : tensor<2x!unsigned>
}

// -----

!any = !quant.calibrated<f32<-1.0:1.0>>
// expected-error@+1 {{failed to legalize operation 'func.func' that was explicitly marked illegal}}
func.func @nothing_stored(%x: tensor<2x!any>) -> tensor<2x!any> {
  return %x : tensor<2x!any>
}
