// What cannot be propagated through is said where it stands.
// RUN: sdy_opt %s --split-input-file --sdy-basic-propagate -verify-diagnostics

func.func @dynamic(%a: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{Shardy propagation only supports ranked tensors with a static shape. type: 'tensor<?xf32>'}}
  %0 = stablehlo.negate %a : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @tuple(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{Shardy propagation doesn't support tuples: 'tuple<tensor<4xf32>>'}}
  %0 = stablehlo.tuple %a : tuple<tensor<4xf32>>
  %1 = stablehlo.get_tuple_element %0[0] : (tuple<tensor<4xf32>>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// expected-error @+1 {{Failed to lookup function: main}}
module {
  func.func @one() {
    return
  }
  func.func @two() {
    return
  }
}

// -----

sdy.mesh @mesh = <["x"=2]>
// expected-error @+1 {{Value can only map to one sharding group id after import.}}
func.func @two_groups(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  sdy.sharding_group %a group_id=7 : tensor<4xf32>
  sdy.sharding_group %a group_id=3 : tensor<4xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
// expected-warning @+1 {{The initial operand shardings on the sharding groups of groupID: 1000000000000 do not match}}
func.func @conflicting_group(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) {
  sdy.sharding_group %a group_id=1000000000000 : tensor<4xf32>
  sdy.sharding_group %b group_id=1000000000000 : tensor<4xf32>
  return
}
