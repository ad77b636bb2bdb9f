// RUN: tessera opt %s --tessera-autodiff=function=f --verify-diagnostics

// What the transpose is depends on how the value is cut.
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<2xf32>
  // expected-error @+1 {{cannot be differentiated as it is: --tessera-import-gspmd makes a manual computation of it, which can}}
  %2 = stablehlo.custom_call @SPMDShardToFullShape(%1) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<2xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
