// Devices read what others bring to a collective where it lies: nobody goes on before all have read, not even one that fails.
// RUN: tessera run %s --function=rounds --input=random --engine=reference --output=%t.npz
// RUN: tessera run %s --function=rounds --input=random --expect=%t.npz --rtol=0 --atol=0
// RUN: tessera run %s --function=rounds --input=random --expect=%t.npz --rtol=0 --atol=0 --threads=1
// RUN: tessera run %s --function=rounds --input=random --expect=%t.npz --rtol=0 --atol=0 --threads=3 --repeat=20
// RUN: not tessera run %s --function=one_fails --input=random 2>%t.compiled
// RUN: not tessera run %s --function=one_fails --input=random --engine=reference 2>%t.reference
// RUN: cmp %t.compiled %t.reference
// RUN: cat %t.compiled | FileCheck %s --check-prefix=FAILS
// FAILS: error: process (1, 0): 'stablehlo.collective_broadcast' op has root 7 for operand 0 in a group of 3
// RUN: tessera run %s --function=mixed --input=random --engine=reference --output=%t.mixed.npz
// RUN: tessera run %s --function=mixed --input=random --expect=%t.mixed.npz --rtol=0 --atol=0 --threads=2 --repeat=20

// Values are changed in place right after they were brought, by devices that have little to do and by some that have more.
func.func @rounds_local(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<192xf32>) {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<9> : tensor<i32>
  %h = stablehlo.constant dense<0.5> : tensor<64xf32>
  %r:2 = stablehlo.while(%k = %i, %a = %x) : tensor<i32>, tensor<64xf32>
   cond {
    %c = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %k1 = stablehlo.add %k, %one : tensor<i32>
    %p = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 2], [2, 0]]> : tensor<3x2xi64>}> : (tensor<64xf32>) -> tensor<64xf32>
    %b = stablehlo.negate %a : tensor<64xf32>
    %s = "stablehlo.all_reduce"(%b) <{replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> ({
      ^bb0(%u: tensor<f32>, %v: tensor<f32>):
        %w = stablehlo.add %u, %v : tensor<f32>
        stablehlo.return %w : tensor<f32>
    }) : (tensor<64xf32>) -> tensor<64xf32>
    %q = stablehlo.multiply %s, %h : tensor<64xf32>
    %t = stablehlo.add %q, %p : tensor<64xf32>
    %y = "stablehlo.all_to_all"(%t) <{split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 1 : i64, replica_groups = dense<[[0], [1], [2]]> : tensor<3x1xi64>}> : (tensor<64xf32>) -> tensor<64xf32>
    stablehlo.return %k1, %y : tensor<i32>, tensor<64xf32>
  }
  %g = "stablehlo.all_gather"(%r#1) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> : (tensor<64xf32>) -> tensor<192xf32>
  %z = "stablehlo.reduce_scatter"(%g) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> ({
    ^bb0(%u: tensor<f32>, %v: tensor<f32>):
      %w = stablehlo.maximum %u, %v : tensor<f32>
      stablehlo.return %w : tensor<f32>
  }) : (tensor<192xf32>) -> tensor<64xf32>
  return %z, %g : tensor<64xf32>, tensor<192xf32>
}
func.func @rounds(%x: tensor<64xf32>, %y: tensor<64xf32>, %z: tensor<64xf32>) -> (tensor<64xf32>, tensor<192xf32>, tensor<64xf32>, tensor<192xf32>, tensor<64xf32>, tensor<192xf32>) {
  %r:6 = "interpreter.run_parallel"(%x, %y, %z) <{programs = [[@rounds_local], [@rounds_local], [@rounds_local]]}> : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<192xf32>, tensor<64xf32>, tensor<192xf32>, tensor<64xf32>, tensor<192xf32>)
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5 : tensor<64xf32>, tensor<192xf32>, tensor<64xf32>, tensor<192xf32>, tensor<64xf32>, tensor<192xf32>
}

// The device in the middle does not know its root: it fails when the others may still read what it brought.
func.func @one_fails_local(%x: tensor<8xf32>) -> tensor<8xf32> {
  %i = stablehlo.replica_id : tensor<ui32>
  %one = stablehlo.constant dense<1> : tensor<ui32>
  %m = stablehlo.compare EQ, %i, %one : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
  %bad = stablehlo.constant dense<7> : tensor<1xi32>
  %good = stablehlo.constant dense<1> : tensor<1xi32>
  %root = stablehlo.select %m, %bad, %good : tensor<i1>, tensor<1xi32>
  %a = stablehlo.negate %x : tensor<8xf32>
  %0 = "stablehlo.collective_broadcast"(%a, %root) <{has_dynamic_root, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> : (tensor<8xf32>, tensor<1xi32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @one_fails(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %r:3 = "interpreter.run_parallel"(%x, %x, %x) <{programs = [[@one_fails_local], [@one_fails_local], [@one_fails_local]]}> : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  return %r#0, %r#1, %r#2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// Different ops meet: what they bring is copied, and nobody waits.
func.func @mixed_plain(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = stablehlo.negate %x : tensor<8xf32>
  %0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
  %b = stablehlo.add %0, %a : tensor<8xf32>
  %1 = "stablehlo.collective_permute"(%b) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
  %c = stablehlo.add %1, %b : tensor<8xf32>
  return %c : tensor<8xf32>
}
func.func @mixed_inside(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = stablehlo.multiply %x, %x : tensor<8xf32>
  %0 = call @again(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @again(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
  %b = stablehlo.add %0, %a : tensor<8xf32>
  %1 = "stablehlo.collective_permute"(%b) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
  %c = stablehlo.add %1, %b : tensor<8xf32>
  return %c : tensor<8xf32>
}
func.func @mixed(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %r:2 = "interpreter.run_parallel"(%x, %y) <{programs = [[@mixed_plain], [@mixed_inside]]}> : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}
