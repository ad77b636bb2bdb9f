// RUN: tessera opt %s --stablehlo-legalize-composite-to-call | FileCheck %s
// RUN: tessera opt %s --stablehlo-legalize-composite-to-call=except=my.keep,my.other | FileCheck %s --check-prefix=EXCEPT

// CHECK-LABEL: func.func @main
// CHECK: %[[A:.*]] = call @double(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
// CHECK: call @double(%[[A]])
// EXCEPT: %[[A:.*]] = call @double(%arg0)
// EXCEPT: stablehlo.composite "my.keep" %[[A]]
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.composite "my.double" %x {decomposition = @double} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.composite "my.keep" %0 {decomposition = @double, version = 1 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
func.func private @double(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
