// A constant that is a result belongs to the caller, not to the program: also when an op hands it on.
// RUN: tessera run %s --engine=compiled | FileCheck %s
// RUN: tessera run %s --engine=compiled --repeat=2 | FileCheck %s
// CHECK-COUNT-2: [3.000000e+00, -1.000000e+00]
func.func @main() -> (tensor<2xbf16>, tensor<2xbf16>) {
  %0 = stablehlo.constant dense<[3.0, -1.0]> : tensor<2xbf16>
  %1 = stablehlo.tuple %0 : tuple<tensor<2xbf16>>
  %2 = stablehlo.get_tuple_element %1[0] : (tuple<tensor<2xbf16>>) -> tensor<2xbf16>
  return %0, %2 : tensor<2xbf16>, tensor<2xbf16>
}
