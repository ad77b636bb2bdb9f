// What a manual computation sees of a sum is what it sees in the undivided program: the first device has all of it. Here it was
// divided before, and came from another manual computation as parts.
// RUN: tessera run %s --spmd --check --input=random | FileCheck %s
// CHECK: 0 {{.*}}PASS
// CHECK: 1 {{.*}}PASS
module {
  sdy.mesh @mesh = <["a"=2, "b"=3]>
  func.func @main(%v: tensor<6x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}]>}) -> (tensor<6x3xf32>, tensor<6x3xf32>) {
    %0 = sdy.manual_computation(%v) in_shardings=[<@mesh, [{}, {}], unreduced={"b"}>] out_shardings=[<@mesh, [{}, {}], unreduced=min{"b"}>] manual_axes={"a", "b"} (%m: tensor<6x3xf32>) {
      %c = stablehlo.constant dense<1.0> : tensor<6x3xf32>
      %1 = stablehlo.add %m, %c : tensor<6x3xf32>
      sdy.return %1 : tensor<6x3xf32>
    } : (tensor<6x3xf32>) -> tensor<6x3xf32>
    %2 = sdy.manual_computation(%v) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {}], unreduced={"a", "b"}>] manual_axes={"a", "b"} (%m: tensor<6x3xf32>) {
      %id = stablehlo.partition_id : tensor<ui32>
      %f = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
      %b = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<6x3xf32>
      %3 = stablehlo.add %m, %b : tensor<6x3xf32>
      sdy.return %3 : tensor<6x3xf32>
    } : (tensor<6x3xf32>) -> tensor<6x3xf32>
    %4 = sdy.manual_computation(%2) in_shardings=[<@mesh, [{}, {}], unreduced={"a", "b"}>] out_shardings=[<@mesh, [{}, {}], unreduced=max{"a", "b"}>] manual_axes={"a", "b"} (%m: tensor<6x3xf32>) {
      sdy.return %m : tensor<6x3xf32>
    } : (tensor<6x3xf32>) -> tensor<6x3xf32>
    return %0, %4 : tensor<6x3xf32>, tensor<6x3xf32>
  }
}
