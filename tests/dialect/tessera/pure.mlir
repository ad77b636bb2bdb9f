// Effects in functions that promise to have none.
// RUN: tessera opt %s --tessera-effects -split-input-file -verify-diagnostics

tessera.state @s = dense<0.0> : tensor<f32>
tessera.state @rng = dense<[7, 0]> : tensor<2xui64>
tessera.mesh @mesh = <["x"=2]>

func.func private @writes(%x: tensor<f32>) -> tensor<f32> {
  %0 = tessera.state_update @s, %x : tensor<f32> -> !tessera.effect_token
  return %x : tensor<f32>
}
func.func private @through(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @writes(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @harmless(%x: tensor<f32>, %rng: tensor<2xui64>) -> tensor<f32> attributes {tessera.pure} {
  %0:2 = tessera.random %rng : tensor<2xui64> -> tensor<f32>, tensor<2xui64>
  %1 = tessera.add %0#0, %x : tensor<f32>, tensor<f32> -> tensor<f32>
  return %1 : tensor<f32>
}
func.func @f(%x: tensor<f32>, %p: i1, %rng: tensor<2xui64>) -> tensor<f32> attributes {tessera.pure} {
  // expected-error @+1 {{'tessera.state_read' op reads a state, and function 'f' is marked tessera.pure}}
  %0 = tessera.state_read @s : tensor<f32>
  scf.if %p {
    // expected-error @+1 {{'tessera.state_update' op writes a state, and function 'f' is marked tessera.pure}}
    %1 = tessera.state_update @s, %x : tensor<f32> -> !tessera.effect_token
  }
  // expected-error @+1 {{'tessera.random' op draws from a state, and function 'f' is marked tessera.pure}}
  %2 = tessera.random @rng : tensor<f32>
  // expected-error @+1 {{'tessera.allreduce' op meets other devices, and function 'f' is marked tessera.pure}}
  %3 = tessera.allreduce %2 {mesh = @mesh} : tensor<f32> -> tensor<f32>
  // expected-error @+1 {{'func.call' op calls a function that has effects, and function 'f' is marked tessera.pure}}
  %4 = func.call @through(%3) : (tensor<f32>) -> tensor<f32>
  %5 = func.call @harmless(%4, %rng) : (tensor<f32>, tensor<2xui64>) -> tensor<f32>
  // expected-error @+1 {{'stablehlo.custom_call' op may have effects, and function 'f' is marked tessera.pure}}
  %6 = stablehlo.custom_call @z(%5) {has_side_effect = true} : (tensor<f32>) -> tensor<f32>
  return %6 : tensor<f32>
}
