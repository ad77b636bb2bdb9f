// Random bits of a state are those of the evaluator: both generators, states of both sizes, all shapes and types.
// RUN: tessera run %s --function=philox --input=2xui64=1311768467463790320,18446744073709551613 --check --rtol=0 --atol=0
// RUN: tessera run %s --function=philox --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// CHECK: 0 by the evaluator's kernels
// CHECK: move rng_bit_generator
// RUN: tessera run %s --function=carry --input=3xui64=1311768467463790320,18446744073709551600,5 --check --rtol=0 --atol=0
// RUN: tessera run %s --function=three_fry --input=2xi64=-81985529216486896,-3 --check --rtol=0 --atol=0
// RUN: tessera run %s --function=three_fry --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// RUN: tessera run %s --function=large --input=random --threads=1 --output=%t.npz
// RUN: tessera run %s --function=large --input=random --threads=3 --expect=%t.npz --rtol=0 --atol=0
// RUN: tessera run %s --function=large --input=random --engine=reference --expect=%t.npz --rtol=0 --atol=0
func.func @philox(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>, tensor<7x9xf32>, tensor<3xui64>, tensor<f64>, tensor<300x7xi16>, tensor<1031xui8>, tensor<2000xbf16>, tensor<64xi32>) {
  %a, %0 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
  %b, %1 = stablehlo.rng_bit_generator %a, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<7x9xf32>)
  %c, %2 = stablehlo.rng_bit_generator %b, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui64>)
  %d, %3 = stablehlo.rng_bit_generator %c, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<f64>)
  %e, %4 = stablehlo.rng_bit_generator %d, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<300x7xi16>)
  %f, %5 = stablehlo.rng_bit_generator %e, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<1031xui8>)
  %g, %6 = stablehlo.rng_bit_generator %f, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2000xbf16>)
  %h, %7 = stablehlo.rng_bit_generator %g, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<64xi32>)
  return %h, %0, %1, %2, %3, %4, %5, %6, %7 : tensor<2xui64>, tensor<5xui32>, tensor<7x9xf32>, tensor<3xui64>, tensor<f64>, tensor<300x7xi16>, tensor<1031xui8>, tensor<2000xbf16>, tensor<64xi32>
}
// The counter has 128 bits.
func.func @carry(%s: tensor<3xui64>) -> (tensor<3xui64>, tensor<11x13xui32>) {
  %0, %1 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<11x13xui32>)
  return %0, %1 : tensor<3xui64>, tensor<11x13xui32>
}
// Two words of a block are neighbours in one dimension.
func.func @three_fry(%s: tensor<2xi64>) -> (tensor<2xi64>, tensor<5xui32>, tensor<8xui32>, tensor<5x3x7xf32>, tensor<3x4x5xi16>, tensor<3x5x600xui8>, tensor<ui32>, tensor<3x9xi64>, tensor<600x5xui32>, tensor<1x9x1xui8>) {
  %a, %0 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xi64>) -> (tensor<2xi64>, tensor<5xui32>)
  %b, %1 = stablehlo.rng_bit_generator %a, algorithm = THREE_FRY : (tensor<2xi64>) -> (tensor<2xi64>, tensor<8xui32>)
  %c, %2 = stablehlo.rng_bit_generator %b, algorithm = THREE_FRY : (tensor<2xi64>) -> (tensor<2xi64>, tensor<5x3x7xf32>)
  %d, %3 = stablehlo.rng_bit_generator %c, algorithm = THREE_FRY : (tensor<2xi64>) -> (tensor<2xi64>, tensor<3x4x5xi16>)
  %e, %4 = stablehlo.rng_bit_generator %d, algorithm = THREE_FRY : (tensor<2xi64>) -> (tensor<2xi64>, tensor<3x5x600xui8>)
  %f, %5 = stablehlo.rng_bit_generator %e, algorithm = THREE_FRY : (tensor<2xi64>) -> (tensor<2xi64>, tensor<ui32>)
  %g, %6 = stablehlo.rng_bit_generator %f, algorithm = THREE_FRY : (tensor<2xi64>) -> (tensor<2xi64>, tensor<3x9xi64>)
  %h, %7 = stablehlo.rng_bit_generator %g, algorithm = THREE_FRY : (tensor<2xi64>) -> (tensor<2xi64>, tensor<600x5xui32>)
  %i, %8 = stablehlo.rng_bit_generator %h, algorithm = THREE_FRY : (tensor<2xi64>) -> (tensor<2xi64>, tensor<1x9x1xui8>)
  return %i, %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<2xi64>, tensor<5xui32>, tensor<8xui32>, tensor<5x3x7xf32>, tensor<3x4x5xi16>, tensor<3x5x600xui8>, tensor<ui32>, tensor<3x9xi64>, tensor<600x5xui32>, tensor<1x9x1xui8>
}
func.func @large(%s: tensor<2xui64>) -> (tensor<100003xui32>, tensor<300x301xui32>, tensor<70001xi64>, tensor<50001xui16>) {
  %a, %0 = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<100003xui32>)
  %b, %1 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<300x301xui32>)
  %c, %2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<70001xi64>)
  %d, %3 = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<50001xui16>)
  return %0, %1, %2, %3 : tensor<100003xui32>, tensor<300x301xui32>, tensor<70001xi64>, tensor<50001xui16>
}
