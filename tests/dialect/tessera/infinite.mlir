// Activations of infinities are what the products are that they stand for, as ops and written out.
// RUN: tessera run %s
// RUN: tessera opt %s --tessera-to-stablehlo | tessera run -
// RUN: tessera opt %s --tessera-to-stablehlo --stablehlo-to-tessera | tessera run -

func.func @main() {
  %x = stablehlo.constant dense<[0x7F800000, 0xFF800000, -0.0]> : tensor<3xf32>
  %0 = tessera.silu %x : tensor<3xf32> -> tensor<3xf32>
  check.expect_almost_eq_const %0, dense<[0x7F800000, 0x7FC00000, -0.0]> : tensor<3xf32>
  %1 = tessera.gelu %x : tensor<3xf32> -> tensor<3xf32>
  check.expect_almost_eq_const %1, dense<[0x7F800000, 0x7FC00000, -0.0]> : tensor<3xf32>
  %2 = tessera.gelu %x {approximate = "tanh"} : tensor<3xf32> -> tensor<3xf32>
  check.expect_almost_eq_const %2, dense<[0x7F800000, 0x7FC00000, -0.0]> : tensor<3xf32>
  return
}
