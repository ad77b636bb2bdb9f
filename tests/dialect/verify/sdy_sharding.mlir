// RUN: tessera opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// Meshes, and shardings against their mesh and the type they are for.

sdy.mesh @m = <["x"=2, "y"=8, "z"=4]>
sdy.mesh @one = <[], device_ids=[3]>
sdy.mesh @none = <[]>
sdy.mesh @turned = <["x"=2, "y"=2], device_ids=[3, 2, 1, 0]>
func.func @good(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"y":(2)2, "x", ?}p1, {?}p0], replicated={"y":(1)2}, unreduced=max{"y":(4)2, "z"}>},
                %t: !stablehlo.token {sdy.sharding = #sdy.sharding<@m, []>},
                %d: tensor<?x?xf32> {sdy.sharding = #sdy.sharding<mesh<["q"=3]>, [{"q"}, {}]>})
    -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@one, []>}) {
  %0 = "t.op"(%a) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}, {}]>]>} : (tensor<8x6xf32>) -> tensor<8x6xf32>
  "t.none"() {sdy.sharding = #sdy.sharding_per_value<[<@one, []>]>} : () -> ()
  "t.none"() {sdy.sharding = #sdy.sharding_per_value<[<@m, []>]>} : () -> ()
  %1 = "t.tuple"() {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : () -> tuple<tensor<4xf32>>
  return %0 : tensor<8x6xf32>
}

// -----

// expected-error@+2 {{axis size must be at least 1, got: -4}}
// expected-error@+1 {{failed to parse Sdy_Mesh parameter 'axes'}}
sdy.mesh @m = <["x"=-4]>

// -----

// expected-error@+1 {{duplicate axis name: "x"}}
sdy.mesh @m = <["x"=4, "x"=2]>

// -----

// expected-error@+1 {{device id must be non-negative, got: -2}}
sdy.mesh @m = <["x"=2], device_ids=[1, -2]>

// -----

// expected-error@+1 {{axes is empty and device_ids has more than one element}}
sdy.mesh @m = <[], device_ids=[0, 1, 2]>

// -----

// expected-error@+1 {{total product of axis sizes must match total number of device ids, got: 6 != 2}}
sdy.mesh @m = <["x"=3, "y"=2], device_ids=[1, 0]>

// -----

// expected-error@+1 {{sorted device ids must be iota(product(axes)), got: 0, 2, 3}}
sdy.mesh @m = <["x"=3], device_ids=[3, 0, 2]>

// -----

// The product of these sizes has more than 64 bits.
// expected-error@+1 {{total product of axis sizes must match total number of device ids}}
sdy.mesh @m = <["x"=4611686018427387904, "y"=4611686018427387904], device_ids=[0]>

// -----

// expected-error@+1 {{'func.func' op arg 0 - unknown mesh: @n}}
func.func @f(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@n, [{}]>}) { return }

// -----

// A symbol that is no mesh.
// expected-error@+1 {{'func.func' op arg 0 - unknown mesh: @f}}
func.func @f(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@f, [{}]>}) { return }

// -----

sdy.mesh @m = <["x"=2]>
// expected-error@+1 {{'func.func' op arg 1 - should have a sharding attribute of type TensorShardingAttr}}
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32> {sdy.sharding = 3}) { return }

// -----

sdy.mesh @m = <["x"=2]>
// expected-error@+1 {{'func.func' op result 1 - unknown axis name: "w"}}
func.func private @f() -> (tensor<4xf32>, tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"w"}]>})

// -----

sdy.mesh @m = <["x"=2]>
func.func @f() {
  // expected-error@+1 {{'t.op' op should have a sharding attribute of type TensorShardingPerValueAttr}}
  "t.op"() {sdy.sharding = #sdy.sharding<@m, []>} : () -> ()
  return
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @f() {
  // expected-error@+1 {{'t.op' op result shardings don't match number of values: 1 shardings vs 2 values}}
  %0:2 = "t.op"() {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}]>]>} : () -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @f() {
  // expected-error@+1 {{'t.op' op result shardings don't match number of values: 1 shardings vs 0 values}}
  "t.op"() {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : () -> ()
  return
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @f() {
  // expected-error@+1 {{'t.op' op result 1 - sharding doesn't match tensor rank: 2 != 1}}
  %0:2 = "t.op"() {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}]>, <@m, [{}, {}]>]>} : () -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

sdy.mesh @one = <[], device_ids=[0]>
func.func @f() {
  // expected-error@+1 {{'t.op' op result - a maximal sharding can only have a sharding with rank 0 and no replicated or unreduced axes.}}
  %0 = "t.op"() {sdy.sharding = #sdy.sharding_per_value<[<@one, [{}]>]>} : () -> tensor<4xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @f() {
  // expected-error@+1 {{result - ops can only have a sharding for a tuple of size 1: 'tuple<i32, i32>'}}
  %0 = "t.op"() {sdy.sharding = #sdy.sharding_per_value<[<@m, []>]>} : () -> tuple<i32, i32>
  return
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @f() {
  // expected-error@+1 {{result - non-shaped tensors can only have a sharding with rank 0 and no replicated or unreduced axes. type: 'i32', sharding: #sdy.sharding<@m, [], replicated={"x"}>}}
  %0 = "t.op"() {sdy.sharding = #sdy.sharding_per_value<[<@m, [], replicated={"x"}>]>} : () -> i32
  return
}

// -----

sdy.mesh @m = <["x"=2]>
// expected-error@+1 {{arg 0 - only ranked tensors can have a sharding. type: 'tensor<*xf32>'}}
func.func @f(%a: tensor<*xf32> {sdy.sharding = #sdy.sharding<@m, []>}) { return }

// -----

sdy.mesh @m = <["x"=2]>
// expected-error@+1 {{arg 0 - dim 1 is empty and closed but has a priority}}
func.func @f(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}p0, {}p2]>}) { return }

// -----

sdy.mesh @m = <["x"=2, "y"=2]>
// expected-error@+1 {{arg 0 - duplicate axis ref: "y"}}
func.func @f(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}, {"x"}], unreduced={"y"}>}) { return }

// -----

sdy.mesh @m = <["x"=2, "y"=2]>
// expected-error@+1 {{arg 0 - replicated axes are not ordered w.r.t. mesh}}
func.func @f(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}], replicated={"y", "x"}>}) { return }

// -----

sdy.mesh @m = <["x"=8]>
// expected-error@+1 {{arg 0 - unreduced axes are not ordered w.r.t. mesh}}
func.func @f(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{}], unreduced={"x":(4)2, "x":(1)2}>}) { return }

// -----

sdy.mesh @m = <["x"=8]>
// expected-error@+1 {{arg 0 - two consecutive sub-axes can be merged: "x":(1)2, "x":(2)4}}
func.func @f(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x":(1)2, "x":(2)4}]>}) { return }

// -----

sdy.mesh @m = <["x"=8]>
// expected-error@+1 {{arg 0 - both sub-axis and full-axis are used for axis name: "x"}}
func.func @f(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x":(1)2}, {"x"}]>}) { return }

// -----

sdy.mesh @m = <["x"=8]>
// expected-error@+1 {{arg 0 - sub-axis pre-size must be at least 1: "x":(0)2}}
func.func @f(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x":(0)2}]>}) { return }

// -----

sdy.mesh @m = <["x"=8]>
// expected-error@+1 {{arg 0 - sub-axis sizes must be greater than 1: "x":(2)1}}
func.func @f(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x":(2)1}]>}) { return }

// -----

sdy.mesh @m = <["x"=12]>
// expected-error@+1 {{arg 0 - sub-axis next pre-size 8 doesn't divide the size of the full axis 12: "x":(2)4}}
func.func @f(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x":(2)4}]>}) { return }

// -----

// A product that has more than 64 bits.
sdy.mesh @m = <["x"=8]>
// expected-error@+1 {{doesn't divide the size of the full axis 8}}
func.func @f(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x":(4611686018427387904)4611686018427387904}]>}) { return }

// -----

sdy.mesh @m = <["x"=8]>
// expected-error@+1 {{arg 0 - sub-axis size is equal to the full axis size: "x":(1)8}}
func.func @f(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x":(1)8}]>}) { return }

// -----

sdy.mesh @m = <["x"=16]>
// expected-error@+1 {{arg 0 - overlapping sub-axes: "x":(1)4, "x":(2)4}}
func.func @f(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x":(2)4}, {"x":(1)4}]>}) { return }

// -----

sdy.mesh @m = <["x"=2]>
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note@+1 {{parent bounding this axis as manual}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{"x"}]>] out_shardings=[<@m, [{"x"}]>] manual_axes={"x"} (%b: tensor<2xf32>) {
    // expected-error@+1 {{'t.op' op result - operates on axis "x" which is already bound by a parent sdy.manual_computation op}}
    %1 = "t.op"(%b) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}], unreduced={"x"}>]>} : (tensor<2xf32>) -> tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
