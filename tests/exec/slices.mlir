// A dynamic slice that lies in one piece is read where it lies, when what it is a part of stays as it is: nothing is copied, and it has no memory.
// RUN: tessera run %s --input=random --check --dump-program --output=%t.npz 2>&1 | FileCheck %s
// RUN: tessera run %s --input=random --threads=1 --expect=%t.npz --rtol=0 --atol=0
// RUN: tessera run %s --input=random --threads=3 --expect=%t.npz --rtol=0 --atol=0
// RUN: tessera run %s --input=random --timing --expect=%t.npz --rtol=0 --atol=0
// RUN: tessera run %s --input=random --check=ops
// CHECK: program of @main
// CHECK-NEXT: map negate {{.*}} writes [[N:%[0-9]+]]:5x40x40xf32@
// CHECK: while
// Weights of a layer: of an argument, and of what was computed before the loop, which the loop that reads it last does not write to. Small ones are copied.
// CHECK: move dynamic_slice reads [[W:%[0-9]+]]:5x40x40xf32@arg1 {{.*}} writes [[A:%[0-9]+]]:1x40x40xf32@[[W]] bytes=0+0 flops=0 at
// CHECK-NEXT: move dynamic_slice {{.*}} writes {{%[0-9]+}}:1x40xf32@{{[0-9]+}} bytes={{[1-9]}}
// CHECK-NEXT: contract dot_general{{.*}} reads {{.*}} [[A]]:1x40x40xf32@[[W]]
// CHECK-NEXT: move dynamic_slice reads [[N]]:5x40x40xf32@{{.*}} writes [[B:%[0-9]+]]:1x40x40xf32@[[N]] bytes=0+0
// CHECK-NEXT: map multiply+add {{.*}} reads [[B]]:1x40x40xf32@[[N]] [[S:%[0-9]+]]:40x40xf32@{{.*}} writes {{%[0-9]+}}:40x40xf32@[[S]]
func.func @main(%x: tensor<8x40xf32>, %w: tensor<5x40x40xf32>, %b: tensor<5x40xf32>) -> (tensor<8x40xf32>, tensor<40x40xf32>, tensor<5x40x40xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  // Turns before the first layer and behind the last read those.
  %first = stablehlo.constant dense<-2> : tensor<i32>
  %end = stablehlo.constant dense<7> : tensor<i32>
  %sum = stablehlo.constant dense<0.0> : tensor<40x40xf32>
  %n = stablehlo.negate %w : tensor<5x40x40xf32>
  %0:3 = stablehlo.while(%i = %first, %h = %x, %s = %sum) : tensor<i32>, tensor<8x40xf32>, tensor<40x40xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_slice %w, %i, %zero, %zero, sizes = [1, 40, 40] : (tensor<5x40x40xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x40x40xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x40x40xf32>) -> tensor<40x40xf32>
    %3 = stablehlo.dynamic_slice %n, %i, %zero, %zero, sizes = [1, 40, 40] : (tensor<5x40x40xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x40x40xf32>
    %4 = stablehlo.reshape %3 : (tensor<1x40x40xf32>) -> tensor<40x40xf32>
    %5 = stablehlo.dynamic_slice %b, %i, %zero, sizes = [1, 40] : (tensor<5x40xf32>, tensor<i32>, tensor<i32>) -> tensor<1x40xf32>
    %6 = stablehlo.reshape %5 : (tensor<1x40xf32>) -> tensor<40xf32>
    %7 = stablehlo.dot_general %h, %2, contracting_dims = [1] x [0] : (tensor<8x40xf32>, tensor<40x40xf32>) -> tensor<8x40xf32>
    %8 = stablehlo.broadcast_in_dim %6, dims = [1] : (tensor<40xf32>) -> tensor<8x40xf32>
    %9 = stablehlo.add %7, %8 : tensor<8x40xf32>
    %small = stablehlo.constant dense<0.1> : tensor<8x40xf32>
    %10 = stablehlo.multiply %9, %small : tensor<8x40xf32>
    %11 = stablehlo.multiply %4, %4 : tensor<40x40xf32>
    %12 = stablehlo.add %s, %11 : tensor<40x40xf32>
    %13 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %13, %10, %12 : tensor<i32>, tensor<8x40xf32>, tensor<40x40xf32>
  }
  return %0#1, %0#2, %n : tensor<8x40xf32>, tensor<40x40xf32>, tensor<5x40x40xf32>
}

// Copies: of what the loop carries and changes, of boxes that do not lie in one piece, of what a block gives, of what a product of some rows reads.
// RUN: tessera run %s --input=random --function=copies --check --dump-program 2>&1 | FileCheck %s --check-prefix=COPIES
// COPIES: while
// COPIES: move dynamic_slice {{.*}} writes {{%[0-9]+}}:1x40x40xf32@{{[0-9]+}} bytes={{[1-9]}}
// COPIES: move dynamic_slice {{.*}} writes {{%[0-9]+}}:5x40x8xf32@{{[0-9]+}} bytes={{[1-9]}}
// COPIES: move dynamic_slice {{.*}} writes {{%[0-9]+}}:1x40x40xf32@{{[%0-9]+}} bytes={{[1-9]}}
func.func @copies(%w: tensor<5x40x40xf32>, %v: tensor<5x40x40xf32>) -> (tensor<5x40x40xf32>, tensor<5x40x8xf32>, tensor<1x40x40xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<4> : tensor<i32>
  %sum = stablehlo.constant dense<0.0> : tensor<5x40x8xf32>
  %last = stablehlo.constant dense<0.0> : tensor<1x40x40xf32>
  %0:4 = stablehlo.while(%i = %zero, %c = %w, %s = %sum, %l = %last) : tensor<i32>, tensor<5x40x40xf32>, tensor<5x40x8xf32>, tensor<1x40x40xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_slice %c, %i, %zero, %zero, sizes = [1, 40, 40] : (tensor<5x40x40xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x40x40xf32>
    %2 = stablehlo.add %i, %one : tensor<i32>
    %3 = stablehlo.dynamic_update_slice %c, %1, %2, %zero, %zero : (tensor<5x40x40xf32>, tensor<1x40x40xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x40x40xf32>
    %4 = stablehlo.dynamic_slice %v, %zero, %zero, %i, sizes = [5, 40, 8] : (tensor<5x40x40xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x40x8xf32>
    %5 = stablehlo.add %s, %4 : tensor<5x40x8xf32>
    %6 = stablehlo.dynamic_slice %v, %i, %zero, %zero, sizes = [1, 40, 40] : (tensor<5x40x40xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x40x40xf32>
    stablehlo.return %2, %3, %5, %6 : tensor<i32>, tensor<5x40x40xf32>, tensor<5x40x8xf32>, tensor<1x40x40xf32>
  }
  return %0#1, %0#2, %0#3 : tensor<5x40x40xf32>, tensor<5x40x8xf32>, tensor<1x40x40xf32>
}

// RUN: tessera run %s --input=random --function=pieces --check --dump-program 2>&1 | FileCheck %s --check-prefix=PIECES
// PIECES: move dynamic_slice {{.*}} writes {{%[0-9]+}}:30x40xf32@{{[0-9]+}} bytes={{[1-9]}}
// PIECES: move dynamic_slice {{.*}} writes {{%[0-9]+}}:40x30xf32@{{%[0-9]+}} bytes=0+0
func.func @pieces(%w: tensor<50x40xf32>, %v: tensor<70x30xf32>, %x: tensor<20x30xf32>, %i: tensor<i32>) -> (tensor<20x40xf32>, tensor<20x40xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %w, %i, %zero, sizes = [30, 40] : (tensor<50x40xf32>, tensor<i32>, tensor<i32>) -> tensor<30x40xf32>
  %1 = stablehlo.dynamic_slice %v, %i, %zero, sizes = [40, 30] : (tensor<70x30xf32>, tensor<i32>, tensor<i32>) -> tensor<40x30xf32>
  %2 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<20x30xf32>, tensor<30x40xf32>) -> tensor<20x40xf32>
  %3 = stablehlo.dot_general %x, %1, contracting_dims = [1] x [1] : (tensor<20x30xf32>, tensor<40x30xf32>) -> tensor<20x40xf32>
  return %2, %3 : tensor<20x40xf32>, tensor<20x40xf32>
}

// Outside of loops: of an argument, but not of one that a result may be computed in.
// RUN: tessera run %s --input=random --function=outside --check --dump-program 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// OUTSIDE: move dynamic_slice reads [[W:%[0-9]+]]:50x40xf32@arg0 {{.*}} writes {{%[0-9]+}}:30x40xf32@[[W]] bytes=0+0
// OUTSIDE: move dynamic_slice reads {{%[0-9]+}}:50x40xf32@arg1 {{.*}} writes {{%[0-9]+}}:30x40xf32@{{[%+0-9]+}} bytes={{[1-9]}}
func.func @outside(%w: tensor<50x40xf32>, %d: tensor<50x40xf32> {jax.buffer_donor = true}, %i: tensor<i32>) -> (tensor<30x40xf32>, tensor<30x40xf32>, tensor<50x40xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %w, %i, %zero, sizes = [30, 40] : (tensor<50x40xf32>, tensor<i32>, tensor<i32>) -> tensor<30x40xf32>
  %1 = stablehlo.dynamic_slice %d, %i, %zero, sizes = [30, 40] : (tensor<50x40xf32>, tensor<i32>, tensor<i32>) -> tensor<30x40xf32>
  %2 = stablehlo.tanh %0 : tensor<30x40xf32>
  %3 = stablehlo.tanh %1 : tensor<30x40xf32>
  %4 = stablehlo.negate %w : tensor<50x40xf32>
  return %2, %3, %4 : tensor<30x40xf32>, tensor<30x40xf32>, tensor<50x40xf32>
}

// A barrier, as jax.checkpoint puts around what a layer computes again, reads nothing: slices behind it are read in place.
// RUN: tessera run %s --input=random --function=fence --check --dump-program 2>&1 | FileCheck %s --check-prefix=FENCE
// FENCE: while
// FENCE: move dynamic_slice reads [[W:%[0-9]+]]:5x40x40xf32@arg1 {{.*}} writes [[A:%[0-9]+]]:1x40x40xf32@[[W]] bytes=0+0 flops=0 at
// FENCE: barrier optimization_barrier {{.*}}[[A]]:1x40x40xf32@[[W]]
// FENCE: contract dot_general{{.*}} reads {{.*}} [[A]]:1x40x40xf32@[[W]]
func.func @fence(%x: tensor<8x40xf32>, %w: tensor<5x40x40xf32>) -> tensor<8x40xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<5> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %h = %x) : tensor<i32>, tensor<8x40xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_slice %w, %i, %zero, %zero, sizes = [1, 40, 40] : (tensor<5x40x40xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x40x40xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x40x40xf32>) -> tensor<40x40xf32>
    %3:2 = stablehlo.optimization_barrier %h, %2 : tensor<8x40xf32>, tensor<40x40xf32>
    %4 = stablehlo.dot_general %3#0, %3#1, contracting_dims = [1] x [0] : (tensor<8x40xf32>, tensor<40x40xf32>) -> tensor<8x40xf32>
    %small = stablehlo.constant dense<0.1> : tensor<8x40xf32>
    %5 = stablehlo.multiply %4, %small : tensor<8x40xf32>
    %6 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %6, %5 : tensor<i32>, tensor<8x40xf32>
  }
  return %0#1 : tensor<8x40xf32>
}
