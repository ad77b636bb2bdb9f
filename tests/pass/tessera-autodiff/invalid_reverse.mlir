// RUN: tessera opt %s --tessera-autodiff -split-input-file -verify-diagnostics

// expected-error @+1 {{a value of type '!stablehlo.token' has no gradient: leave it out of wrt}}
func.func @token(%x: tensor<f32>, %t: !stablehlo.token) -> tensor<f32> attributes {tessera.autodiff} {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{there is a symbol 'f_grad' already}}
func.func @f(%x: tensor<f32>) -> tensor<f32> attributes {tessera.autodiff} {
  return %x : tensor<f32>
}
func.func @f_grad(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

func.func @average(%x: tensor<2xf32>) -> tensor<2xf32> attributes {tessera.autodiff} {
  // expected-error @+1 {{'stablehlo.all_reduce' op cannot be differentiated: it does not add}}
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// Sizes that are not known: what does not need them works, the rest says so.
func.func @sizes(%x: tensor<?x4xf32>) -> tensor<?x2xf32> attributes {tessera.autodiff} {
  %0 = stablehlo.sine %x : tensor<?x4xf32>
  // expected-error @+1 {{'stablehlo.slice' op cannot be differentiated: sizes are not known}}
  %1 = "stablehlo.slice"(%0) <{start_indices = array<i64: 0, 0>, limit_indices = array<i64: 9223372036854775807, 2>, strides = array<i64: 1, 1>}> : (tensor<?x4xf32>) -> tensor<?x2xf32>
  return %1 : tensor<?x2xf32>
}

// -----

func.func @body(%x: tensor<4xf32>, %w: tensor<f32>) -> tensor<f32> attributes {tessera.autodiff} {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error @+1 {{'stablehlo.reduce' op cannot be differentiated: its body is not elementwise}}
  %0 = stablehlo.reduce(%x init: %c) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>)  {
    %1 = stablehlo.custom_call @mix(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}
