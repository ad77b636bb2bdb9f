// One loop of each form: a map with a view and a rest, rows of some lanes, rows of a block, rows that are read several times, long rows, columns.
func.func @main(%a: tensor<7x33xf32>, %b: tensor<33xbf16>, %c: tensor<50x64xbf16>, %d: tensor<2x2048xf32>, %e: tensor<2x20000xbf16>, %f: tensor<2x70000xi32>, %g: tensor<640x24xf32>)
    -> (tensor<7x33xf32>, tensor<50x64xbf16>, tensor<2xf32>, tensor<2x20000xbf16>, tensor<2xi32>, tensor<24xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %zb = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %m = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.convert %b : (tensor<33xbf16>) -> tensor<33xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<33xf32>) -> tensor<7x33xf32>
  %2 = stablehlo.multiply %a, %1 : tensor<7x33xf32>
  %3 = stablehlo.reduce(%c init: %zb) applies stablehlo.maximum across dimensions = [1] : (tensor<50x64xbf16>, tensor<bf16>) -> tensor<50xbf16>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<50xbf16>) -> tensor<50x64xbf16>
  %5 = stablehlo.subtract %c, %4 : tensor<50x64xbf16>
  %6 = stablehlo.exponential %5 : tensor<50x64xbf16>
  %7 = stablehlo.reduce(%d init: %z) applies stablehlo.add across dimensions = [1] : (tensor<2x2048xf32>, tensor<f32>) -> tensor<2xf32>
  %8 = stablehlo.convert %e : (tensor<2x20000xbf16>) -> tensor<2x20000xf32>
  %9 = stablehlo.reduce(%8 init: %m) applies stablehlo.maximum across dimensions = [1] : (tensor<2x20000xf32>, tensor<f32>) -> tensor<2xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<2xf32>) -> tensor<2x20000xf32>
  %11 = stablehlo.divide %8, %10 : tensor<2x20000xf32>
  %12 = stablehlo.convert %11 : (tensor<2x20000xf32>) -> tensor<2x20000xbf16>
  %13 = stablehlo.reduce(%f init: %i) applies stablehlo.add across dimensions = [1] : (tensor<2x70000xi32>, tensor<i32>) -> tensor<2xi32>
  %14 = stablehlo.reduce(%g init: %z) applies stablehlo.add across dimensions = [0] : (tensor<640x24xf32>, tensor<f32>) -> tensor<24xf32>
  return %2, %6, %7, %12, %13, %14 : tensor<7x33xf32>, tensor<50x64xbf16>, tensor<2xf32>, tensor<2x20000xbf16>, tensor<2xi32>, tensor<24xf32>
}
