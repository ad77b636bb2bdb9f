// An effect happens once, however many devices there are, and random numbers are those of the undivided program.
// RUN: tessera run %s --spmd --check --input=4xf32=1,2,3,4 | FileCheck %s
// CHECK: tensor<4xf32> {
// CHECK-NEXT: [2.000000e+00, 4.000000e+00, 6.000000e+00, 8.000000e+00]
// CHECK-NOT: tensor<4xf32> {
// CHECK: 0 {{.*}}PASS (exact)
// CHECK: 1 {{.*}}PASS (exact)
// CHECK: 2 {{.*}}PASS (exact)
module {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}, tensor<4x3xui32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
    %0 = stablehlo.add %a, %a : tensor<4xf32>
    interpreter.print %0 : tensor<4xf32>
    %lo = stablehlo.constant dense<0> : tensor<i32>
    %hi = stablehlo.constant dense<1000> : tensor<i32>
    %shape = stablehlo.constant dense<5> : tensor<1xi64>
    %r = stablehlo.rng %lo, %hi, %shape, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<5xi32>
    %key = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
    %s, %bits = stablehlo.rng_bit_generator %key, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x3xui32>)
    return %0, %r, %bits : tensor<4xf32>, tensor<5xi32>, tensor<4x3xui32>
  }
}
