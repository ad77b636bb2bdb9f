// RUN: tessera opt %s --sdy-populate-op-sharding-rules -allow-unregistered-dialect -split-input-file -verify-diagnostics

// One warning about unknown targets, one about unknown ops, however many there are. Insides come before what is around.
func.func @unknown(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-warning@+1 {{custom call @first is unknown to SDY sharding rule registry}}
  %0 = stablehlo.custom_call @first(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.custom_call @second(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "my.around"(%1) ({
    // expected-warning@+1 {{op 'my.inside' is unknown to SDY sharding rule registry}}
    "my.inside"() : () -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// Factors have sizes.
func.func @dynamic(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expected-error@+1 {{'stablehlo.abs' op operand - expected a ranked tensor with a static shape. type: 'tensor<?x4xf32>'}}
  %0 = stablehlo.abs %x : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
