// RUN: tessera opt %s --split-input-file --verify-diagnostics
// Regions of the shape dialect.

func.func @a(%s: !shape.shape, %z: !shape.size, %t: tensor<?xindex>) {
  %r = "shape.reduce"(%s, %z) ({
    ^bb0(%arg8: index, %arg9: !shape.size, %arg10: !shape.size):
    // expected-error@+1 {{'shape.yield' op types mismatch between yield op and its parent}}
      "shape.yield"(%arg10) : (!shape.size) -> ()
    }) : (!shape.shape, !shape.size) -> index
  return
}
// -----
func.func @a(%s: !shape.shape, %z: !shape.size, %t: tensor<?xindex>) {
    // expected-error@+1 {{'shape.reduce' op ReduceOp body is expected to have 3 arguments}}
  %r = "shape.reduce"(%s, %z) ({
    ^bb0(%arg8: index, %arg9: !shape.size):
      "shape.yield"(%arg9) : (!shape.size) -> ()
    }) : (!shape.shape, !shape.size) -> !shape.size
  return
}
// -----
func.func @a(%s: !shape.shape, %z: !shape.size, %t: tensor<?xindex>) {
    // expected-error@+1 {{'shape.reduce' op argument 0 of ReduceOp body is expected to be of IndexType}}
  %r = "shape.reduce"(%s, %z) ({
    ^bb0(%arg8: !shape.size, %arg9: !shape.size, %arg10: !shape.size):
      "shape.yield"(%arg9) : (!shape.size) -> ()
    }) : (!shape.shape, !shape.size) -> !shape.size
  return
}
// -----
func.func @a(%s: !shape.shape, %z: !shape.size, %t: tensor<?xindex>) {
    // expected-error@+1 {{'shape.reduce' op argument 1 of ReduceOp body is expected to be of SizeType if the ReduceOp operates on a ShapeType}}
  %r = "shape.reduce"(%s, %z) ({
    ^bb0(%arg8: index, %arg9: index, %arg10: !shape.size):
      "shape.yield"(%arg10) : (!shape.size) -> ()
    }) : (!shape.shape, !shape.size) -> !shape.size
  return
}
// -----
func.func @a(%s: !shape.shape, %z: !shape.size, %t: tensor<?xindex>) {
    // expected-error@+1 {{'shape.reduce' op argument 1 of ReduceOp body is expected to be of IndexType if the ReduceOp operates on an extent tensor}}
  %r = "shape.reduce"(%t, %z) ({
    ^bb0(%arg8: index, %arg9: !shape.size, %arg10: !shape.size):
      "shape.yield"(%arg10) : (!shape.size) -> ()
    }) : (tensor<?xindex>, !shape.size) -> !shape.size
  return
}
// -----
func.func @a(%s: !shape.shape, %z: index, %t: tensor<?xindex>) {
    // expected-error@+1 {{'shape.reduce' op type mismatch between argument 2 of ReduceOp body and initial value 0}}
  %r = "shape.reduce"(%t, %z) ({
    ^bb0(%arg8: index, %arg9: index, %arg10: !shape.size):
      "shape.yield"(%arg10) : (!shape.size) -> ()
    }) : (tensor<?xindex>, index) -> !shape.size
  return
}
// -----
func.func @a(%s: !shape.shape, %z: !shape.size, %t: tensor<?xindex>) {
  %r = "shape.reduce"(%s, %z) ({
    ^bb0(%arg8: index, %arg9: !shape.size, %arg10: !shape.size):
    // expected-error@+1 {{'shape.yield' op number of operands does not match number of results of its parent}}
      "shape.yield"(%arg10,%arg10) : (!shape.size,!shape.size) -> ()
    }) : (!shape.shape, !shape.size) -> !shape.size
  return
}
// -----
func.func @a(%s: !shape.shape, %z: !shape.size, %w: !shape.witness) {
    // expected-error@+1 {{'shape.assuming' op  along control flow edge from Region #0 to parent results: source type #0 '!shape.size' should match input type #0 'index'}}
  %r = "shape.assuming"(%w) ({
      "shape.assuming_yield"(%z) : (!shape.size) -> ()
    }) : (!shape.witness) -> index
  return
}
// -----
func.func @a(%s: !shape.shape, %z: !shape.size, %w: !shape.witness) {
    // expected-error@+1 {{'shape.assuming' op  region control flow edge from Region #0 to parent results: source has 2 operands, but target successor needs 1}}
  %r = "shape.assuming"(%w) ({
      "shape.assuming_yield"(%z,%z) : (!shape.size,!shape.size) -> ()
    }) : (!shape.witness) -> index
  return
}
