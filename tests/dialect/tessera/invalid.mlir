// What Graph IR refuses, and what it says.
// RUN: tessera opt %s -split-input-file -verify-diagnostics

func.func @broadcast(%a: tensor<2x3xf32>, %b: tensor<2xf32>) {
  // expected-error @+2 {{'tessera.add' op has operands that do not broadcast: 3 against 2 in 'tensor<2x3xf32>' and 'tensor<2xf32>'}}
  // expected-error @+1 {{'tessera.add' op failed to infer returned types}}
  %0 = tessera.add %a, %b : tensor<2x3xf32>, tensor<2xf32> -> tensor<2x3xf32>
  return
}

// -----

func.func @zero_is_not_one(%a: tensor<0xf32>, %b: tensor<1xf32>) {
  %0 = tessera.add %a, %b : tensor<0xf32>, tensor<1xf32> -> tensor<0xf32>
  // expected-error @+2 {{inferred type(s) 'tensor<0xf32>' are incompatible with return type(s) of operation 'tensor<1xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %1 = tessera.add %a, %b : tensor<0xf32>, tensor<1xf32> -> tensor<1xf32>
  return
}

// -----

func.func @promotion(%a: tensor<ui64>, %b: tensor<i64>) {
  // expected-error @+2 {{'tessera.mul' op has no common type for elements of 'ui64' and 'i64'}}
  // expected-error @+1 {{failed to infer}}
  %0 = tessera.mul %a, %b : tensor<ui64>, tensor<i64> -> tensor<i64>
  return
}

// -----

func.func @element(%a: tensor<4xbf16>, %b: tensor<4xf16>) {
  // expected-error @+2 {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<4xbf16>'}}
  // expected-error @+1 {{failed to infer}}
  %0 = tessera.mul %a, %b : tensor<4xbf16>, tensor<4xf16> -> tensor<4xbf16>
  return
}

// -----

func.func @matmul_inner(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) {
  // expected-error @+2 {{'tessera.matmul' op contracts dimensions of sizes 3 and 2}}
  // expected-error @+1 {{failed to infer}}
  %0 = tessera.matmul %a, %b : tensor<2x3xf32>, tensor<2x4xf32> -> tensor<2x4xf32>
  return
}

// -----

func.func @matmul_rank(%a: tensor<3xf32>, %b: tensor<3x4xf32>) {
  // expected-error @+2 {{'tessera.matmul' op multiplies matrices; operand #0 is 'tensor<3xf32>'}}
  // expected-error @+1 {{failed to infer}}
  %0 = tessera.matmul %a, %b : tensor<3xf32>, tensor<3x4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @matmul_transposed(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) {
  // expected-error @+2 {{inferred type(s) 'tensor<2x4xf32>' are incompatible}}
  // expected-error @+1 {{failed to infer}}
  %0 = tessera.matmul %a, %b {rhs_transpose = true} : tensor<2x3xf32>, tensor<4x3xf32> -> tensor<2x3xf32>
  return
}

// -----

func.func @softmax(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'tessera.softmax' op has axis 2; the operand has 2 dimensions}}
  %0 = tessera.softmax %a {axis = 2} : tensor<2x3xf32> -> tensor<2x3xf32>
  return
}

// -----

func.func @ints(%a: tensor<2x3xi32>) {
  // expected-error @+1 {{'tessera.exp' op operand #0 must be tensor of float values, but got 'tensor<2x3xi32>'}}
  %0 = tessera.exp %a : tensor<2x3xi32> -> tensor<2x3xi32>
  return
}

// -----

func.func @gelu(%a: tensor<3xf32>) {
  // expected-error @+1 {{'tessera.gelu' op has approximate "fast", which is neither "none" nor "tanh"}}
  %0 = tessera.gelu %a {approximate = "fast"} : tensor<3xf32> -> tensor<3xf32>
  return
}

// -----

func.func @reshape(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'tessera.reshape' op has 6 elements and makes 8 of them}}
  %0 = tessera.reshape %a : tensor<2x3xf32> -> tensor<8xf32>
  return
}

// -----

func.func @broadcast_op(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'tessera.broadcast' op cannot repeat 'tensor<2x3xf32>' to 'tensor<4x3xf32>'}}
  %0 = tessera.broadcast %a : tensor<2x3xf32> -> tensor<4x3xf32>
  return
}

// -----

func.func @transpose(%a: tensor<2x3xf32>) {
  // expected-error @+2 {{'tessera.transpose' op permutes a dimension twice}}
  // expected-error @+1 {{failed to infer}}
  %0 = tessera.transpose %a, dims = [1, 1] : tensor<2x3xf32> -> tensor<3x3xf32>
  return
}

// -----

func.func @reduce_kind(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{attribute 'kind' failed to satisfy constraint: one of "sum", "mean", "max", "min", "prod"}}
  %0 = tessera.reduce "median" %a : tensor<2x3xf32> -> tensor<f32>
  return
}

// -----

func.func @reduce_twice(%a: tensor<2x3xf32>) {
  // expected-error @+2 {{'tessera.reduce' op reduces dimension 1 twice}}
  // expected-error @+1 {{failed to infer}}
  %0 = tessera.reduce "sum" %a, dims = [1, -1] : tensor<2x3xf32> -> tensor<2xf32>
  return
}

// -----

func.func @norm(%a: tensor<2x3xf32>, %b: tensor<2xf32>) {
  // expected-error @+2 {{does not broadcast}}
  // expected-error @+1 {{failed to infer}}
  %0 = tessera.layer_norm %a, %b : tensor<2x3xf32>, tensor<2xf32> -> tensor<2x3xf32>
  return
}

// -----

func.func @attention(%q: tensor<2x5x4xf32>, %k: tensor<2x7x4xf32>, %v: tensor<2x6x4xf32>) {
  // expected-error @+2 {{'tessera.flash_attention' op has 7 keys and 6 values}}
  // expected-error @+1 {{failed to infer}}
  %0 = tessera.flash_attention %q, %k, %v : tensor<2x5x4xf32>, tensor<2x7x4xf32>, tensor<2x6x4xf32> -> tensor<2x5x4xf32>
  return
}

// -----

func.func @attention_mask(%q: tensor<2x5x4xf32>, %k: tensor<2x7x4xf32>, %m: tensor<7x5xi1>) {
  // expected-error @+2 {{does not broadcast}}
  // expected-error @+1 {{failed to infer}}
  %0 = tessera.flash_attention %q, %k, %k, %m : tensor<2x5x4xf32>, tensor<2x7x4xf32>, tensor<2x7x4xf32>, tensor<7x5xi1> -> tensor<2x5x4xf32>
  return
}

// -----

func.func @attention_second_mask(%q: tensor<5x4xf32>, %k: tensor<7x4xf32>, %m: tensor<7xi1>, %n: tensor<7xi32>) {
  // expected-error @+2 {{is of floats, and its masks of floats or i1}}
  // expected-error @+1 {{failed to infer}}
  %0 = tessera.flash_attention %q, %k, %k, %m, %n : tensor<5x4xf32>, tensor<7x4xf32>, tensor<7x4xf32>, tensor<7xi1>, tensor<7xi32> -> tensor<5x4xf32>
  return
}

// -----

func.func @rotary_odd(%x: tensor<2x3xf32>, %c: tensor<3xf32>) {
  // expected-error @+2 {{turns pairs of the last dimension; the operand is 'tensor<2x3xf32>'}}
  // expected-error @+1 {{failed to infer}}
  %0 = tessera.rotary %x, %c, %c : tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32> -> tensor<2x3xf32>
  return
}

// -----

func.func @rotary_angles(%x: tensor<2x8xf32>, %c: tensor<4xf32>, %s: tensor<3x4xf32>) {
  // expected-error @+2 {{has operand #2, 'tensor<3x4xf32>', which does not broadcast to 'tensor<2x8xf32>'}}
  // expected-error @+1 {{failed to infer}}
  %0 = tessera.rotary %x, %c, %s : tensor<2x8xf32>, tensor<4xf32>, tensor<3x4xf32> -> tensor<2x8xf32>
  return
}

// -----

// expected-error @+1 {{names 1 dimensions of a tensor that has 2}}
func.func @names(%a: tensor<?x?xf32, #tessera.dims<["B"]>>) {
  return
}

// -----

// expected-error @+1 {{names dimension 1, whose size is known}}
func.func @known(%a: tensor<?x4xf32, #tessera.dims<["B", "K"]>>) {
  return
}

// -----

func.func @name(%a: tensor<?xf32, #tessera.dims<["B"]>>) {
  // expected-error @+2 {{are incompatible with return type(s)}}
  // expected-error @+1 {{failed to infer}}
  %0 = tessera.exp %a : tensor<?xf32, #tessera.dims<["B"]>> -> tensor<?xf32, #tessera.dims<["C"]>>
  return
}

// -----

func.func @state() -> tensor<4xf32> {
  // expected-error @+1 {{'tessera.state_read' op names '@counter', which is no tessera.state}}
  %0 = tessera.state_read @counter : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

tessera.state @counter = dense<0.0> : tensor<4xf32>
func.func @state_type(%x: tensor<5xf32>) {
  // expected-error @+1 {{'tessera.state_update' op has 'tensor<5xf32>' for a state of type 'tensor<4xf32>'}}
  tessera.state_update @counter, %x : tensor<5xf32>
  return
}

// -----

tessera.state @counter = dense<0.0> : tensor<4xf32>
func.func @random() -> tensor<5xf32> {
  // expected-error @+1 {{'tessera.random' op draws from a key and a counter, tensor<2xui64>, not from 'tensor<4xf32>'}}
  %0 = tessera.random @counter : tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @no_mesh(%x: tensor<5xf32>) {
  // expected-error @+1 {{'tessera.allreduce' op says neither mesh nor devices}}
  %0 = tessera.allreduce %x : tensor<5xf32> -> tensor<5xf32>
  return
}

// -----

tessera.mesh @mesh = <["x"=2]>
func.func @group(%x: tensor<5xf32>) {
  // expected-error @+1 {{'tessera.allreduce' op names a mesh or a group that is not there}}
  %0 = tessera.allreduce %x {mesh = @mesh, group = "y"} : tensor<5xf32> -> tensor<5xf32>
  return
}

// -----

tessera.mesh @mesh = <["x"=2]>
func.func @gather(%x: tensor<5xf32>) {
  // expected-error @+1 {{'tessera.all_gather' op makes 'tensor<15xf32>' of 'tensor<5xf32>' in groups of 2}}
  %0 = tessera.all_gather %x {mesh = @mesh, group = "x"} : tensor<5xf32> -> tensor<15xf32>
  return
}

// -----

tessera.mesh @mesh = <["x"=2]>
func.func @shard(%x: tensor<5xf32>) {
  // expected-error @+1 {{'tessera.shard' op shards over the axis 'y', which the mesh does not have}}
  %0 = tessera.shard %x <@mesh, [{"y"}]> : tensor<5xf32> -> tensor<5xf32>
  return
}

// -----

// expected-error @+1 {{'tessera.mesh' op has a group 'dp' that is no list of its axes}}
tessera.mesh @mesh = <["x"=2]> {groups = {dp = ["y"]}}

// -----

func.func @vjp(%x: tensor<5xf32>) {
  // expected-error @+1 {{'tessera.vjp' op names '@f', which is no function}}
  %0 = tessera.vjp @f(%x, %x) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func private @f(%x: tensor<5xf32>) -> tensor<5xf32>
func.func @vjp(%x: tensor<5xf32>) {
  // expected-error @+1 {{must be (arguments, cotangents) -> (gradients)}}
  %0 = tessera.vjp @f(%x) : (tensor<5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @fused(%x: tensor<5xf32>) {
  // expected-error @+1 {{'tessera.fused' op yields 0 values for 1 results}}
  %0 = tessera.fused "elementwise"(%x) (%a: tensor<5xf32>) {
    tessera.yield
  } : (tensor<5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @unknown(%x: tensor<5xf32>) {
  // expected-error @+1 {{custom op 'tessera.frobnicate' is unknown}}
  %0 = tessera.frobnicate %x : tensor<5xf32> -> tensor<5xf32>
  return
}
