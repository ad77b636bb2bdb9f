// What cannot be made compatible is said, with its place.
// RUN: sdy_opt %s --sdy-insert-explicit-reshards=enable-full-version=true -split-input-file -verify-diagnostics

sdy.mesh @one = <[], device_ids=[3]>

// expected-error @+1 {{'func.func' op function argument 1 cannot have a single-device (maximal) sharding attribute}}
func.func @argument(%arg0: tensor<8xf32>, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@one, []>}) {
  return
}

// -----

sdy.mesh @one = <[], device_ids=[3]>

// expected-error @+1 {{'func.func' op function result 0 cannot have a single-device (maximal) sharding attribute}}
func.func @result(%arg0: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@one, []>}) {
  return %arg0 : tensor<8xf32>
}

// -----

sdy.mesh @m = <["x"=2]>
sdy.mesh @one = <[], device_ids=[1]>
sdy.mesh @two = <[], device_ids=[2]>

func.func @devices(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'stablehlo.custom_call' op has conflicting single-device result shardings}}
  %0:2 = stablehlo.custom_call @foo(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@one, []>, <@two, []>]>} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return %0#0 : tensor<8xf32>
}

// -----

sdy.mesh @m = <["x"=2]>
sdy.mesh @n = <["y"=2]>

func.func @meshes(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{}], unreduced={"x"}>}) -> tensor<8xf32> {
  // expected-error @+1 {{source and user shardings have different meshes for unreduced axes}}
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@n, [{"y"}]>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @m = <["x"=2]>
sdy.mesh @n = <["y"=2]>

func.func @meshes_again(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{}]>})
    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@n, [{}], unreduced={"y"}>}) {
  // expected-error @+1 {{input and output shardings have different meshes, and the output has unreduced axes}}
  return %arg0 : tensor<8xf32>
}

// -----

sdy.mesh @m = <["x"=2, "y"=2]>

func.func @results(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'stablehlo.custom_call' op has results with different unreduced axes}}
  %0:2 = stablehlo.custom_call @foo(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}], unreduced={"x"}>, <@m, [{}]>]>} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return %0#0 : tensor<8xf32>
}

// -----

sdy.mesh @m = <["x"=2, "y"=2]>

func.func @no_results(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{}], unreduced={"x"}>}) {
  // expected-error @+1 {{'sdy.sharding_group' op has an operand with unreduced axes and no results}}
  sdy.sharding_group %arg0 group_id=0 : tensor<8xf32>
  return
}
