// RUN: tessera opt %s | tessera opt - | FileCheck %s
// A loop whose arguments or results know more or less than its operands keeps all those types: generic form.

// CHECK-LABEL: func.func @same
// CHECK: stablehlo.while(%iterArg = %arg0) : tensor<2xf32>
func.func @same(%a: tensor<2xf32>, %c: tensor<i1>) -> tensor<2xf32> {
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<2xf32>):
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%x: tensor<2xf32>):
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @different
// CHECK: "stablehlo.while"(%arg0) ({
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<?xf32>):
// CHECK: ^bb0(%{{.*}}: tensor<2xf32>):
// CHECK: }) : (tensor<2xf32>) -> tensor<?xf32>
func.func @different(%a: tensor<2xf32>, %c: tensor<i1>) -> tensor<?xf32> {
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<?xf32>):
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%x: tensor<2xf32>):
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<2xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
