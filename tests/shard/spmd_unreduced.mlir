// Axes that a value is still to be summed along: arguments arrive as parts of a sum, results leave as such.
// RUN: tessera run %s --spmd --check --input=random | FileCheck %s
// CHECK: 0 {{.*}}PASS
// CHECK: 1 {{.*}}PASS
// RUN: tessera opt %s --tessera-partition | FileCheck %s --check-prefix=LOCAL
// LOCAL: func.func @main(%arg0: tensor<2x4xf32> {tessera.global = tensor<4x4xf32>, tessera.sharding = #sdy.sharding<mesh<["x"=2, "y"=2]>, [{"y"}, {}], unreduced={"x"}>}
// LOCAL: stablehlo.all_reduce
// LOCAL: stablehlo.multiply
module {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}], unreduced={"x"}>}) -> (tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}], unreduced={"x"}>}, tensor<4x4xf32>) {
    %0 = stablehlo.multiply %a, %a : tensor<4x4xf32>
    %1 = sdy.reshard %0 <@mesh, [{"y"}, {}], unreduced={"x"}> : tensor<4x4xf32>
    %2 = sdy.manual_computation(%1) in_shardings=[<@mesh, [{"y"}, {}]>] out_shardings=[<@mesh, [{"y"}, {}], unreduced={"x"}>] manual_axes={"x", "y"} (%b: tensor<2x4xf32>) {
      sdy.return %b : tensor<2x4xf32>
    } : (tensor<4x4xf32>) -> tensor<4x4xf32>
    return %1, %2 : tensor<4x4xf32>, tensor<4x4xf32>
  }
}
