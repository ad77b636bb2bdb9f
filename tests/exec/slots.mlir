// What a loop reads of a stack for the last time is memory for the rest of its turn: where the backward loop of a scan is the only
// reader of what the forward loop kept, values are computed in the place of its slices.
// RUN: tessera run %s --function=backward --input=random --check --dump-program 2>&1 | FileCheck %s --check-prefix=BACK
// RUN: tessera run %s --function=backward --input=random --threads=1 --check | FileCheck %s --check-prefix=PASS
// RUN: tessera run %s --function=backward --input=random --check=ops
// RUN: tessera run %s --function=carries --input=random --check --dump-program 2>&1 | FileCheck %s --check-prefix=CARRIES
// RUN: tessera run %s --function=carries --input=random --threads=1 --check | FileCheck %s --check-prefix=PASS
// Not so where the stack is read after the loop, by a second slice, by turns that read the same or overlapping slices, also because an
// index is clamped, by a number of turns that is not known, or in each
// turn of another loop.
// RUN: tessera run %s --function=after --input=random --check --dump-program 2>&1 | FileCheck %s --check-prefix=OWN
// RUN: tessera run %s --function=twice --input=random --check --dump-program 2>&1 | FileCheck %s --check-prefix=OWN
// RUN: tessera run %s --function=same --input=random --check --dump-program 2>&1 | FileCheck %s --check-prefix=OWN
// RUN: tessera run %s --function=overlap --input=random --check --dump-program 2>&1 | FileCheck %s --check-prefix=OWN
// RUN: tessera run %s --function=clamped --input=random --check --dump-program 2>&1 | FileCheck %s --check-prefix=OWN
// RUN: tessera run %s --function=unknown --input=random --check --dump-program 2>&1 | FileCheck %s --check-prefix=OWN
// RUN: tessera run %s --function=outer --input=random --check --dump-program 2>&1 | FileCheck %s --check-prefix=OWN
// PASS: PASS
// OWN: PASS
// OWN: move dynamic_slice {{.*}} writes [[S:%[0-9]+]]:{{[12]}}x64x64xf32@[[KEPT:%[0-9]+]] bytes=0+0
// OWN: contract dot_general+tanh+multiply {{.*}} writes
// OWN-NOT: @[[S]] bytes
// BACK: PASS
// BACK: move dynamic_slice reads [[KEPT:%[0-9]+]]:5x64x64xf32@{{.*}} writes [[S:%[0-9]+]]:1x64x64xf32@[[KEPT]] bytes=0+0
// BACK: contract dot_general+tanh+multiply {{.*}} writes {{%[0-9]+}}:64x64xf32@[[S]] bytes
func.func @backward(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %small = stablehlo.constant dense<0.001953125> : tensor<64x64xf32>
  %v = stablehlo.multiply %w, %small : tensor<64x64xf32>
  %empty = stablehlo.constant dense<0.0> : tensor<5x64x64xf32>
  %0:3 = stablehlo.while(%i = %zero, %h = %x, %kept = %empty) : tensor<i32>, tensor<64x64xf32>, tensor<5x64x64xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.reshape %h : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
    %2 = stablehlo.dynamic_update_slice %kept, %1, %i, %zero, %zero : (tensor<5x64x64xf32>, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x64x64xf32>
    %3 = stablehlo.cosine %h : tensor<64x64xf32>
    %4 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %4, %3, %2 : tensor<i32>, tensor<64x64xf32>, tensor<5x64x64xf32>
  }
  %1:2 = stablehlo.while(%i = %zero, %g = %0#1) : tensor<i32>, tensor<64x64xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %four = stablehlo.constant dense<4> : tensor<i32>
    %1 = stablehlo.subtract %four, %i : tensor<i32>
    %2 = stablehlo.dynamic_slice %0#2, %1, %zero, %zero, sizes = [1, 64, 64] : (tensor<5x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %3 = stablehlo.reshape %2 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %4 = stablehlo.dot_general %3, %g, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %5 = stablehlo.dot_general %4, %v, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %6 = stablehlo.tanh %5 : tensor<64x64xf32>
    %7 = stablehlo.multiply %6, %3 : tensor<64x64xf32>
    %8 = stablehlo.reverse %7, dims = [0, 1] : tensor<64x64xf32>
    %9 = stablehlo.add %8, %g : tensor<64x64xf32>
    %10 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %10, %9 : tensor<i32>, tensor<64x64xf32>
  }
  return %1#1 : tensor<64x64xf32>
}
// What is computed in the place of a slice is copied to where the next turn reads it.
// CARRIES: PASS
// CARRIES: PASS
// CARRIES: move dynamic_slice {{.*}} writes [[S:%[0-9]+]]:1x64x64xf32@
// CARRIES: contract dot_general+tanh+multiply {{.*}} writes {{%[0-9]+}}:64x64xf32@[[S]] bytes
func.func @carries(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %small = stablehlo.constant dense<0.001953125> : tensor<64x64xf32>
  %v = stablehlo.multiply %w, %small : tensor<64x64xf32>
  %empty = stablehlo.constant dense<0.0> : tensor<5x64x64xf32>
  %0:3 = stablehlo.while(%i = %zero, %h = %x, %kept = %empty) : tensor<i32>, tensor<64x64xf32>, tensor<5x64x64xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.reshape %h : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
    %2 = stablehlo.dynamic_update_slice %kept, %1, %i, %zero, %zero : (tensor<5x64x64xf32>, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x64x64xf32>
    %3 = stablehlo.cosine %h : tensor<64x64xf32>
    %4 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %4, %3, %2 : tensor<i32>, tensor<64x64xf32>, tensor<5x64x64xf32>
  }
  %1:3 = stablehlo.while(%i = %zero, %g = %0#1, %last = %x) : tensor<i32>, tensor<64x64xf32>, tensor<64x64xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %2 = stablehlo.dynamic_slice %0#2, %i, %zero, %zero, sizes = [1, 64, 64] : (tensor<5x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %3 = stablehlo.reshape %2 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %4 = stablehlo.dot_general %last, %w, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %5 = stablehlo.tanh %4 : tensor<64x64xf32>
    %6 = stablehlo.multiply %5, %3 : tensor<64x64xf32>
    %10 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %10, %6, %g : tensor<i32>, tensor<64x64xf32>, tensor<64x64xf32>
  }
  return %1#1, %1#2 : tensor<64x64xf32>, tensor<64x64xf32>
}
func.func @after(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<5x64x64xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %small = stablehlo.constant dense<0.001953125> : tensor<64x64xf32>
  %v = stablehlo.multiply %w, %small : tensor<64x64xf32>
  %empty = stablehlo.constant dense<0.0> : tensor<5x64x64xf32>
  %0:3 = stablehlo.while(%i = %zero, %h = %x, %kept = %empty) : tensor<i32>, tensor<64x64xf32>, tensor<5x64x64xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.reshape %h : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
    %2 = stablehlo.dynamic_update_slice %kept, %1, %i, %zero, %zero : (tensor<5x64x64xf32>, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x64x64xf32>
    %3 = stablehlo.cosine %h : tensor<64x64xf32>
    %4 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %4, %3, %2 : tensor<i32>, tensor<64x64xf32>, tensor<5x64x64xf32>
  }
  %1:2 = stablehlo.while(%i = %zero, %g = %0#1) : tensor<i32>, tensor<64x64xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %four = stablehlo.constant dense<4> : tensor<i32>
    %1 = stablehlo.subtract %four, %i : tensor<i32>
    %2 = stablehlo.dynamic_slice %0#2, %1, %zero, %zero, sizes = [1, 64, 64] : (tensor<5x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %3 = stablehlo.reshape %2 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %4 = stablehlo.dot_general %3, %g, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %5 = stablehlo.dot_general %4, %v, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %6 = stablehlo.tanh %5 : tensor<64x64xf32>
    %7 = stablehlo.multiply %6, %3 : tensor<64x64xf32>
    %8 = stablehlo.reverse %7, dims = [0, 1] : tensor<64x64xf32>
    %9 = stablehlo.add %8, %g : tensor<64x64xf32>
    %10 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %10, %9 : tensor<i32>, tensor<64x64xf32>
  }
  %2 = stablehlo.negate %0#2 : tensor<5x64x64xf32>
  return %1#1, %2 : tensor<64x64xf32>, tensor<5x64x64xf32>
}
func.func @twice(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %small = stablehlo.constant dense<0.001953125> : tensor<64x64xf32>
  %v = stablehlo.multiply %w, %small : tensor<64x64xf32>
  %empty = stablehlo.constant dense<0.0> : tensor<5x64x64xf32>
  %0:3 = stablehlo.while(%i = %zero, %h = %x, %kept = %empty) : tensor<i32>, tensor<64x64xf32>, tensor<5x64x64xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.reshape %h : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
    %2 = stablehlo.dynamic_update_slice %kept, %1, %i, %zero, %zero : (tensor<5x64x64xf32>, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x64x64xf32>
    %3 = stablehlo.cosine %h : tensor<64x64xf32>
    %4 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %4, %3, %2 : tensor<i32>, tensor<64x64xf32>, tensor<5x64x64xf32>
  }
  %1:2 = stablehlo.while(%i = %zero, %g = %0#1) : tensor<i32>, tensor<64x64xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %four = stablehlo.constant dense<4> : tensor<i32>
    %1 = stablehlo.subtract %four, %i : tensor<i32>
    %2 = stablehlo.dynamic_slice %0#2, %1, %zero, %zero, sizes = [1, 64, 64] : (tensor<5x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %3 = stablehlo.reshape %2 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %4 = stablehlo.dot_general %3, %g, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %5 = stablehlo.dot_general %4, %v, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %6 = stablehlo.tanh %5 : tensor<64x64xf32>
    %7 = stablehlo.multiply %6, %3 : tensor<64x64xf32>
    %8 = stablehlo.reverse %7, dims = [0, 1] : tensor<64x64xf32>
    %9 = stablehlo.add %8, %g : tensor<64x64xf32>
    %11 = stablehlo.dynamic_slice %0#2, %i, %zero, %zero, sizes = [1, 64, 64] : (tensor<5x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %12 = stablehlo.reshape %11 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %13 = stablehlo.add %9, %12 : tensor<64x64xf32>
    %10 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %10, %13 : tensor<i32>, tensor<64x64xf32>
  }
  return %1#1 : tensor<64x64xf32>
}
func.func @same(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %small = stablehlo.constant dense<0.001953125> : tensor<64x64xf32>
  %v = stablehlo.multiply %w, %small : tensor<64x64xf32>
  %empty = stablehlo.constant dense<0.0> : tensor<5x64x64xf32>
  %0:3 = stablehlo.while(%i = %zero, %h = %x, %kept = %empty) : tensor<i32>, tensor<64x64xf32>, tensor<5x64x64xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.reshape %h : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
    %2 = stablehlo.dynamic_update_slice %kept, %1, %i, %zero, %zero : (tensor<5x64x64xf32>, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x64x64xf32>
    %3 = stablehlo.cosine %h : tensor<64x64xf32>
    %4 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %4, %3, %2 : tensor<i32>, tensor<64x64xf32>, tensor<5x64x64xf32>
  }
  %1:2 = stablehlo.while(%i = %zero, %g = %0#1) : tensor<i32>, tensor<64x64xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %2 = stablehlo.dynamic_slice %0#2, %two, %zero, %zero, sizes = [1, 64, 64] : (tensor<5x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %3 = stablehlo.reshape %2 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %4 = stablehlo.dot_general %3, %g, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %5 = stablehlo.dot_general %4, %v, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %6 = stablehlo.tanh %5 : tensor<64x64xf32>
    %7 = stablehlo.multiply %6, %3 : tensor<64x64xf32>
    %8 = stablehlo.reverse %7, dims = [0, 1] : tensor<64x64xf32>
    %9 = stablehlo.add %8, %g : tensor<64x64xf32>
    %10 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %10, %9 : tensor<i32>, tensor<64x64xf32>
  }
  return %1#1 : tensor<64x64xf32>
}
func.func @clamped(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %small = stablehlo.constant dense<0.001953125> : tensor<64x64xf32>
  %v = stablehlo.multiply %w, %small : tensor<64x64xf32>
  %empty = stablehlo.constant dense<0.0> : tensor<5x64x64xf32>
  %0:3 = stablehlo.while(%i = %zero, %h = %x, %kept = %empty) : tensor<i32>, tensor<64x64xf32>, tensor<5x64x64xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.reshape %h : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
    %2 = stablehlo.dynamic_update_slice %kept, %1, %i, %zero, %zero : (tensor<5x64x64xf32>, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x64x64xf32>
    %3 = stablehlo.cosine %h : tensor<64x64xf32>
    %4 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %4, %3, %2 : tensor<i32>, tensor<64x64xf32>, tensor<5x64x64xf32>
  }
  %1:2 = stablehlo.while(%i = %zero, %g = %0#1) : tensor<i32>, tensor<64x64xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %two : tensor<i32>
    %2 = stablehlo.dynamic_slice %0#2, %1, %zero, %zero, sizes = [1, 64, 64] : (tensor<5x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %3 = stablehlo.reshape %2 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %4 = stablehlo.dot_general %3, %g, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %5 = stablehlo.dot_general %4, %v, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %6 = stablehlo.tanh %5 : tensor<64x64xf32>
    %7 = stablehlo.multiply %6, %3 : tensor<64x64xf32>
    %8 = stablehlo.reverse %7, dims = [0, 1] : tensor<64x64xf32>
    %9 = stablehlo.add %8, %g : tensor<64x64xf32>
    %10 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %10, %9 : tensor<i32>, tensor<64x64xf32>
  }
  return %1#1 : tensor<64x64xf32>
}
func.func @unknown(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>, %n: tensor<i32>) -> tensor<64x64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %small = stablehlo.constant dense<0.001953125> : tensor<64x64xf32>
  %v = stablehlo.multiply %w, %small : tensor<64x64xf32>
  %empty = stablehlo.constant dense<0.0> : tensor<5x64x64xf32>
  %0:3 = stablehlo.while(%i = %zero, %h = %x, %kept = %empty) : tensor<i32>, tensor<64x64xf32>, tensor<5x64x64xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.reshape %h : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
    %2 = stablehlo.dynamic_update_slice %kept, %1, %i, %zero, %zero : (tensor<5x64x64xf32>, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x64x64xf32>
    %3 = stablehlo.cosine %h : tensor<64x64xf32>
    %4 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %4, %3, %2 : tensor<i32>, tensor<64x64xf32>, tensor<5x64x64xf32>
  }
  %1:2 = stablehlo.while(%i = %zero, %g = %0#1) : tensor<i32>, tensor<64x64xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %four = stablehlo.constant dense<4> : tensor<i32>
    %1 = stablehlo.subtract %four, %i : tensor<i32>
    %2 = stablehlo.dynamic_slice %0#2, %1, %zero, %zero, sizes = [1, 64, 64] : (tensor<5x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %3 = stablehlo.reshape %2 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %4 = stablehlo.dot_general %3, %g, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %5 = stablehlo.dot_general %4, %v, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %6 = stablehlo.tanh %5 : tensor<64x64xf32>
    %7 = stablehlo.multiply %6, %3 : tensor<64x64xf32>
    %8 = stablehlo.reverse %7, dims = [0, 1] : tensor<64x64xf32>
    %9 = stablehlo.add %8, %g : tensor<64x64xf32>
    %10 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %10, %9 : tensor<i32>, tensor<64x64xf32>
  }
  return %1#1 : tensor<64x64xf32>
}
func.func @outer(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %small = stablehlo.constant dense<0.001953125> : tensor<64x64xf32>
  %v = stablehlo.multiply %w, %small : tensor<64x64xf32>
  %empty = stablehlo.constant dense<0.0> : tensor<5x64x64xf32>
  %0:3 = stablehlo.while(%i = %zero, %h = %x, %kept = %empty) : tensor<i32>, tensor<64x64xf32>, tensor<5x64x64xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.reshape %h : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
    %2 = stablehlo.dynamic_update_slice %kept, %1, %i, %zero, %zero : (tensor<5x64x64xf32>, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x64x64xf32>
    %3 = stablehlo.cosine %h : tensor<64x64xf32>
    %4 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %4, %3, %2 : tensor<i32>, tensor<64x64xf32>, tensor<5x64x64xf32>
  }
  %1:2 = stablehlo.while(%k = %zero, %f = %0#1) : tensor<i32>, tensor<64x64xf32>
  cond {
    %1 = stablehlo.compare LT, %k, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1:2 = stablehlo.while(%i = %zero, %g = %f) : tensor<i32>, tensor<64x64xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %four = stablehlo.constant dense<4> : tensor<i32>
      %1 = stablehlo.subtract %four, %i : tensor<i32>
      %2 = stablehlo.dynamic_slice %0#2, %1, %zero, %zero, sizes = [1, 64, 64] : (tensor<5x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
      %3 = stablehlo.reshape %2 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
      %4 = stablehlo.dot_general %3, %g, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %5 = stablehlo.dot_general %4, %v, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %6 = stablehlo.tanh %5 : tensor<64x64xf32>
      %7 = stablehlo.multiply %6, %3 : tensor<64x64xf32>
      %8 = stablehlo.reverse %7, dims = [0, 1] : tensor<64x64xf32>
      %9 = stablehlo.add %8, %g : tensor<64x64xf32>
      %10 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %10, %9 : tensor<i32>, tensor<64x64xf32>
    }
    %2 = stablehlo.add %k, %one : tensor<i32>
    stablehlo.return %2, %1#1 : tensor<i32>, tensor<64x64xf32>
  }
  return %1#1 : tensor<64x64xf32>
}
func.func @overlap(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %small = stablehlo.constant dense<0.001953125> : tensor<64x64xf32>
  %v = stablehlo.multiply %w, %small : tensor<64x64xf32>
  %empty = stablehlo.constant dense<0.0> : tensor<5x64x64xf32>
  %0:3 = stablehlo.while(%i = %zero, %h = %x, %kept = %empty) : tensor<i32>, tensor<64x64xf32>, tensor<5x64x64xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.reshape %h : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
    %2 = stablehlo.dynamic_update_slice %kept, %1, %i, %zero, %zero : (tensor<5x64x64xf32>, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x64x64xf32>
    %3 = stablehlo.cosine %h : tensor<64x64xf32>
    %4 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %4, %3, %2 : tensor<i32>, tensor<64x64xf32>, tensor<5x64x64xf32>
  }
  %1:2 = stablehlo.while(%i = %zero, %g = %0#1) : tensor<i32>, tensor<64x64xf32>
  cond {
    %four = stablehlo.constant dense<4> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %2 = stablehlo.dynamic_slice %0#2, %i, %zero, %zero, sizes = [2, 64, 64] : (tensor<5x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x64x64xf32>
    %3 = stablehlo.reshape %2 : (tensor<2x64x64xf32>) -> tensor<128x64xf32>
    %4 = stablehlo.dot_general %3, %g, contracting_dims = [1] x [0] : (tensor<128x64xf32>, tensor<64x64xf32>) -> tensor<128x64xf32>
    %5 = stablehlo.dot_general %4, %v, contracting_dims = [1] x [0] : (tensor<128x64xf32>, tensor<64x64xf32>) -> tensor<128x64xf32>
    %6 = stablehlo.tanh %5 : tensor<128x64xf32>
    %7 = stablehlo.multiply %6, %3 : tensor<128x64xf32>
    %8 = stablehlo.reverse %7, dims = [0, 1] : tensor<128x64xf32>
    %12 = stablehlo.slice %8 [0:64, 0:64] : (tensor<128x64xf32>) -> tensor<64x64xf32>
    %9 = stablehlo.add %12, %g : tensor<64x64xf32>
    %10 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %10, %9 : tensor<i32>, tensor<64x64xf32>
  }
  return %1#1 : tensor<64x64xf32>
}
