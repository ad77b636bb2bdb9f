// Products with few columns have the bits of others: those of the emitted text as well, on any number of threads.
// RUN: tessera run %s --input=random --check
// RUN: tessera run %s --input=random --threads=1 --output=%t.npz
// RUN: tessera run %s --input=random --threads=3 --expect=%t.npz --rtol=0 --atol=0
func.func @main(%a: tensor<100x900xf32>, %b: tensor<900x3xf32>, %v: tensor<900xf32>, %c: tensor<60x500xf64>, %d: tensor<7x500xf64>, %e: tensor<5x33x450xf32>, %f: tensor<5x450x16xf32>, %bias: tensor<16xf32>) -> (tensor<100x3xf32>, tensor<100xf32>, tensor<60x7xf64>, tensor<5x33x16xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<100x900xf32>, tensor<900x3xf32>) -> tensor<100x3xf32>
  %1 = stablehlo.dot_general %a, %v, contracting_dims = [1] x [0] : (tensor<100x900xf32>, tensor<900xf32>) -> tensor<100xf32>
  %2 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [1] : (tensor<60x500xf64>, tensor<7x500xf64>) -> tensor<60x7xf64>
  %3 = stablehlo.dot_general %e, %f, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<5x33x450xf32>, tensor<5x450x16xf32>) -> tensor<5x33x16xf32>
  %4 = stablehlo.broadcast_in_dim %bias, dims = [2] : (tensor<16xf32>) -> tensor<5x33x16xf32>
  %5 = stablehlo.add %3, %4 : tensor<5x33x16xf32>
  %6 = stablehlo.tanh %5 : tensor<5x33x16xf32>
  return %0, %1, %2, %6 : tensor<100x3xf32>, tensor<100xf32>, tensor<60x7xf64>, tensor<5x33x16xf32>
}
