// Operands that repeat a short row are copied once for all blocks: in maps, in reductions of columns and of rows, with conversions; not
// where the lengths of rows differ, or where blocks end with the rows of slices.
// RUN: tessera run %s --input=random --check
// RUN: tessera run %s --input=random --check --strict-rounding --threads=3
// RUN: env TESSERA_ISA=baseline tessera run %s --input=random --check --threads=2
// RUN: tessera run %s --input=random --output=%t.npz --threads=1
// RUN: tessera run %s --input=random --expect=%t.npz --rtol=0 --atol=0 --threads=3
func.func @main(%x: tensor<1003x64xf32>, %a: tensor<64xf32>, %b: tensor<64xbf16>, %y: tensor<1003x3x48xf64>, %c: tensor<48xf64>, %d: tensor<3x48xf64>, %z: tensor<300x200xf32>, %e: tensor<100xf32>)
    -> (tensor<1003x64xf32>, tensor<64xf32>, tensor<1003x3x48xf64>, tensor<1003xf64>, tensor<300x100xf32>, tensor<300x2xf32>, tensor<3x48xf64>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %none = stablehlo.constant dense<0.0> : tensor<f64>
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<64xf32>) -> tensor<1003x64xf32>
  %narrow = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<64xbf16>) -> tensor<1003x64xbf16>
  %1 = stablehlo.convert %narrow : (tensor<1003x64xbf16>) -> tensor<1003x64xf32>
  %2 = stablehlo.subtract %x, %0 : tensor<1003x64xf32>
  %3 = stablehlo.multiply %2, %1 : tensor<1003x64xf32>
  // Columns: the variance of a batch normalization.
  %k = stablehlo.optimization_barrier %x : tensor<1003x64xf32>
  %4 = stablehlo.subtract %k, %0 : tensor<1003x64xf32>
  %5 = stablehlo.multiply %4, %4 : tensor<1003x64xf32>
  %6 = stablehlo.reduce(%5 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1003x64xf32>, tensor<f32>) -> tensor<64xf32>
  // Rows of 48 and of 144.
  %7 = stablehlo.broadcast_in_dim %c, dims = [2] : (tensor<48xf64>) -> tensor<1003x3x48xf64>
  %8 = stablehlo.broadcast_in_dim %d, dims = [1, 2] : (tensor<3x48xf64>) -> tensor<1003x3x48xf64>
  %9 = stablehlo.add %y, %7 : tensor<1003x3x48xf64>
  %10 = stablehlo.multiply %9, %8 : tensor<1003x3x48xf64>
  %l = stablehlo.optimization_barrier %y : tensor<1003x3x48xf64>
  %11 = stablehlo.subtract %l, %7 : tensor<1003x3x48xf64>
  %12 = stablehlo.reduce(%11 init: %none) applies stablehlo.maximum across dimensions = [1, 2] : (tensor<1003x3x48xf64>, tensor<f64>) -> tensor<1003xf64>
  // Rows of slices.
  %13 = stablehlo.slice %z [0:300, 50:150] : (tensor<300x200xf32>) -> tensor<300x100xf32>
  %14 = stablehlo.broadcast_in_dim %e, dims = [1] : (tensor<100xf32>) -> tensor<300x100xf32>
  %15 = stablehlo.subtract %13, %14 : tensor<300x100xf32>
  %16 = stablehlo.reshape %z : (tensor<300x200xf32>) -> tensor<300x2x100xf32>
  %17 = stablehlo.broadcast_in_dim %e, dims = [2] : (tensor<100xf32>) -> tensor<300x2x100xf32>
  %18 = stablehlo.subtract %16, %17 : tensor<300x2x100xf32>
  %19 = stablehlo.reduce(%18 init: %zero) applies stablehlo.maximum across dimensions = [2] : (tensor<300x2x100xf32>, tensor<f32>) -> tensor<300x2xf32>
  // Columns of three rows.
  %20 = stablehlo.multiply %l, %7 : tensor<1003x3x48xf64>
  %21 = stablehlo.reduce(%20 init: %none) applies stablehlo.add across dimensions = [0] : (tensor<1003x3x48xf64>, tensor<f64>) -> tensor<3x48xf64>
  return %3, %6, %10, %12, %15, %19, %21 : tensor<1003x64xf32>, tensor<64xf32>, tensor<1003x3x48xf64>, tensor<1003xf64>, tensor<300x100xf32>, tensor<300x2xf32>, tensor<3x48xf64>
}
