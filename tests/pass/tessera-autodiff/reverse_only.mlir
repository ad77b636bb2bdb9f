// RUN: not tessera opt %s --tessera-autodiff="mode=forward with-results=true" 2>&1 | FileCheck %s --check-prefix=RESULTS
// RUN: not tessera opt %s --tessera-autodiff="mode=forward remat=cheap" 2>&1 | FileCheck %s --check-prefix=REMAT
// RUN: tessera opt %s --tessera-autodiff="mode=reverse remat=cheap with-results=true function=f" | FileCheck %s
// Options of reverse mode are refused in forward mode.

// RESULTS: [[@LINE+4]]:1: error: with-results is for reverse mode, and the mode is forward
// REMAT: [[@LINE+3]]:1: error: remat=cheap is for reverse mode, and the mode is forward
// CHECK: func.func @f_grad

module {
  func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.sine %x : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
