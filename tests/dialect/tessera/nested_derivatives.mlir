// Derivatives of derivatives, and of control flow of scf. The numbers are JAX's.
// RUN: tessera opt %s --tessera-autodiff | FileCheck %s --check-prefix=SCF
// RUN: tessera run %s --function=hessian --input=3xf64=0.1,-0.4,0.7 --input=3xf64=1,0.5,-2 --expect=3xf64=0.3029958604367245,0.09876227678828761,0.5400792278274332 \
// RUN:   --expect=3xf64=0.5581129359306111,0.1343298028547595,0.5305457602513166 --expect=3xf64=0.5155892110411023,0.11568897880163016,-15.349381158748542
// RUN: tessera opt %s --tessera-autodiff -o %t.mlir
// RUN: tessera run %t.mlir --function=loop_grad --input=3xf64=0.1,-0.4,0.7 --input=f64=1 --expect=3xf64=1.0050290105439097,0.9400210354943862,3.0181446957547546
// RUN: tessera opt %t.mlir --tessera-autodiff='mode=forward function=loop_grad wrt=0' -o %t.2.mlir
// RUN: tessera run %t.2.mlir --function=loop_grad_jvp --input=3xf64=0.1,-0.4,0.7 --input=f64=1 --input=3xf64=1,0.5,-2 --expect=3xf64=1.0050290105439097,0.9400210354943862,3.0181446957547546 \
// RUN:   --expect=3xf64=0.16132320875055065,0.06217930611614532,-5.903919348781442

func.func private @g(%x: tensor<3xf64>) -> tensor<f64> {
  %0 = tessera.exp %x : tensor<3xf64> -> tensor<3xf64>
  %1 = tessera.mul %0, %x : tensor<3xf64>, tensor<3xf64> -> tensor<3xf64>
  %2 = tessera.sigmoid %1 : tensor<3xf64> -> tensor<3xf64>
  %3 = tessera.reduce "sum" %2 : tensor<3xf64> -> tensor<f64>
  return %3 : tensor<f64>
}
func.func private @gradient(%x: tensor<3xf64>) -> tensor<3xf64> {
  %one = tessera.constant dense<1.0> : tensor<f64>
  %0 = tessera.vjp @g(%x, %one) : (tensor<3xf64>, tensor<f64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}
func.func private @product(%x: tensor<3xf64>, %v: tensor<3xf64>) -> tensor<3xf64> {
  %0:2 = tessera.forward @gradient(%x, %v) : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  return %0#1 : tensor<3xf64>
}
// The gradient, the Hessian times v, and the third derivative along v twice.
func.func @hessian(%x: tensor<3xf64>, %v: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) {
  %0:2 = tessera.forward @gradient(%x, %v) : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  %z = tessera.constant dense<0.0> : tensor<3xf64>
  %1:2 = tessera.forward @product(%x, %v, %v, %z) : (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  return %0#0, %0#1, %1#1 : tensor<3xf64>, tensor<3xf64>, tensor<3xf64>
}

// The function itself keeps its control flow; the derivative has StableHLO's.
// SCF-LABEL: func.func @loop(
// SCF:         scf.for
// SCF:         scf.if
// SCF-LABEL: func.func @loop_grad(%arg0: tensor<3xf64>, %arg1: tensor<f64>) -> tensor<3xf64>
// SCF:         stablehlo.while
// SCF-NOT:     scf.
// SCF-NOT:     arith.
func.func @loop(%x: tensor<3xf64>) -> tensor<f64> attributes {tessera.autodiff} {
  %a = arith.constant 0 : index
  %b = arith.constant 3 : index
  %s = arith.constant 1 : index
  %0 = scf.for %i = %a to %b step %s iter_args(%y = %x) -> (tensor<3xf64>) {
    %p = arith.cmpi eq, %i, %s : index
    %1 = scf.if %p -> (tensor<3xf64>) {
      %2 = stablehlo.sine %y : tensor<3xf64>
      %3 = tessera.mul %2, %x : tensor<3xf64>, tensor<3xf64> -> tensor<3xf64>
      scf.yield %3 : tensor<3xf64>
    } else {
      %2 = tessera.mul %y, %y : tensor<3xf64>, tensor<3xf64> -> tensor<3xf64>
      %3 = tessera.add %2, %x : tensor<3xf64>, tensor<3xf64> -> tensor<3xf64>
      scf.yield %3 : tensor<3xf64>
    }
    scf.yield %1 : tensor<3xf64>
  }
  %r = tessera.reduce "sum" %0 : tensor<3xf64> -> tensor<f64>
  return %r : tensor<f64>
}
