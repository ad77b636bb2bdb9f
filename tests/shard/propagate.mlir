// One pass over conflicts, parts of axes, meshes, barriers and loops.
// RUN: sdy_opt %s --split-input-file --sdy-add-data-flow-edges --sdy-aggressive-propagate | FileCheck %s

// A product whose operands want one axis for both dimensions of the result: the basic strategy leaves it, the aggressive
// one gives it to the first.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @conflict(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {?}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"x", ?}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
// CHECK: func.func @conflict(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {?}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"x", ?}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {?}]>}) {
// CHECK: %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {?}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>

// -----

// Parts of an axis: a dimension of 2 takes half of it, the next one the rest.
sdy.mesh @mesh = <["x"=4]>
func.func @parts(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<2x4xf32> {
  %0 = stablehlo.reshape %a : (tensor<8xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// CHECK: func.func @parts(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2, ?}, {"x":(2)2, ?}]>}) {
// CHECK: %0 = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x":(1)2, ?}, {"x":(2)2, ?}]>]>} : (tensor<8xf32>) -> tensor<2x4xf32>

// -----

// What nobody uses goes, with what only it used. A result that gets a sharding opens the others.
sdy.mesh @mesh = <["x"=2]>
func.func @unused(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32>, tensor<4xf32>) {
  %0 = stablehlo.negate %a : tensor<8xf32>
  %1 = stablehlo.add %0, %0 : tensor<8xf32>
  %2 = stablehlo.custom_call @unknown(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %3 = stablehlo.custom_call @kept(%a) {has_side_effect = true} : (tensor<8xf32>) -> tensor<8xf32>
  %4:2 = stablehlo.custom_call @two(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i], [j]) {i=8, j=4}, custom>} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<4xf32>)
  return %4#0, %4#1 : tensor<8xf32>, tensor<4xf32>
}
// CHECK: func.func @unused(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>}, tensor<4xf32>) {
// CHECK: %0 = stablehlo.custom_call @kept(%arg0) {has_side_effect = true} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK: %1:2 = stablehlo.custom_call @two(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}]>, <@mesh, [{?}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i], [j]) {i=8, j=4}, custom>} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<4xf32>)

// -----

// Nothing passes between meshes, nor from a mesh of one device.
sdy.mesh @a = <["x"=2]>
sdy.mesh @b = <["x"=2, "y"=2]>
sdy.mesh @one = <[], device_ids=[1]>
func.func @meshes(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}]>}, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@b, [{"x"}]>}, %c: tensor<8xf32> {sdy.sharding = #sdy.sharding<@one, []>}) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.add %a, %b : tensor<8xf32>
  %1 = stablehlo.negate %c : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
// CHECK: func.func @meshes(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@b, [{"x"}]>}, %arg2: tensor<8xf32> {sdy.sharding = #sdy.sharding<@one, []>}) -> (tensor<8xf32>, tensor<8xf32>) {
// CHECK: %0 = stablehlo.add %arg0, %arg1 : tensor<8xf32>
// CHECK: %1 = stablehlo.negate %arg2 : tensor<8xf32>

// -----

// Two names of one mesh: the first counts.
sdy.mesh @a = <["x"=2]>
sdy.mesh @b = <["x"=2]>
func.func @names(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}, {?}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@b, [{?}, {}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.add %a, %b : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
// CHECK: func.func @names(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x"}, {?}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x", ?}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@a, [{"x", ?}, {?}]>}) {
// CHECK: %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@a, [{"x", ?}, {?}]>]>} : tensor<8x8xf32>

// -----

// A barrier lets shardings go one way only.
sdy.mesh @mesh = <["x"=2]>
func.func @barrier(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = sdy.propagation_barrier %a allowed_direction=FORWARD : tensor<8xf32>
  %1 = sdy.propagation_barrier %b allowed_direction=FORWARD : tensor<8xf32>
  %2 = stablehlo.negate %0 : tensor<8xf32>
  %3 = stablehlo.negate %1 : tensor<8xf32>
  return %2, %3 : tensor<8xf32>, tensor<8xf32>
}
// CHECK: func.func @barrier(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>}, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
// CHECK: %0 = sdy.propagation_barrier %arg0 allowed_direction=FORWARD {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}]>]>} : tensor<8xf32>
// CHECK: %1 = sdy.propagation_barrier %arg1 allowed_direction=FORWARD {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}]>]>} : tensor<8xf32>
// CHECK: %2 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}]>]>} : tensor<8xf32>
// CHECK: %3 = stablehlo.negate %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}]>]>} : tensor<8xf32>

// -----

// A loop: sources and targets of its edges are sharded alike, inside and outside.
sdy.mesh @mesh = <["x"=2]>
func.func @loop(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>}, %n: tensor<i32>) -> tensor<8xf32> {
  %0:2 = stablehlo.while(%i = %n, %v = %a) : tensor<i32>, tensor<8xf32>
   cond {
    %c = stablehlo.constant dense<7> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %2 = stablehlo.negate %v : tensor<8xf32>
    stablehlo.return %i, %2 : tensor<i32>, tensor<8xf32>
  }
  return %0#1 : tensor<8xf32>
}
// CHECK: func.func @loop(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>}, %arg1: tensor<i32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>}) {
// CHECK: %0:2 = stablehlo.while(%iterArg = %arg1, %iterArg_0 = %arg0) : tensor<i32>, tensor<8xf32>
// CHECK: %c = stablehlo.constant dense<7> : tensor<i32>
// CHECK: %3 = stablehlo.compare LT, %iterArg, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK: %3 = stablehlo.negate %iterArg_0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}]>]>} : tensor<8xf32>
// CHECK: %1 = sdy.data_flow_edge %0#0 : tensor<i32>
// CHECK: %2 = sdy.data_flow_edge %0#1 sharding=<@mesh, [{"x", ?}]> : tensor<8xf32>

// -----

// Replicated axes stay free, closed dimensions stay as they are.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @kept(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}], replicated={"x"}>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %b : tensor<8x8xf32>
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {?}]>]>} : tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}
// CHECK: func.func @kept(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y", ?}], replicated={"x"}>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {"y", ?}]>}, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y", ?}]>}) {
// CHECK: %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {"y", ?}]>]>} : tensor<8x8xf32>
// CHECK: %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y", ?}]>]>} : tensor<8x8xf32>
