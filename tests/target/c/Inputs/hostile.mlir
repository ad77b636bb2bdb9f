func.func @"*/ } int main(void) { system(\22id\22); } /* ??/\0A#error %s $n"(%arg0: tensor<3xf32> loc("*/ #error ??/")) -> (tensor<3xf32> {jax.result_info = "*/ #error"}) {
  %0 = stablehlo.sine %arg0 : tensor<3xf32> loc("\0A#error */")
  return %0 : tensor<3xf32>
} loc("*/\0A#error")
