// RUN: tessera opt %s --shape-legalize-to-stablehlo --split-input-file --verify-diagnostics

func.func @scalars(%a: i32) -> tensor<1xi32> {
  // expected-error@+1 {{failed to legalize operation 'tensor.from_elements' that was explicitly marked illegal}}
  %0 = tensor.from_elements %a : tensor<1xi32>
  return %0 : tensor<1xi32>
}
