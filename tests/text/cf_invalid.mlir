// RUN: tessera opt %s -split-input-file -verify-diagnostics

func.func @count(%a: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{'cf.br' op branch has 0 operands for successor #0, but target block has 1}}
  cf.br ^bb1
^bb1(%x: tensor<f32>):
  return %x : tensor<f32>
}

// -----

func.func @types(%a: tensor<f32>, %c: i1) -> tensor<i32> {
  // expected-error@+1 {{'cf.cond_br' op type mismatch for bb argument #0 of successor #1}}
  cf.cond_br %c, ^bb2, ^bb1(%a : tensor<f32>)
^bb1(%x: tensor<i32>):
  return %x : tensor<i32>
^bb2:
  cf.br ^bb2
}
