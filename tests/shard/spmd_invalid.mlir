// What cannot be partitioned is said, at the op.
// RUN: tessera opt %s --tessera-partition -split-input-file -verify-diagnostics

sdy.mesh @all = <["a"=4]>
sdy.mesh @other = <["b"=3]>
func.func @devices(%a: tensor<6xf32>) -> tensor<6xf32> {
  // expected-error@+1 {{is on a mesh of 3 devices, and the program, whose largest mesh has 4, cannot be divided among them}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@other, [{"b"}]>] out_shardings=[<@other, [{"b"}]>] manual_axes={"b"} (%b: tensor<2xf32>) {
    sdy.return %b : tensor<2xf32>
  } : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----
// Halves and thirds of one axis.
sdy.mesh @all = <["a"=6]>
func.func @parts(%a: tensor<6x6xf32>) -> tensor<6x6xf32> {
  // expected-error@+1 {{has parts of axes in its shardings that are no coordinates of devices together}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@all, [{"a":(1)2}, {"a":(3)2}]>] out_shardings=[<@all, [{"a":(1)2}, {"a":(3)2}]>] manual_axes={"a"} (%b: tensor<3x3xf32>) {
    sdy.return %b : tensor<3x3xf32>
  } : (tensor<6x6xf32>) -> tensor<6x6xf32>
  return %0 : tensor<6x6xf32>
}
