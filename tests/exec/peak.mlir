// What takes no memory of its own: values in results that are not there yet, what a loop hands on, the beginning of what it
// carries, and results of kernels that nobody reads any more, which kernels write where they are planned.
// RUN: tessera run %s --function=lodge --input=random --check --dump-program --memory 2>&1 | FileCheck %s --check-prefix=LODGE
// RUN: tessera run %s --function=hand_on --input=random --check --dump-program --memory 2>&1 | FileCheck %s --check-prefix=LOOP
// RUN: tessera run %s --function=kernels --input=random --check --memory 2>&1 | FileCheck %s --check-prefix=KERNELS

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
