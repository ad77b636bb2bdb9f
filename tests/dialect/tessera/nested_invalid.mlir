// Derivatives that cannot be asked for.
// RUN: tessera opt %s --tessera-lower-autodiff -split-input-file -verify-diagnostics

func.func @f(%x: tensor<f64>) -> tensor<f64> {
  // expected-error @+1 {{'tessera.vjp' op asks for the derivative of 'f', which it is part of}}
  %0 = tessera.vjp @f(%x, %x) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}

// -----

func.func private @f(%x: f64) -> f64 {
  %0 = arith.mulf %x, %x : f64
  return %0 : f64
}
func.func @main(%x: f64) -> f64 {
  // expected-error @+1 {{'tessera.vjp' op asks for the derivative of a function of scalars; --scf-to-stablehlo makes tensors of them}}
  %0 = tessera.vjp @f(%x, %x) : (f64, f64) -> f64
  return %0 : f64
}
