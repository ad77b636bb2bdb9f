// Unreduced axes come and go only where something reduces them or says so.
// RUN: sdy_opt %s --sdy-verify-unreduced-axes -split-input-file -verify-diagnostics

sdy.mesh @m = <["x"=2, "y"=2]>
// A product may leave its sum open; an addition passes it on; a constraint closes it.
func.func @right(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.dot %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}], unreduced={"x"}>]>} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = stablehlo.add %0, %0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}], unreduced={"x"}>]>} : tensor<4x4xf32>
  %2 = sdy.sharding_constraint %1 <@m, [{}, {}]> : tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// -----
sdy.mesh @m = <["x"=2, "y"=2]>
func.func @lost(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{}], unreduced={"x", "y"}>}) -> tensor<4xf32> {
  // expected-error@+1 {{dropped unreduced axis 'y' without a blessed operation}}
  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}], unreduced={"x"}>]>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----
sdy.mesh @m = <["x"=2, "y"=2]>
func.func @wrong_reduction(%a: tensor<4x4xf32>, %i: tensor<f32>) -> tensor<4xf32> {
  // expected-error@+1 {{cannot introduce 'max' unreduced axes. Expected 'sum'.}}
  %0 = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [1] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}], unreduced=max{"x"}>]>} : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = sdy.reshard %0 <@m, [{}]> : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----
sdy.mesh @m = <["x"=2, "y"=2]>
func.func @no_such_sum(%a: tensor<4x4xf32>, %i: tensor<f32>) -> tensor<4xf32> {
  // expected-error@+1 {{cannot add new unreduced axis 'x'.}}
  %0 = stablehlo.reduce(%a init: %i) applies stablehlo.multiply across dimensions = [1] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}], unreduced={"x"}>]>} : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----
sdy.mesh @m = <["x"=2, "y"=2]>
func.func private @f(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{}], unreduced={"x"}>}) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
// Each function tells its own first error.
func.func @argument(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{has unreduced axes mismatch for 'x' at call argument 0.}}
  %0 = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @returned(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{}], unreduced={"y"}>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{}]>}) {
  // expected-error@+1 {{has unreduced axes mismatch for 'y' at return value 0}}
  return %a : tensor<4xf32>
}
