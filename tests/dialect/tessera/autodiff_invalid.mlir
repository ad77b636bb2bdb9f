// What Graph IR's functions cannot be differentiated through.
// RUN: tessera opt %s --tessera-autodiff -split-input-file -verify-diagnostics

tessera.state @s = dense<0.0> : tensor<f32>
func.func @f(%x: tensor<f32>) -> tensor<f32> attributes {tessera.autodiff} {
  %0 = tessera.mul %x, %x : tensor<f32>, tensor<f32> -> tensor<f32>
  // expected-error @+1 {{'tessera.state_update' op cannot be differentiated: what it writes depends on an argument of interest, and state '@s' is read in the same function}}
  %1 = tessera.state_update @s, %0 : tensor<f32> -> !tessera.effect_token
  %2 = tessera.state_read @s after(%1) : tensor<f32>
  %3 = tessera.mul %2, %x : tensor<f32>, tensor<f32> -> tensor<f32>
  return %3 : tensor<f32>
}

// -----

// Counting steps is no business of the gradient.
tessera.state @steps = dense<0.0> : tensor<f32>
func.func @f(%x: tensor<f32>) -> tensor<f32> attributes {tessera.autodiff} {
  %one = tessera.constant dense<1.0> : tensor<f32>
  %0 = tessera.state_read @steps : tensor<f32>
  %1 = tessera.add %0, %one : tensor<f32>, tensor<f32> -> tensor<f32>
  %2 = tessera.state_update @steps, %1 : tensor<f32> -> !tessera.effect_token
  %3 = tessera.mul %0, %x : tensor<f32>, tensor<f32> -> tensor<f32>
  return %3 : tensor<f32>
}

// -----

func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> attributes {tessera.autodiff} {
  // expected-error @+1 {{'stablehlo.custom_call' op cannot be differentiated: target 'z' has no rule}}
  %0 = stablehlo.custom_call @z(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = tessera.exp %0 : tensor<2xf32> -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
