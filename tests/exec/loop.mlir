// What a loop writes a slice into stays where it is from turn to turn; values that change places are copied first.
// RUN: tessera run %s --input=random --engine=compiled --dump-program --output=%t.npz 2>&1 | FileCheck %s
// RUN: tessera run %s --input=random --expect=%t.npz

// CHECK: while while
// CHECK: move dynamic_update_slice reads [[STACK:%[0-9]+]]:5x3xf32@{{.*}} writes {{.*}}:5x3xf32@[[STACK]]
func.func @main(%x: tensor<3xf32>, %y: tensor<3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<5x3xf32>
  %0:4 = stablehlo.while(%i = %zero, %stack = %empty, %a = %x, %b = %y) : tensor<i32>, tensor<5x3xf32>, tensor<3xf32>, tensor<3xf32>
  cond {
    %go = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %1 = stablehlo.add %a, %b : tensor<3xf32>
    %2 = stablehlo.reshape %1 : (tensor<3xf32>) -> tensor<1x3xf32>
    %3 = stablehlo.dynamic_update_slice %stack, %2, %i, %zero : (tensor<5x3xf32>, tensor<1x3xf32>, tensor<i32>, tensor<i32>) -> tensor<5x3xf32>
    %4 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %4, %3, %b, %a : tensor<i32>, tensor<5x3xf32>, tensor<3xf32>, tensor<3xf32>
  }
  return %0#1, %0#2, %0#3 : tensor<5x3xf32>, tensor<3xf32>, tensor<3xf32>
}

// Products in a loop by weights that it does not change, and by some that it does; parts of rows are read inside.
// RUN: tessera run %s --function=recurrent --input=random --engine=compiled --check
// RUN: tessera run %s --function=recurrent --input=random --timing --output=%t.npz
// RUN: tessera run %s --function=recurrent --input=random --rtol=0 --atol=0 --expect=%t.npz
func.func @recurrent(%x: tensor<3x40xf32>, %w: tensor<40x224xf32>, %m: tensor<40x224xf32>) -> (tensor<3x40xf32>, tensor<40x224xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %small = stablehlo.constant dense<2.0> : tensor<40x224xf32>
  %large = stablehlo.constant dense<8.0> : tensor<3x40xf32>
  %0:3 = stablehlo.while(%i = %zero, %h = %x, %u = %m) : tensor<i32>, tensor<3x40xf32>, tensor<40x224xf32>
  cond {
    %go = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %1 = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (tensor<3x40xf32>, tensor<40x224xf32>) -> tensor<3x224xf32>
    %2 = stablehlo.dot_general %h, %u, contracting_dims = [1] x [0] : (tensor<3x40xf32>, tensor<40x224xf32>) -> tensor<3x224xf32>
    %3 = stablehlo.slice %1 [0:3, 8:48] : (tensor<3x224xf32>) -> tensor<3x40xf32>
    %4 = stablehlo.slice %2 [0:3, 180:220] : (tensor<3x224xf32>) -> tensor<3x40xf32>
    %5 = stablehlo.subtract %3, %4 : tensor<3x40xf32>
    %6 = stablehlo.divide %5, %large : tensor<3x40xf32>
    %7 = stablehlo.tanh %6 : tensor<3x40xf32>
    %8 = stablehlo.divide %u, %small : tensor<40x224xf32>
    %9 = stablehlo.sine %8 : tensor<40x224xf32>
    %10 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %10, %7, %9 : tensor<i32>, tensor<3x40xf32>, tensor<40x224xf32>
  }
  return %0#1, %0#2 : tensor<3x40xf32>, tensor<40x224xf32>
}
