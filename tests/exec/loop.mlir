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
