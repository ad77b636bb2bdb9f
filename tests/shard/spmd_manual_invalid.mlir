// An axis is manual once, also where a function is called.
// RUN: tessera opt %s --tessera-partition -verify-diagnostics
// RUN: tessera opt %s --tessera-spmd-partition -verify-diagnostics
module {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%a: tensor<8xi32>) -> tensor<8xi32> {
    %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<4xi32>) {
      %1 = func.call @f(%b) : (tensor<4xi32>) -> tensor<4xi32>
      sdy.return %1 : tensor<4xi32>
    } : (tensor<8xi32>) -> tensor<8xi32>
    return %0 : tensor<8xi32>
  }
  func.func private @f(%a: tensor<4xi32>) -> tensor<4xi32> {
    // expected-error@+1 {{binds axis "x", which is manual already where @f is called}}
    %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<2xi32>) {
      %1 = stablehlo.add %b, %b : tensor<2xi32>
      sdy.return %1 : tensor<2xi32>
    } : (tensor<4xi32>) -> tensor<4xi32>
    return %0 : tensor<4xi32>
  }
}
