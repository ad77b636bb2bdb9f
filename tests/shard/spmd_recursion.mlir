// Functions that call themselves work on whole values.
// RUN: tessera run %s --spmd --check --input=random | FileCheck %s
// CHECK: 0 {{.*}}PASS (exact)
module {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%a: tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> (tensor<4xi32>) {
    %n = stablehlo.constant dense<3> : tensor<i32>
    %0 = call @f(%n, %a) : (tensor<i32>, tensor<4xi32>) -> tensor<4xi32>
    return %0 : tensor<4xi32>
  }
  func.func private @f(%n: tensor<i32>, %a: tensor<4xi32>) -> tensor<4xi32> {
    %z = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %p = stablehlo.compare EQ, %n, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %r = "stablehlo.if"(%p) ({
      stablehlo.return %a : tensor<4xi32>
    }, {
      %m = stablehlo.subtract %n, %one : tensor<i32>
      %b = stablehlo.add %a, %a : tensor<4xi32>
      %q = func.call @f(%m, %b) : (tensor<i32>, tensor<4xi32>) -> tensor<4xi32>
      stablehlo.return %q : tensor<4xi32>
    }) : (tensor<i1>) -> tensor<4xi32>
    return %r : tensor<4xi32>
  }
}
