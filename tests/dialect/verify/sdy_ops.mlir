// RUN: tessera opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// Constraints, reshards, edges, barriers and computations.

sdy.mesh @m = <["x"=2, "y"=4]>
sdy.mesh @e = <[]>
func.func @good(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}], unreduced={"x", "y":(1)2}>}, %t: !stablehlo.token) -> tensor<8x8xf32> {
  %0 = sdy.reshard %a <@m, [{}, {}], unreduced={"y":(1)2}> : tensor<8x8xf32>
  %1 = sdy.sharding_constraint %0 <@m, [{"x"}, {"y"}]> : tensor<8x8xf32>
  %2:2 = sdy.manual_computation(%1, %t) in_shardings=[<@m, [{"x", "y":(1)2}, {"y":(2)2}]>, <@e, []>] out_shardings=[<@m, [{"x"}, {}]>, <@m, []>] manual_axes={"x"} (%b: tensor<4x8xf32>, %u: !stablehlo.token) {
    %5 = sdy.named_computation<"n">(%b) out_shardings=[<@m, [{"y"}, {}]>] (%c: tensor<4x8xf32>) {
      sdy.return %c : tensor<4x8xf32>
    } : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %6 = sdy.data_flow_edge %5 sharding=<@m, [{"y"}, {}]> : tensor<4x8xf32>
    sdy.return %6, %u : tensor<4x8xf32>, !stablehlo.token
  } : (tensor<8x8xf32>, !stablehlo.token) -> (tensor<8x8xf32>, !stablehlo.token)
  %3 = sdy.propagation_barrier %2#0 allowed_direction=NONE : tensor<8x8xf32>
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {
    sdy.return
  } : () -> ()
  %4 = call @leaf(%3) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %5 = sdy.func_data_flow_edge %4 : tensor<8x8xf32>
  return %5 : tensor<8x8xf32>
}
func.func private @leaf(tensor<8x8xf32>) -> tensor<8x8xf32>

// -----

func.func @f() {
  // expected-error@+1 {{'sdy.mesh' op expects parent op 'builtin.module'}}
  sdy.mesh @m = <["x"=2]>
  return
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @f(%a: tensor<8xf32>) {
  // expected-error@+1 {{'sdy.reshard' op sharding doesn't match tensor rank: 0 != 1}}
  %0 = sdy.reshard %a <@m, []> : tensor<8xf32>
  return
}

// -----

func.func @f(%a: tensor<8xf32>) {
  // expected-error@+1 {{'sdy.sharding_constraint' op unknown mesh: @m}}
  %0 = sdy.sharding_constraint %a <@m, [{}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{}], unreduced=min{"x"}>}) {
  %0 = sdy.propagation_barrier %a allowed_direction=NONE : tensor<8xf32>
  // expected-error@+1 {{'sdy.reshard' op cannot change the reduction operator of kept unreduced axes from min to max.}}
  %1 = sdy.reshard %0 <@m, [{}], unreduced=max{"x"}> : tensor<8xf32>
  return
}

// -----

// What a manual computation says of its result counts too.
sdy.mesh @m = <["x"=2, "y"=2]>
func.func @f(%a: tensor<8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{}]>] out_shardings=[<@m, [{}], unreduced=max{"x"}>] manual_axes={"x"} (%b: tensor<8xf32>) {
    sdy.return %b : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  // expected-error@+1 {{'sdy.sharding_constraint' op cannot change the reduction operator of kept unreduced axes from max to sum.}}
  %1 = sdy.sharding_constraint %0 <@m, [{}], unreduced={"x", "y"}> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2, "y"=8]>
func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{}], unreduced=min{"y":(1)2}>}) {
  // expected-error@+1 {{'sdy.sharding_constraint' op cannot introduce 'min' unreduced axes. Expected 'sum'.}}
  %0 = sdy.sharding_constraint %a <@m, [{}], unreduced=min{"y"}> : tensor<8xf32>
  return
}

// -----

func.func @f(%a: tensor<8xf32>) {
  // expected-error@+1 {{'sdy.propagation_barrier' op cannot specify `BOTH` as the direction. Not blocking propagation direction makes the op redundant.}}
  %0 = sdy.propagation_barrier %a allowed_direction=BOTH : tensor<8xf32>
  return
}

// -----

func.func @f(%a: tensor<?xf32>) {
  // expected-error@+1 {{'sdy.data_flow_edge' op expected sdy.data_flow_edge to have a static-shaped result. type: 'tensor<?xf32>'}}
  %0 = sdy.data_flow_edge %a : tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'sdy.data_flow_edge' op expected input of sdy.data_flow_edge to have a single user}}
  %0 = sdy.data_flow_edge %a : tensor<8xf32>
  return %a : tensor<8xf32>
}

// -----

func.func @f(%a: tensor<8xf32>) {
  // expected-note@+1 {{sdy op defining the input of the sdy.data_flow_edge}}
  %0 = sdy.propagation_barrier %a allowed_direction=NONE : tensor<8xf32>
  // expected-error@+1 {{expected input of sdy.data_flow_edge to not be defined by an SdyDialect op (other than an sdy.named_computation).}}
  %1 = sdy.data_flow_edge %0 : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @f(%a: tensor<8xf32>) {
  // expected-error@+1 {{'sdy.data_flow_edge' op unknown axis name: "y"}}
  %0 = sdy.data_flow_edge %a sharding=<@m, [{"y"}]> : tensor<8xf32>
  return
}

// -----

func.func @f(%a: tensor<?xf32>) {
  // expected-error@+1 {{expected sdy.func_data_flow_edge to have a static-shaped result. type: 'tensor<?xf32>'}}
  %0 = sdy.func_data_flow_edge %a : tensor<?xf32>
  return
}

// -----

func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{expected operand of sdy.func_data_flow_edge to have a single user}}
  %0 = sdy.func_data_flow_edge %a : tensor<8xf32>
  return %a : tensor<8xf32>
}

// -----

func.func @f() {
  %0 = "t.op"() : () -> tensor<8xf32>
  // expected-error@+1 {{expected operand of sdy.func_data_flow_edge to be a result of call op.}}
  %1 = sdy.func_data_flow_edge %0 : tensor<8xf32>
  return
}

// -----

func.func @f() {
  "t.op"() ({
  ^bb0(%a: tensor<8xf32>):
    // expected-error@+1 {{expected operand of sdy.func_data_flow_edge to be a block argument of a func op.}}
    %1 = sdy.func_data_flow_edge %a : tensor<8xf32>
    "t.end"() : () -> ()
  }) : () -> ()
  return
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @f(%a: tensor<8xf32>) {
  // expected-note@+1 {{parent bounding this axis as manual}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{}]>] out_shardings=[<@m, [{}]>] manual_axes={"x"} (%b: tensor<8xf32>) {
    // expected-error@+1 {{'sdy.manual_computation' op operates on axis "x" which is already bound by a parent sdy.manual_computation op}}
    %1 = sdy.manual_computation(%b) in_shardings=[<@m, [{}]>] out_shardings=[<@m, [{}]>] manual_axes={"x"} (%c: tensor<8xf32>) {
      sdy.return %c : tensor<8xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    sdy.return %1 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @f(%a: tensor<8xf32>) {
  // expected-error@+1 {{op operand shardings don't match number of values: 0 shardings vs 1 values}}
  %0 = sdy.manual_computation(%a) in_shardings=[] out_shardings=[<@m, [{}]>] manual_axes={} (%b: tensor<8xf32>) {
    sdy.return %b : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @f(%a: tensor<8xf32>) {
  // expected-error@+1 {{number of op operands and region operands must match. Op has 1 op operands and 0 region operands}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{}]>] out_shardings=[<@m, [{}]>] manual_axes={} () {
    %1 = "t.op"() : () -> tensor<8xf32>
    sdy.return %1 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @f() {
  // expected-error@+1 {{number of op results and region results must match. Op has 1 op results and 0 region results}}
  %0 = sdy.manual_computation() in_shardings=[] out_shardings=[<@m, [{}]>] manual_axes={} () {
    sdy.return
  } : () -> tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2, "y"=2, "z"=2]>
func.func @f(%a: tensor<8xf32>) {
  // expected-error@+1 {{operand sharding at index 0 must have all manual axes come before free axes in its dimension sharding at index 0. Saw manual axis "z" after free axis "y"}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{"x", "y", "z"}]>] out_shardings=[<@m, [{}]>] manual_axes={"x", "z"} (%b: tensor<2xf32>) {
    sdy.return %b : tensor<2xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=3]>
func.func @f(%a: tensor<8xf32>) {
  // expected-error@+1 {{operand dimension size 8 is not divisible by the manual axes size 3}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{"x"}]>] out_shardings=[<@m, [{}]>] manual_axes={"x"} (%b: tensor<2xf32>) {
    sdy.return %b : tensor<2xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @f(%a: tensor<8xf32>) {
  // expected-error@+1 {{result shape, corresponding sharding, and region result shape at index 0 must match. Expected local shape 'tensor<4xf32>', actual local shape 'i32'}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{}]>] out_shardings=[<@m, [{"x"}]>] manual_axes={"x"} (%b: tensor<8xf32>) {
    %1 = "t.op"() : () -> i32
    sdy.return %1 : i32
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2]>
sdy.mesh @n = <["x"=4]>
func.func @f(%a: tensor<8xf32>) {
  // expected-error@+1 {{all in and out shardings must be bound to the same mesh or an empty mesh.}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{}]>] out_shardings=[<@n, [{}]>] manual_axes={"x"} (%b: tensor<8xf32>) {
    sdy.return %b : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @f(%a: tensor<8xf32>) {
  // expected-error@+1 {{'sdy.manual_computation' op unknown manual axis: "y"}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{}]>] out_shardings=[<@m, [{}]>] manual_axes={"y"} (%b: tensor<8xf32>) {
    sdy.return %b : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @f(%a: tensor<8xf32>) {
  // expected-error@+1 {{number of block arguments must match the number of operands: 0 != 1}}
  sdy.named_computation<"n">(%a) () {
    sdy.return
  } : (tensor<8xf32>) -> ()
  return
}

// -----

func.func @f(%a: tensor<8xf32>) {
  // expected-error@+1 {{expected the type of the 0'th block argument to match the type of the corresponding operand: 'tensor<4xf32>' vs 'tensor<8xf32>'}}
  sdy.named_computation<"n">(%a) (%b: tensor<4xf32>) {
    sdy.return
  } : (tensor<8xf32>) -> ()
  return
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @f(%a: tensor<8xf32>) {
  // expected-error@+1 {{'sdy.named_computation' op in_shardings - unknown axis name: "y"}}
  sdy.named_computation<"n">(%a) in_shardings=[<@m, [{"y"}]>] (%b: tensor<8xf32>) {
    sdy.return
  } : (tensor<8xf32>) -> ()
  return
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @f(%a: tensor<8xf32>) {
  // expected-error@+1 {{'sdy.named_computation' op out_shardings shardings don't match number of values: 0 shardings vs 1 values}}
  %0 = sdy.named_computation<"n">(%a) out_shardings=[] (%b: tensor<8xf32>) {
    sdy.return %b : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @f(%a: tensor<8xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{inferred type(s) 'tensor<8xf32>' are incompatible with return type(s) of operation 'tensor<4xf32>'}}
  %0 = sdy.named_computation<"n">(%a) (%b: tensor<8xf32>) {
    sdy.return %b : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<4xf32>
  return
}
