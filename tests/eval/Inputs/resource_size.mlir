func.func @main() -> tensor<2xf32> {
  %0 = stablehlo.constant dense_resource<a> : tensor<2xf32>
  return %0 : tensor<2xf32>
}
{-#
  dialect_resources: {
    builtin: {
      a: "0x040000000000803F"
    }
  }
#-}
