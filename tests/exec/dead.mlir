// Nothing is computed that nobody needs: not even when a call, or a loop, stands between.
// RUN: tessera run %s --input=random --engine=compiled --dump-program 2>&1 | FileCheck %s
// CHECK: program of @main: {{[0-9]+}} steps
// CHECK-NOT: contract
// CHECK-NOT: while
// CHECK-NOT: sine
// CHECK: map add
// CHECK-NOT: contract
func.func private @both(%a: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = stablehlo.add %a, %a : tensor<4x4xf32>
  return %0, %1 : tensor<4x4xf32>, tensor<4x4xf32>
}
func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0:2 = call @both(%a) : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
  %i = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %1:2 = stablehlo.while(%k = %i, %x = %0#0) : tensor<i32>, tensor<4x4xf32>
   cond {
    %c = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %k1 = stablehlo.add %k, %one : tensor<i32>
    %x1 = stablehlo.sine %x : tensor<4x4xf32>
    stablehlo.return %k1, %x1 : tensor<i32>, tensor<4x4xf32>
  }
  return %0#1 : tensor<4x4xf32>
}
