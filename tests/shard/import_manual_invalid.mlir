// RUN: sdy_opt %s --sdy-manual-axes-cleanup -verify-diagnostics

sdy.mesh @mesh = <["a"=2]>

func.func @empty(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"a"} () {
    sdy.return
  } : () -> ()
  return %arg0 : tensor<8xf32>
}

func.func @not_empty(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{op has manual_axes when there are no in/out shardings and the body is not empty}}
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"a"} () {
    %0 = stablehlo.constant dense<0.0> : tensor<8xf32>
    sdy.return
  } : () -> ()
  return %arg0 : tensor<8xf32>
}
