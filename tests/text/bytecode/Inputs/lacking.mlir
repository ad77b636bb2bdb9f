%0 = "stablehlo.iota"() : () -> tensor<4xi32>
