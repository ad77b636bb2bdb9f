// Divisions by powers of two are products, with the bits of divisions: subnormal numbers, results that round, infinities; by the largest power they stay divisions.
// RUN: tessera run %s --input=8xf32=1,-3,1e-45,1.1754947e-38,3.4028235e38,-inf,-0.0,nan --input=2xf64=3,5e-324 --output=%t.npz
// RUN: tessera run %s --input=8xf32=1,-3,1e-45,1.1754947e-38,3.4028235e38,-inf,-0.0,nan --input=2xf64=3,5e-324 --engine=reference --rtol=0 --atol=0 --expect=%t.npz
func.func @main(%x: tensor<8xf32>, %y: tensor<2xf64>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<2xf64>, tensor<2xf64>) {
  %eight = stablehlo.constant dense<8.0> : tensor<8xf32>
  %quarter = stablehlo.constant dense<-0.25> : tensor<8xf32>
  %most = stablehlo.constant dense<0x7F000000> : tensor<8xf32>
  %least = stablehlo.constant dense<0x00800000> : tensor<8xf32>
  %three = stablehlo.constant dense<3.0> : tensor<8xf32>
  %four = stablehlo.constant dense<4.0> : tensor<2xf64>
  %tiny = stablehlo.constant dense<0x7FD0000000000000> : tensor<2xf64>
  %0 = stablehlo.divide %x, %eight : tensor<8xf32>
  %1 = stablehlo.divide %x, %quarter : tensor<8xf32>
  %2 = stablehlo.divide %x, %most : tensor<8xf32>
  %3 = stablehlo.divide %x, %least : tensor<8xf32>
  %4 = stablehlo.divide %eight, %three : tensor<8xf32>
  %5 = stablehlo.add %4, %1 : tensor<8xf32>
  %6 = stablehlo.divide %y, %four : tensor<2xf64>
  %7 = stablehlo.divide %y, %tiny : tensor<2xf64>
  return %0, %1, %2, %3, %5, %6, %7 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<2xf64>, tensor<2xf64>
}
