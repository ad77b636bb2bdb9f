// What regions yield must be what comes next takes; in MLIR's words.
// RUN: tessera opt %s -split-input-file -verify-diagnostics
func.func @a(%p: i1, %x: f32) -> f32 {
  // expected-error @+1 {{region control flow edge from Region #0 to parent results: source has 2 operands, but target successor needs 1}}
  %0 = scf.if %p -> (f32) {
    scf.yield %x, %x : f32, f32
  } else {
    scf.yield %x : f32
  }
  return %0 : f32
}
// -----
func.func @b(%p: i1, %x: f32, %y: i32) -> f32 {
  // expected-error @+1 {{along control flow edge from Region #1 to parent results: source type #0 'i32' should match input type #0 'f32'}}
  %0 = scf.if %p -> (f32) {
    scf.yield %x : f32
  } else {
    scf.yield %y : i32
  }
  return %0 : f32
}
// -----
func.func @c(%n: index, %x: f32, %y: i32) -> f32 {
  // expected-error @+1 {{0-th region iter_arg and 0-th yielded value have different type: 'f32' != 'i32'}}
  %0 = scf.for %i = %n to %n step %n iter_args(%a = %x) -> (f32) {
    scf.yield %y : i32
  }
  return %0 : f32
}
// -----
func.func @d(%n: index, %x: f32) -> f32 {
  // expected-error @+1 {{region control flow edge from Region #0 to Region #0: source has 0 operands, but target successor needs 1}}
  %0 = scf.for %i = %n to %n step %n iter_args(%a = %x) -> (f32) {
    scf.yield
  }
  return %0 : f32
}
// -----
func.func @e(%x: f32, %p: i1) -> i32 {
  // expected-error @+1 {{along control flow edge from Region #0 to parent results: source type #0 'f32' should match input type #0 'i32'}}
  %0 = scf.while (%a = %x) : (f32) -> i32 {
    scf.condition(%p) %a : f32
  } do {
  ^bb0(%b: i32):
    scf.yield %x : f32
  }
  return %0 : i32
}
// -----
func.func @f(%x: f32, %y: i32, %p: i1) -> i32 {
  // expected-error @+1 {{along control flow edge from Region #1 to Region #0: source type #0 'i32' should match input type #0 'f32'}}
  %0 = scf.while (%a = %x) : (f32) -> i32 {
    scf.condition(%p) %y : i32
  } do {
  ^bb0(%b: i32):
    scf.yield %y : i32
  }
  return %0 : i32
}
// -----
func.func @g(%x: f32, %y: i32) -> i32 {
  // expected-error @+1 {{expects the 'before' region to terminate with 'scf.condition'}}
  %0 = scf.while (%a = %x) : (f32) -> i32 {
    scf.yield %y : i32
  } do {
  ^bb0(%b: i32):
    scf.yield %x : f32
  }
  return %0 : i32
}
