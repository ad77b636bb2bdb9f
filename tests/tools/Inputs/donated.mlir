// Two tensors of 4 KB; the result takes the place of the first.
func.func @main(%arg0: tensor<1024xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<1024xf32>) -> tensor<1024xf32> {
  %0 = stablehlo.add %arg0, %arg1 : tensor<1024xf32>
  return %0 : tensor<1024xf32>
}
