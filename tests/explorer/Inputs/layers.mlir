// Three layers of ten ops, between other ops.
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %arg0, %arg0 : tensor<4xf32>
  %1 = stablehlo.sine %0 : tensor<4xf32>
  %2 = stablehlo.cosine %1 : tensor<4xf32>
  %3 = stablehlo.tanh %2 : tensor<4xf32>
  %4 = stablehlo.exponential %3 : tensor<4xf32>
  %5 = stablehlo.negate %4 : tensor<4xf32>
  %6 = stablehlo.abs %5 : tensor<4xf32>
  %7 = stablehlo.sqrt %6 : tensor<4xf32>
  %8 = stablehlo.log %7 : tensor<4xf32>
  %9 = stablehlo.floor %8 : tensor<4xf32>
  %10 = stablehlo.ceil %9 : tensor<4xf32>
  %11 = stablehlo.sine %10 : tensor<4xf32>
  %12 = stablehlo.cosine %11 : tensor<4xf32>
  %13 = stablehlo.tanh %12 : tensor<4xf32>
  %14 = stablehlo.exponential %13 : tensor<4xf32>
  %15 = stablehlo.negate %14 : tensor<4xf32>
  %16 = stablehlo.abs %15 : tensor<4xf32>
  %17 = stablehlo.sqrt %16 : tensor<4xf32>
  %18 = stablehlo.log %17 : tensor<4xf32>
  %19 = stablehlo.floor %18 : tensor<4xf32>
  %20 = stablehlo.ceil %19 : tensor<4xf32>
  %21 = stablehlo.sine %20 : tensor<4xf32>
  %22 = stablehlo.cosine %21 : tensor<4xf32>
  %23 = stablehlo.tanh %22 : tensor<4xf32>
  %24 = stablehlo.exponential %23 : tensor<4xf32>
  %25 = stablehlo.negate %24 : tensor<4xf32>
  %26 = stablehlo.abs %25 : tensor<4xf32>
  %27 = stablehlo.sqrt %26 : tensor<4xf32>
  %28 = stablehlo.log %27 : tensor<4xf32>
  %29 = stablehlo.floor %28 : tensor<4xf32>
  %30 = stablehlo.ceil %29 : tensor<4xf32>
  %31 = stablehlo.multiply %30, %0 : tensor<4xf32>
  return %31 : tensor<4xf32>
}
