// Every op in one format.
// RUN: tessera opt %s --ttir-global-data-format-conversion=target-format=bf16 | FileCheck %s
// VALUES: --ttir-global-data-format-conversion=target-format=bf16

// no values
// CHECK-LABEL: func.func @chain
// CHECK-NEXT: "ttir.typecast"({{.*}}) <{conservative_folding = false}> : (tensor<2xf32>) -> tensor<2xbf16>
// CHECK-NEXT: "ttir.exp"({{.*}}) : (tensor<2xbf16>) -> tensor<2xbf16>
// CHECK-NEXT: "ttir.typecast"({{.*}}) <{conservative_folding = false}> : (tensor<2xbf16>) -> tensor<2xf32>
// CHECK-NEXT: "ttir.add"({{.*}}) {preserveDataFormat} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: "ttir.typecast"({{.*}}) <{conservative_folding = false}> : (tensor<2xf32>) -> tensor<2xbf16>
// CHECK-NEXT: "ttir.abs"({{.*}}) : (tensor<2xbf16>) -> tensor<2xbf16>
// CHECK-NEXT: "ttir.typecast"({{.*}}) <{conservative_folding = false}> : (tensor<2xbf16>) -> tensor<2xf32>
// CHECK-NEXT: return {{.*}} : tensor<2xf32>
func.func @chain(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "ttir.exp"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "ttir.add"(%0, %0) {preserveDataFormat} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %2 = "ttir.abs"(%1) : (tensor<2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}
