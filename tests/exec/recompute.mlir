// A loop computes cheap values of an earlier loop itself when they follow from fewer bytes that are in memory.
// RUN: tessera run %s --function=gelu --input=random --check --dump-program --memory 2>&1 | FileCheck %s --check-prefix=GELU
// RUN: tessera run %s --function=gelu --input=random --check=ops
// RUN: tessera run %s --function=dear --input=random --check --dump-program 2>&1 | FileCheck %s --check-prefix=DEAR
// RUN: tessera run %s --function=fenced --input=random --check --dump-program 2>&1 | FileCheck %s --check-prefix=FENCED
// RUN: tessera run %s --function=narrow --input=random --engine=reference --output=%t.npz
// RUN: tessera run %s --function=narrow --input=random --strict-rounding --expect=%t.npz --rtol=0 --atol=0
// RUN: tessera run %s --function=inside --input=random --check
// RUN: tessera run %s --function=reached_twice --input=random --check

// Of 1 + t and 1 - t, which the last loop reads, t is kept.
// GELU: map tanh+add+exponential n{{.*}} writes [[T:%[0-9]+]]:64x64xf32@{{[%+0-9]+}} {{%[0-9]+}}:64x64xf32@{{[%+0-9]+}} bytes
// GELU: contract dot_general+add+multiply+subtract+multiply {{.*}}[[T]]:64x64xf32{{.*}} writes {{%[0-9]+}}:64x64xf32@result
// GELU: 32768  arena
func.func @gelu(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<64x64xf32>
  %t = stablehlo.tanh %x : tensor<64x64xf32>
  %a = stablehlo.add %one, %t : tensor<64x64xf32>
  %b = stablehlo.subtract %one, %t : tensor<64x64xf32>
  %e = stablehlo.exponential %a : tensor<64x64xf32>
  %0 = stablehlo.dot_general %e, %w, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = stablehlo.multiply %1, %a : tensor<64x64xf32>
  %3 = stablehlo.multiply %2, %b : tensor<64x64xf32>
  return %3 : tensor<64x64xf32>
}

// What is not cheap is kept.
// DEAR: map tanh+exponential{{.*}} writes {{%[0-9]+}}:64x64xf32@{{[%+0-9]+}} [[E:%[0-9]+]]:64x64xf32
// DEAR: contract dot_general+multiply{{.*}} reads {{.*}}[[E]]
func.func @dear(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %t = stablehlo.tanh %x : tensor<64x64xf32>
  %e = stablehlo.exponential %t : tensor<64x64xf32>
  %0 = stablehlo.dot_general %t, %x, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.multiply %0, %e : tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}

// What comes out of a barrier is in memory.
// FENCED: map add{{.*}} writes [[A:%[0-9]+]]:64x64xf32
// FENCED: multiply{{.*}} reads {{.*}}[[A]]
func.func @fenced(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %a = stablehlo.add %x, %x : tensor<64x64xf32>
  %b = stablehlo.optimization_barrier %a : tensor<64x64xf32>
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.multiply %0, %b : tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}

func.func @narrow(%x: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %one = stablehlo.constant dense<1.0> : tensor<32x32xbf16>
  %a = stablehlo.multiply %x, %x : tensor<32x32xbf16>
  %b = stablehlo.add %a, %one : tensor<32x32xbf16>
  %0 = stablehlo.transpose %b, dims = [1, 0] : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %m = stablehlo.reverse %0, dims = [0] : tensor<32x32xbf16>
  %1 = stablehlo.maximum %m, %b : tensor<32x32xbf16>
  return %1 : tensor<32x32xbf16>
}

// Values from outside of a loop, and of the loop itself.
func.func @inside(%x: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %s = stablehlo.add %x, %x : tensor<16xf32>
  %r:2 = stablehlo.while(%k = %i, %a = %s) : tensor<i32>, tensor<16xf32>
   cond {
    %n = stablehlo.constant dense<3> : tensor<i32>
    %c = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %k1 = stablehlo.add %k, %one : tensor<i32>
    %b = stablehlo.multiply %a, %s : tensor<16xf32>
    %t = stablehlo.reverse %b, dims = [0] : tensor<16xf32>
    %d = stablehlo.negate %t : tensor<16xf32>
    %e = stablehlo.add %d, %b : tensor<16xf32>
    stablehlo.return %k1, %e : tensor<i32>, tensor<16xf32>
  }
  %u = stablehlo.subtract %r#1, %s : tensor<16xf32>
  return %r#1, %u : tensor<16xf32>, tensor<16xf32>
}

// The copy of %v1 is made for %v7; then %v5's copies, which are before it and end at %v1, read it, too.
func.func @reached_twice(%m: tensor<16xf32>) -> tensor<16xf32> {
  %k = stablehlo.constant dense<0.5> : tensor<16xf32>
  %v1 = stablehlo.multiply %m, %k : tensor<16xf32>
  %v2 = stablehlo.multiply %v1, %k : tensor<16xf32>
  %v3 = stablehlo.add %v2, %v2 : tensor<16xf32>
  %v4 = stablehlo.multiply %v3, %k : tensor<16xf32>
  %v5 = stablehlo.add %v4, %v4 : tensor<16xf32>
  %v6 = stablehlo.add %v1, %k : tensor<16xf32>
  %v7 = stablehlo.subtract %v6, %k : tensor<16xf32>
  %v8 = stablehlo.multiply %v5, %v7 : tensor<16xf32>
  %v9 = stablehlo.maximum %v8, %v1 : tensor<16xf32>
  %q = "stablehlo.sort"(%v9) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<16xf32>) -> tensor<16xf32>
  %v10 = stablehlo.add %v5, %q : tensor<16xf32>
  %v11 = stablehlo.add %v7, %v10 : tensor<16xf32>
  %v12 = stablehlo.add %v1, %v11 : tensor<16xf32>
  return %v12 : tensor<16xf32>
}
