// RUN: tessera opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// Rules of ops that run regions: if, case, while, map, sort, async_start and async_done.

func.func @good(%p: tensor<i1>, %n: tensor<i32>, %a: tensor<2xf32>, %d: tensor<?xf32>, %b: tensor<?xf32, #stablehlo.bounds<3>>, %t: !stablehlo.token) {
  // A result is as wide as the branches together.
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<2xf32>
  }, {
    stablehlo.return %b : tensor<?xf32, #stablehlo.bounds<3>>
  }) : (tensor<i1>) -> tensor<?xf32, #stablehlo.bounds<3>>
  %1:2 = "stablehlo.case"(%n) ({
    stablehlo.return %a, %t : tensor<2xf32>, !stablehlo.token
  }, {
    stablehlo.return %d, %t : tensor<?xf32>, !stablehlo.token
  }) : (tensor<i32>) -> (tensor<?xf32>, !stablehlo.token)
  %2:2 = stablehlo.while(%i = %n, %x = %d) : tensor<i32>, tensor<?xf32>
   cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    stablehlo.return %i, %a : tensor<i32>, tensor<2xf32>
  }
  %3 = "stablehlo.map"(%a, %a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %4:2 = "stablehlo.sort"(%a, %a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    %c = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f(%p: tensor<i1>, %a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error @+2 {{branch 0 and branch 1 have mismatched return types: 'tensor<2xf32>' vs 'tensor<3xf32>'}}
  // expected-error @+1 {{'stablehlo.if' op failed to infer returned types}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<2xf32>
  }, {
    stablehlo.return %b : tensor<3xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%p: tensor<1xi1>, %a: tensor<2xf32>) {
  // expected-error @+2 {{operand should be rank 0 tensor but got rank 1}}
  // expected-error @+1 {{'stablehlo.if' op failed to infer returned types}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<2xf32>
  }, {
    stablehlo.return %a : tensor<2xf32>
  }) : (tensor<1xi1>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%p: tensor<i1>, %a: tensor<2xf32>) {
  // expected-error @+2 {{branch 1 must have 0 arguments, but found 1}}
  // expected-error @+1 {{'stablehlo.if' op failed to infer returned types}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<2xf32>
  }, {
  ^bb0(%x: tensor<2xf32>):
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%n: tensor<i32>) {
  // expected-error @+2 {{expect at least one branch}}
  // expected-error @+1 {{'stablehlo.case' op failed to infer returned types}}
  "stablehlo.case"(%n) : (tensor<i32>) -> ()
  return
}

// -----

func.func @f(%p: tensor<i1>, %a: tensor<2xf32>) {
  // expected-error @+2 {{'stablehlo.if' op inferred type(s) 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<3xf32>'}}
  // expected-error @+1 {{'stablehlo.if' op failed to infer returned types}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<2xf32>
  }, {
    stablehlo.return %a : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%n: tensor<i32>, %c: tensor<i1>, %f: tensor<f32>) {
  // expected-error @+1 {{expect operands to be compatible with condition block arguments but got 'tensor<i32>' vs 'tensor<f32>'}}
  %0 = "stablehlo.while"(%n) ({
  ^bb0(%i: tensor<f32>):
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%j: tensor<i32>):
    stablehlo.return %n : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @f(%n: tensor<i32>, %c: tensor<i1>, %f: tensor<f32>) {
  // expected-error @+1 {{expect operands to be compatible with body block arguments but got 'tensor<i32>' vs 'tensor<i32>', 'tensor<i32>'}}
  %0 = "stablehlo.while"(%n) ({
  ^bb0(%i: tensor<i32>):
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%j: tensor<i32>, %k: tensor<i32>):
    stablehlo.return %n : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @f(%n: tensor<i32>, %c: tensor<i1>, %f: tensor<f32>) {
  // expected-error @+1 {{expect operands to be compatible with body block return types but got 'tensor<i32>' vs 'tensor<f32>'}}
  %0 = "stablehlo.while"(%n) ({
  ^bb0(%i: tensor<i32>):
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%j: tensor<i32>):
    stablehlo.return %f : tensor<f32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @f(%n: tensor<i32>, %c: tensor<i1>, %f: tensor<f32>) {
  // expected-error @+1 {{The while body-region expected to have a terminator}}
  %0 = "stablehlo.while"(%n) ({
  ^bb0(%i: tensor<i32>):
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%j: tensor<i32>):
    %x = stablehlo.add %j, %j : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @f(%n: tensor<i32>, %c: tensor<i1>, %f: tensor<f32>) {
  // expected-error @+1 {{expect condition body returns a single value but got 2}}
  %0 = "stablehlo.while"(%n) ({
  ^bb0(%i: tensor<i32>):
    stablehlo.return %c, %c : tensor<i1>, tensor<i1>
  }, {
  ^bb0(%j: tensor<i32>):
    stablehlo.return %n : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @f(%n: tensor<i32>, %c: tensor<i1>, %f: tensor<f32>) {
  // expected-error @+1 {{expect condition block return a zero-ranked tensor of i1 but got 'tensor<f32>'}}
  %0 = "stablehlo.while"(%n) ({
  ^bb0(%i: tensor<i32>):
    stablehlo.return %f : tensor<f32>
  }, {
  ^bb0(%j: tensor<i32>):
    stablehlo.return %n : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @+2 {{expects number of operands to match the arity of map computation, but got: 1 and 2}}
  // expected-error @+1 {{'stablehlo.map' op failed to infer returned types}}
  %0 = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @+2 {{computation arguments must be 0-rank tensor, but got: arg #0 of type 'tensor<2xf32>'}}
  // expected-error @+1 {{'stablehlo.map' op failed to infer returned types}}
  %0 = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<2xf32>):
    stablehlo.return %x : tensor<2xf32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @+2 {{element type of operands and computation arguments must match, but got: 'f32' and 'i32'}}
  // expected-error @+1 {{'stablehlo.map' op failed to infer returned types}}
  %0 = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @+2 {{computation must return single output, but got: 0}}
  // expected-error @+1 {{'stablehlo.map' op failed to infer returned types}}
  %0 = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @+2 {{computation must return 0-rank tensor, but got: 'tensor<1xf32>'}}
  // expected-error @+1 {{'stablehlo.map' op failed to infer returned types}}
  %0 = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<f32>):
    %y = stablehlo.reshape %x : (tensor<f32>) -> tensor<1xf32>
    stablehlo.return %y : tensor<1xf32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @+2 {{requires monotonically increasing dimension numbers, but got: 1, 0}}
  // expected-error @+1 {{'stablehlo.map' op failed to infer returned types}}
  %0 = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @+2 {{applied to a subset of dimensions currently not supported: operand dimensions = 2, requested map dimensions size = 1}}
  // expected-error @+1 {{'stablehlo.map' op failed to infer returned types}}
  %0 = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %c: tensor<i1>) {
  // expected-error @+1 {{dimension attribute value must be in range [-1, 1), but found 1}}
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %c : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %c: tensor<i1>) {
  // expected-error @+1 {{comparator block should have 2 arguments}}
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %c : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %c: tensor<i1>) {
  // expected-error @+1 {{comparator block argument #1 should be of type 'tensor<f32>' but got 'tensor<i32>'}}
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<i32>):
    stablehlo.return %c : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %c: tensor<i1>) {
  // expected-error @+1 {{comparator must return single output but got 2}}
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %c, %c : tensor<i1>, tensor<i1>
  }) {dimension = 0 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %c: tensor<i1>) {
  // expected-error @+1 {{comparator must return tensor<i1> but got 'tensor<f32>'}}
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimension = 0 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  %f = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<4xf32>):
    %0 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %0 : tensor<4xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error @+2 {{'stablehlo.async_start' op region must contain exactly one operation and a return}}
  // expected-error @+1 {{'stablehlo.async_start' op failed to infer returned types}}
  %f = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<4xf32>):
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error @+2 {{'stablehlo.async_start' op region must contain a collective or slice operation}}
  // expected-error @+1 {{'stablehlo.async_start' op failed to infer returned types}}
  %f = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<4xf32>):
    %0 = stablehlo.abs %x : tensor<4xf32>
    stablehlo.return %0 : tensor<4xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error @+2 {{'stablehlo.async_start' op number of operands (1) must match number of region arguments (2)}}
  // expected-error @+1 {{'stablehlo.async_start' op failed to infer returned types}}
  %f = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<4xf32>, %y: tensor<4xf32>):
    %0 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %0 : tensor<4xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error @+2 {{'stablehlo.async_start' op operand type 'tensor<4xf32>' at index 0 must match region argument type 'tensor<4xi32>'}}
  // expected-error @+1 {{'stablehlo.async_start' op failed to infer returned types}}
  %f = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<4xi32>):
    %0 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xi32>) -> tensor<4xi32>
    stablehlo.return %0 : tensor<4xi32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error @+2 {{'stablehlo.async_start' op region must return exactly one value, but got 2}}
  // expected-error @+1 {{'stablehlo.async_start' op failed to infer returned types}}
  %f = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<4xf32>):
    %0 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %0, %0 : tensor<4xf32>, tensor<4xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error @+2 {{'stablehlo.async_start' op inferred type(s) '!stablehlo.future<tensor<4xf32>>' are incompatible with return type(s) of operation '!stablehlo.future<tensor<5xf32>>'}}
  // expected-error @+1 {{'stablehlo.async_start' op failed to infer returned types}}
  %f = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<4xf32>):
    %0 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %0 : tensor<4xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<5xf32>>
  return
}

// -----

func.func @f(%f: !stablehlo.future<tensor<4xf32>, tensor<4xf32>>) {
  // expected-error @+2 {{'stablehlo.async_done' op future must have exactly one type parameter, but got 2}}
  // expected-error @+1 {{'stablehlo.async_done' op failed to infer returned types}}
  %0 = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<4xf32>, tensor<4xf32>>) -> tensor<4xf32>
  return
}
