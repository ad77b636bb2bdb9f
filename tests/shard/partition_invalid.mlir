// RUN: sdy_opt %s --pass-pipeline='builtin.module(sdy-resolve-permutation-factors,func.func(sdy-pad-for-divisibility,sdy-resolve-single-device-sharding))' -split-input-file -verify-diagnostics

sdy.mesh @m = <["x"=2]>
sdy.mesh @n = <["x"=2]>
func.func @reshape(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<2x4xf32> {
  // expected-error@+1 {{operand and result are on different meshes; sdy-insert-explicit-reshards makes them agree}}
  %0 = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@n, [{"x"}, {}]>]>} : (tensor<8xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @body(%arg0: tensor<5xf32>, %arg1: tensor<f32>) -> tensor<f32> {
  %0 = sdy.all_slice [{"x"}] %arg0 out_sharding=<@m, [{"x"}]> : tensor<5xf32>
  // expected-error@+2 {{reduces a sharded dimension that its axes do not divide, and nothing is known that its body leaves alone}}
  // expected-error@+1 {{failed to legalize operation 'stablehlo.reduce' that was explicitly marked illegal}}
  %1 = stablehlo.reduce(%0 init: %arg1) across dimensions = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
      %3 = stablehlo.add %a, %b : tensor<f32>
      %4 = stablehlo.add %3, %b : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }
  return %1 : tensor<f32>
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @returned(%arg0: tensor<5xf32>) -> tensor<5xf32> {
  %0 = sdy.all_slice [{"x"}] %arg0 out_sharding=<@m, [{"x"}]> : tensor<5xf32>
  // expected-error@+1 {{has a tensor with a dimension that the axes on it do not divide, and cannot be padded}}
  return %0 : tensor<5xf32>
}

// -----

sdy.mesh @m = <["x"=2]>
// expected-error@+2 {{argument #0 has a non-divisible sharding. Shardy expects function IO to be divisible.}}
// expected-error@+1 {{failed to legalize operation 'func.func' that was explicitly marked illegal}}
func.func @argument(%arg0: tensor<5xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) {
  return
}

// -----

sdy.mesh @m = <["x"=2]>
sdy.mesh @zero = <[], device_ids=[0]>
sdy.mesh @one = <[], device_ids=[1]>
func.func @devices(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-error@+1 {{has results on different single devices}}
  %0:2 = stablehlo.custom_call @tpu_custom_call(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@zero, []>, <@one, []>]>} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

sdy.mesh @m = <["x"=2]>
sdy.mesh @zero = <[], device_ids=[0]>
func.func @device_and_mesh(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-error@+1 {{has results on a single device, and others that are sharded}}
  %0:2 = stablehlo.custom_call @tpu_custom_call(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@zero, []>, <@m, [{"x"}]>]>} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

sdy.mesh @m = <["x"=2]>
sdy.mesh @zero = <[], device_ids=[0]>
func.func @no_zero(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tuple<tensor<4xf32>>) {
  // expected-error@+1 {{is on a single device, and result 1 has no zero for others}}
  %0:2 = stablehlo.custom_call @tpu_custom_call(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@zero, []>, <@zero, []>]>} : (tensor<4xf32>) -> (tensor<4xf32>, tuple<tensor<4xf32>>)
  return %0#0, %0#1 : tensor<4xf32>, tuple<tensor<4xf32>>
}

// -----

sdy.mesh @m = <["x"=3]>
func.func @slice(%arg0: tensor<9xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<4xf32> {
  // expected-error@+2 {{has a tensor}}
  %0 = stablehlo.slice %arg0 [2:6] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : (tensor<9xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
