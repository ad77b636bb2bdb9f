// Under the peer's name, an op that has a form in TTIR in general must have one here, unless the conversion may be partial.
// RUN: not ttmlir-opt %s --convert-stablehlo-to-ttir 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: ttmlir-opt %s --convert-stablehlo-to-ttir=enable-partial-conversion=true | FileCheck %s
// RUN: tessera opt %s --convert-stablehlo-to-ttir | FileCheck %s

// REFUSED: error: failed to legalize operation 'stablehlo.reduce'
// CHECK: stablehlo.reduce
func.func @xor(%x: tensor<4xi32>) -> tensor<i32> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.xor across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
