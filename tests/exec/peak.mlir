// What takes no memory of its own: values in results that are not there yet, what a loop hands on, the beginning of what it
// carries, and results of kernels that nobody reads any more, which kernels write where they are planned.
// RUN: tessera run %s --function=lodge --input=random --check --dump-program --memory 2>&1 | FileCheck %s --check-prefix=LODGE
// RUN: tessera run %s --function=hand_on --input=random --check --dump-program --memory 2>&1 | FileCheck %s --check-prefix=LOOP
// RUN: tessera run %s --function=kernels --input=random --check --memory 2>&1 | FileCheck %s --check-prefix=KERNELS
// RUN: tessera run %s --function=follow --input=random --check --dump-program --memory 2>&1 | FileCheck %s --check-prefix=FOLLOW
// RUN: tessera run %s --function=narrow --input=random --check --memory 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: tessera run %s --function=factors --input=random --check --dump-program --memory 2>&1 | FileCheck %s --check-prefix=FACTORS
// RUN: tessera run %s --function=no_factor --input=random --check --dump-program 2>&1 | FileCheck %s --check-prefix=NOFACTOR

// LODGE: {{.*}}writes %{{[0-9]+}}:64x64xf32@%[[R:[0-9]+]]+0
// LODGE: writes %[[R]]:64x64xf32@result
// LODGE: 256  arena
func.func @lodge(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.slice %0 [0:1, 0:64] : (tensor<64x64xf32>) -> tensor<1x64xf32>
  %2 = stablehlo.reshape %1 : (tensor<1x64xf32>) -> tensor<64xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %4 = stablehlo.add %2, %3 : tensor<64xf32>
  %5 = stablehlo.dot_general %4, %4, batching_dims = [] x [], contracting_dims = [] x [] : (tensor<64xf32>, tensor<64xf32>) -> tensor<64x64xf32>
  return %5 : tensor<64x64xf32>
}

// The weights are no part of what the loop carries, and the sum begins where it is carried: in the result.
// LOOP: map tanh {{.*}} writes %{{[0-9]+}}:8x8xf32@%[[R:[0-9]+]] bytes
// LOOP: while while {{.*}} writes %{{[0-9]+}}:i32@{{[0-9]+}} %[[R]]:8x8xf32@result bytes
// LOOP: 512  arguments
// LOOP: 256  results
func.func @hand_on(%w: tensor<8x8xf32>, %x: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %s = stablehlo.tanh %x : tensor<8x8xf32>
  %r:3 = stablehlo.while(%k = %i, %v = %w, %a = %s) : tensor<i32>, tensor<8x8xf32>, tensor<8x8xf32>
   cond {
    %n = stablehlo.constant dense<3> : tensor<i32>
    %c = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %k1 = stablehlo.add %k, %one : tensor<i32>
    %a1 = stablehlo.add %a, %v : tensor<8x8xf32>
    stablehlo.return %k1, %v, %a1 : tensor<i32>, tensor<8x8xf32>, tensor<8x8xf32>
  }
  return %r#1, %r#2 : tensor<8x8xf32>, tensor<8x8xf32>
}

// Four sorts, of which two are alive at a time: one in the result that is not there yet, one in the arena.
// KERNELS: 12000  peak
// KERNELS: 4000  arena
// KERNELS: 0  results of kernels
func.func @kernels(%a: tensor<1000xf32>) -> tensor<1000xf32> {
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<1000xf32>) -> tensor<1000xf32>
  %1 = "stablehlo.sort"(%0) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<1000xf32>) -> tensor<1000xf32>
  %2 = "stablehlo.sort"(%1) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<1000xf32>) -> tensor<1000xf32>
  %3 = "stablehlo.sort"(%2) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<1000xf32>) -> tensor<1000xf32>
  %4 = stablehlo.negate %3 : tensor<1000xf32>
  return %4 : tensor<1000xf32>
}

// An operand that is read element by element lies in the result that is computed in its place.
// FOLLOW: sort {{.*}} writes %{{[0-9]+}}:64x32xf32@%[[R:[0-9]+]]+0
// FOLLOW: writes %[[R]]:64x32xf32@result
// FOLLOW: 0  arena
func.func @follow(%a: tensor<64x32xf32>, %b: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %1 = "stablehlo.sort"(%a) <{dimension = 1 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<64x32xf32>) -> tensor<64x32xf32>
  %2 = stablehlo.subtract %b, %1 : tensor<64x32xf32>
  %3 = stablehlo.multiply %2, %1 : tensor<64x32xf32>
  return %3 : tensor<64x32xf32>
}

// Not one whose elements have another size.
// NARROW: 4096  arena
func.func @narrow(%a: tensor<64x32xbf16>) -> tensor<64x32xf32> {
  %1 = "stablehlo.sort"(%a) <{dimension = 1 : i64}> ({
  ^bb0(%x: tensor<bf16>, %y: tensor<bf16>):
    %c = stablehlo.compare LT, %x, %y : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<64x32xbf16>) -> tensor<64x32xbf16>
  %2 = stablehlo.convert %1 : (tensor<64x32xbf16>) -> tensor<64x32xf32>
  return %2 : tensor<64x32xf32>
}

// Factors are computed where the matrices were, solutions where the right sides were; all of it in the result.
// FACTORS: move cholesky reads %[[A:[0-9]+]]:{{.*}} writes %{{[0-9]+}}:4x8x8xf32@%[[A]] 
// FACTORS: writes %{{[0-9]+}}:4x8x8xf32@%[[R:[0-9]+]]+0
// FACTORS: move triangular_solve {{.*}} writes %[[R]]:4x8x8xf32@result
// FACTORS: 1024  arena
func.func @factors(%x: tensor<4x8x8xf32>) -> tensor<4x8x8xf32> {
  %i = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %e = stablehlo.compare EQ, %i, %j : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %eb = stablehlo.broadcast_in_dim %e, dims = [1, 2] : (tensor<8x8xi1>) -> tensor<4x8x8xi1>
  %d = stablehlo.constant dense<32.0> : tensor<4x8x8xf32>
  %t = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %b = stablehlo.optimization_barrier %t : tensor<4x8x8xf32>
  %s = stablehlo.select %eb, %d, %b : tensor<4x8x8xi1>, tensor<4x8x8xf32>
  %l = stablehlo.cholesky %s, lower = true : tensor<4x8x8xf32>
  %y = "stablehlo.triangular_solve"(%l, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<4x8x8xf32>, tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  return %y : tensor<4x8x8xf32>
}

// LAPACK's target gives back a matrix without factor as it came, and the other triangle always: in place, too.
// NOFACTOR: move custom_call reads %[[A:[0-9]+]]:{{.*}} writes %{{[0-9]+}}:3x4x4xf32@%[[A]] 
func.func @no_factor(%x: tensor<3x4x4xf32>) -> (tensor<3x4x4xf32>, tensor<3xi32>) {
  %c = stablehlo.constant dense<[-9.0, 9.0, 0.0]> : tensor<3xf32>
  %i = stablehlo.iota dim = 0 : tensor<4x4xi32>
  %j = stablehlo.iota dim = 1 : tensor<4x4xi32>
  %e = stablehlo.compare EQ, %i, %j : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
  %eb = stablehlo.broadcast_in_dim %e, dims = [1, 2] : (tensor<4x4xi1>) -> tensor<3x4x4xi1>
  %d = stablehlo.broadcast_in_dim %c, dims = [0] : (tensor<3xf32>) -> tensor<3x4x4xf32>
  %s = stablehlo.select %eb, %d, %x : tensor<3x4x4xi1>, tensor<3x4x4xf32>
  %r:2 = stablehlo.custom_call @lapack_spotrf_ffi(%s) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<3x4x4xf32>) -> (tensor<3x4x4xf32>, tensor<3xi32>)
  %n = stablehlo.negate %r#0 : tensor<3x4x4xf32>
  return %n, %r#1 : tensor<3x4x4xf32>, tensor<3xi32>
}
