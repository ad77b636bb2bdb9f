// stablehlo-to-ttir-pipeline
func.func @main(%a: tensor<4x2xf32>, %b: tensor<4xi64>) -> (tensor<2x4xf32>, tensor<4xi64>) {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>
  %1 = "stablehlo.sort"(%b) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<i64>, %y: tensor<i64>):
    %c = stablehlo.compare LT, %x, %y : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<4xi64>) -> tensor<4xi64>
  return %0, %1 : tensor<2x4xf32>, tensor<4xi64>
}
